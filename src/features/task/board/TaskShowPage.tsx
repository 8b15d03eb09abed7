import { formatSpan } from '#domain/task/slots.ts';
import { Button, Group, Select, Text, Title } from '@mantine/core';
import { formatNumber } from '#domain/base/number.ts';
import { Link, useParams, useSearchParams } from '#ui/router/router.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getTaskBoard } from '#features/task/board/board.contract.ts';
import { formatMinute, taskPath } from '#features/task/task.labels.ts';
import classes from '#features/task/task.module.css';

/** 投屏: the QR code of the entry for a classroom's projector. It shows numbers and never names. */
export default function TaskShowPage() {
  const { taskcode = '' } = useParams();
  const [params, setParams] = useSearchParams();
  const board = useActionQuery(getTaskBoard, { taskcode }, { every: 5000, quiet: true });
  const teamcode = params.get('teamcode');
  return (
    <div className={classes['show']}>
      <Loaded read={board} skeleton={<Skeletons.Page />}>
        {(data) => {
          const selectedClass = data.classes.find((schoolClass) => schoolClass.teamcode === teamcode);
          const { finished, total, exempt, doing } = selectedClass ?? data.totals;
          const until = selectedClass?.slot
            ? `本班时间 ${formatSpan(selectedClass.slot)}`
            : `${formatMinute(data.task.endtime)} 截止`;
          return (
            <>
              <Group justify="space-between" gap="sm">
                <Title order={1} fz={24}>
                  {data.task.taskname}
                  {selectedClass && ` · ${selectedClass.name}`}
                </Title>
                <Group gap="xs">
                  <Select
                    aria-label="班级/团体"
                    placeholder="全部班级"
                    clearable
                    searchable
                    value={teamcode}
                    data={data.classes.flatMap((schoolClass) =>
                      schoolClass.teamcode ? [{ value: schoolClass.teamcode, label: schoolClass.name }] : [],
                    )}
                    onChange={(next) => setParams(next ? { teamcode: next } : {}, { replace: true })}
                    comboboxProps={{ zIndex: 500 }}
                  />
                  <Button
                    variant="default"
                    onClick={() => void document.documentElement.requestFullscreen?.().catch(() => undefined)}
                  >
                    全屏
                  </Button>
                  <Button variant="default" component={Link} to={taskPath(taskcode)}>
                    返回看板
                  </Button>
                </Group>
              </Group>
              <div className={classes['stage']}>
                {data.clientcode ? (
                  <img src={`/qr/${data.clientcode}.png?size=400`} alt="作答入口二维码" />
                ) : (
                  <Text fz={20}>本机构还没有作答入口，请先在机构管理中开通</Text>
                )}
                <div role="status">
                  <Text fz={24} c="dimmed">
                    已完成 / 应参加
                  </Text>
                  <div className={classes['figure']}>
                    {formatNumber(finished)} / {formatNumber(total - exempt)}
                  </div>
                  <Text fz={22}>{doing > 0 ? `${formatNumber(doing)} 人正在作答` : '\u00a0'}</Text>
                </div>
              </div>
              {data.entryurl && !data.closed && (
                <Text fz={24} ta="center" style={{ overflowWrap: 'anywhere' }}>
                  扫不了码，请在浏览器输入 <b>{data.entryurl}</b>
                </Text>
              )}
              <Text fz={18} ta="center">
                {data.closed
                  ? '本次测评已结束，谢谢参与'
                  : `请扫码，核对姓名后作答。${until}。答案没有对错，按自己的感受选择就好。`}
              </Text>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
