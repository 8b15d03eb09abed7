import { UnstyledButton } from '@mantine/core';
import { can } from '#ui/api/session.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { useNavigate } from '#ui/router/router.tsx';
import { getNoticePageList, getUnreadCount, readNotice, type NoticeRow } from '#features/notice/notice.contract.ts';
import classes from './notice.module.css';

/** Marks messages as read, and renews the bell and the lists. */
export const useReadNotice = () => useActionMutation(readNotice, { invalidates: [getUnreadCount, getNoticePageList] });

/** The number of messages of a line: the new ones, or all when none is new. */
function describeCount({ count, unread }: NoticeRow): string {
  if (count < 2) return '';
  return unread > 0 ? `${unread} 条新消息` : `共 ${count} 条`;
}

/** One line of messages. Opening it marks all messages of its case as read. */
export function NoticeLine({ row, onOpen }: { row: NoticeRow; onOpen?: () => void }) {
  const navigate = useNavigate();
  const read = useReadNotice();
  const open = () => {
    if (row.unread > 0 && can(readNotice)) read.mutate(row.warningcode ? { warningcode: row.warningcode } : { ids: [row.id] });
    onOpen?.();
    if (row.link) navigate(row.link);
  };
  const countText = describeCount(row);
  return (
    <UnstyledButton className={classes['line'] ?? ''} data-unread={row.unread > 0 || undefined} onClick={open}>
      <span className={classes['head']}>
        <span className={classes['title']}>{row.username ? `${row.username}：${row.title}` : row.title}</span>
        {countText && <span className={classes['count']}>{countText}</span>}
      </span>
      {row.content && <span className={classes['content']}>{row.content}</span>}
      <span className={classes['foot']}>
        <RelativeTime at={row.createtime} />
        {row.unread > 0 && row.remindcount > 0 && ` · 已提醒 ${row.remindcount} 次`}
        {row.waituntil && ` · 免打扰，${row.waituntil.slice(11, 16)} 提醒`}
      </span>
    </UnstyledButton>
  );
}
