import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { ConfirmDialog } from '#ui/feedback/confirm.tsx';
import { queryClient } from '#ui/api/queryClient.ts';
import { Router } from '#ui/router/router.tsx';
import { theme } from '#ui/theme/theme.ts';
import { RecoveryDialogs } from '#console/shell/recovery/RecoveryDialogs.tsx';
import NotFound from '#console/shell/frame/NotFound.tsx';
import { Shell } from '#console/shell/frame/Shell.tsx';

/** /404 of a visitor without an account (specification section 2: the public pages are /login and /404). */
export function PublicNotFound({ nonce }: { nonce: string }) {
  return (
    <MantineProvider theme={theme} getStyleNonce={() => nonce} defaultColorScheme="light">
      <main>
        <NotFound isPublic />
      </main>
    </MantineProvider>
  );
}

/** The console of a signed-in account. */
export function App({ nonce }: { nonce: string }) {
  return (
    <MantineProvider theme={theme} getStyleNonce={() => nonce} defaultColorScheme="light">
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-center" limit={4} zIndex={500} />
        <Router>
          <Shell />
        </Router>
        <ConfirmDialog />
        <RecoveryDialogs />
      </QueryClientProvider>
    </MantineProvider>
  );
}
