import { ContactPage } from '#respondent/entry/ContactPage.tsx';
import { MenuPage } from '#respondent/entry/MenuPage.tsx';
import { EntryPage } from '#respondent/flow/EntryPage.tsx';
import type { Flow } from '#respondent/flow/useFlow.ts';
import { ReportPage, ReportsPage } from '#respondent/report/ReportPage.tsx';

/** Draws the page that stands over the current step: menu, contact, reports, or identifying again. */
export function OverlayPage({ flow }: { flow: Flow }) {
  const { session, entry, words, lines, step, setStep, overlay, setOverlay, view, isKiosk, leave } = flow;
  const closeOverlay = () => setOverlay(undefined);
  if (!overlay || !entry) return null;
  switch (overlay.page) {
    case 'reidentify': {
      const { resolve } = overlay;
      return (
        <EntryPage
          flow={flow}
          isLink={session.identity?.way === '02'}
          isAgain
          onIdentity={(identity) => flow.continueAs(resolve, identity)}
        />
      );
    }
    case 'menu':
      return (
        <MenuPage
          view={view}
          setView={flow.changeView}
          words={words}
          signedIn={session.identity !== undefined && step.page !== 'confirm' && step.page !== 'identify'}
          contact={() => setOverlay({ page: 'contact' })}
          {...(isKiosk ? {} : { reports: () => void flow.openReports() })}
          consult={step.page === 'exam' || step.page === 'consult' ? undefined : flow.openConsult}
          relax={flow.openRelax}
          withdraw={async () => {
            const receipt = await session.call('withdrawConsent', {});
            flow.stopRunning();
            setOverlay(undefined);
            setStep({ page: 'withdrawn', receipt });
          }}
          guardian={
            session.identity?.needguardian && step.page !== 'exam'
              ? () => {
                  setOverlay(undefined);
                  setStep({ page: 'guardian', phone: session.identity?.guardianphone ?? '' });
                }
              : undefined
          }
          leave={leave}
          back={closeOverlay}
        />
      );
    case 'contact':
      return (
        <ContactPage
          words={words}
          lines={lines}
          ask={async (content) => (await session.call('askForContact', { content })).text}
          back={closeOverlay}
        />
      );
    case 'reports':
      return <ReportsPage reports={overlay.reports} read={(code) => void flow.openReport(code)} back={closeOverlay} />;
    case 'report':
      return <ReportPage report={overlay.report} back={closeOverlay} open={flow.openContent} />;
  }
}
