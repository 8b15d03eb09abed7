import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A short list of framed rows, e.g. of devices. `label` names the list for a screen reader. */
export const BoxedRows = ({ label, children }: { label: string; children: ReactNode }) => (
  <Stack gap="sm" component="ul" style={{ listStyle: 'none', margin: 0, padding: 0 }} aria-label={label}>
    {children}
  </Stack>
);

/** A row of `BoxedRows`: a title with its badges, lines about it, and what can be done with it. */
export const BoxedRow = ({ title, lines, children }: { title: ReactNode; lines: readonly ReactNode[]; children?: ReactNode }) => (
  <Group component="li" justify="space-between" wrap="nowrap" p="sm" style={{ border: '1px solid var(--line)', borderRadius: 8 }}>
    <div>
      <Text component="div" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Text>
      {lines.map((line, index) => (
        <Text key={index} component="div" size="sm" c="dimmed">
          {line}
        </Text>
      ))}
    </div>
    <div style={{ flex: 'none' }}>{children}</div>
  </Group>
);
