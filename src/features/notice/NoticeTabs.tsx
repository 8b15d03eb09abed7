import { Anchor, Group, UnstyledButton } from '@mantine/core';
import { NOTICE_GROUPS, NOTICE_GROUP_TITLES, type NoticeGroup } from '#domain/notice/noticeGroup.ts';
import { can } from '#ui/api/session.ts';
import type { ResponseOf } from '#contract/action.ts';
import { readNotice, type getUnreadCount } from '#features/notice/notice.contract.ts';
import { useReadNotice } from '#features/notice/NoticeLine.tsx';
import classes from './notice.module.css';

/** The groups of messages with the number of unread lines, and the button that marks the chosen group as read. */
export function NoticeTabs({
  group,
  unread,
  onChoose,
}: {
  group: NoticeGroup | undefined;
  unread: ResponseOf<typeof getUnreadCount> | undefined;
  onChoose: (group: NoticeGroup | undefined) => void;
}) {
  const read = useReadNotice();
  const countOf = (key: NoticeGroup | undefined) => (key ? unread?.groups[key] : unread?.count) ?? 0;
  const hasUnread = countOf(group) + (unread?.waiting ?? 0) > 0;
  return (
    <Group justify="space-between" gap="xs">
      <div className={classes['tabs']} role="group" aria-label="消息分组">
        {[undefined, ...NOTICE_GROUPS].map((key) => (
          <UnstyledButton
            key={key ?? ''}
            className={classes['tab'] ?? ''}
            aria-pressed={key === group}
            onClick={() => onChoose(key)}
          >
            {key ? NOTICE_GROUP_TITLES[key] : '全部'}
            {countOf(key) > 0 && <strong>{countOf(key)}</strong>}
          </UnstyledButton>
        ))}
      </div>
      {hasUnread && can(readNotice) && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          className={classes['all'] ?? ''}
          onClick={() => read.mutate(group ? { group } : {})}
        >
          {group ? `${NOTICE_GROUP_TITLES[group]}全部标为已读` : '全部标为已读'}
        </Anchor>
      )}
    </Group>
  );
}
