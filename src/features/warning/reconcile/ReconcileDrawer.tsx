import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import type { ResponseOf } from '#contract/action.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import plain from '#ui/display/PlainTable.module.css';
import { Badge } from '#ui/display/badges.tsx';
import { EmptyState, Loaded } from '#ui/feedback/states.tsx';
import { LongTextField } from '#ui/form/fields.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { Link } from '#ui/router/router.tsx';
import { getDutyList } from '#features/warning/duty/duty.contract.ts';
import { getReconcileReport, settleReconcileDiff } from '#features/warning/reconcile/reconcile.contract.ts';
import classes from './reconcile.module.css';

type Report = ResponseOf<typeof getReconcileReport>;
type Difference = Report['differences'][number];

/** 对账记录: the differences that wait for staff, those that staff have settled, and the comparisons of the last 90 days. */
export function ReconcileDrawer({ onClose }: { onClose: () => void }) {
  const read = useActionQuery(getReconcileReport, {});
  return (
    <Drawer opened onClose={onClose} title="零漏报对账" size="min(680px, 100vw)">
      <Loaded read={read}>
        {({ differences, runs }) => {
          const waiting = differences.filter((difference) => difference.settletime === null);
          const settled = differences.filter((difference) => difference.settletime !== null);
          return (
            <Stack gap="lg">
              <Text size="sm" c="dimmed">
                系统每小时、每夜用另一套独立的规则重新核对答卷、操作记录与个案。发现应有而没有的预警会立即重新预警，并通知相关人员。
              </Text>
              <section aria-label="待核实的差异">
                <Text component="h3" fw={600} mb="xs" mt={0}>
                  待核实的差异（{waiting.length}）
                </Text>
                {waiting.length === 0 ? (
                  <EmptyState title="没有待核实的差异" />
                ) : (
                  <Stack gap="sm">
                    {waiting.map((difference) => (
                      <OpenDifference key={difference.diffkey} difference={difference} />
                    ))}
                  </Stack>
                )}
              </section>
              {settled.length > 0 && (
                <section aria-label="已核实的差异">
                  <Text component="h3" fw={600} mb="xs" mt={0}>
                    已核实
                  </Text>
                  <Stack gap="sm">
                    {settled.map((difference) => (
                      <div key={difference.diffkey} className={classes['difference']}>
                        <p>{difference.content}</p>
                        <Text size="sm" c="dimmed">
                          {difference.settletime?.slice(0, 16)} · {difference.settlebyname}：{difference.settlenote}
                        </Text>
                      </div>
                    ))}
                  </Stack>
                </section>
              )}
              <Runs runs={runs} />
            </Stack>
          );
        }}
      </Loaded>
    </Drawer>
  );
}

/** A difference with the form that settles it. */
function OpenDifference({ difference }: { difference: Difference }) {
  const { diffkey, content, foundtime, warningcode, raisedcode } = difference;
  const form = useActionForm(settleReconcileDiff, {
    initial: { diffkey },
    invalidates: [getReconcileReport, getDutyList],
    successMessage: '已登记核实结果',
  });
  const linkcode = raisedcode ?? warningcode;
  return (
    <form ref={form.place} onSubmit={form.submit} className={classes['difference']} noValidate>
      <p>{content}</p>
      <Text size="sm" c="dimmed" mb="xs">
        发现于 {foundtime.slice(0, 16)}
        {linkcode && (
          <>
            {' · '}
            <Link to={`/earlyWarning/case/${linkcode}`}>{raisedcode ? `已重新预警：${raisedcode}` : `查看个案 ${linkcode}`}</Link>
          </>
        )}
      </Text>
      <LongTextField {...form.field('note')} />
      <Group justify="flex-end" mt="xs">
        <Button type="submit" size="sm" loading={form.busy}>
          已核实
        </Button>
      </Group>
    </form>
  );
}

function Runs({ runs }: { runs: Report['runs'] }) {
  return (
    <section aria-label="最近的对账">
      <Text component="h3" fw={600} mb="xs" mt={0}>
        最近的对账
      </Text>
      {runs.length === 0 ? (
        <EmptyState title="还没有对账记录" hint="系统启动后几分钟内进行第一次对账" />
      ) : (
        <>
          <div className={plain['frame']}>
            <table className={plain['table']}>
              <thead>
                <tr>
                  <th scope="col">核对的时段</th>
                  <th scope="col">类型</th>
                  <th scope="col">答卷</th>
                  <th scope="col">个案</th>
                  <th scope="col">差异</th>
                </tr>
              </thead>
              <tbody>
                {runs.map((run) => (
                  <tr key={`${run.to}${run.kind}`}>
                    <td>
                      {run.from.slice(5, 16)}–{run.to.slice(5, 16)}
                    </td>
                    <td>{run.kind === 'nightly' ? '每夜' : '每小时'}</td>
                    <td>{run.sheets}</td>
                    <td>{run.cases}</td>
                    <td>{run.differences > 0 ? <Badge tone="red">{String(run.differences)}</Badge> : 0}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p className={classes['hash']}>判定表版本 {runs[0]?.checksum}</p>
        </>
      )}
    </section>
  );
}
