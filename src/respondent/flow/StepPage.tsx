import { ConfirmPage } from '#respondent/entry/ConfirmPage.tsx';
import { ConsentPage, DeclinedPage } from '#respondent/entry/ConsentPage.tsx';
import { EndedPage } from '#respondent/entry/EndedPage.tsx';
import { FailedPage } from '#respondent/entry/FailedPage.tsx';
import { GuardianPage } from '#respondent/entry/GuardianPage.tsx';
import { TasksPage } from '#respondent/entry/TasksPage.tsx';
import { ThanksPage } from '#respondent/entry/ThanksPage.tsx';
import { WithdrawnPage } from '#respondent/entry/WithdrawnPage.tsx';
import { ExamPage } from '#respondent/exam/ExamPage.tsx';
import { ExamState } from '#respondent/exam/ExamState.tsx';
import { EntryPage } from '#respondent/flow/EntryPage.tsx';
import { LazyPage } from '#respondent/flow/LazyPage.tsx';
import type { Flow } from '#respondent/flow/useFlow.ts';

const loadConsult = () => import('#respondent/consult/ConsultPages.tsx').then((file) => file.ConsultPages);
const loadRelax = () => import('#respondent/relax/RelaxPages.tsx').then((file) => file.RelaxPages);

/** Seconds after the end at which a kiosk clears the page (supplement-people-statistics.md, section 4). */
const CLEARS_AFTER = 20;

/** Draws the page of the current step. `isCovered`: another page stands over it, so it takes no keys. */
export function StepPage({ flow, isCovered }: { flow: Flow; isCovered: boolean }) {
  const { session, entry, words, lines, step, setStep, setOverlay, view, isKiosk, proceed, start, submit, leave } = flow;
  if (!entry || step.page === 'loading')
    return step.page === 'failed' ? (
      <FailedPage {...step} />
    ) : (
      <p className="loading" role="status">
        正在打开…
      </p>
    );
  switch (step.page) {
    case 'failed':
      return <FailedPage {...step} />;
    case 'identify':
      return <EntryPage flow={flow} onIdentity={flow.onLogin} />;
    case 'link':
      return <EntryPage flow={flow} isLink onIdentity={flow.onLogin} />;
    case 'ended':
      return <EndedPage {...step} words={words} />;
    case 'confirm':
      return (
        <ConfirmPage
          identity={step.identity}
          words={words}
          accept={() => flow.onConfirmed(step.identity)}
          reject={() => flow.leaveAs(step.identity.way, true)}
        />
      );
    case 'consent':
      return (
        <ConsentPage
          consent={entry.consent}
          identity={step.identity}
          agree={async (request) => {
            await session.call('submitConsent', request);
            session.recordConsent();
            if (step.identity.needguardian) setStep({ page: 'guardian', phone: step.identity.guardianphone });
            else await proceed();
          }}
          decline={() => setStep({ page: 'declined', identity: step.identity })}
        />
      );
    case 'declined':
      return (
        <DeclinedPage
          words={words}
          lines={lines}
          decline={() => session.call('declineTasks', {})}
          leave={leave}
          back={() => setStep({ page: 'consent', identity: step.identity })}
        />
      );
    case 'guardian':
      return (
        <GuardianPage
          phone={step.phone}
          send={() => session.call('sendGuardianCode', {})}
          confirm={async (code) => {
            await session.call('confirmGuardianCode', { code });
            session.recordGuardian();
            await proceed();
          }}
          later={() => void proceed()}
        />
      );
    case 'withdrawn':
      return <WithdrawnPage receipt={step.receipt} leave={leave} />;
    case 'tasks':
      return (
        <TasksPage
          tasks={step.tasks}
          words={words}
          fault={step.fault}
          start={(task) => void start(task.cuserplanid)}
          consult={flow.openConsult}
          relax={flow.openRelax}
        />
      );
    case 'consult':
      return (
        <LazyPage heading="预约咨询" load={loadConsult} back={step.back} key="consult">
          {(ConsultPages) => <ConsultPages session={session} words={words} lines={lines} back={step.back} />}
        </LazyPage>
      );
    case 'relax':
      return (
        <LazyPage heading="放松与学习" load={loadRelax} back={step.back} key="relax">
          {(RelaxPages) => (
            <RelaxPages
              session={session}
              words={words}
              lines={lines}
              contact={() => setOverlay({ page: 'contact' })}
              back={step.back}
              isCovered={isCovered}
            />
          )}
        </LazyPage>
      );
    case 'exam':
      return (
        <ExamState run={step.run}>
          {(state) => (
            <ExamPage
              exam={step.run.exam}
              saver={step.run.saver}
              state={state}
              view={view}
              words={words}
              covered={isCovered}
              submit={() => void submit(step.run)}
              submitFault={flow.fault}
            />
          )}
        </ExamState>
      );
    case 'thanks':
      return (
        <ThanksPage
          result={step.result}
          words={words}
          lines={lines}
          contact={() => setOverlay({ page: 'contact' })}
          read={
            step.result.showreport && !isKiosk
              ? () => void (step.result.reportcode ? flow.openReport(step.result.reportcode) : flow.openReports())
              : undefined
          }
          more={step.more && !isKiosk ? () => void proceed(undefined, true) : undefined}
          relax={flow.openRelax}
          leave={leave}
          clearsAfter={isKiosk ? CLEARS_AFTER : undefined}
        />
      );
  }
}
