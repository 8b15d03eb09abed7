import { ActionIcon, Anchor, Group, Indicator, Popover, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { getNoticePageList, getUnreadCount, readNotice } from '#features/notice/notice.contract.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { useNavigate } from '#ui/router/router.tsx';
import { EmptyState, Loaded } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import classes from '../frame/Shell.module.css';

/** The bell: the number of unread messages and the latest ones. Opening a message marks it as read. */
export function Notices() {
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  const unread = useActionQuery(getUnreadCount, {}, { every: 60_000, quiet: true }).data?.count ?? 0;
  const list = useActionQuery(getNoticePageList, opened ? { page: 1, pageSize: 20 } : undefined, { quiet: true });
  const read = useActionMutation(readNotice, { invalidates: [getUnreadCount, getNoticePageList] });
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={360}
      withinPortal
      shadow="md"
      trapFocus
      returnFocus
    >
      <Indicator
        label={unread > 99 ? '99+' : unread}
        disabled={unread === 0}
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
            aria-label={unread > 0 ? `消息，${unread} 条未读` : '消息'}
            onClick={() => setOpened(!opened)}
          >
            <IconBell size={20} stroke={1.6} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0}>
        <Group justify="space-between" px="md" py="xs" style={{ borderBottom: '1px solid var(--line)' }}>
          <Text fw={600} size="sm">
            消息
          </Text>
          {unread > 0 && (
            <Anchor component="button" type="button" size="xs" onClick={() => read.mutate({})}>
              全部已读
            </Anchor>
          )}
        </Group>
        <ScrollArea.Autosize mah={420}>
          <Loaded read={list}>
            {({ rows }) =>
              rows.length === 0 ? (
                <EmptyState title="没有消息" />
              ) : (
                rows.map((row) => (
                  <UnstyledButton
                    key={row.id}
                    className={classes['notice'] ?? ''}
                    data-unread={row.readtime === null || undefined}
                    onClick={() => {
                      if (row.readtime === null) read.mutate({ ids: [row.id] });
                      setOpened(false);
                      if (row.link) navigate(row.link);
                    }}
                  >
                    <Text size="sm" fw={row.readtime === null ? 600 : 400}>
                      {row.title}
                    </Text>
                    {row.content && (
                      <Text size="xs" c="dimmed" lineClamp={3}>
                        {row.content}
                      </Text>
                    )}
                    <Text size="xs" c="dimmed">
                      <RelativeTime at={row.createtime} />
                      {row.readtime === null && row.remindcount > 0 && ` · 已提醒 ${row.remindcount} 次`}
                    </Text>
                  </UnstyledButton>
                ))
              )
            }
          </Loaded>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
