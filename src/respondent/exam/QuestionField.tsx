import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { findChoiceFault, toggleOption } from '#domain/scoring/answerValue.ts';
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

/** How many options a multiple choice takes, in words. */
function choiceHint({ t, minsel = 0, maxsel }: Question['item']): string {
  if (minsel > 1 && maxsel === minsel) return `（请选 ${minsel} 项）`;
  if (minsel > 1) return maxsel === undefined ? `（至少选 ${minsel} 项）` : `（选 ${minsel} 至 ${maxsel} 项）`;
  if (maxsel !== undefined) return `（最多选 ${maxsel} 项）`;
  return /多选/.test(t) ? '' : '（可多选）';
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
  // Too few options are no answer yet: the page keeps them and saves none.
  const [unfinished, setUnfinished] = useState<readonly string[]>();
  const list = unfinished ?? (Array.isArray(entry?.value) ? entry.value : []);
  const choiceFault = unfinished ? findChoiceFault(item, unfinished) : null;
  const hint = item.required ? '' : '（选填）';
  const fault = entry?.refused ?? choiceFault ?? (isMissing ? '这一题还没有回答' : '');
  const title = (
    <span ref={titleRef} tabIndex={titleRef ? -1 : undefined} className="question-text">
      {number && <span className="number">{number}</span>}
      {item.t}
      {hint && <small>{hint}</small>}
      {item.type === 2 && <small>{choiceHint(item)}</small>}
    </span>
  );
  const head = item.head ? <h2 className="head">{item.head}</h2> : null;

  if (item.type === 0) {
    return (
      <div className="question" id={`q-${question.key}`}>
        {head}
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
  const isChosen = (code: string) => (several ? list.includes(code) : chosen !== null && String(chosen) === code);
  const choose = (code: string) => {
    if (!several) return answer(code, { typing: false, settled: !arrows.current });
    const order = (item.options ?? []).map(([code]) => code);
    const next = toggleOption(item, list, code, order);
    const isUnfinished = next.length > 0 && findChoiceFault(item, next) !== null;
    setUnfinished(isUnfinished ? next : undefined);
    answer(isUnfinished ? [] : next, { typing: false, settled: false });
  };
  const isFull = several && item.maxsel !== undefined && list.filter((code) => !item.excl?.includes(code)).length >= item.maxsel;
  return (
    <fieldset
      className={item.head ? 'question headed' : 'question'}
      id={`q-${question.key}`}
      {...(several ? {} : { role: 'radiogroup', 'aria-required': item.required })}
      {...keys}
    >
      <legend>
        {head}
        {title}
      </legend>
      <div className="options">
        {(item.options ?? []).map(([code, label], index) => (
          <label key={code} className={isChosen(code) ? 'option chosen' : 'option'}>
            <input
              type={several ? 'checkbox' : 'radio'}
              name={id}
              value={code}
              checked={isChosen(code)}
              disabled={isFull && !isChosen(code) && !item.excl?.includes(code)}
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
