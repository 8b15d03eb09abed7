import { Button, Group, Modal, Text } from '@mantine/core';
import { CopyTextButton } from '#ui/feedback/CopyTextButton.tsx';
import { formatSpan } from '#domain/task/slots.ts';
import type { ResponseOf } from '#contract/action.ts';
import type { getTaskBoard } from '#features/task/board/board.contract.ts';
import { formatMinute } from '#features/task/task.labels.ts';
import classes from '#features/task/task.module.css';

type Board = ResponseOf<typeof getTaskBoard>;

/** The text that tells classes about a task. It names nobody, so it may stand in a class chat. */
const noticeOf = ({ task, classes: groups, entryurl }: Board) =>
  [
    `【${task.taskname}】`,
    `时间：${formatMinute(task.begintime)} 至 ${formatMinute(task.endtime)}`,
    ...groups.flatMap(({ name, slot }) => (slot ? [`${name}：${formatSpan(slot)}`] : [])),
    entryurl && `用手机打开 ${entryurl} ，或扫现场二维码，核对姓名后作答。`,
    '答案没有对错，按自己的感受选择就好。结果只用于关心和帮助大家，会严格保密。',
  ]
    .filter(Boolean)
    .join('\n');

/** 发通知: the text for the class chats before a task begins. */
export function NoticeDialog({ board, onClose }: { board: Board; onClose: () => void }) {
  const text = noticeOf(board);
  return (
    <Modal opened onClose={onClose} title="发通知">
      <Text size="sm" c="dimmed" mb="xs">
        任务开始前，把这段文字发给班主任或班级群。文字不写姓名。
      </Text>
      <pre className={classes['text']} tabIndex={0} aria-label="通知文字">
        {text}
      </pre>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          关闭
        </Button>
        <CopyTextButton text={text} variant="filled">
          复制文字
        </CopyTextButton>
      </Group>
    </Modal>
  );
}
