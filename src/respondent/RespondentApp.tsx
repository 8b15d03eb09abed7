import { useState } from 'react';
import type { Session } from '#respondent/api/session.ts';
import { IdlePage, IdleWatch } from '#respondent/flow/IdlePage.tsx';
import { OverlayPage } from '#respondent/flow/OverlayPage.tsx';
import { StepPage } from '#respondent/flow/StepPage.tsx';
import { useFlow } from '#respondent/flow/useFlow.ts';
import type { Entry } from '#respondent/steps.ts';
import { TopBar } from '#respondent/TopBar.tsx';

/** Leads the respondent from the entry to the thanks, one page a step. The address holds the entry code and nothing else. */
export function RespondentApp({ session, applyBranding }: { session: Session; applyBranding: (entry: Entry) => void }) {
  const flow = useFlow(session, applyBranding);
  const { entry, step, overlay, setOverlay, view } = flow;
  const [isAsking, setIsAsking] = useState(false);
  // The last page has a countdown of its own.
  const isWatched = flow.isKioskInUse && step.page !== 'thanks';
  const isIdle = isWatched && isAsking;
  const clear = () => {
    setIsAsking(false);
    flow.leave();
  };
  return (
    <>
      <TopBar
        title={entry?.insname ?? '心理健康测评'}
        isLarge={view.large}
        setLarge={(large) => flow.changeView({ ...view, large })}
        isMenuOpen={overlay?.page === 'menu'}
        {...(entry && !isIdle && overlay?.page !== 'reidentify'
          ? { toggleMenu: () => setOverlay(overlay ? undefined : { page: 'menu' }) }
          : {})}
      />
      <main>
        {/* Hidden, not unmounted: the exam keeps its state. */}
        <div hidden={isIdle || overlay !== undefined}>
          <StepPage flow={flow} isCovered={isIdle || overlay !== undefined} />
        </div>
        <div hidden={isIdle}>
          <OverlayPage flow={flow} />
        </div>
        {isWatched && !isIdle && <IdleWatch ask={() => setIsAsking(true)} />}
        {isIdle && <IdlePage isInExam={step.page === 'exam'} stay={() => setIsAsking(false)} clear={clear} />}
      </main>
    </>
  );
}
