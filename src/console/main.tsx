import '@mantine/core/styles.layer.css';
import '@mantine/dates/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '#ui/theme.css';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { token } from '#ui/token.ts';
import { App } from '#console/App.tsx';
import { wireGates } from '#console/api.ts';
import { scaleRoot } from '#console/rootFont.ts';
import { codeAt } from '#console/routes.ts';
import { restore } from '#console/session.ts';
import { warmUp } from '#console/shell/ScreenView.tsx';

const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? '';
// The kit's scroll lock writes a style element and finds its nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });
// Compiling schemas needs eval, which the page's policy forbids.
z.config({ jitless: true });
scaleRoot();
wireGates();

// The page comes while the server is asked who we are.
const page = token() ? codeAt(location.pathname) : undefined;
if (page) warmUp(page);

void restore().then((signedIn) => {
  if (signedIn) createRoot(document.getElementById('root') as HTMLElement).render(<App nonce={nonce} />);
});
