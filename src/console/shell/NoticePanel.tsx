import { Anchor, Group, Popover, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { getNoticePageList, getUnreadCount, readNotice } from '#features/notice/notice.contract.ts';
import { Ago } from '#ui/Ago.tsx';
import { Anchored, useOpening } from '#ui/Anchored.tsx';
import { useNavigate } from '#ui/router.tsx';
import { EmptyState, Loaded } from '#ui/states.tsx';
import { useDo, useRead } from '#ui/useAction.ts';
import type { Popup } from '#ui/usePopup.ts';
import classes from './Shell.module.css';

/** The latest messages. Following one marks it as read. */
export function NoticePanel({ at, opened, onChange, unread }: Popup & { unread: number }) {
  const navigate = useNavigate();
  const list = useRead(getNoticePageList, opened ? { page: 1, pageSize: 20 } : undefined, { quiet: true });
  const read = useDo(readNotice, { touches: [getUnreadCount, getNoticePageList] });
  return (
    <Popover
      opened={useOpening(opened)}
      onChange={onChange}
      position="bottom-end"
      width={360}
      withinPortal
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Anchored to={at} />
      </Popover.Target>
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
                      onChange(false);
                      if (row.link) navigate(row.link);
                    }}
                  >
                    <Text size="sm" fw={row.readtime === null ? 600 : 400}>
                      {row.title}
                    </Text>
                    {row.content && (
                      <Text size="xs" c="dimmed" lineClamp={2}>
                        {row.content}
                      </Text>
                    )}
                    <Text size="xs" c="dimmed">
                      <Ago at={row.createtime} />
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
