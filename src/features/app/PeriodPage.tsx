import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Appid } from '#domain/base/enums.ts';
import { Badge } from '#ui/display/badges.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { Can } from '#ui/api/Can.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { useUser } from '#ui/api/session.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import {
  deleteExamStage,
  getExamCategoryList,
  getExamStageList,
  insertExamStage,
  updateExamStage,
  updateExamStageForms,
  type StageRow,
} from '#features/app/app.contract.ts';
import { formatRule, StageDrawer } from '#features/app/StageDrawer.tsx';

const StageFormsDrawer = lazyDialog(() => import('#features/app/StageFormsDrawer.tsx').then((file) => file.StageFormsDrawer));

const populations = Appid.options.filter((option) => option.value !== Appid.custom);

/** 测评计划管理: the stages of each population, the rule that proposes each stage, and its questionnaires. */
export default function PeriodPage() {
  const user = useUser();
  const [appid, setAppid] = useState<string>(user.appid && user.appid !== Appid.custom ? user.appid : Appid.students);
  const [editing, setEditing] = useState<StageRow | 'new'>();
  const [formsRow, setFormsRow] = useState<StageRow>();
  const affected = [getExamStageList];
  const stages = useActionQuery(getExamStageList, { appid });
  const categories = useActionQuery(getExamCategoryList, { appid });
  const remove = useActionMutation(deleteExamStage, { invalidates: affected, successMessage: '删除成功' });
  const change = useActionMutation(updateExamStage, { invalidates: affected, successMessage: '保存成功' });
  const categoryName = (categoryid: string | null) =>
    categoryid
      ? (categories.data?.find((category) => category.categoryid === categoryid)?.categoryname ?? categoryid)
      : '全部类别';
  return (
    <PageStack>
      <Section
        title="测评阶段"
        right={
          <Can call={insertExamStage}>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
              新增阶段
            </Button>
          </Can>
        }
      >
        <SegmentedControl
          value={appid}
          onChange={setAppid}
          data={populations.map(({ value, label }) => ({ value, label }))}
          aria-label="人群"
          mb="md"
        />
        <Loaded read={stages} skeleton={<Skeletons.Lines count={6} />}>
          {(data) => {
            const rows = (Array.isArray(data) ? data : data.rows) as StageRow[];
            if (rows.length === 0) return <EmptyState title="还没有阶段" hint="新增阶段后，可以在方案和任务中选用" />;
            return (
              <ol style={{ listStyle: 'none', margin: 0, padding: 0 }}>
                {rows.map((row) => (
                  <li key={row.stageid} style={{ borderTop: '1px solid var(--line)', padding: '12px 0' }}>
                    <Group justify="space-between" gap="sm" align="flex-start">
                      <div style={{ minWidth: 0, flex: '1 1 260px' }}>
                        <Group gap="xs">
                          <Text fw={600}>{row.stagename}</Text>
                          <Text size="xs" c="dimmed">
                            {row.stagecode}
                          </Text>
                          {!row.own && <Badge tone="lime">平台阶段</Badge>}
                          {!row.enabled && <Badge tone="gray">停用</Badge>}
                          {!row.chosen && <Badge tone="gray">未授权本机构</Badge>}
                        </Group>
                        <Text size="sm" c="dimmed">
                          {categoryName(row.categoryid)} · 排序 {row.ordernum} · {formatRule(row.autorule)} ·{' '}
                          {row.formcount ? `${row.formcount} 个量表` : '未设量表'}
                        </Text>
                      </div>
                      <Group gap={4}>
                        <Can call={updateExamStageForms}>
                          <Button variant="subtle" size="compact-sm" onClick={() => setFormsRow(row)}>
                            量表
                          </Button>
                        </Can>
                        {row.own && (
                          <Can call={updateExamStage}>
                            <Button variant="subtle" size="compact-sm" onClick={() => setEditing(row)}>
                              修改
                            </Button>
                            <Button
                              variant="subtle"
                              size="compact-sm"
                              onClick={() => change.mutate({ stageid: row.stageid, enabled: row.enabled ? 0 : 1 })}
                            >
                              {row.enabled ? '停用' : '启用'}
                            </Button>
                            <ConfirmButton name={row.stagename} onConfirm={() => remove.mutateAsync({ stageid: row.stageid })} />
                          </Can>
                        )}
                      </Group>
                    </Group>
                  </li>
                ))}
              </ol>
            );
          }}
        </Loaded>
      </Section>
      {editing && (
        <StageDrawer row={editing} appid={appid} categories={categories.data ?? []} onClose={() => setEditing(undefined)} />
      )}
      {formsRow && <StageFormsDrawer row={formsRow} onClose={() => setFormsRow(undefined)} />}
    </PageStack>
  );
}
