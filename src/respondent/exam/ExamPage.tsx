import { useEffect, useRef, useState } from 'react';
import type { View } from '#respondent/device.ts';
import { SubmitPage } from '#respondent/exam/SubmitPage.tsx';
import { isAnswered, missingOf, nameOfPart, questionsOf } from '#respondent/exam/questions.ts';
import { OneQuestion } from '#respondent/exam/OneQuestion.tsx';
import { Progress, StatusLine } from '#respondent/exam/StatusLine.tsx';
import type { Saver, SaverState } from '#respondent/exam/saver.ts';
import { useBackButton } from '#respondent/useBackButton.ts';
import { FullFormPage } from '#respondent/exam/FullFormPage.tsx';
import type { Exam } from '#respondent/api/api.ts';
import type { Words } from '#respondent/wording.ts';

interface Props {
  exam: Exam;
  saver: Saver;
  state: SaverState;
  view: View;
  words: Words;
  /** covered by another page (menu, contact, identity): keys are not for the sheet */
  covered: boolean;
  submit: () => void;
  submitFault: string;
}

/** Page 5: the sheet, one question per screen or a form per page; then page 6, the hand-in. */
export function ExamPage({ exam, saver, state, view, words, covered, submit, submitFault }: Props) {
  const { book } = state;
  const questions = questionsOf(exam.sheets, book, exam.person);
  const missing = missingOf(questions, book);
  const answered = questions.filter((question) => isAnswered(question, book)).length;
  // Resuming goes to the first question that is still to be answered; a sheet that is complete, to its hand-in.
  const [at, setAt] = useState<string>(() => (answered === 0 ? questions[0]?.key : missing[0]?.key) ?? 'end');
  const [resumed] = useState(answered > 0 && missing.length > 0);
  const [showMissing, setShowMissing] = useState(false);
  const lastAt = useRef(0);

  // A condition may have taken the current question away: its neighbour takes its place.
  const foundIndex = questions.findIndex((question) => question.key === at);
  const index = at === 'end' ? questions.length : foundIndex >= 0 ? foundIndex : Math.min(lastAt.current, questions.length);
  const current = questions[index];
  useEffect(() => {
    lastAt.current = index;
    if (current && current.key !== at) setAt(current.key);
  });

  const go = (to: number) => setAt(questions[Math.max(0, to)]?.key ?? 'end');
  useBackButton(() => {
    if (index === 0) return false;
    go(index - 1);
    return true;
  });

  const stopped = state.status === 'stopped';
  return (
    <div className="sheet">
      <Progress
        done={answered}
        of={questions.length}
        words={current && !view.whole ? `第 ${index + 1} / ${questions.length} 题` : `已答 ${answered} / ${questions.length} 题`}
      />
      {stopped && (
        <p className="fault" role="alert">
          {state.why}
        </p>
      )}
      {!current ? (
        <SubmitPage
          missing={missing}
          numberOf={(question) => questions.indexOf(question) + 1}
          state={state}
          words={words}
          fault={submitFault}
          submit={submit}
          retry={saver.retry}
          jump={(question) => {
            setShowMissing(true);
            setAt(question.key);
          }}
          back={() => go(questions.length - 1)}
        />
      ) : view.whole ? (
        <FullFormPage
          key={current.sheet.examformid}
          sheet={current.sheet}
          name={nameOfPart(exam.sheets, current.sheet)}
          questions={questions}
          current={current.key}
          words={words}
          state={state}
          saver={saver}
          showMissing={showMissing}
          setShowMissing={setShowMissing}
          go={setAt}
        />
      ) : (
        <OneQuestion
          key={current.key}
          question={current}
          number={index + 1}
          first={index === 0 || questions[index - 1]?.sheet !== current.sheet}
          name={nameOfPart(exam.sheets, current.sheet)}
          entry={book[current.key]}
          resumed={resumed}
          showMissing={showMissing}
          aloud={view.aloud}
          covered={covered}
          words={words}
          answer={(value, typing) => saver.answer(current.sheet.examformid, current.item.c, value, typing)}
          back={index > 0 ? () => go(index - 1) : undefined}
          next={() => {
            // The answer just given may have added or removed the questions that follow.
            const now = questionsOf(exam.sheets, saver.snapshot().book, exam.person);
            setAt(now[now.findIndex((question) => question.key === current.key) + 1]?.key ?? 'end');
          }}
        />
      )}
      {current && <p className="licence">{current.sheet.licencetext}</p>}
      <StatusLine state={state} retry={saver.retry} />
    </div>
  );
}
