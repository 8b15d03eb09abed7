import { ActionIcon, Group, Indicator, Popover, ScrollArea } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import type { NoticeGroup } from '#domain/notice/noticeGroup.ts';
import { getNoticePageList, getUnreadCount } from '#features/notice/notice.contract.ts';
import { NoticeLine } from '#features/notice/NoticeLine.tsx';
import { NoticeTabs } from '#features/notice/NoticeTabs.tsx';
import { Link } from '#ui/router/router.tsx';
import { EmptyState, Loaded } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import classes from '../frame/Shell.module.css';

/** The bell: the number of unread lines and the latest ones, by group. Opening a line marks its messages as read. */
export function Notices() {
  const [opened, setOpened] = useState(false);
  const [group, setGroup] = useState<NoticeGroup>();
  const unread = useActionQuery(getUnreadCount, {}, { every: 60_000, quiet: true }).data;
  const count = unread?.count ?? 0;
  const list = useActionQuery(getNoticePageList, opened ? { page: 1, pageSize: 20, ...(group && { group }) } : undefined, {
    quiet: true,
    keepPrevious: true,
  });
  const close = () => setOpened(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width="min(420px, calc(100vw - 24px))"
      withinPortal
      shadow="md"
      trapFocus
      returnFocus
    >
      <Indicator
        label={count > 99 ? '99+' : count}
        disabled={count === 0}
        size={16}
        color="red"
        offset={5}
        className={classes['bell'] ?? ''}
      >
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={count > 0 ? `消息，${count} 条未读` : '消息'}
            onClick={() => setOpened(!opened)}
          >
            <IconBell size={20} stroke={1.6} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0}>
        <div className={classes['noticehead']}>
          <NoticeTabs group={group} unread={unread} onChoose={setGroup} />
        </div>
        <ScrollArea.Autosize mah="min(420px, calc(100vh - 180px))">
          <Loaded read={list}>
            {({ rows }) =>
              rows.length === 0 ? (
                <EmptyState title="没有消息" />
              ) : (
                rows.map((row) => <NoticeLine key={row.id} row={row} onOpen={close} />)
              )
            }
          </Loaded>
        </ScrollArea.Autosize>
        <Group justify="space-between" px="md" py="xs" fz="sm" className={classes['noticefoot'] ?? ''}>
          <Link to={group ? `/notices?group=${group}` : '/notices'} onClick={close}>
            查看全部消息
          </Link>
          <Link to="/profile/notice" onClick={close}>
            提醒设置
          </Link>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
