import { Button, Drawer, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { GrantStatus } from '#domain/base/enums.ts';
import type { ResponseOf } from '#contract/action.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { Can } from '#ui/api/Can.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import {
  authorizeCUserPlan,
  clearCUserAssessCount,
  deleteCUserPlan,
  getCUserPlan,
  getCUserStagesAssessCount,
} from '#features/assesscount/authorizations/authorize.contract.ts';
import { getMUserAssessCount } from '#features/assesscount/wallet.contract.ts';
import { AuthorizeDrawer } from '#blocks/person/AuthorizeDrawer.tsx';
import type { CUserRow } from '#features/cuser/cuser.contract.ts';
import classes from './grants.module.css';

type Grant = ResponseOf<typeof getCUserPlan>[number];
const invalidates = [getCUserPlan, getCUserStagesAssessCount, getMUserAssessCount];
const tones = { 1: 'green', 2: 'gray', 3: 'gray', 4: 'orange' } as const;

/** 授权: the authorisations of a person and the counts by stage. It adds, deletes and clears authorisations. */
export function GrantsDrawer({ row, onClose }: { row: Pick<CUserRow, 'cuserid' | 'username' | 'appid'>; onClose: () => void }) {
  const [isAdding, setIsAdding] = useState(false);
  const [isClearing, setIsClearing] = useState(false);
  const { cuserid } = row;
  const grants = useActionQuery(getCUserPlan, { cuserid });
  const stages = useActionQuery(getCUserStagesAssessCount, { cuserid });
  const canClear = (grants.data ?? []).some(
    (grant) => grant.status === GrantStatus.live && grant.taskname === '' && grant.frozen > 0,
  );
  if (isAdding)
    return (
      <AuthorizeDrawer cuserids={[cuserid]} personText={row.username} appid={row.appid} onClose={() => setIsAdding(false)} />
    );
  return (
    <Drawer opened onClose={onClose} position="right" title={`授权：${row.username}`} size="min(560px, 100vw)">
      <Stack gap="lg">
        <Can call={authorizeCUserPlan}>
          <Group gap="xs">
            <Button onClick={() => setIsAdding(true)}>授权方案</Button>
            {canClear && (
              <Button variant="default" onClick={() => setIsClearing(!isClearing)} aria-expanded={isClearing}>
                清空次数
              </Button>
            )}
          </Group>
        </Can>
        {isClearing && canClear && <ClearCounts cuserid={cuserid} onDone={() => setIsClearing(false)} />}
        <Loaded read={stages} skeleton={<Skeletons.Lines />}>
          {(rows) =>
            rows.some((item) => item.total > 0) && (
              <table className={classes['stages']}>
                <caption>各阶段次数</caption>
                <thead>
                  <tr>
                    <th scope="col">方案 · 阶段</th>
                    <th scope="col">共</th>
                    <th scope="col">已用</th>
                    <th scope="col">可用</th>
                  </tr>
                </thead>
                <tbody>
                  {rows
                    .filter((item) => item.total > 0)
                    .map((item) => (
                      <tr key={`${item.plancode} ${item.stagecode}`}>
                        <td>
                          {item.planname}
                          {item.stagename && ` · ${item.stagename}`}
                          {item.lastexamtime && <small>最近测评 {item.lastexamtime.slice(0, 10)}</small>}
                        </td>
                        <td>{item.total}</td>
                        <td>{item.used}</td>
                        <td>{item.left}</td>
                      </tr>
                    ))}
                </tbody>
              </table>
            )
          }
        </Loaded>
        <Loaded read={grants} skeleton={<Skeletons.Lines />}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState title="还没有授权" hint="授权后，受测者扫机构二维码即可作答" />
            ) : (
              <Stack gap={0} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
                {rows.map((item) => (
                  <GrantRow key={item.cuserplanid} grant={item} />
                ))}
              </Stack>
            )
          }
        </Loaded>
      </Stack>
    </Drawer>
  );
}

function GrantRow({ grant }: { grant: Grant }) {
  const remove = useActionMutation(deleteCUserPlan, {
    invalidates,
    onDone: ({ released }) => notify.done(`已删除，退回 ${released} 次`),
  });
  const { planname, stagename, begindate, enddate } = grant;
  return (
    <li className={classes['grant']}>
      <div>
        <Text size="sm" fw={500}>
          {planname}
          {stagename && ` · ${stagename}`}
        </Text>
        <Text size="xs" c="dimmed">
          {grant.taskname ? `任务：${grant.taskname}` : `${grant.grantname || '—'} 授权`} · {grant.createtime.slice(0, 10)}
          {(begindate ?? enddate) && ` · ${begindate ?? '即日'} 至 ${enddate ?? '长期'}`}
        </Text>
        <Text size="xs" c="dimmed">
          共 {grant.total} 次，已用 {grant.used} 次，冻结 {grant.frozen} 次
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <EnumBadge of={GrantStatus} code={grant.status} tones={tones} />
        {grant.unused && (
          <Can call={deleteCUserPlan}>
            <ConfirmButton name={planname} onConfirm={() => remove.mutateAsync({ cuserplanids: [grant.cuserplanid] })} />
          </Can>
        )}
      </Group>
    </li>
  );
}

function ClearCounts({ cuserid, onDone }: { cuserid: string; onDone: () => void }) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState('');
  const clear = useActionMutation(clearCUserAssessCount, {
    invalidates,
    onDone: ({ released }) => {
      notify.done(`已清空，退回 ${released} 次`);
      onDone();
    },
  });
  const submit = () => (reason.trim().length < 2 ? setError('请填写清零原因') : clear.mutate({ cuserid, reason: reason.trim() }));
  return (
    <Stack gap="xs">
      <Textarea
        label="清零原因"
        description="任务以外未作答的次数全部退回机构，已开始的答卷不能再交卷"
        required
        autosize
        minRows={2}
        maxLength={200}
        data-autofocus
        value={reason}
        error={error || undefined}
        onChange={(event) => {
          setReason(event.currentTarget.value);
          setError('');
        }}
      />
      <Group justify="flex-end">
        <Button color="red" loading={clear.isPending} onClick={submit}>
          清空次数
        </Button>
      </Group>
    </Stack>
  );
}
