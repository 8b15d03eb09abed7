import { useEffect, useState } from 'react';
import type { AnswerValue } from '#respondent/exam/answerMap.ts';
import { fillIn, type FormItem } from '#respondent/exam/questions.ts';
import { RegionFields } from '#respondent/exam/RegionFields.tsx';

interface Props {
  id: string;
  item: FormItem;
  value: AnswerValue | undefined;
  answer: (value: AnswerValue) => void;
}

const types: Record<number, string> = { 3: 'date', 4: 'time', 5: 'datetime-local' };
const textOf = (value: AnswerValue | undefined) =>
  value === undefined || value === null || Array.isArray(value)
    ? ''
    : String(value).replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d)/, '$1T$2');

/**
 * A field to fill in, by the input types of the specification (0 text … 8 district). It shows an error for invalid text and does
 * not save it.
 */
export function FillField({ id, item, value, answer }: Props) {
  const [text, setText] = useState(textOf(value));
  const [left, setLeft] = useState(false);
  useEffect(() => {
    // An answer from elsewhere (another device, a resumed session) replaces the text.
    const read = fillIn(item, text);
    if ('value' in read && (read.value ?? '') !== (value ?? '')) setText(textOf(value));
  }, [value]);

  const read = fillIn(item, text);
  const fault = 'fault' in read ? read.fault : '';
  const change = (next: string) => {
    setText(next);
    const after = fillIn(item, next);
    if ('value' in after) answer(typeof after.value === 'string' ? after.value.slice(0, 2000) : after.value);
  };
  const input = item.input ?? 0;
  const shared = {
    id,
    value: text,
    onBlur: () => setLeft(true),
    'aria-invalid': left && fault !== '',
    'aria-describedby': `${id}-note`,
    'aria-required': item.required,
  };
  const [from = '', to = ''] = text.split('-');
  const note = left && fault ? fault : '';
  const size = item.step ?? 1;
  const step = (by: number) => {
    const next = text === '' ? (item.min ?? 0) : Number((Number(text) || 0) + by * size);
    change(String(Math.round(Math.min(item.max ?? Infinity, Math.max(item.min ?? -Infinity, next)) * 10_000) / 10_000));
  };

  return (
    <div className="fill">
      {input === 0 && (item.maxlen ?? 0) > 60 ? (
        <textarea {...shared} rows={4} maxLength={item.maxlen} onChange={(event) => change(event.target.value)} />
      ) : input === 7 ? (
        <span className="stepper">
          <button type="button" aria-label={`减 ${size}`} onClick={() => step(-1)}>
            −
          </button>
          <input {...shared} inputMode="decimal" onChange={(event) => change(event.target.value)} />
          <button type="button" aria-label={`加 ${size}`} onClick={() => step(1)}>
            ＋
          </button>
        </span>
      ) : input === 6 ? (
        <span className="stepper" role="group" aria-label={item.t}>
          <input
            {...shared}
            type="time"
            aria-label="开始时间"
            value={from}
            onChange={(event) => change(`${event.target.value}-${to}`)}
          />
          <span aria-hidden="true">至</span>
          <input
            {...shared}
            id={`${id}-to`}
            type="time"
            aria-label="结束时间"
            value={to}
            onChange={(event) => change(`${from}-${event.target.value}`)}
          />
        </span>
      ) : input === 8 ? (
        <RegionFields id={id} label={item.t} code={text} change={change} />
      ) : (
        <input
          {...shared}
          type={types[input] ?? 'text'}
          inputMode={input === 1 ? 'numeric' : input === 2 ? 'decimal' : undefined}
          maxLength={types[input] ? undefined : (item.maxlen ?? 200)}
          autoComplete="off"
          onChange={(event) => change(event.target.value)}
        />
      )}
      <p id={`${id}-note`} className={left && fault ? 'fault' : 'quiet'} aria-live="polite">
        {note}
      </p>
    </div>
  );
}
