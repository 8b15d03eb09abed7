import type { ReactNode } from 'react';
import classes from './statistics.module.css';

/** One question of the page's reader with the figures and charts that answer it. */
export function Question({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className={classes['question']}>
        {title}
        {hint && <small>{hint}</small>}
      </h2>
      {children}
    </section>
  );
}

/** Cards beside each other: two in a row, `isDense` three where they have room; below each other on narrow screens. */
export const Cards = ({ children, isDense = false }: { children: ReactNode; isDense?: boolean }) => (
  <div className={classes['cards']} data-dense={isDense || undefined}>
    {children}
  </div>
);
