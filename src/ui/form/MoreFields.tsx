import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './FormDrawer.module.css';

/** Rarely changed fields, hidden behind one button. An error in one of them opens it (`useActionForm`). */
export function MoreFields({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={classes['more']}>
      <summary>{title}</summary>
      <Stack gap="md" pt="md">
        {children}
      </Stack>
    </details>
  );
}
