import { useId, useMemo, useState } from 'react';
import { unanswered } from '#domain/scoring/compiledScale.ts';
import type { Answer, Answers, PersonFacts } from '#domain/scoring/scale.ts';
import { applicableItems, type Questionnaire, type QuestionnaireItem } from '#domain/exam/questionFlow.ts';
import { SheetFill } from '#blocks/questionnaire/SheetFill.tsx';
import { SheetRegion } from '#blocks/questionnaire/SheetRegion.tsx';
import classes from './SheetForm.module.css';

/** The answers to a questionnaire, and which of its questions are asked because of them. */
export function useSheet(sheet: Questionnaire, initial: Answers = {}, person: PersonFacts = {}) {
  const [answers, setAnswers] = useState<Answers>(initial);
  const items = useMemo(() => applicableItems(sheet, answers, person), [sheet, answers, person]);
  const open = sheet.items
    .filter((item) => items.includes(item.c) && item.required !== false && unanswered(answers[item.c]))
    .map((item) => item.c);
  return {
    answers,
    setAnswers,
    set: (code: string, answer: Answer) => setAnswers((before) => ({ ...before, [code]: answer })),
    asked: items,
    /** Required questions without an answer. */
    open,
    /** What is handed in: answers to questions that are asked. */
    given: Object.fromEntries(
      Object.entries(answers).filter(([code, answer]) => items.includes(code) && !unanswered(answer)),
    ) as Answers,
  };
}

interface Props {
  sheet: Questionnaire;
  answers: Answers;
  onChange: (code: string, answer: Answer) => void;
  /** Codes of the questions to show, from `useSheet`; all when not given. */
  asked?: readonly string[];
  /** What is wrong, by question. */
  faults?: Readonly<Record<string, string>>;
  readOnly?: boolean;
}

/** One questionnaire on one page: 3 question types, 9 input types. For staff entry, preview and trial scoring. */
export function SheetForm({ sheet, answers, onChange, asked: itemCodes, faults = {}, readOnly = false }: Props) {
  const shown = itemCodes ? sheet.items.filter((item) => itemCodes.includes(item.c)) : sheet.items;
  return (
    <div className={classes['sheet']}>
      {sheet.instruction && <p className={classes['instruction']}>{sheet.instruction}</p>}
      {shown.map((item, index) => (
        <Question
          key={item.c}
          sheet={sheet}
          item={item}
          number={index + 1}
          answer={answers[item.c]}
          fault={faults[item.c]}
          readOnly={readOnly}
          onChange={(answer) => onChange(item.c, answer)}
        />
      ))}
      {sheet.licencetext && <p className={classes['foot']}>{sheet.licencetext}</p>}
    </div>
  );
}

interface QuestionProps {
  sheet: Questionnaire;
  item: QuestionnaireItem;
  number: number;
  answer: Answer | undefined;
  fault: string | undefined;
  readOnly: boolean;
  onChange: (answer: Answer) => void;
}

function Question({ sheet, item, number, answer, fault, readOnly, onChange }: QuestionProps) {
  const id = useId();
  const type = item.type ?? 1;
  return (
    <fieldset
      className={classes['item']}
      id={`item-${item.c}`}
      disabled={readOnly}
      aria-describedby={fault ? `${id}-fault` : undefined}
    >
      <legend className={classes['text']}>
        {number}. {item.t || '（题目文字待机构上传）'} {item.required !== false && <b aria-hidden>*</b>}
      </legend>
      {type === 0 ? (
        item.input === 8 ? (
          <SheetRegion answer={answer} onChange={onChange} />
        ) : (
          <SheetFill item={item} answer={answer} onChange={onChange} label={item.t} />
        )
      ) : (
        <div className={classes['options']}>
          {(sheet.optionsets[item.o ?? ''] ?? []).map(([code, label]) => (
            <label key={code} className={classes['option']}>
              <input
                type={type === 1 ? 'radio' : 'checkbox'}
                name={id}
                checked={chosen(answer, code)}
                onChange={(event) => onChange(type === 1 ? code : toggled(answer, code, event.currentTarget.checked))}
              />
              {label}
            </label>
          ))}
        </div>
      )}
      {fault && (
        <p className={classes['fault']} id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

const list = (answer: Answer | undefined): readonly string[] => (typeof answer === 'object' && answer !== null ? answer : []);
const chosen = (answer: Answer | undefined, code: string) =>
  typeof answer === 'object' ? list(answer).includes(code) : answer !== undefined && String(answer) === code;
const toggled = (answer: Answer | undefined, code: string, on: boolean) =>
  on ? [...list(answer), code] : list(answer).filter((text) => text !== code);
