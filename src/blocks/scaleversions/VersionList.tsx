import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { stamp } from '#ui/display/RelativeTime.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { Link } from '#ui/router/router.tsx';
import type { getFormDetail } from '#features/form/form.contract.ts';
import { getFormDiff, withdrawForm } from '#features/scaleeditor/scaleeditor.contract.ts';
import { ChangeList } from '#blocks/scaleversions/ChangeList.tsx';
import { sizeTexts, versionStatuses } from '#blocks/scaleversions/versions.labels.ts';
import { WithdrawDialog } from '#blocks/scaleversions/WithdrawDialog.tsx';
import classes from './versions.module.css';

type FormDetail = ResponseOf<typeof getFormDetail>;

/** The versions of a questionnaire: who published what and when, what changed, and which one was withdrawn and why. */
export function VersionList({ form }: { form: FormDetail }) {
  const [withdrawn, setWithdrawn] = useState<string>();
  const [compared, setCompared] = useState<{ from: string; to: string }>();
  if (form.versions.length === 0) return <Text size="sm">还没有发布过版本。</Text>;
  return (
    <>
      <ul className={classes['versions']}>
        {form.versions.map((row, index) => {
          const [title, tone] = versionStatuses[row.status] ?? ['', 'gray'];
          const older = form.versions[index + 1]?.version;
          return (
            <li key={row.version} className={classes['version']}>
              <Group justify="space-between" gap="sm">
                <Group gap="sm">
                  <Anchor component={Link} to={`?version=${row.version}`} fw={600}>
                    版本 {row.version}
                  </Anchor>
                  <Badge tone={tone}>{title}</Badge>
                </Group>
                <Group gap="xs">
                  {older && (
                    <Button variant="subtle" size="compact-sm" onClick={() => setCompared({ from: older, to: row.version })}>
                      与 {older} 比较
                    </Button>
                  )}
                  {form.canedit === 1 && row.status !== 3 && can(withdrawForm) && (
                    <Button variant="subtle" size="compact-sm" color="red" onClick={() => setWithdrawn(row.version)}>
                      撤回
                    </Button>
                  )}
                </Group>
              </Group>
              <Text size="sm" c="dimmed">
                {stamp(row.publishtime)} · {row.publishname || '随系统发布'}
              </Text>
              {row.changelog && <Text size="sm">{row.changelog}</Text>}
              {row.status === 3 && (
                <Text size="sm">
                  该版本计分有误，{row.withdrawtime && stamp(row.withdrawtime)} 由 {row.withdrawname || '所属机构'} 撤回：
                  {row.withdrawreason}
                </Text>
              )}
            </li>
          );
        })}
      </ul>
      {withdrawn && <WithdrawDialog formcode={form.formcode} version={withdrawn} onClose={() => setWithdrawn(undefined)} />}
      {compared && <CompareDialog formcode={form.formcode} {...compared} onClose={() => setCompared(undefined)} />}
    </>
  );
}

function CompareDialog({ formcode, from, to, onClose }: { formcode: string; from: string; to: string; onClose: () => void }) {
  const diff = useActionQuery(getFormDiff, { formcode, from, to }, { quiet: true });
  return (
    <Modal opened onClose={onClose} title={`版本 ${from} → ${to}`} size="lg">
      <Loaded read={diff} skeleton={<Skeletons.Page />}>
        {({ changes, size }) => (
          <Stack>
            <Text size="sm">{sizeTexts[size]}。</Text>
            {changes.length > 0 && <ChangeList changes={changes} />}
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}
