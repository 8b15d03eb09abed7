import { ActionIcon, Indicator } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { getUnreadCount } from '#features/notice/notice.contract.ts';
import { later } from '#ui/later.tsx';
import { useRead } from '#ui/useAction.ts';
import { usePopup } from '#ui/usePopup.ts';
import classes from './Shell.module.css';

const NoticePanel = later(() => import('#console/shell/NoticePanel.tsx').then((file) => file.NoticePanel));

/** The bell: how many messages are unread, and the latest ones. */
export function Notices() {
  const unread = useRead(getUnreadCount, {}, { every: 60_000, quiet: true }).data?.count ?? 0;
  const { button, popup } = usePopup('dialog', NoticePanel.warm);
  return (
    <>
      <Indicator
        label={unread > 99 ? '99+' : unread}
        disabled={unread === 0}
        size={16}
        color="red"
        offset={5}
        className={classes['bell'] ?? ''}
      >
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={unread > 0 ? `消息，${unread} 条未读` : '消息'}
          {...button}
        >
          <IconBell size={20} stroke={1.6} />
        </ActionIcon>
      </Indicator>
      {popup && <NoticePanel {...popup} unread={unread} />}
    </>
  );
}
