import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import classes from '#features/warning/warning.module.css';

/** One criterion of a checklist. */
export interface CheckLine {
  key: string;
  title: string;
  met: boolean;
  detail: string;
}

/** A list of criteria. Each unmet criterion says what is missing. */
export function Checklist({ lines, label }: { lines: readonly CheckLine[]; label: string }) {
  return (
    <ul className={classes['check']} aria-label={label}>
      {lines.map((line) => (
        <li key={line.key}>
          {line.met ? (
            <IconCircleCheck size={20} className={classes['met']} aria-label="已满足" />
          ) : (
            <IconCircleDashed size={20} className={classes['unmet']} aria-label="未满足" />
          )}
          <span>
            {line.title}
            {!line.met && line.detail && <small>{line.detail}</small>}
          </span>
        </li>
      ))}
    </ul>
  );
}
