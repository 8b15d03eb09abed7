import { useRef, useState, type KeyboardEvent } from 'react';
import { isUnanswered } from '#domain/scoring/compiledScale.ts';
import type { Answer, Answers, Item, OptionRow, Scale } from '#domain/scoring/scale.ts';
import type { QuestionnaireItem } from '#domain/exam/questionFlow.ts';
import { FillInput } from '#blocks/questionnaire/FillInput.tsx';
import classes from './trial.module.css';

interface Props {
  scale: Scale;
  answers: Answers;
  onChange: (code: string, answer: Answer) => void;
  /** items that do not apply to the person */
  inapplicableItems: readonly string[];
  /** items whose answer is not an option */
  invalidItems: readonly string[];
}

/** Returns the digit key of an option: its code when all codes are digits (0–3 of a PHQ-9), else its position from 1. */
const digitOf = (rows: readonly OptionRow[], index: number): string => {
  const codes = rows.map(([code]) => code);
  return codes.every((code) => /^\d$/.test(code)) ? (codes[index] ?? '') : String(index + 1);
};

/** Lists the items for quick typing from a paper form: a digit answers an item and moves to the next. */
export function QuickEntry({ scale, answers, onChange, inapplicableItems, invalidItems }: Props) {
  const [current, setCurrent] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  const focusItem = (index: number) => {
    const next = Math.min(scale.items.length - 1, Math.max(0, index));
    setCurrent(next);
    const row = list.current?.children[next];
    row?.querySelector<HTMLElement>('[tabindex="0"], input, textarea')?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent, item: Item, index: number) => {
    const rows = scale.optionsets[item.o ?? ''] ?? [];
    if (event.key === 'ArrowDown') focusItem(index + 1);
    else if (event.key === 'ArrowUp') focusItem(index - 1);
    else if (event.key === 'Enter') focusItem(index + 1);
    else if ((item.type ?? 1) === 0) return;
    else if (event.key === 'Backspace') {
      if (isUnanswered(answers[item.c])) focusItem(index - 1);
      else onChange(item.c, null);
    } else {
      const optionIndex = rows.findIndex((_, position) => digitOf(rows, position) === event.key);
      const code = rows[optionIndex]?.[0];
      if (code === undefined) return;
      onChange(item.c, item.type === 2 ? toggleCode(answers[item.c], code) : code);
      if (item.type !== 2) focusItem(index + 1);
    }
    event.preventDefault();
  };
  return (
    <ol className={classes['entry']} ref={list}>
      {scale.items.map((item, index) => (
        <li
          key={item.c}
          className={classes['question']}
          data-current={index === current || undefined}
          onFocus={() => setCurrent(index)}
          onKeyDown={(event) => onKeyDown(event, item, index)}
        >
          <span className={classes['number']}>{index + 1}</span>
          <span className={classes['text']} id={`trial-${item.c}`}>
            {item.t || '（题目文字待机构上传）'}
            {inapplicableItems.includes(item.c) && '（不适用）'}
            {invalidItems.includes(item.c) && <span style={{ color: 'var(--level-4-ink)' }}>（答案不在选项内）</span>}
          </span>
          {(item.type ?? 1) === 0 ? (
            <span className={classes['choices']}>
              <FillInput
                item={toQuestionnaireItem(item)}
                answer={answers[item.c]}
                onChange={(answer) => onChange(item.c, answer)}
                label={item.t}
              />
            </span>
          ) : (
            <Choices
              item={item}
              rows={scale.optionsets[item.o ?? ''] ?? []}
              answer={answers[item.c]}
              onChange={(answer) => onChange(item.c, answer)}
            />
          )}
        </li>
      ))}
    </ol>
  );
}

/** Returns an item without its display condition, as the text input needs it. */
const toQuestionnaireItem = ({ showif: _showif, ...item }: Item): QuestionnaireItem => item;

const toggleCode = (answer: Answer | undefined, code: string): string[] => {
  const codes = typeof answer === 'object' && answer ? [...answer] : [];
  return codes.includes(code) ? codes.filter((item) => item !== code) : [...codes, code];
};

/** Shows the options of an item. Each item has one tab stop: the chosen option, or the first. */
function Choices({
  item,
  rows,
  answer,
  onChange,
}: {
  item: Item;
  rows: readonly OptionRow[];
  answer: Answer | undefined;
  onChange: (answer: Answer) => void;
}) {
  const isMultiple = item.type === 2;
  const isChosen = (code: string) => (typeof answer === 'object' && answer !== null ? answer.includes(code) : answer === code);
  const tabStop = Math.max(
    0,
    rows.findIndex(([code]) => isChosen(code)),
  );
  return (
    <span className={classes['choices']} role={isMultiple ? 'group' : 'radiogroup'} aria-labelledby={`trial-${item.c}`}>
      {rows.map(([code, label, score], index) => (
        <button
          key={code}
          type="button"
          role={isMultiple ? 'checkbox' : 'radio'}
          aria-checked={isChosen(code)}
          tabIndex={index === tabStop ? 0 : -1}
          className={classes['choice']}
          title={score === null ? '不计分' : `${score} 分`}
          onClick={() => onChange(isMultiple ? toggleCode(answer, code) : isChosen(code) ? null : code)}
        >
          <kbd>{digitOf(rows, index)}</kbd>
          {label || code}
        </button>
      ))}
    </span>
  );
}
