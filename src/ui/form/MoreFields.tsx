import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './FormDrawer.module.css';

/** Fields that most people leave as they are, one tap away. A fault in one of them opens it (`useActionForm`). */
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
