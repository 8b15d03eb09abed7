import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ConfirmPage } from '#respondent/entry/ConfirmPage.tsx';
import { ConsentPage, DeclinedPage } from '#respondent/entry/ConsentPage.tsx';
import { ContactPage } from '#respondent/entry/ContactPage.tsx';
import { saveView, readView, type View } from '#respondent/device.ts';
import { submitExam, openExam, type ExamRun } from '#respondent/exam/examRun.ts';
import { IdentifyPage } from '#respondent/entry/IdentifyPage.tsx';
import { MenuPage } from '#respondent/entry/MenuPage.tsx';
import { PageFrame } from '#respondent/PageFrame.tsx';
import { ReportPage, ReportsPage } from '#respondent/report/ReportPage.tsx';
import type { SubmitResult } from '#respondent/exam/saver.ts';
import type { Identity, Session } from '#respondent/api/session.ts';
import { ExamPage } from '#respondent/exam/ExamPage.tsx';
import { TasksPage, type Task } from '#respondent/entry/TasksPage.tsx';
import { ThanksPage } from '#respondent/entry/ThanksPage.tsx';
import { call, CallRefused, errorMessage, Unreachable, type CallResponse, type CallRequest } from '#respondent/api/api.ts';
import { wordsFor } from '#respondent/wording.ts';

type Entry = CallResponse<'getEntry'>;
type Step =
  | { at: 'loading' }
  | { at: 'failed'; why: string; retry: () => void }
  | { at: 'identify' }
  | { at: 'confirm'; identity: Identity }
  | { at: 'consent'; identity: Identity }
  | { at: 'declined'; identity: Identity }
  | { at: 'tasks'; tasks: readonly Task[]; fault: string }
  | { at: 'sheet'; run: ExamRun }
  | { at: 'thanks'; result: SubmitResult; more: boolean };
/** What lies over the step without ending it. */
type Overlay =
  | { at: 'menu' | 'contact' }
  | { at: 'again'; resolve: () => void }
  | { at: 'reports'; reports: CallResponse<'getOwnReports'> }
  | { at: 'report'; report: CallResponse<'getOwnReport'> };

/** The respondent's way from the entry to the thanks. Every step is a page; nothing but the entry code is in the address. */
export function RespondentApp({ session, applyBranding }: { session: Session; applyBranding: (entry: Entry) => void }) {
  const [entry, setEntry] = useState<Entry | undefined>(undefined);
  const [step, setStep] = useState<Step>({ at: 'loading' });
  const [overlay, setOverlay] = useState<Overlay | undefined>(undefined);
  const [view, setView] = useState<View>(readView);
  const [fault, setFault] = useState('');
  const running = useRef<ExamRun | undefined>(undefined);
  const { clientcode } = session;
  const words = wordsFor(entry?.sector ?? '');

  const changeView = (next: View) => {
    saveView(next);
    setView(next);
  };
  useEffect(() => {
    document.documentElement.classList.toggle('large', view.large);
  }, [view.large]);

  const failed = (error: unknown, retry: () => void) => setStep({ at: 'failed', why: errorMessage(error), retry });

  const load = async () => {
    setStep({ at: 'loading' });
    try {
      const found = await call('getEntry', { clientcode }).catch((error: unknown) => {
        if (error instanceof Unreachable && session.entry) return session.entry;
        throw error;
      });
      session.keepEntry(found);
      setEntry(found);
      applyBranding(found);
      if (session.identity && !session.identity.needconsent) await proceed(session.cuserplanid);
      else setStep({ at: 'identify' });
    } catch (error) {
      failed(error, () => void load());
    }
  };
  useEffect(() => {
    session.reidentify = () => new Promise<void>((resolve) => setOverlay({ at: 'again', resolve }));
    void load();
  }, []);

  /** Goes to the sheet when there is one thing to answer (or one was under way), else to the list. */
  const proceed = async (planid?: number, fresh = false) => {
    setStep({ at: 'loading' });
    try {
      if (planid !== undefined) return await start(planid);
      const tasks = await session.call('getTasks', {});
      const open = tasks.filter((task) => task.status !== 2);
      const [only] = open;
      if (only && open.length === 1 && !fresh) return await start(only.cuserplanid);
      setStep({ at: 'tasks', tasks, fault: '' });
    } catch (error) {
      failed(error, () => void proceed(planid, fresh));
    }
  };

  const start = async (planid: number) => {
    setStep({ at: 'loading' });
    try {
      const run = await openExam(session, planid);
      running.current = run;
      setFault('');
      setStep({ at: 'sheet', run });
      if (run.saver.unfinished) void submit(run);
    } catch (error) {
      if (!(error instanceof CallRefused)) return failed(error, () => void start(planid));
      session.answering(undefined);
      // The consent was withdrawn, or its text has changed.
      if (error.code === 150005 && session.identity) return setStep({ at: 'consent', identity: session.identity });
      const tasks = await session.call('getTasks', {}).catch(() => []);
      setStep({ at: 'tasks', tasks, fault: error.message });
    }
  };

  const submit = async (run: ExamRun) => {
    setFault('');
    try {
      const result = await submitExam(run.saver);
      if (!result) return;
      run.finish();
      running.current = undefined;
      const tasks = await session.call('getTasks', {}).catch(() => []);
      setStep({ at: 'thanks', result, more: tasks.some((task) => task.status !== 2) });
    } catch (error) {
      setFault(errorMessage(error));
    }
  };

  const stopRunning = () => {
    running.current?.saver.leave();
    running.current?.stop();
    running.current = undefined;
  };
  const leave = () => {
    stopRunning();
    session.close();
    setOverlay(undefined);
    setStep({ at: 'identify' });
  };
  const arrive = (identity: Identity) => {
    if (identity.large && !view.large) changeView({ ...view, large: true });
    // An anonymous person has no name to confirm.
    if (identity.maskedname) setStep({ at: 'confirm', identity });
    else confirmed(identity);
  };
  const confirmed = (identity: Identity) => {
    session.open(identity);
    if (identity.needconsent) setStep({ at: 'consent', identity });
    else void proceed();
  };
  const identified = (request: CallRequest<'loginRespondent'>) =>
    call('loginRespondent', entry?.loginmode === '04' ? { ...request, key: session.scan } : request);
  const login = async (request: CallRequest<'loginRespondent'>) => arrive(await identified(request));
  const loginAgain = (resolve: () => void) => async (request: CallRequest<'loginRespondent'>) => {
    const identity = await identified(request);
    const before = session.identity;
    setOverlay(undefined);
    if (before && before.draftsecret === identity.draftsecret && before.maskedname === identity.maskedname) {
      session.open(identity);
      return resolve();
    }
    // Somebody else: what the first person answered stays sealed, and is theirs when they come back.
    stopRunning();
    session.close();
    arrive(identity);
  };
  const openReports = async () => {
    try {
      setOverlay({ at: 'reports', reports: await session.call('getOwnReports', {}) });
    } catch {
      setOverlay({ at: 'reports', reports: [] });
    }
  };
  const openReport = async (reportcode: string) =>
    session.call('getOwnReport', { reportcode }).then((report) => setOverlay({ at: 'report', report }), openReports);

  const hotline = entry?.hotline || '12356';
  const uncover = () => setOverlay(undefined);
  const page = () => {
    if (!entry || step.at === 'loading')
      return step.at === 'failed' ? (
        <FailedPage {...step} />
      ) : (
        <p className="loading" role="status">
          正在打开…
        </p>
      );
    switch (step.at) {
      case 'failed':
        return <FailedPage {...step} />;
      case 'identify':
        return <IdentifyPage entry={entry} clientcode={clientcode} words={words} login={login} />;
      case 'confirm':
        return <ConfirmPage identity={step.identity} words={words} accept={() => confirmed(step.identity)} reject={leave} />;
      case 'consent':
        return (
          <ConsentPage
            consent={entry.consent}
            identity={step.identity}
            words={words}
            agree={async (request) => {
              await session.call('submitConsent', request);
              session.consented();
              await proceed();
            }}
            decline={() => setStep({ at: 'declined', identity: step.identity })}
          />
        );
      case 'declined':
        return (
          <DeclinedPage
            words={words}
            hotline={hotline}
            leave={leave}
            back={() => setStep({ at: 'consent', identity: step.identity })}
          />
        );
      case 'tasks':
        return <TasksPage tasks={step.tasks} words={words} fault={step.fault} start={(task) => void start(task.cuserplanid)} />;
      case 'sheet':
        return (
          <Answering run={step.run}>
            {(state) => (
              <ExamPage
                exam={step.run.exam}
                saver={step.run.saver}
                state={state}
                view={view}
                words={words}
                covered={overlay !== undefined}
                submit={() => void submit(step.run)}
                submitFault={fault}
              />
            )}
          </Answering>
        );
      case 'thanks':
        return (
          <ThanksPage
            result={step.result}
            words={words}
            hotline={hotline}
            contact={() => setOverlay({ at: 'contact' })}
            read={
              step.result.showreport
                ? () => void (step.result.reportcode ? openReport(step.result.reportcode) : openReports())
                : undefined
            }
            more={step.more ? () => void proceed(undefined, true) : undefined}
            leave={leave}
          />
        );
    }
  };

  const covering = () => {
    if (!overlay || !entry) return null;
    switch (overlay.at) {
      case 'again':
        return <IdentifyPage entry={entry} clientcode={clientcode} words={words} again login={loginAgain(overlay.resolve)} />;
      case 'menu':
        return (
          <MenuPage
            view={view}
            setView={changeView}
            words={words}
            signedIn={session.identity !== undefined && step.at !== 'confirm' && step.at !== 'identify'}
            contact={() => setOverlay({ at: 'contact' })}
            reports={() => void openReports()}
            withdraw={async () => {
              await session.call('withdrawConsent', {});
              leave();
            }}
            leave={leave}
            back={uncover}
          />
        );
      case 'contact':
        return (
          <ContactPage
            words={words}
            hotline={hotline}
            ask={async (content) => (await session.call('askForContact', { content })).text}
            back={uncover}
          />
        );
      case 'reports':
        return <ReportsPage reports={overlay.reports} read={(code) => void openReport(code)} back={uncover} />;
      case 'report':
        return <ReportPage report={overlay.report} back={uncover} />;
    }
  };

  return (
    <>
      <header className="top">
        <span className="brand">{entry?.insname ?? '心理健康测评'}</span>
        <button
          type="button"
          aria-pressed={view.large}
          aria-label="大字"
          onClick={() => changeView({ ...view, large: !view.large })}
        >
          A+
        </button>
        {entry && overlay?.at !== 'again' && (
          <button
            type="button"
            aria-expanded={overlay?.at === 'menu'}
            onClick={() => setOverlay(overlay ? undefined : { at: 'menu' })}
          >
            菜单
          </button>
        )}
      </header>
      <main>
        {/* Covered, not closed: the sheet stays as it was. */}
        <div hidden={overlay !== undefined}>{page()}</div>
        {covering()}
      </main>
    </>
  );
}

function FailedPage({ why, retry }: { why: string; retry: () => void }) {
  return (
    <PageFrame
      heading="暂时打不开"
      actions={
        <button type="button" className="primary" onClick={retry}>
          再试一次
        </button>
      }
    >
      <p role="alert">{why}</p>
    </PageFrame>
  );
}

/** Draws anew whenever an answer was given, saved or refused. */
function Answering({ run, children }: { run: ExamRun; children: (state: ExamRun['saver']['state']) => React.ReactNode }) {
  return children(useSyncExternalStore(run.saver.subscribe, run.saver.snapshot));
}
