import { formatSpan } from '#domain/task/slots.ts';
import { Button, Group, Text } from '@mantine/core';
import { Link, useParams } from '#ui/router/router.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getTaskBoard } from '#features/task/board/board.contract.ts';
import { formatMinute, taskPath } from '#features/task/task.labels.ts';
import classes from '#features/task/print.module.css';

/** 打印二维码: one A4 page a class with its name, the QR code and the address to type. It shows no person's name. */
export default function TaskPrintPage() {
  const { taskcode = '' } = useParams();
  const board = useActionQuery(getTaskBoard, { taskcode });
  return (
    <div className={classes['sheets']}>
      <Loaded read={board} skeleton={<Skeletons.Page />}>
        {({ task, classes: groups, clientcode, entryurl }) => (
          <>
            <Group justify="space-between" gap="sm" className={classes['bar'] ?? ''}>
              <Text size="sm">共 {groups.length} 页，每个班级/团体一张 A4</Text>
              <Group gap="xs">
                <Button variant="default" component={Link} to={taskPath(taskcode)}>
                  返回看板
                </Button>
                <Button disabled={!clientcode} onClick={() => window.print()}>
                  打印
                </Button>
              </Group>
            </Group>
            {clientcode ? (
              groups.map((group) => (
                <section key={group.teamcode ?? group.name} className={classes['sheet']} aria-label={group.name}>
                  <h1>{group.name}</h1>
                  <p>{task.taskname}</p>
                  <img src={`/qr/${clientcode}.png?size=400`} alt={`${group.name}作答入口二维码`} />
                  <p>扫不了码，请在浏览器输入</p>
                  <p className={classes['address']}>{entryurl}</p>
                  {group.slot && <p className={classes['slot']}>作答时间 {formatSpan(group.slot)}</p>}
                  <p>
                    入口码 {clientcode}
                    {!group.slot && ` · ${formatMinute(task.begintime)} 至 ${formatMinute(task.endtime)}`}
                  </p>
                  <p>核对姓名后作答。答案没有对错，按自己的感受选择就好。</p>
                </section>
              ))
            ) : (
              <EmptyState title="本机构还没有作答入口" hint="请先在机构管理中开通" />
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}
