import { MantineProvider } from '@mantine/core';
import { DatesProvider } from '@mantine/dates';
import { QueryClientProvider } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { AskDialog } from '#ui/ask.tsx';
import { later } from '#ui/later.tsx';
import { queryClient } from '#ui/queryClient.ts';
import { Router } from '#ui/router.tsx';
import { isSaid, onSaid } from '#ui/say.ts';
import { theme } from '#ui/theme.ts';
import { Gates } from '#console/shell/Gates.tsx';
import { Shell } from '#console/shell/Shell.tsx';

const Toasts = later(() => import('#ui/Toasts.tsx').then((file) => file.Toasts));

/** From the first message on. */
const Messages = () => (useSyncExternalStore(onSaid, isSaid) ? <Toasts /> : null);

/** The signed-in console. */
export function App({ nonce }: { nonce: string }) {
  return (
    <MantineProvider theme={theme} getStyleNonce={() => nonce} defaultColorScheme="light">
      <DatesProvider settings={{ locale: 'zh-cn', firstDayOfWeek: 1, weekendDays: [0, 6] }}>
        <QueryClientProvider client={queryClient}>
          <Messages />
          <Router>
            <Shell />
          </Router>
          <AskDialog />
          <Gates />
        </QueryClientProvider>
      </DatesProvider>
    </MantineProvider>
  );
}
