import { useEffect } from 'react';
import { QuestionField } from '#respondent/exam/QuestionField.tsx';
import { isAnswered, pageOf, type Question } from '#respondent/exam/questions.ts';
import type { Saver, SaverState } from '#respondent/exam/saver.ts';
import type { Exam } from '#respondent/api/api.ts';
import { addressed, type Words } from '#respondent/wording.ts';

interface Props {
  form: Exam['sheets'][number];
  name: string;
  /** the questions of all forms, for the numbers and for the forms before and after */
  questions: readonly Question[];
  numberOf: (question: Question) => number;
  current: string;
  words: Words;
  state: SaverState;
  saver: Saver;
  showMissing: boolean;
  setShowMissing: (showMissing: boolean) => void;
  go: (key: string) => void;
}

const scrollToQuestion = (key: string) => {
  const element = document.getElementById(`q-${key}`);
  element?.scrollIntoView({ block: 'start' });
  const field = element?.querySelector<HTMLElement>('input, textarea');
  field?.focus({ preventScroll: true });
};

/** Shows the questions of one form on one page, or on several where the form begins new pages. */
export function FullFormPage({
  form,
  name,
  questions,
  numberOf,
  current,
  words,
  state,
  saver,
  showMissing,
  setShowMissing,
  go,
}: Props) {
  const isOnPage = (question: Question, other: Question) => question.form === other.form && pageOf(question) === pageOf(other);
  const shown = questions.find((question) => question.key === current);
  const own = questions.filter((question) => shown && isOnPage(question, shown));
  useEffect(() => {
    if (own[0]?.key === current) window.scrollTo(0, 0);
    else scrollToQuestion(current);
  }, []);
  const first = questions.indexOf(own[0] as Question);
  const before = questions[first - 1];
  const after = questions[first + own.length];
  const forward = () => {
    const gap = own.find((question) => question.item.required && !isAnswered(question, state.answerMap));
    setShowMissing(gap !== undefined);
    if (gap) return scrollToQuestion(gap.key);
    go(after?.key ?? 'end');
  };
  return (
    <>
      {name && <h1 className="form-name">{name}</h1>}
      {form.instruction && before?.form !== form && <p className="instruction">{addressed(form.instruction, words)}</p>}
      {form.recall && <p className="recall sticky">{form.recall}</p>}
      {own.map((question) => (
        <QuestionField
          key={question.key}
          question={question}
          number={`${numberOf(question)}.`}
          entry={state.answerMap[question.key]}
          isMissing={showMissing && question.item.required && !isAnswered(question, state.answerMap)}
          answer={(value, { typing }) => saver.answer(form.examformid, question.item.c, value, typing)}
        />
      ))}
      <div className="actions turn">
        {before && (
          <button type="button" onClick={() => go(questions.find((question) => isOnPage(question, before))?.key ?? before.key)}>
            {before.form === form ? '上一页' : '上一部分'}
          </button>
        )}
        <button type="button" className="primary" onClick={forward}>
          {!after ? '填好了' : after.form === form ? '下一页' : '下一部分'}
        </button>
      </div>
    </>
  );
}
