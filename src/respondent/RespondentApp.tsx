import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ConfirmPage } from '#respondent/pages/ConfirmPage.tsx';
import { ConsentPage, DeclinedPage } from '#respondent/pages/ConsentPage.tsx';
import { ContactPage } from '#respondent/pages/ContactPage.tsx';
import { keepView, keptView, type View } from '#respondent/device.ts';
import { handInExam, openExam, type ExamRun } from '#respondent/answers/examRun.ts';
import { IdentifyPage } from '#respondent/pages/IdentifyPage.tsx';
import { MenuPage } from '#respondent/pages/MenuPage.tsx';
import { PageFrame } from '#respondent/pages/PageFrame.tsx';
import { ReportPage, ReportsPage } from '#respondent/pages/ReportPage.tsx';
import type { HandedIn } from '#respondent/answers/saver.ts';
import type { Identity, Session } from '#respondent/session.ts';
import { SheetPage } from '#respondent/pages/ExamPage.tsx';
import { TasksPage, type Task } from '#respondent/pages/TasksPage.tsx';
import { ThanksPage } from '#respondent/pages/ThanksPage.tsx';
import { call, Refused, errorMessage, Unreachable, type Answered, type Asked } from '#respondent/api.ts';
import { wordsFor } from '#respondent/wording.ts';

type Entry = Answered<'getEntry'>;
type Step =
  | { at: 'loading' }
  | { at: 'failed'; why: string; retry: () => void }
  | { at: 'identify' }
  | { at: 'confirm'; identity: Identity }
  | { at: 'consent'; identity: Identity }
  | { at: 'declined'; identity: Identity }
  | { at: 'tasks'; tasks: readonly Task[]; fault: string }
  | { at: 'sheet'; run: ExamRun }
  | { at: 'thanks'; result: HandedIn; more: boolean };
/** What lies over the step without ending it. */
type Over =
  | { at: 'menu' | 'contact' }
  | { at: 'again'; resolve: () => void }
  | { at: 'reports'; reports: Answered<'getOwnReports'> }
  | { at: 'report'; report: Answered<'getOwnReport'> };

/** The respondent's way from the entry to the thanks. Every step is a page; nothing but the entry code is in the address. */
export function RespondentApp({ session, paint }: { session: Session; paint: (entry: Entry) => void }) {
  const [entry, setEntry] = useState<Entry | undefined>(undefined);
  const [step, setStep] = useState<Step>({ at: 'loading' });
  const [over, setOver] = useState<Over | undefined>(undefined);
  const [view, setView] = useState<View>(keptView);
  const [fault, setFault] = useState('');
  const running = useRef<ExamRun | undefined>(undefined);
  const { clientcode } = session;
  const words = wordsFor(entry?.sector ?? '');

  const changeView = (next: View) => {
    keepView(next);
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
      paint(found);
      if (session.identity && !session.identity.needconsent) await proceed(session.cuserplanid);
      else setStep({ at: 'identify' });
    } catch (error) {
      failed(error, () => void load());
    }
  };
  useEffect(() => {
    session.askAgain = () => new Promise<void>((resolve) => setOver({ at: 'again', resolve }));
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
      if (run.saver.unfinished) void handIn(run);
    } catch (error) {
      if (!(error instanceof Refused)) return failed(error, () => void start(planid));
      session.answering(undefined);
      // The consent was withdrawn, or its text has changed.
      if (error.code === 150005 && session.identity) return setStep({ at: 'consent', identity: session.identity });
      const tasks = await session.call('getTasks', {}).catch(() => []);
      setStep({ at: 'tasks', tasks, fault: error.message });
    }
  };

  const handIn = async (run: ExamRun) => {
    setFault('');
    try {
      const result = await handInExam(run.saver);
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
    setOver(undefined);
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
  const identified = (request: Asked<'loginRespondent'>) =>
    call('loginRespondent', entry?.loginmode === '04' ? { ...request, key: session.scan } : request);
  const login = async (request: Asked<'loginRespondent'>) => arrive(await identified(request));
  const loginAgain = (resolve: () => void) => async (request: Asked<'loginRespondent'>) => {
    const identity = await identified(request);
    const before = session.identity;
    setOver(undefined);
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
      setOver({ at: 'reports', reports: await session.call('getOwnReports', {}) });
    } catch {
      setOver({ at: 'reports', reports: [] });
    }
  };
  const openReport = async (reportcode: string) =>
    session.call('getOwnReport', { reportcode }).then((report) => setOver({ at: 'report', report }), openReports);

  const hotline = entry?.hotline || '12356';
  const uncover = () => setOver(undefined);
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
              <SheetPage
                exam={step.run.exam}
                saver={step.run.saver}
                state={state}
                view={view}
                words={words}
                covered={over !== undefined}
                handIn={() => void handIn(step.run)}
                handInFault={fault}
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
            contact={() => setOver({ at: 'contact' })}
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
    if (!over || !entry) return null;
    switch (over.at) {
      case 'again':
        return <IdentifyPage entry={entry} clientcode={clientcode} words={words} again login={loginAgain(over.resolve)} />;
      case 'menu':
        return (
          <MenuPage
            view={view}
            setView={changeView}
            words={words}
            signedIn={session.identity !== undefined && step.at !== 'confirm' && step.at !== 'identify'}
            contact={() => setOver({ at: 'contact' })}
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
        return <ReportsPage reports={over.reports} read={(code) => void openReport(code)} back={uncover} />;
      case 'report':
        return <ReportPage report={over.report} back={uncover} />;
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
        {entry && over?.at !== 'again' && (
          <button type="button" aria-expanded={over?.at === 'menu'} onClick={() => setOver(over ? undefined : { at: 'menu' })}>
            菜单
          </button>
        )}
      </header>
      <main>
        {/* Covered, not closed: the sheet stays as it was. */}
        <div hidden={over !== undefined}>{page()}</div>
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
