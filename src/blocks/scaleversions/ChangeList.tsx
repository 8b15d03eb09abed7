import { Group, Stack, Text, Title } from '@mantine/core';
import { Badge } from '#ui/display/badges.tsx';
import type { FormChange } from '#domain/scoring/editor/compareVersions.ts';
import { partTitles } from '#blocks/scaleversions/versions.labels.ts';
import classes from './versions.module.css';

const tones = { 新增: 'green', 删除: 'orange', 修改: 'amber' } as const;

/** The differences of two versions, grouped by part, with the old and the new value. */
export function ChangeList({ changes }: { changes: readonly FormChange[] }) {
  const parts = Object.keys(partTitles).filter((part) => changes.some((change) => change.part === part));
  return (
    <Stack gap="md" className={classes['scroll'] ?? ''} tabIndex={0} role="region" aria-label="改动">
      {parts.map((part) => (
        <div key={part}>
          <Title order={3} size="h6" mb={6}>
            {partTitles[part]}
          </Title>
          <ul className={classes['changes']}>
            {changes
              .filter((change) => change.part === part)
              .map((change, index) => (
                <li key={index} className={classes['change']}>
                  <Group gap={6} mb={2}>
                    <Badge tone={tones[change.change]}>{change.change}</Badge>
                    <span>{change.name || change.code || partTitles[part]}</span>
                    {change.field && <Text component="span" size="sm" c="dimmed">{`· ${change.field}`}</Text>}
                  </Group>
                  {change.change === '修改' && (
                    <>
                      <span className={classes['before']}>{change.before || '（空）'}</span> → {change.after || '（空）'}
                    </>
                  )}
                </li>
              ))}
          </ul>
        </div>
      ))}
    </Stack>
  );
}
