import { createRoot } from 'react-dom/client';
import { contrast, readable } from '#respondent/colour.ts';
import { deviceStorage } from '#respondent/device.ts';
import { sweepDrafts } from '#respondent/exam/draft.ts';
import '#respondent/respondent.css';
import '#respondent/exam/exam.css';
import { RespondentApp } from '#respondent/RespondentApp.tsx';
import { Session } from '#respondent/api/session.ts';

/** Applies the institution's colour in shades that are readable on light and on dark ground. */
const applyBranding = ({ themecolor }: { themecolor: string }) => {
  if (contrast(themecolor, '#ffffff') === 1 && !/^#fff/i.test(themecolor)) return;
  const { style } = document.documentElement;
  style.setProperty('--accent-light', readable(themecolor, '#ffffff', 5));
  style.setProperty('--accent-dark', readable(themecolor, '#1c2126', 6));
};

/** Takes the secret of a link (`#t=`) or of a kiosk (`#k=`) out of the address, so that neither history nor screen shows it. */
function takeSecret() {
  const [, kind, text] = /^#([tk])=([\w-]{32})$/.exec(window.location.hash) ?? [];
  if (!text) return undefined;
  window.history.replaceState(null, '', window.location.pathname);
  return { kind: kind === 't' ? ('link' as const) : ('kiosk' as const), text };
}
// Another link for the same institution changes only the part after `#`, which loads nothing by itself.
window.addEventListener('hashchange', () => window.location.reload());

sweepDrafts(deviceStorage(), Date.now());
const clientcode = /^\/c\/([^/]+)/.exec(window.location.pathname)?.[1] ?? '';
// The service worker keeps the page for a reload without a network. A browser without service workers only lacks that.
const isPreview = window.location.pathname.startsWith('/c/preview/');
if ('serviceWorker' in navigator && !isPreview)
  void navigator.serviceWorker.register('/c/offline.js', { scope: '/c/' }).catch(() => undefined);
const root = document.getElementById('root');
const [, teamcode, child] = /^\/c\/[^/]+\/parent\/([\w-]+)(?:\/([\w-]{22}))?/.exec(window.location.pathname) ?? [];
if (root && window.location.pathname === '/c/preview/scale')
  void import('#respondent/preview/ScalePreview.tsx').then(({ ScalePreview }) => createRoot(root).render(<ScalePreview />));
else if (root && isPreview)
  void import('#respondent/preview/PreviewApp.tsx').then(({ PreviewApp }) =>
    createRoot(root).render(<PreviewApp applyBranding={applyBranding} />),
  );
else if (root && teamcode)
  void import('#respondent/entry/ParentPage.tsx').then(({ ParentApp }) =>
    createRoot(root).render(
      <ParentApp clientcode={clientcode} teamcode={teamcode} child={child} applyBranding={applyBranding} />,
    ),
  );
else if (root)
  createRoot(root).render(<RespondentApp session={new Session(clientcode, takeSecret())} applyBranding={applyBranding} />);
