import { useEffect, useState } from 'react';
import { call, errorMessage, type Exam } from '#respondent/api/api.ts';
import { keepNothing, type View } from '#respondent/device.ts';
import { ExamPage } from '#respondent/exam/ExamPage.tsx';
import { ExamState } from '#respondent/exam/ExamState.tsx';
import type { ExamRun } from '#respondent/exam/examRun.ts';
import { Saver } from '#respondent/exam/saver.ts';
import { PageFrame } from '#respondent/PageFrame.tsx';
import { TopBar } from '#respondent/TopBar.tsx';
import { wordsFor } from '#respondent/wording.ts';
import '#respondent/preview/preview.css';

/** An exam that lives in this page only: its saver sends nothing and stores nothing. */
function startRun(exam: Exam): ExamRun {
  const ended = { missing: [], sheets: [], done: true, showreport: false, reportcode: null };
  const saver = new Saver(
    {
      save: () => Promise.resolve(),
      saveLeaving: () => undefined,
      submit: () => Promise.resolve({ ...ended, support: { show: false, hotline: '', text: '' } }),
      writeDraft: () => Promise.resolve(true),
      newKey: () => 'preview',
    },
    {},
    undefined,
  );
  const run: ExamRun = { exam, saver, extend: () => run, stop: () => undefined, finish: () => undefined };
  return run;
}

/** Reads the questions that the token in the address names. The respondent of a preview has no age and no grade. */
const readExam = async (): Promise<Exam> => {
  const { sheet } = await call('getFormPreview', { token: window.location.hash.slice(1) });
  const person = { gender: '02', age: null, grade: null };
  return { examcode: 'preview', taskname: sheet.formname, sheets: [sheet], person, resultshow: false };
};

/** 手机预览 of one questionnaire: the link in the address opens it without signing in. The answers stay in the page. */
export function ScalePreview() {
  const [exam, setExam] = useState<Exam>();
  const [run, setRun] = useState<ExamRun>();
  const [fault, setFault] = useState('');
  const [view, setView] = useState<View>({ large: false, whole: false, aloud: false });
  useEffect(() => {
    document.title = '手机预览';
    keepNothing();
    readExam().then(
      (loaded) => {
        setExam(loaded);
        setRun(startRun(loaded));
      },
      (error: unknown) => setFault(errorMessage(error)),
    );
  }, []);
  useEffect(() => {
    document.documentElement.classList.toggle('large', view.large);
  }, [view.large]);
  return (
    <>
      <p className="preview" role="note">
        <b>预览</b>，不会保存
      </p>
      <TopBar title="心理健康测评" isLarge={view.large} setLarge={(large) => setView({ ...view, large })} isMenuOpen={false} />
      <main>
        {fault ? (
          <PageFrame heading="暂时不能预览">
            <p role="alert">{fault}</p>
          </PageFrame>
        ) : !exam ? (
          <p className="loading" role="status">
            正在打开…
          </p>
        ) : run ? (
          <ExamState run={run}>
            {(state) => (
              <ExamPage
                exam={exam}
                saver={run.saver}
                state={state}
                view={view}
                words={wordsFor('')}
                covered={false}
                submit={() => setRun(undefined)}
                submitFault=""
              />
            )}
          </ExamState>
        ) : (
          <PageFrame
            heading="预览结束"
            actions={
              <button type="button" className="primary" onClick={() => setRun(startRun(exam))}>
                再看一遍
              </button>
            }
          >
            <p>刚才的作答没有保存，也没有发送。可以关闭本页。</p>
          </PageFrame>
        )}
      </main>
    </>
  );
}
