import { useId, useMemo, useState } from 'react';
import { findChoiceFault, findValueFault, toggleOption } from '#domain/scoring/answerValue.ts';
import { isUnanswered } from '#domain/scoring/compiledScale.ts';
import type { Answer, Answers, PersonFacts } from '#domain/scoring/scale.ts';
import { applicableItems, type Questionnaire, type QuestionnaireItem } from '#domain/exam/questionFlow.ts';
import { chooseByDigit } from '#blocks/questionnaire/fastKeys.ts';
import { FillInput } from '#blocks/questionnaire/FillInput.tsx';
import { RegionInput } from '#blocks/questionnaire/RegionInput.tsx';
import classes from './QuestionnaireForm.module.css';

/** Holds the answers to a questionnaire and finds the questions that they make applicable. */
export function useQuestionnaire(questionnaire: Questionnaire, initial: Answers = {}, person: PersonFacts = {}) {
  const [answers, setAnswers] = useState<Answers>(initial);
  const itemCodes = useMemo(() => applicableItems(questionnaire, answers, person), [questionnaire, answers, person]);
  const missingCodes = questionnaire.items
    .filter((item) => itemCodes.includes(item.c) && item.required !== false && isUnanswered(answers[item.c]))
    .map((item) => item.c);
  return {
    answers,
    setAnswers,
    set: (code: string, answer: Answer) => setAnswers((before) => ({ ...before, [code]: answer })),
    itemCodes,
    /** Required questions without an answer. */
    missingCodes,
    /** The answers to submit: only those to applicable questions. */
    submittedAnswers: Object.fromEntries(
      Object.entries(answers).filter(([code, answer]) => itemCodes.includes(code) && !isUnanswered(answer)),
    ) as Answers,
  };
}

interface Props {
  questionnaire: Questionnaire;
  answers: Answers;
  onChange: (code: string, answer: Answer) => void;
  /** Codes of the questions to show, from `useQuestionnaire`; all when absent. */
  itemCodes?: readonly string[];
  /** Error messages by question. */
  faults?: Readonly<Record<string, string>>;
  /** The field of the answers in the form around; a refused question then gets the focus. */
  path?: string;
  readOnly?: boolean;
  /** a digit chooses an option and goes to the next question */
  isFast?: boolean;
}

/** One questionnaire on one page: 3 question types, 9 input types. For staff entry, preview and trial scoring. */
export function QuestionnaireForm({
  questionnaire,
  answers,
  onChange,
  itemCodes,
  faults = {},
  path,
  readOnly = false,
  isFast = false,
}: Props) {
  const visibleItems = itemCodes ? questionnaire.items.filter((item) => itemCodes.includes(item.c)) : questionnaire.items;
  return (
    <div
      className={classes['questionnaire']}
      {...(isFast ? { onKeyDown: (event) => chooseByDigit(event, questionnaire, onChange) } : {})}
    >
      {questionnaire.instruction && <p className={classes['instruction']}>{questionnaire.instruction}</p>}
      {visibleItems.map((item, index) => (
        <Question
          key={item.c}
          isNewPage={index > 0 && item.page === true}
          questionnaire={questionnaire}
          item={item}
          number={index + 1}
          answer={answers[item.c]}
          fault={faults[item.c]}
          path={path}
          readOnly={readOnly}
          onChange={(answer) => onChange(item.c, answer)}
        />
      ))}
      {questionnaire.licencetext && <p className={classes['foot']}>{questionnaire.licencetext}</p>}
    </div>
  );
}

interface QuestionProps {
  questionnaire: Questionnaire;
  item: QuestionnaireItem;
  number: number;
  answer: Answer | undefined;
  fault: string | undefined;
  path: string | undefined;
  readOnly: boolean;
  isNewPage: boolean;
  onChange: (answer: Answer) => void;
}

function Question({
  questionnaire,
  item,
  number,
  answer,
  fault: foundFault,
  path,
  readOnly,
  isNewPage,
  onChange,
}: QuestionProps) {
  const id = useId();
  const type = item.type ?? 1;
  const options = questionnaire.optionsets[item.o ?? ''] ?? [];
  const fault = foundFault ?? findAnswerFault(item, answer);
  return (
    <fieldset
      className={`${classes['item']} ${isNewPage ? classes['page'] : ''}`}
      id={`item-${item.c}`}
      data-item={item.c}
      {...(path === undefined ? {} : { 'data-path': `${path}.${item.c}`, tabIndex: -1 })}
      disabled={readOnly}
      aria-describedby={fault ? `${id}-fault` : undefined}
    >
      <legend className={classes['text']}>
        {item.head && <strong className={classes['head']}>{item.head}</strong>}
        {/^第 \d+ 题$/.test(item.t) ? '' : `${number}. `}
        {item.t || '（题目文字待机构上传）'} {item.required !== false && <b aria-hidden>*</b>}
      </legend>
      {type === 0 ? (
        item.input === 8 ? (
          <RegionInput answer={answer} onChange={onChange} />
        ) : (
          <FillInput item={item} answer={answer} onChange={onChange} label={item.t} />
        )
      ) : (
        <div className={classes['options']}>
          {options.map(([code, label]) => (
            <label key={code} className={classes['option']}>
              <input
                type={type === 1 ? 'radio' : 'checkbox'}
                name={id}
                checked={chosen(answer, code)}
                onChange={() =>
                  onChange(
                    type === 1
                      ? code
                      : toggleOption(
                          item,
                          list(answer),
                          code,
                          options.map(([option]) => option),
                        ),
                  )
                }
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

/** Why the answer is not yet one that the form takes; undefined for an answer or none. */
function findAnswerFault(item: QuestionnaireItem, answer: Answer | undefined): string | undefined {
  if (isUnanswered(answer)) return undefined;
  if (item.type === 2) return findChoiceFault(item, list(answer)) ?? undefined;
  if (item.type !== 0 || typeof answer === 'object' || answer === undefined) return undefined;
  return findValueFault(item, answer) ?? undefined;
}
