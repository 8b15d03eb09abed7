import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import classes from '#features/warning/warning.module.css';

export interface CheckLine {
  key: string;
  title: string;
  met: boolean;
  detail: string;
}

/** What is needed, line by line: met, or what is missing in words. */
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
