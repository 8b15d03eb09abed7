import { useEffect, useRef, useState } from 'react';
import { ConfirmPage } from '#respondent/entry/ConfirmPage.tsx';
import { ConsentPage, DeclinedPage } from '#respondent/entry/ConsentPage.tsx';
import { chooseHotlines } from '#domain/exam/hotline.ts';
import { ContactPage } from '#respondent/entry/ContactPage.tsx';
import { saveView, readView, type View } from '#respondent/device.ts';
import { EndedLate, submitExam, openExam, type ExamRun } from '#respondent/exam/examRun.ts';
import { ENTRY_NOT_OPEN, FailedPage } from '#respondent/entry/FailedPage.tsx';
import { EndedPage } from '#respondent/entry/EndedPage.tsx';
import { GuardianPage } from '#respondent/entry/GuardianPage.tsx';
import { MenuPage } from '#respondent/entry/MenuPage.tsx';
import { ReportPage, ReportsPage } from '#respondent/report/ReportPage.tsx';
import type { SubmitResult } from '#respondent/exam/saver.ts';
import type { Identity, Session } from '#respondent/api/session.ts';
import { ExamState } from '#respondent/exam/ExamState.tsx';
import { ExamPage } from '#respondent/exam/ExamPage.tsx';
import { TasksPage } from '#respondent/entry/TasksPage.tsx';
import { ThanksPage } from '#respondent/entry/ThanksPage.tsx';
import { WithdrawnPage } from '#respondent/entry/WithdrawnPage.tsx';
import { call, CallRefused, errorMessage, Unreachable } from '#respondent/api/api.ts';
import { enterByLink, StartPage } from '#respondent/StartPage.tsx';
import type { Entry, Overlay, Step } from '#respondent/steps.ts';
import { TopBar } from '#respondent/TopBar.tsx';
import { takeEntryOfPage } from '#respondent/entryOfPage.ts';
import { wordsFor } from '#respondent/wording.ts';

/** Seconds after the end at which a kiosk clears the page (supplement-people-statistics.md, section 4). */
const CLEARS_AFTER = 20;

/** Leads the respondent from the entry to the thanks, one page a step. The address holds the entry code and nothing else. */
export function RespondentApp({ session, applyBranding }: { session: Session; applyBranding: (entry: Entry) => void }) {
  // The page brings the facts of its first view, so that it draws the same view at once.
  const [entryOfPage] = useState(() => takeEntryOfPage(session.clientcode));
  const [entry, setEntry] = useState<Entry | undefined>(entryOfPage);
  const [step, setStep] = useState<Step>({ page: entryOfPage && !session.identity && !session.link ? 'identify' : 'loading' });
  const [overlay, setOverlay] = useState<Overlay | undefined>(undefined);
  const [view, setView] = useState<View>(readView);
  const [fault, setFault] = useState('');
  const running = useRef<ExamRun | undefined>(undefined);
  const { clientcode } = session;
  const words = wordsFor(entry?.sector ?? '', session.identity?.you);

  const changeView = (next: View) => {
    saveView(next);
    setView(next);
  };
  useEffect(() => {
    document.documentElement.classList.toggle('large', view.large);
  }, [view.large]);

  const showFailure = (error: unknown, retry: () => void) =>
    setStep({
      page: 'failed',
      reason: errorMessage(error),
      retry,
      isClosed: error instanceof CallRefused && error.code === ENTRY_NOT_OPEN,
    });

  const load = async (known?: Entry) => {
    if (!known) setStep({ page: 'loading' });
    try {
      const loaded =
        known ??
        (await call('getEntry', { clientcode }).catch((error: unknown) => {
          if (error instanceof Unreachable && session.entry) return session.entry;
          throw error;
        }));
      session.saveEntry(loaded);
      setEntry(loaded);
      applyBranding(loaded);
      const { identity } = session;
      if (identity && !identity.needconsent) await proceed(session.cuserplanid);
      else if (identity?.way) await askConsent(identity);
      else if (session.link) await openLink();
      else setStep({ page: 'identify' });
    } catch (error) {
      showFailure(error, () => void load());
    }
  };
  useEffect(() => {
    // A code of a kiosk is used up: the device is ready for the next person.
    session.reidentify = () =>
      new Promise<void>((resolve) => (isAtKiosk() ? leave() : setOverlay({ page: 'reidentify', resolve })));
    void load(entryOfPage);
  }, []);

  /** Opens the exam when exactly one is open or was in progress; otherwise shows the list of tasks. */
  const proceed = async (planid = session.cuserplanid, fresh = false) => {
    setStep({ page: 'loading' });
    try {
      if (planid !== undefined) return await start(planid);
      const tasks = await session.call('getTasks', {});
      const open = tasks.filter((task) => task.status !== 2);
      const [onlyTask] = open;
      if (onlyTask && open.length === 1 && !fresh) return await start(onlyTask.cuserplanid);
      setStep({ page: 'tasks', tasks, fault: '' });
    } catch (error) {
      showFailure(error, () => void proceed(planid, fresh));
    }
  };

  const start = async (planid: number) => {
    setStep({ page: 'loading' });
    try {
      const run = await openExam(session, planid);
      running.current = run;
      setFault('');
      setStep({ page: 'exam', run });
      run.saver.subscribe(() => {
        const { status, end } = run.saver.snapshot();
        if (status === 'stopped' && end && running.current) void finish(running.current, end);
      });
      if (run.saver.unfinished) void submit(run);
    } catch (error) {
      if (error instanceof EndedLate) {
        session.setCurrentExam(undefined);
        return setStep({ page: 'thanks', result: error.result, more: false });
      }
      if (!(error instanceof CallRefused)) return showFailure(error, () => void start(planid));
      session.setCurrentExam(undefined);
      // The respondent withdrew the consent, or its text has changed.
      if (error.code === 150005 && session.identity) return await askConsent(session.identity);
      const tasks = await session.call('getTasks', {}).catch(() => []);
      setStep({ page: 'tasks', tasks, fault: error.message });
    }
  };

  /** Shows the consent page with the text for which the institution asks now. */
  const askConsent = async (identity: Identity) => {
    if (entry?.consent.version !== identity.consentversion) {
      const loaded = await call('getEntry', { clientcode });
      session.saveEntry(loaded);
      setEntry(loaded);
    }
    setStep({ page: 'consent', identity });
  };

  const submit = async (run: ExamRun) => {
    setFault('');
    try {
      const result = await submitExam(run);
      if (!result) return;
      if (result.done) return await finish(run, result);
      running.current = run.extend(result.sheets);
      setStep({ page: 'exam', run: running.current });
    } catch (error) {
      setFault(errorMessage(error));
    }
  };

  /** Ends the exam: the device keeps nothing of it, and the page says thanks. */
  const finish = async (run: ExamRun, result: SubmitResult) => {
    if (!running.current) return;
    running.current = undefined;
    run.finish();
    const tasks = await session.call('getTasks', {}).catch(() => []);
    // A task that is over is no further task, also when it was never submitted.
    setStep({ page: 'thanks', result, more: result.late === undefined && tasks.some((task) => task.status !== 2) });
  };

  const stopRunning = () => {
    running.current?.saver.leave();
    running.current?.stop();
    running.current = undefined;
  };
  /** Ends the session. A personal link or a borrowed device ends here; others go back to the first page. */
  const leaveAs = (way: Identity['way'], isOther: boolean) => {
    stopRunning();
    session.close();
    setOverlay(undefined);
    setStep(way === '01' || way === '02' ? { page: 'ended', way, isOther } : { page: 'identify' });
  };
  const leave = () => leaveAs(session.identity?.way, false);
  const isAtKiosk = () => session.identity?.way === '03';
  const onLogin = (identity: Identity) => {
    if (identity.large && !view.large) changeView({ ...view, large: true });
    // An anonymous person has no name to confirm.
    if (identity.maskedname) setStep({ page: 'confirm', identity });
    else onConfirmed(identity);
  };
  const onConfirmed = (identity: Identity) => {
    session.open(identity);
    if (identity.cuserplanid !== undefined) session.setCurrentExam(identity.cuserplanid);
    if (identity.needconsent) askConsent(identity).catch((error: unknown) => showFailure(error, () => onConfirmed(identity)));
    else void proceed();
  };
  const openLink = async () => {
    setStep({ page: 'loading' });
    try {
      onLogin(await enterByLink(session));
    } catch (error) {
      if (error instanceof CallRefused && error.field === 'birthday') setStep({ page: 'link' });
      else showFailure(error, () => void openLink());
    }
  };
  const continueAs = (resolve: () => void, identity: Identity) => {
    const before = session.identity;
    setOverlay(undefined);
    if (before && before.draftsecret === identity.draftsecret && before.maskedname === identity.maskedname) {
      session.open(identity);
      return resolve();
    }
    // Another person signed in. The draft of the first person stays encrypted on the device until that person returns.
    stopRunning();
    session.close();
    onLogin(identity);
  };
  const openReports = async () => {
    try {
      setOverlay({ page: 'reports', reports: await session.call('getOwnReports', {}) });
    } catch {
      setOverlay({ page: 'reports', reports: [] });
    }
  };
  const openReport = async (reportcode: string) =>
    session.call('getOwnReport', { reportcode }).then((report) => setOverlay({ page: 'report', report }), openReports);

  const isKiosk = isAtKiosk();
  const lines = chooseHotlines(entry?.hotlines ?? [], new Date());
  const startPage = (isLink: boolean, onIdentity: (identity: Identity) => void, isReidentification = false) => {
    const shown = { session, words, lines, isLink, isReidentification, onIdentity };
    return entry && <StartPage {...shown} entry={entry} onUnpaired={() => setStep({ page: 'identify' })} />;
  };
  const closeOverlay = () => setOverlay(undefined);
  const renderPage = () => {
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
        return startPage(false, onLogin);
      case 'link':
        return startPage(true, onLogin);
      case 'ended':
        return <EndedPage {...step} words={words} />;
      case 'confirm':
        return (
          <ConfirmPage
            identity={step.identity}
            words={words}
            accept={() => onConfirmed(step.identity)}
            reject={() => leaveAs(step.identity.way, true)}
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
        return <TasksPage tasks={step.tasks} words={words} fault={step.fault} start={(task) => void start(task.cuserplanid)} />;
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
                covered={overlay !== undefined}
                submit={() => void submit(step.run)}
                submitFault={fault}
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
                ? () => void (step.result.reportcode ? openReport(step.result.reportcode) : openReports())
                : undefined
            }
            more={step.more && !isKiosk ? () => void proceed(undefined, true) : undefined}
            leave={leave}
            clearsAfter={isKiosk ? CLEARS_AFTER : undefined}
          />
        );
    }
  };

  const renderOverlay = () => {
    if (!overlay || !entry) return null;
    switch (overlay.page) {
      case 'reidentify':
        return startPage(session.identity?.way === '02', (identity) => continueAs(overlay.resolve, identity), true);
      case 'menu':
        return (
          <MenuPage
            view={view}
            setView={changeView}
            words={words}
            signedIn={session.identity !== undefined && step.page !== 'confirm' && step.page !== 'identify'}
            contact={() => setOverlay({ page: 'contact' })}
            {...(isKiosk ? {} : { reports: () => void openReports() })}
            withdraw={async () => {
              const receipt = await session.call('withdrawConsent', {});
              stopRunning();
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
        return <ReportsPage reports={overlay.reports} read={(code) => void openReport(code)} back={closeOverlay} />;
      case 'report':
        return <ReportPage report={overlay.report} back={closeOverlay} />;
    }
  };

  return (
    <>
      <TopBar
        title={entry?.insname ?? '心理健康测评'}
        isLarge={view.large}
        setLarge={(large) => changeView({ ...view, large })}
        isMenuOpen={overlay?.page === 'menu'}
        {...(entry && overlay?.page !== 'reidentify'
          ? { toggleMenu: () => setOverlay(overlay ? undefined : { page: 'menu' }) }
          : {})}
      />
      <main>
        {/* Hidden, not unmounted: the exam keeps its state. */}
        <div hidden={overlay !== undefined}>{renderPage()}</div>
        {renderOverlay()}
      </main>
    </>
  );
}
