import { useId, useRef, type KeyboardEvent } from 'react';
import type { AnswerValue, SavedAnswer } from '#respondent/exam/answerMap.ts';
import { FillField } from '#respondent/exam/FillField.tsx';
import type { Question } from '#respondent/exam/questions.ts';

interface Props {
  question: Question;
  /** stands before the text, e.g. `3.` */
  number: string;
  entry: SavedAnswer | undefined;
  /** `settled`: the person chose the option, and did not only pass it with the arrow keys */
  answer: (value: AnswerValue, how: { typing: boolean; settled: boolean }) => void;
  /** marks a required question without an answer */
  isMissing?: boolean;
  /** takes the focus when the question appears */
  titleRef?: React.Ref<HTMLElement>;
}

/** One question: radio buttons, checkboxes or a field to fill in. Its text names the group. */
export function QuestionField({ question, number, entry, answer, isMissing = false, titleRef }: Props) {
  const { item } = question;
  const id = useId();
  // Arrow keys select each radio button they pass: that is no decision yet.
  const arrows = useRef(false);
  const keys = {
    onKeyDown: (event: KeyboardEvent) => (arrows.current = event.key.startsWith('Arrow')),
    onKeyUp: () => (arrows.current = false),
    onPointerDown: () => (arrows.current = false),
  };
  const hint = item.required ? '' : '（选填）';
  const fault = entry?.refused ?? (isMissing ? '这一题还没有回答' : '');
  const title = (
    <span ref={titleRef} tabIndex={titleRef ? -1 : undefined} className="question-text">
      {number && <span className="number">{number}</span>}
      {item.t}
      {hint && <small>{hint}</small>}
      {item.type === 2 && !/多选/.test(item.t) && <small>（可多选）</small>}
    </span>
  );

  if (item.type === 0) {
    return (
      <div className="question" id={`q-${question.key}`}>
        <label htmlFor={id} className="legend">
          {title}
        </label>
        <FillField id={id} item={item} value={entry?.value} answer={(value) => answer(value, { typing: true, settled: false })} />
        <p className="fault" role="alert" hidden={!fault}>
          {fault}
        </p>
      </div>
    );
  }
  const chosen = entry?.value;
  const several = item.type === 2;
  const list = Array.isArray(chosen) ? chosen : [];
  const isChosen = (code: string) => (several ? list.includes(code) : chosen !== null && String(chosen) === code);
  const choose = (code: string) => {
    if (!several) return answer(code, { typing: false, settled: !arrows.current });
    const order = (item.options ?? []).map(([code]) => code);
    const next = list.includes(code)
      ? list.filter((text) => text !== code)
      : order.filter((text) => text === code || list.includes(text));
    answer(next, { typing: false, settled: false });
  };
  return (
    <fieldset
      className="question"
      id={`q-${question.key}`}
      {...(several ? {} : { role: 'radiogroup', 'aria-required': item.required })}
      {...keys}
    >
      <legend>{title}</legend>
      <div className="options">
        {(item.options ?? []).map(([code, label], index) => (
          <label key={code} className={isChosen(code) ? 'option chosen' : 'option'}>
            <input
              type={several ? 'checkbox' : 'radio'}
              name={id}
              value={code}
              checked={isChosen(code)}
              onChange={() => choose(code)}
              // A click on the chosen option is a decision too, and goes on.
              onClick={() => !several && isChosen(code) && !arrows.current && choose(code)}
            />
            <span>{label}</span>
            <kbd aria-hidden="true">{index + 1}</kbd>
          </label>
        ))}
      </div>
      <p className="fault" role="alert" hidden={!fault}>
        {fault}
      </p>
    </fieldset>
  );
}
