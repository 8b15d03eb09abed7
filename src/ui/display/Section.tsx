import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Section.module.css';

/** A card with a heading. Pages without a list consist of sections. */
export function Section({ title, right, children }: { title?: ReactNode; right?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes['card']}>
      {(title || right) && (
        <Group justify="space-between" mb="sm" gap="sm">
          {title && (
            <Text component="h2" m={0} fz={16} fw={600} lh={1.45}>
              {title}
            </Text>
          )}
          {right && <Group gap="sm">{right}</Group>}
        </Group>
      )}
      {children}
    </section>
  );
}

/** The sections of a page, one below the other. */
export const PageStack = ({ children }: { children: ReactNode }) => <div className={classes['page']}>{children}</div>;

/** Label and value pairs of one record, in columns. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl
      style={{
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))',
        gap: '12px 16px',
        margin: 0,
      }}
    >
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt style={{ fontSize: 12, color: 'var(--ink-2)' }}>{label}</dt>
          <dd style={{ margin: 0, fontSize: 14 }}>{value === null || value === undefined || value === '' ? '—' : value}</dd>
        </div>
      ))}
    </dl>
  );
}
