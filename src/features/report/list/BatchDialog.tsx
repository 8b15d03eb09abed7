import { Alert, Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { reportPathOf } from '#contract/population.ts';
import type { RequestOf, ResponseOf } from '#contract/action.ts';
import { Link } from '#ui/router/router.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { getCUserReportPageList, showOrHiddenReport } from '#features/report/report.contract.ts';
import { getAsai1UserReportPageList } from '#features/report/list/aiReport.contract.ts';
import { getReportBatch, reviewReports } from '#features/report/review/review.contract.ts';

export type BatchAct = 'review' | 'show' | 'hide';
type Row = ResponseOf<typeof getReportBatch>['rows'][number];

const titles: Readonly<Record<BatchAct, string>> = { review: '批量审核', show: '批量向本人显示', hide: '批量隐藏' };
const verbs: Readonly<Record<BatchAct, string>> = { review: '审核通过', show: '显示', hide: '隐藏' };

/** Why the step leaves a report out; '' for a report that it takes. */
const obstacleOf = (act: BatchAct, { reviewobstacle, showobstacle, isshow }: Row): string => {
  if (act === 'review') return reviewobstacle;
  if (act === 'show') return isshow ? '已向本人显示' : showobstacle;
  return isshow ? '' : '已隐藏';
};

/** The reports that one request may show or hide. */
const SHOWN_AT_ONCE = 500;
/** The names that the dialog lists for one reason. */
const NAMED = 12;

/** Reviews, shows or hides all reports of a request. It first says which reports the step takes, and why it leaves the others out. */
export function BatchDialog({
  act,
  request,
  onClose,
}: {
  act: BatchAct;
  request: RequestOf<typeof getReportBatch>;
  onClose: () => void;
}) {
  const read = useActionQuery(getReportBatch, request, { quiet: true });
  const lists = [getCUserReportPageList, getAsai1UserReportPageList];
  const review = useActionMutation(reviewReports, { invalidates: lists });
  const show = useActionMutation(showOrHiddenReport, { invalidates: lists });
  const done = review.data
    ? { count: review.data.reviewed, ...review.data }
    : show.data && { count: show.data.updated, ...show.data };
  return (
    <Modal opened onClose={onClose} title={titles[act]} size="lg" centered>
      {done ? (
        <Stack gap="sm">
          <Text role="status">
            已{verbs[act]} {done.count} 份。
          </Text>
          <Refused refused={done.refused} />
          <Group justify="flex-end">
            <Button onClick={onClose}>关闭</Button>
          </Group>
        </Stack>
      ) : (
        <Loaded read={read} skeleton={<Skeletons.Page />}>
          {({ rows, total }) => {
            const open = rows.filter((row) => obstacleOf(act, row) === '');
            const reports = open.map(({ reportcode, version }) => ({ reportcode, version }));
            const chosen = act === 'review' ? reports : reports.slice(0, SHOWN_AT_ONCE);
            const send = () =>
              act === 'review'
                ? review.mutate({ reports: chosen })
                : show.mutate({ reportcodes: chosen.map(({ reportcode }) => reportcode), isshow: act === 'show' ? 1 : 0 });
            return (
              <Stack gap="sm">
                <Text>
                  共 {total} 份，其中 <strong>{open.length}</strong> 份可以{verbs[act]}。
                  {total > rows.length && `一次最多查看 ${rows.length} 份。`}
                  {chosen.length < open.length && `本次处理前 ${chosen.length} 份，完成后可以再次操作。`}
                </Text>
                {act === 'review' && open.length > 0 && (
                  <Text size="sm" c="dimmed">
                    通过后，结论为空的报告使用系统建议的结论，审核人为您本人。
                  </Text>
                )}
                <Refused
                  refused={rows.flatMap((row) => {
                    const why = obstacleOf(act, row);
                    return why ? [{ ...row, why }] : [];
                  })}
                />
                <Group justify="flex-end">
                  <Button variant="default" onClick={onClose}>
                    取消
                  </Button>
                  <Button
                    data-autofocus
                    disabled={chosen.length === 0}
                    loading={review.isPending || show.isPending}
                    onClick={send}
                  >
                    {verbs[act]} {chosen.length} 份
                  </Button>
                </Group>
              </Stack>
            );
          }}
        </Loaded>
      )}
    </Modal>
  );
}

/** Lists the reports that a step leaves out, by reason. */
function Refused({ refused }: { refused: readonly { reportcode: string; username: string; why: string; appid?: string }[] }) {
  if (refused.length === 0) return null;
  const reasons = [...new Set(refused.map(({ why }) => why))];
  return (
    <Alert variant="light" color="gray" title={`${refused.length} 份不处理`}>
      <Stack gap={4} component="ul" pl="md" m={0}>
        {reasons.map((reason) => {
          const rows = refused.filter(({ why }) => why === reason);
          return (
            <Text component="li" size="sm" key={reason}>
              {reason}：{rows.length} 份（
              {rows.slice(0, NAMED).map(({ reportcode, username, appid }, index) => (
                <span key={reportcode}>
                  {index > 0 && '、'}
                  <Anchor component={Link} to={appid ? reportPathOf(appid, reportcode) : `/report/${reportcode}`} fz="sm">
                    {username}
                  </Anchor>
                </span>
              ))}
              {rows.length > NAMED && '等'}）
            </Text>
          );
        })}
      </Stack>
    </Alert>
  );
}
