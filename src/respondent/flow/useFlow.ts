import { useEffect, useRef, useState } from 'react';
import { saveView, readView, type View } from '#respondent/device.ts';
import { EndedLate, submitExam, openExam, type ExamRun } from '#respondent/exam/examRun.ts';
import { ENTRY_NOT_OPEN } from '#respondent/entry/FailedPage.tsx';
import type { SubmitResult } from '#respondent/exam/saver.ts';
import type { Identity, Session } from '#respondent/api/session.ts';
import { call, CallRefused, errorMessage, Unreachable } from '#respondent/api/api.ts';
import { enterByLink } from '#respondent/StartPage.tsx';
import type { Entry, Overlay, Step } from '#respondent/steps.ts';
import type { ContentRef } from '#domain/content/recommend.ts';
import { chooseHotlines } from '#domain/exam/hotline.ts';
import { takeEntryOfPage } from '#respondent/entryOfPage.ts';
import { overview } from '#respondent/relax/places.ts';
import { wordsFor } from '#respondent/wording.ts';

/** A poster may lead to 预约咨询 itself: the entry's address with `?consult`. */
const isConsultAddress = () => new URLSearchParams(window.location.search).has('consult');

/** The pages from which 放松与学习 leads back to the same page. From others it leads to the tasks. */
const RETURNS = ['consent', 'declined', 'guardian', 'thanks', 'consult'];
const offersRelax = ({ page }: Step) => page === 'tasks' || RETURNS.includes(page);

/** The state of the respondent's app and the ways from page to page. */
export type Flow = ReturnType<typeof useFlow>;

/** Leads the respondent from the entry to the thanks, one page a step. */
export function useFlow(session: Session, applyBranding: (entry: Entry) => void) {
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

  /** This device is a kiosk, and a person uses it. */
  const isKioskInUse = session.kiosk !== undefined && (session.identity !== undefined || step.page === 'confirm');
  const changeView = (next: View) => {
    // What one person chooses at a kiosk ends with that person.
    if (!isKioskInUse) saveView(next);
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
      if (identity && isConsultAddress() && identity.way === undefined) openConsult();
      else if (identity && session.relaxPlaces) openRelax();
      else if (identity && !identity.needconsent) await proceed(session.cuserplanid);
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
    const run = running.current;
    run?.saver.leave();
    // The next person at a kiosk finds nothing of this one; only unsent answers stay, encrypted.
    if (isKioskInUse && run?.saver.isSaved) run.finish();
    else run?.stop();
    running.current = undefined;
  };
  /** Ends the session. A personal link or a borrowed device ends here; others go back to the first page. */
  const leaveAs = (way: Identity['way'], isOther: boolean) => {
    stopRunning();
    session.close();
    if (isKioskInUse) setView(readView());
    setOverlay(undefined);
    setStep(way === '01' || way === '02' ? { page: 'ended', way, isOther } : { page: 'identify' });
  };
  const leave = () => leaveAs(session.identity?.way, false);
  // A kiosk, or a device that staff lent, goes back after the task.
  const isOwnDevice = session.kiosk === undefined && session.identity?.way !== '01' && session.identity?.way !== '03';
  const isAtKiosk = () => session.identity?.way === '03';
  const onLogin = (identity: Identity) => {
    if (identity.large && !view.large) changeView({ ...view, large: true });
    // An anonymous person has no name to confirm.
    if (identity.maskedname) setStep({ page: 'confirm', identity });
    else onConfirmed(identity);
  };
  /** Leads from a part that needs no task to the consent that is open, or to the tasks. */
  const goOn = () => {
    const { identity } = session;
    if (!identity?.needconsent) return void proceed(undefined, true);
    askConsent(identity).catch((error: unknown) => showFailure(error, goOn));
  };
  /** Opens 预约咨询. It asks for no consent to a screening: the person asks for help. */
  const openConsult = () => {
    setOverlay(undefined);
    setStep({ page: 'consult', back: goOn });
  };
  /** Opens 放松与学习. It needs neither a task nor a consent. */
  const openRelax = () => {
    setOverlay(undefined);
    setStep({ page: 'relax', back: RETURNS.includes(step.page) ? () => setStep(step) : goOn });
  };
  /** Opens a content that a report recommends. Music stands in its list. */
  const openContent = ({ kind, id }: ContentRef) => {
    session.setRelaxPlaces([...overview, kind === 'music' ? { page: 'list', kind } : { page: kind, id }]);
    openRelax();
  };
  const onConfirmed = (identity: Identity) => {
    session.open(identity);
    if (isConsultAddress() && identity.way === undefined) return openConsult();
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
    if (before && isSamePerson(before, identity) && before.maskedname === identity.maskedname) {
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

  return {
    session,
    entry,
    words,
    lines: chooseHotlines(entry?.hotlines ?? [], new Date()),
    step,
    setStep,
    overlay,
    setOverlay,
    view,
    changeView,
    fault,
    isKioskInUse,
    isKiosk: isAtKiosk(),
    proceed,
    start,
    submit,
    leave,
    leaveAs,
    stopRunning,
    onLogin,
    onConfirmed,
    continueAs,
    openReports,
    openReport,
    // A kiosk and a link for one task are for that task only.
    openRelax: isOwnDevice && offersRelax(step) ? openRelax : undefined,
    openContent: isOwnDevice && offersRelax(step) ? openContent : undefined,
    openConsult: session.kiosk !== undefined || session.identity?.way !== undefined ? undefined : openConsult,
  };
}

/** Whether two sign-ins are of one person, also when the server's key changed in between. */
const isSamePerson = (before: Identity, now: Identity): boolean =>
  [now.draftsecret, ...(now.olddraftsecrets ?? [])].includes(before.draftsecret);
