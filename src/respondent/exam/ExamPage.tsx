import { useEffect, useRef, useState } from 'react';
import type { View } from '#respondent/device.ts';
import { SubmitPage } from '#respondent/exam/SubmitPage.tsx';
import { countElsewhere, isAnswered, missingOf, nameOfPart, numberOf, pageOf, questionsOf } from '#respondent/exam/questions.ts';
import { OneQuestion } from '#respondent/exam/OneQuestion.tsx';
import { Progress, StatusLine } from '#respondent/exam/StatusLine.tsx';
import type { Saver, SaverState } from '#respondent/exam/saver.ts';
import { useBackButton } from '#respondent/useBackButton.ts';
import { FullFormPage } from '#respondent/exam/FullFormPage.tsx';
import type { Question } from '#respondent/exam/questions.ts';
import type { Exam } from '#respondent/api/api.ts';
import type { Words } from '#respondent/wording.ts';

interface Props {
  exam: Exam;
  saver: Saver;
  state: SaverState;
  view: View;
  words: Words;
  /** another page (menu, contact, identity) covers the exam: the exam ignores keys */
  covered: boolean;
  submit: () => void;
  submitFault: string;
}

/** Page 5: the exam, one question a screen or one form a page. Then page 6 submits it. */
export function ExamPage({ exam, saver, state, view, words, covered, submit, submitFault }: Props) {
  const { answerMap } = state;
  const questions = questionsOf(exam.sheets, answerMap, exam.person);
  const missing = missingOf(questions, answerMap);
  const answered = questions.filter((question) => isAnswered(question, answerMap)).length;
  const elsewhere = countElsewhere(exam.sheets);
  const done = answered + elsewhere;
  const total = questions.length + elsewhere;
  const toNumber = (question: Question) => numberOf(exam.sheets, questions, question);
  // A resumed exam opens at the first question without an answer, or at its submission when it is complete.
  const [currentKey, setCurrentKey] = useState<string>(() => (answered === 0 ? questions[0]?.key : missing[0]?.key) ?? 'end');
  const [resumed] = useState(answered > 0 && missing.length > 0);
  const [showMissing, setShowMissing] = useState(false);
  const lastIndex = useRef(0);
  // The server may add forms at the submission: the page goes on with their first question.
  const sheetCount = useRef(exam.sheets.length);
  const [firstAdded, setFirstAdded] = useState<string>();
  useEffect(() => {
    if (exam.sheets.length === sheetCount.current) return;
    const added = exam.sheets[sheetCount.current]?.examformid;
    sheetCount.current = exam.sheets.length;
    const key = questions.find((question) => question.form.examformid === added)?.key;
    if (key === undefined) return;
    setFirstAdded(key);
    setCurrentKey(key);
  });

  // A condition may have removed the current question: then show its neighbour.
  const foundIndex = questions.findIndex((question) => question.key === currentKey);
  const index =
    currentKey === 'end' ? questions.length : foundIndex >= 0 ? foundIndex : Math.min(lastIndex.current, questions.length);
  const current = questions[index];
  useEffect(() => {
    lastIndex.current = index;
    if (current && current.key !== currentKey) setCurrentKey(current.key);
  });

  const go = (to: number) => setCurrentKey(questions[Math.max(0, to)]?.key ?? 'end');
  useBackButton(() => {
    if (index === 0) return false;
    go(index - 1);
    return true;
  });

  const isStopped = state.status === 'stopped';
  return (
    <div className="sheet">
      <Progress
        done={done}
        total={total}
        words={current && !view.whole ? `第 ${toNumber(current)} / ${total} 题` : `已答 ${done} / ${total} 题`}
      />
      {isStopped && (
        <p className="fault" role="alert">
          {state.reason}
        </p>
      )}
      {elsewhere > 0 && index === 0 && current && (
        <p className="lead" role="status">
          前面 {elsewhere} 题已在另一台设备上答过，为保护隐私不在这里显示。请{words.you}从这里接着答。
        </p>
      )}
      {firstAdded !== undefined && current?.key === firstAdded && (
        <p className="lead" role="status">
          谢谢{words.you}。还有 {missing.length} 个问题想请{words.you}接着回答，答完就完成了。
        </p>
      )}
      {!current ? (
        <SubmitPage
          missing={missing}
          numberOf={toNumber}
          state={state}
          words={words}
          fault={submitFault}
          submit={submit}
          retry={saver.retry}
          jump={(question) => {
            setShowMissing(true);
            setCurrentKey(question.key);
          }}
          back={questions.length > 0 ? () => go(questions.length - 1) : undefined}
        />
      ) : view.whole ? (
        <FullFormPage
          key={`${current.form.examformid}.${pageOf(current)}`}
          form={current.form}
          name={nameOfPart(exam.sheets, current.form)}
          questions={questions}
          numberOf={toNumber}
          current={current.key}
          words={words}
          state={state}
          saver={saver}
          showMissing={showMissing}
          setShowMissing={setShowMissing}
          go={setCurrentKey}
        />
      ) : (
        <OneQuestion
          key={current.key}
          question={current}
          number={toNumber(current)}
          first={index === 0 || questions[index - 1]?.form !== current.form}
          name={nameOfPart(exam.sheets, current.form)}
          entry={answerMap[current.key]}
          resumed={resumed}
          showMissing={showMissing}
          aloud={view.aloud}
          covered={covered}
          words={words}
          answer={(value, typing) => saver.answer(current.form.examformid, current.item.c, value, typing)}
          back={index > 0 ? () => go(index - 1) : undefined}
          next={() => {
            // The last answer may have added or removed the questions after it.
            const now = questionsOf(exam.sheets, saver.snapshot().answerMap, exam.person);
            setCurrentKey(now[now.findIndex((question) => question.key === current.key) + 1]?.key ?? 'end');
          }}
        />
      )}
      {current && <p className="licence">{current.form.licencetext}</p>}
      <StatusLine state={state} retry={saver.retry} />
    </div>
  );
}
