import { NOTICE_GROUPS, type NoticeGroup } from '#domain/notice/noticeGroup.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { EmptyState, ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { Link } from '#ui/router/router.tsx';
import { getNoticePageList, getUnreadCount } from '#features/notice/notice.contract.ts';
import { NoticeLine } from '#features/notice/NoticeLine.tsx';
import { NoticeTabs } from '#features/notice/NoticeTabs.tsx';

/** 消息: all messages of the account, one line a case, by group. */
export default function NoticeListPage() {
  const list = useList(getNoticePageList);
  const unread = useActionQuery(getUnreadCount, {}, { every: 60_000, quiet: true }).data;
  const group = NOTICE_GROUPS.find((key) => key === list.filters['group']);
  const choose = (next: NoticeGroup | undefined) => list.setFilters({ ...list.filters, group: next ?? null });
  return (
    <ListPage
      list={list}
      also={['group', 'unread']}
      lead={<NoticeTabs group={group} unread={unread} onChoose={choose} />}
      toolbar={<Link to="/profile/notice">提醒设置</Link>}
    >
      {list.error ? (
        <ErrorState error={list.error} retry={list.refresh} />
      ) : list.loading ? (
        <Skeletons.Lines count={5} />
      ) : list.rows.length === 0 ? (
        <EmptyState title="没有消息" />
      ) : (
        <div>
          {list.rows.map((row) => (
            <NoticeLine key={row.id} row={row} />
          ))}
        </div>
      )}
    </ListPage>
  );
}
