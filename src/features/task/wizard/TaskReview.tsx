import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Term } from '#domain/base/enums.ts';
import type { ResponseOf } from '#contract/action.ts';
import { Facts } from '#ui/display/Section.tsx';
import { ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import { StatTiles } from '#ui/display/StatTiles.tsx';
import type { checkAssessTask } from '#features/task/task.contract.ts';
import type { TaskDraft } from '#features/task/taskDraft.ts';

interface Check {
  data: ResponseOf<typeof checkAssessTask> | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** The last step of the wizard: how many persons take part, which are excluded and why, and the counts it needs. */
export function TaskReview({
  draft,
  check,
  onDraft,
  isBusy,
}: {
  draft: TaskDraft;
  check: Check;
  onDraft: () => void;
  isBusy: boolean;
}) {
  const { data, error, refetch } = check;
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeletons.Tiles />;
  const isShort = data.free < data.need;
  return (
    <Stack gap="md">
      <Facts
        facts={[
          ['任务名称', draft.taskname],
          ['学年学期', [draft.year, Term.label(draft.term)].filter(Boolean).join(' ')],
          ['起止时间', `${draft.begintime} 至 ${draft.endtime}`],
          ['参加团体', `${draft.teamcodes.length} 个`],
          ['作答后可看报告', draft.resultshow ? '是' : '否'],
        ]}
      />
      <StatTiles
        label="人数与次数"
        tiles={[
          { name: '应测', value: data.rostercount, unit: '人' },
          { name: '已同意', value: data.consented, unit: '人', definition: '其余人员在作答前阅读并同意；未满 14 岁需监护人同意' },
          { name: '需要次数', value: data.need, unit: '次', ...(isShort ? { tone: 'red' as const } : {}) },
          { name: '可用次数', value: data.free, unit: '次', ...(isShort ? { tone: 'red' as const } : {}) },
        ]}
      />
      {isShort && (
        <Alert color="red" title="测评次数不足">
          需要 {data.need} 次，剩余 {data.free} 次。请减少参加团体，或联系服务商增加次数；已填写的内容会保留。
        </Alert>
      )}
      {!data.licenceok && (
        <Alert color="orange" title="方案暂不能使用">
          {data.reasons.map((reason) => (
            <div key={reason}>{reason}</div>
          ))}
        </Alert>
      )}
      {data.excludedcount > 0 && (
        <Alert color="yellow" title={`${data.excludedcount} 人不参加本次测评`}>
          <div style={{ maxHeight: 180, overflow: 'auto' }} tabIndex={0}>
            {data.exclusions.map((exclusion) => (
              <div key={exclusion.cuserid}>
                {exclusion.teamname} {exclusion.username}：{exclusion.reason}
              </div>
            ))}
          </div>
        </Alert>
      )}
      {data.unknownage > 0 && (
        <Text size="sm" c="dimmed">
          {data.unknownage} 人没有出生日期，无法核对适用年龄，将照常参加。
        </Text>
      )}
      <Group>
        <Button variant="default" loading={isBusy} disabled={isShort} onClick={onDraft}>
          存为草稿（暂不发布）
        </Button>
        <Text size="sm" c="dimmed">
          草稿同样预留次数，受测者暂时看不到。
        </Text>
      </Group>
    </Stack>
  );
}
