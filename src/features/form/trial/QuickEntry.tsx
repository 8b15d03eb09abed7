import { useRef, useState, type KeyboardEvent } from 'react';
import { isUnanswered } from '#domain/scoring/compiledScale.ts';
import type { Answer, Answers, Item, OptionRow, Scale } from '#domain/scoring/scale.ts';
import type { QuestionnaireItem } from '#domain/exam/questionFlow.ts';
import { FillInput } from '#blocks/questionnaire/FillInput.tsx';
import classes from '#features/form/form.module.css';

interface Props {
  scale: Scale;
  answers: Answers;
  onChange: (code: string, answer: Answer) => void;
  /** items that do not apply to the person */
  notasked: readonly string[];
  refused: readonly string[];
}

/** The digit of an option: its own code where codes are digits (0–3 of a PHQ-9), else its place from 1. */
const digitOf = (rows: readonly OptionRow[], at: number): string => {
  const codes = rows.map(([code]) => code);
  return codes.every((code) => /^\d$/.test(code)) ? (codes[at] ?? '') : String(at + 1);
};

/** Questions in rows for quick typing: a digit answers and goes on, as from a paper sheet. */
export function FastEntry({ scale, answers, onChange, notasked, refused }: Props) {
  const [current, setCurrent] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  const go = (to: number) => {
    const next = Math.min(scale.items.length - 1, Math.max(0, to));
    setCurrent(next);
    const row = list.current?.children[next];
    row?.querySelector<HTMLElement>('[tabindex="0"], input, textarea')?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  };
  const press = (event: KeyboardEvent, item: Item, at: number) => {
    const rows = scale.optionsets[item.o ?? ''] ?? [];
    if (event.key === 'ArrowDown') go(at + 1);
    else if (event.key === 'ArrowUp') go(at - 1);
    else if (event.key === 'Enter') go(at + 1);
    else if ((item.type ?? 1) === 0) return;
    else if (event.key === 'Backspace') {
      if (isUnanswered(answers[item.c])) go(at - 1);
      else onChange(item.c, null);
    } else {
      const chosen = rows.findIndex((_, index) => digitOf(rows, index) === event.key);
      const code = rows[chosen]?.[0];
      if (code === undefined) return;
      onChange(item.c, item.type === 2 ? toggled(answers[item.c], code) : code);
      if (item.type !== 2) go(at + 1);
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
          onKeyDown={(event) => press(event, item, index)}
        >
          <span className={classes['number']}>{index + 1}</span>
          <span className={classes['text']} id={`trial-${item.c}`}>
            {item.t || '（题目文字待机构上传）'}
            {notasked.includes(item.c) && '（不适用）'}
            {refused.includes(item.c) && <span style={{ color: 'var(--level-4-ink)' }}>（答案不在选项内）</span>}
          </span>
          {(item.type ?? 1) === 0 ? (
            <span className={classes['choices']}>
              <FillInput
                item={blankOf(item)}
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

/** What a blank needs to know of a question: whether it is asked is not its business. */
const blankOf = ({ showif: _showif, ...item }: Item): QuestionnaireItem => item;

const toggled = (answer: Answer | undefined, code: string): string[] => {
  const codes = typeof answer === 'object' && answer ? [...answer] : [];
  return codes.includes(code) ? codes.filter((text) => text !== code) : [...codes, code];
};

/** One tab stop per question: the chosen option, or the first. */
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
  const many = item.type === 2;
  const on = (code: string) => (typeof answer === 'object' && answer !== null ? answer.includes(code) : answer === code);
  const stop = Math.max(
    0,
    rows.findIndex(([code]) => on(code)),
  );
  return (
    <span className={classes['choices']} role={many ? 'group' : 'radiogroup'} aria-labelledby={`trial-${item.c}`}>
      {rows.map(([code, label, score], index) => (
        <button
          key={code}
          type="button"
          role={many ? 'checkbox' : 'radio'}
          aria-checked={on(code)}
          tabIndex={index === stop ? 0 : -1}
          className={classes['choice']}
          title={score === null ? '不计分' : `${score} 分`}
          onClick={() => onChange(many ? toggled(answer, code) : on(code) ? null : code)}
        >
          <kbd>{digitOf(rows, index)}</kbd>
          {label || code}
        </button>
      ))}
    </span>
  );
}
