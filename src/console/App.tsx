import { MantineProvider } from '@mantine/core';
import { DatesProvider } from '@mantine/dates';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import 'dayjs/locale/zh-cn';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { AskDialog } from '#ui/ask.tsx';
import { queryClient } from '#ui/queryClient.ts';
import { theme } from '#ui/theme.ts';
import { Gates } from '#console/shell/Gates.tsx';
import { Shell } from '#console/shell/Shell.tsx';

// One route for the router: which pages there are depends on the account, and kept views need a place of their own.
const router = createBrowserRouter([{ path: '*', element: <Shell /> }]);

/** The signed-in console. */
export function App({ nonce }: { nonce: string }) {
  return (
    <MantineProvider theme={theme} getStyleNonce={() => nonce} defaultColorScheme="light">
      <DatesProvider settings={{ locale: 'zh-cn', firstDayOfWeek: 1, weekendDays: [0, 6] }}>
        <QueryClientProvider client={queryClient}>
          <Notifications position="top-center" limit={4} zIndex={500} />
          <RouterProvider router={router} />
          <AskDialog />
          <Gates />
        </QueryClientProvider>
      </DatesProvider>
    </MantineProvider>
  );
}
