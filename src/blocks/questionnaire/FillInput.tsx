import type { Answer } from '#domain/scoring/scale.ts';
import type { QuestionnaireItem } from '#domain/exam/questionFlow.ts';
import classes from './QuestionnaireForm.module.css';

interface Props {
  item: QuestionnaireItem;
  answer: Answer | undefined;
  onChange: (answer: Answer) => void;
  label: string;
}

/** A time range is `HH:MM-HH:MM` on the wire. */
export function timeRange(answer: Answer | undefined): [string, string] {
  const [from = '', to = ''] = typeof answer === 'string' ? answer.split('-') : [];
  return [from, to];
}

/** The input of a fill-in question, by its input type. Native controls: every browser and screen reader knows them. */
export function FillInput({ item, answer, onChange, label }: Props) {
  const text = answer === undefined || answer === null ? '' : String(answer);
  const change = (value: string) => onChange(value === '' ? null : value);
  const number = (value: string) => onChange(value === '' || !Number.isFinite(Number(value)) ? null : Number(value));
  const limits = { ...(item.min !== undefined ? { min: item.min } : {}), ...(item.max !== undefined ? { max: item.max } : {}) };
  const input = item.input ?? 0;
  if (input === 1 || input === 2)
    return (
      <span className={classes['fill']}>
        <input
          type="number"
          aria-label={label}
          inputMode={input === 1 ? 'numeric' : 'decimal'}
          step={input === 1 ? 1 : 'any'}
          {...limits}
          value={text}
          onChange={(event) => number(event.currentTarget.value)}
        />
      </span>
    );
  if (input === 3 || input === 4 || input === 5)
    return (
      <span className={classes['fill']}>
        <input
          type={input === 3 ? 'date' : input === 4 ? 'time' : 'datetime-local'}
          aria-label={label}
          value={input === 5 ? text.replace(' ', 'T') : text}
          onChange={(event) => change(event.currentTarget.value.replace('T', ' '))}
        />
      </span>
    );
  if (input === 6) {
    const [from, to] = timeRange(answer);
    const set = (next: [string, string]) => change(next[0] || next[1] ? next.join('-') : '');
    return (
      <span className={classes['fill']}>
        <input type="time" aria-label={`${label} 开始`} value={from} onChange={(event) => set([event.currentTarget.value, to])} />{' '}
        至
        <input type="time" aria-label={`${label} 结束`} value={to} onChange={(event) => set([from, event.currentTarget.value])} />
      </span>
    );
  }
  if (input === 7) {
    const size = item.step ?? 1;
    const step = (by: number) => {
      const next = text === '' ? (item.min ?? 0) : (Number(text) || 0) + by * size;
      onChange(Math.round(Math.min(item.max ?? Infinity, Math.max(item.min ?? -Infinity, next)) * 10_000) / 10_000);
    };
    return (
      <span className={classes['fill']}>
        <button type="button" aria-label={`减 ${size}`} onClick={() => step(-1)}>
          −
        </button>
        <input
          type="number"
          aria-label={label}
          inputMode={Number.isInteger(size) ? 'numeric' : 'decimal'}
          step={size}
          {...limits}
          value={text}
          onChange={(event) => number(event.currentTarget.value)}
        />
        <button type="button" aria-label={`加 ${size}`} onClick={() => step(1)}>
          +
        </button>
      </span>
    );
  }
  const long = (item.maxlen ?? 0) > 60;
  const rest = {
    'aria-label': label,
    value: text,
    ...(item.maxlen ? { maxLength: item.maxlen } : {}),
    ...(input === 8 ? { placeholder: '六位行政区划代码', inputMode: 'numeric' as const } : {}),
  };
  return (
    <span className={classes['fill']}>
      {long ? (
        <textarea {...rest} onChange={(event) => change(event.currentTarget.value)} />
      ) : (
        <input type="text" {...rest} onChange={(event) => change(event.currentTarget.value)} />
      )}
    </span>
  );
}
