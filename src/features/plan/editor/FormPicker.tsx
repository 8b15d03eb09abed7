import { Button, Drawer, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { LicenceTier } from '#domain/base/enums.ts';
import { Badge } from '#ui/display/badges.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useUser } from '#ui/api/session.ts';
import type { FormRow } from '#features/form/form.contract.ts';
import type { DraftForm } from '#features/plan/editor/planDraft.ts';
import classes from '#features/plan/editor/editor.module.css';

/** The published forms of the population with type, minutes and licence. It stays open, so that several can be added. */
export function FormPicker({
  library,
  isPending,
  chosen,
  hasStages,
  onPick,
  onClose,
}: {
  library: readonly FormRow[];
  isPending: boolean;
  chosen: readonly DraftForm[];
  hasStages: boolean;
  onPick: (formcode: string) => void;
  onClose: () => void;
}) {
  const { musercode } = useUser();
  const [search, setSearch] = useState('');
  const offered = library.filter(
    (form) => (form.formtype === '01' || form.formtype === '02') && !form.staffonly && form.status === 1 && form.enabled === 1,
  );
  const words = search.trim().toLowerCase();
  const found = offered.filter((form) => !words || `${form.formname} ${form.formcode}`.toLowerCase().includes(words));
  /** A form of every stage is complete; a form of single stages can be added for another one. */
  const isComplete = (formcode: string) => {
    const lines = chosen.filter((line) => line.formcode === formcode);
    return lines.length > 0 && (!hasStages || lines.some((line) => !line.stagecode));
  };
  return (
    <Drawer opened onClose={onClose} title="加入量表" size="min(560px, 100vw)">
      <Stack gap="sm">
        <TextInput
          aria-label="查找量表"
          placeholder="名称或编码"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          data-autofocus
        />
        {!isPending && found.length === 0 && <EmptyState title="没有找到量表" hint="可换一个词，或到量表库新建、启用量表" />}
        <ul className={classes['picker']} aria-label="可加入的量表">
          {found.map((form) => {
            const isChosen = isComplete(form.formcode);
            return (
              <li key={form.formcode}>
                <div className={classes['pickername']}>
                  <Group gap={6}>
                    <Text size="sm" fw={500}>
                      {form.formname}
                    </Text>
                    {form.musercode === musercode && <Badge tone="lime">本机构</Badge>}
                    {form.formtype === '02' && <Badge tone="gray">登记表</Badge>}
                  </Group>
                  <Text size="xs" c="dimmed">
                    {form.itemcount} 题 · {form.minutes} 分钟 · {LicenceTier.label(form.tier)}
                  </Text>
                  {!form.usable && (
                    <Text size="xs" className={classes['warn'] ?? ''}>
                      {form.blockers.join('；') || '暂不能使用'}
                    </Text>
                  )}
                </div>
                <Button
                  size="compact-sm"
                  variant="light"
                  disabled={!form.usable || isChosen}
                  aria-label={isChosen ? `${form.formname}已加入` : `加入${form.formname}`}
                  onClick={() => onPick(form.formcode)}
                >
                  {isChosen ? '已加入' : '加入'}
                </Button>
              </li>
            );
          })}
        </ul>
        <Group justify="flex-end">
          <Button onClick={onClose}>完成</Button>
        </Group>
      </Stack>
    </Drawer>
  );
}
