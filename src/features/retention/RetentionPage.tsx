import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import plain from '#ui/display/PlainTable.module.css';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { NumberField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { AuditTabs } from '#blocks/audit/AuditTabs.tsx';
import { getRetention, saveRetention } from '#features/retention/retention.contract.ts';

type Kind = ResponseOf<typeof getRetention>['kinds'][number];

const ENDS = { anonymise: '匿名化', delete: '删除', keep: '不删除' } as const;

/** A number of months in words: whole years as years. */
const describeMonths = (months: number): string => (months % 12 === 0 ? `${months / 12} 年` : `${months} 个月`);

/** 数据保存期限: the term of each kind of record with its ground, what is due, and the last runs of the job. */
export default function RetentionPage() {
  const read = useActionQuery(getRetention, {});
  const [edited, setEdited] = useState<Kind | null>(null);
  return (
    <PageStack>
      <div>
        <AuditTabs open="retention" />
      </div>
      <Loaded read={read} skeleton={<Skeletons.Page />}>
        {({ kinds, runs, holds }) => (
          <>
            <Section title="数据保存期限">
              <Text size="sm" c="dimmed" mb="sm">
                期限包括最后一天。届满后由系统在夜间清除；未结个案和正在保全的资料不清除（保全中 {holds} 人）。
              </Text>
              <div className={plain['frame']}>
                <table className={`${plain['table'] ?? ''} ${plain['cards'] ?? ''}`} aria-label="数据保存期限">
                  <thead>
                    <tr>
                      <th>记录</th>
                      <th>期限</th>
                      <th>起算</th>
                      <th>届满后</th>
                      <th>待清除</th>
                      <th>依据与理由</th>
                      <th>操作</th>
                    </tr>
                  </thead>
                  <tbody>
                    {kinds.map((kind) => (
                      <tr key={kind.key}>
                        <th scope="row" style={{ whiteSpace: 'normal', minWidth: 180 }}>
                          {kind.name}
                        </th>
                        <td data-head="期限">{kind.months === null ? kind.words : describeMonths(kind.months)}</td>
                        <td data-head="起算">{kind.start}</td>
                        <td data-head="届满后">{ENDS[kind.end]}</td>
                        <td data-head="待清除">{kind.due ?? '—'}</td>
                        <td data-head="依据与理由" style={{ whiteSpace: 'normal', minWidth: 280 }}>
                          {kind.ground}。{kind.reason}。
                        </td>
                        <td>
                          {kind.least !== null && can(saveRetention) && (
                            <Button size="compact-sm" variant="default" onClick={() => setEdited(kind)}>
                              修改期限
                            </Button>
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </Section>
            <Section title="最近的清除">
              {runs.length === 0 ? (
                <EmptyState title="还没有到期的记录" />
              ) : (
                <Stack gap={4}>
                  {runs.map(({ time, name, affected }) => (
                    <Text key={`${time}${name}`} size="sm">
                      {`${time} ${name}：${affected}`}
                    </Text>
                  ))}
                </Stack>
              )}
            </Section>
          </>
        )}
      </Loaded>
      {edited && <TermDrawer kind={edited} onClose={() => setEdited(null)} />}
    </PageStack>
  );
}

function TermDrawer({ kind: { key, name, months, least, most, ground }, onClose }: { kind: Kind; onClose: () => void }) {
  const form = useActionForm(saveRetention, {
    initial: { key, months: months ?? 0 },
    invalidates: [getRetention],
    onDone: onClose,
    successMessage: '已保存，从下一次清除起生效',
  });
  return (
    <FormDrawer title="修改保存期限" onClose={onClose} form={form}>
      <Text size="sm">{name}</Text>
      <Text size="sm" c="dimmed">
        依据：{ground}。可设 {least} 至 {most} 个月。改动后请同步修改知情同意书里的保存期限。
      </Text>
      <NumberField {...form.field('months')} min={least ?? 1} max={most ?? 600} suffix=" 个月" />
    </FormDrawer>
  );
}
