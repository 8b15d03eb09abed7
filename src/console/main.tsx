import '@mantine/core/styles.layer.css';
import '@mantine/dates/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '#ui/theme/theme.css';
import { startTransition, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { watchAttention } from '#ui/api/attention.ts';
import { onHandOver } from '#ui/api/handOver.ts';
import { token } from '#ui/api/token.ts';
import { App, PublicNotFound } from '#console/App.tsx';
import { wireRecovery } from '#console/shell/recovery/wireRecovery.ts';
import { scaleRoot } from '#console/rootFont.ts';
import { printInLight } from '#ui/theme/printInLight.ts';
import { keepEnterInLists } from '#ui/form/enterInLists.ts';
import { screenForPath } from '#console/navigation.ts';
import { restoreSession, signOut } from '#console/session.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? '';
// The kit's scroll lock writes a style element and looks for its nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });
// Compiling schemas needs eval, which the page's policy forbids.
z.config({ jitless: true });
scaleRoot();
wireRecovery();
onHandOver(signOut);
keepEnterInLists();
watchAttention();
printInLight();

// The page's code loads while the server returns the account.
if (token()) void screenForPath(location.pathname)?.prefetch();

const render = (page: ReactNode) => createRoot(document.getElementById('root') as HTMLElement).render(page);

if (location.pathname === '/404' && !token()) render(<PublicNotFound nonce={nonce} />);
else
  void restoreSession().then((signedIn) => {
    if (!signedIn) return;
    // In a transition React waits for code that is almost loaded, instead of showing the skeleton for 300 ms.
    startTransition(() => render(<App nonce={nonce} />));
    void navigator.serviceWorker?.register('/offline.js').catch(() => undefined);
  });
