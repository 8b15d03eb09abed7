import { formatSpan } from '#domain/task/slots.ts';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { formatNumber } from '#domain/base/number.ts';
import { Term } from '#domain/base/enums.ts';
import type { ResponseOf } from '#contract/action.ts';
import { Facts } from '#ui/display/Section.tsx';
import { ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import { StatTiles } from '#ui/display/StatTiles.tsx';
import type { checkAssessTask } from '#features/task/task.contract.ts';
import { previewPath } from '#features/task/task.labels.ts';
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
  fault,
  musercode,
  onDraft,
  isBusy,
}: {
  draft: TaskDraft;
  check: Check;
  /** why the task cannot be created */
  fault: string | undefined;
  /** the institution of the teams */
  musercode: string;
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
          ['方案', data.planname],
          ['学年学期', [draft.year, Term.label(draft.term)].filter(Boolean).join(' ')],
          ['起止时间', `${draft.begintime} 至 ${draft.endtime}`],
          ['题量与时长', `${sumOf(data.forms, 'itemcount')} 题 · 约 ${sumOf(data.forms, 'minutes')} 分钟`],
          ['作答后可看报告', draft.resultshow ? '是，只看本人版' : '否'],
        ]}
      />
      <ReviewList
        title="问卷"
        rows={data.forms.map(({ formname, itemcount, minutes }) => `${formname}（${itemcount} 题，约 ${minutes} 分钟）`)}
      />
      <ReviewList
        title={`班级/团体（${draft.teamcodes.length} 个）`}
        rows={data.classes.map(({ teamcode, teamname, count }) => {
          const slot = draft.slots?.find((each) => each.teamcode === teamcode);
          return `${teamname || '单独添加'} ${formatNumber(count)} 人${slot ? `，${formatSpan(slot)}` : ''}`;
        })}
      />
      <StatTiles
        label="人数与次数"
        tiles={[
          { name: '应测', value: data.rostercount, unit: '人' },
          { name: '本人已同意', value: data.consented, unit: '人', definition: '其余人员在作答前阅读并同意' },
          ...(data.guardian.needed > 0
            ? [
                {
                  name: '监护人已同意',
                  value: `${data.guardian.agreed}/${data.guardian.needed}`,
                  unit: '人',
                  definition: `需监护人同意 ${data.guardian.needed} 人，已同意 ${data.guardian.agreed} 人，不同意 ${data.guardian.refused} 人`,
                },
              ]
            : []),
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
        <Alert color="yellow" title={`${formatNumber(data.excludedcount)} 人不参加本次测评`}>
          <div style={{ maxHeight: 180, overflow: 'auto' }} tabIndex={0}>
            {data.exclusions.map((exclusion) => (
              <div key={exclusion.cuserid}>
                {exclusion.teamname} {exclusion.username}：{exclusion.reason}
              </div>
            ))}
          </div>
        </Alert>
      )}
      {fault && (
        <Text c="red" role="alert" id="task-review" tabIndex={-1}>
          {fault}
        </Text>
      )}
      {data.guardian.needed > data.guardian.agreed + data.guardian.refused && (
        <Text size="sm">
          还有 {data.guardian.needed - data.guardian.agreed - data.guardian.refused}{' '}
          人的监护人没有答复。他们可以先作答，监护人同意之前不出报告。
        </Text>
      )}
      {data.unknownage > 0 && (
        <Text size="sm" c="dimmed">
          {data.unknownage} 人没有出生日期，无法核对适用年龄，将照常参加。
        </Text>
      )}
      <Group>
        <Button variant="default" component="a" target="_blank" href={previewPath({ ...draft, musercode })}>
          预览作答
        </Button>
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

const sumOf = (forms: readonly { itemcount: number; minutes: number }[], key: 'itemcount' | 'minutes') =>
  forms.reduce((sum, form) => sum + form[key], 0);

function ReviewList({ title, rows }: { title: string; rows: readonly string[] }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <ul
        aria-label={title}
        style={{ margin: 0, paddingLeft: 18, columns: '220px', maxHeight: 220, overflow: 'auto' }}
        tabIndex={0}
      >
        {rows.map((row) => (
          <li key={row}>{row}</li>
        ))}
      </ul>
    </div>
  );
}
