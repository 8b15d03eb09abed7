import { Button, Group, Text } from '@mantine/core';
import type { ResponseOf } from '#contract/action.ts';
import { pathOf } from '#contract/menu.ts';
import { formatNumber } from '#domain/base/number.ts';
import { TaskStatus } from '#domain/base/enums.ts';
import { TaskRound } from '#domain/task/taskprogress.ts';
import { LineChart } from '#ui/charts/LineChart.tsx';
import { Can } from '#ui/api/Can.tsx';
import { Link } from '#ui/router/router.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { StatTiles } from '#ui/display/StatTiles.tsx';
import type { getTaskBoard } from '#features/task/board/board.contract.ts';
import { HeatMap } from '#features/task/board/HeatMap.tsx';
import { updateAssessTask } from '#features/task/task.contract.ts';
import { formatMinute, rosterPath, taskPath, type RosterPart } from '#features/task/task.labels.ts';
import classes from '#features/task/task.module.css';

type Board = ResponseOf<typeof getTaskBoard>;

/** 普测指挥台: the live progress of a task. */
export function TaskBoard({ board, onSlots }: { board: Board; onSlots: () => void }) {
  const { task, totals, pace, rate, duerate } = board;
  const listOf = (part: RosterPart) => rosterPath(task.taskcode, part);
  return (
    <PageStack>
      <StatTiles
        label="任务进度"
        tiles={[
          {
            name: '应测',
            value: totals.total,
            unit: '人',
            to: taskPath(task.taskcode, 'roster'),
            definition: '名单上的人数，不含已移出的',
          },
          {
            name: '已完成',
            value: totals.finished,
            unit: rate === null ? '人' : `人 · ${rate.toFixed(1)}%`,
            to: listOf('finished'),
            definition: '已交卷的人数，含存疑；完成率 = 完成/应测',
          },
          {
            name: '扣除免测后',
            value: duerate === null ? '—' : duerate.toFixed(1),
            unit: duerate === null ? '' : '%',
            definition: `完成/（应测−免测） = ${formatNumber(totals.finished)}/${formatNumber(totals.total - totals.exempt)}`,
          },
          { name: '作答中', value: totals.doing, unit: '人', to: listOf('doing') },
          { name: '未开始', value: totals.notstarted, unit: '人', to: listOf('notstarted') },
          {
            name: '免测',
            value: totals.exempt,
            unit: '人',
            to: listOf('exempt'),
            definition: '不应参加的人数：休学、转出、家长不同意、停用等；不计入扣除免测后的完成率',
          },
          {
            name: '缺测',
            value: totals.absent - totals.exempt,
            unit: '人',
            to: listOf('missed'),
            definition: '应参加而未参加、已登记原因的人数：请假、身体原因、拒绝参加；不再催测，计入完成率的分母',
          },
          {
            name: '存疑',
            value: totals.dubious,
            unit: '人',
            to: listOf('dubious'),
            tone: 'amber',
            definition: '已交卷，但作答时间过短或选项过于一致，建议复测；其中的求助信号照常预警',
          },
        ]}
      />
      <Section
        title="进度与预计"
        right={
          <Group gap="sm">
            {board.warnings !== null && (
              <Button
                size="compact-sm"
                variant="light"
                color={board.warnings ? 'red' : 'gray'}
                component={Link}
                to={pathOf('warning.crisis')}
              >
                已生成预警 {formatNumber(board.warnings)} 条
              </Button>
            )}
            <Text size="sm" c="dimmed">
              {formatMinute(task.begintime)} 至 {formatMinute(task.endtime)}
            </Text>
          </Group>
        }
      >
        <Text className={classes['pace'] ?? ''} role="status">
          {task.status !== 1
            ? TaskStatus.label(task.status)
            : (pace?.text ??
              (board.readat < task.begintime ? `${formatMinute(task.begintime)} 开始作答` : '尚无人交卷，有人交卷后开始预计'))}
        </Text>
        <PaceChart board={board} />
      </Section>
      <Section
        title="各班进度"
        right={
          <Group gap="sm">
            {task.status < 2 && board.classes.some(({ teamcode }) => teamcode) && (
              <Can call={updateAssessTask}>
                <Button size="compact-sm" variant="default" onClick={onSlots}>
                  各班时段
                </Button>
              </Can>
            )}
            <Text size="sm" c="dimmed">
              点击班级查看名单
            </Text>
          </Group>
        }
      >
        {board.classes.length ? (
          <HeatMap taskcode={task.taskcode} classes={board.classes} readat={board.readat} />
        ) : (
          <EmptyState title="名单为空" hint="可以追加团体或人员" />
        )}
      </Section>
      {board.rounds.length > 0 && (
        <Section title="补测与复测">
          <Group>
            {board.rounds.map((round) => (
              <Button key={round.taskcode} variant="default" size="sm" component={Link} to={taskPath(round.taskcode)}>
                {TaskRound.label(round.round)}：{round.taskname}（{TaskStatus.label(round.status)}）
              </Button>
            ))}
          </Group>
        </Section>
      )}
    </PageStack>
  );
}

/** Draws the submissions so far and the forecast at the present pace. */
function PaceChart({ board: { hours, task, pace, totals } }: { board: Board }) {
  if (!hours.length) return null;
  // A long task has more hours than a chart has room for.
  const step = Math.ceil(hours.length / 60);
  const visibleHours = hours.filter((_, index) => (hours.length - 1 - index) % step === 0);
  const formatHour = (time: string) => `${Number(time.slice(5, 7))}-${time.slice(8, 10)} ${time.slice(11, 13)}时`;
  const totalsSoFar = visibleHours.map(({ total }) => total);
  // The line ends where the text above it says: at the time and with the number of the forecast.
  const forecast = task.status === 1 && pace && pace.perhour > 0 ? pace.endcount : null;
  const end = pace?.donetime ? formatHour(pace.donetime) : '截止';
  return (
    <LineChart
      title="累计完成人数"
      labels={[...visibleHours.map(({ at }) => formatHour(at)), ...(forecast === null ? [] : [end])]}
      series={[
        { name: '已完成', values: [...totalsSoFar, ...(forecast === null ? [] : [null])] },
        ...(forecast === null
          ? []
          : [
              {
                name: '按当前速度预计',
                values: [...totalsSoFar.map((value, index) => (index === totalsSoFar.length - 1 ? value : null)), forecast],
              },
            ]),
      ]}
      max={Math.max(totals.total, 1)}
      height={220}
    />
  );
}
