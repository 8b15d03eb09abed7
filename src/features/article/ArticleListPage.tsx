import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Appid } from '#domain/base/enums.ts';
import { ArticleCategory, ArticlePhase, ContentAudience } from '#domain/content/content.ts';
import { Cover } from '#blocks/content/Cover.tsx';
import { levelWords, populationWords } from '#blocks/content/ReaderFields.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { RowMenu, RowMenuDelete, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { useList } from '#ui/list/useList.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { useNavigate } from '#ui/router/router.tsx';
import { deleteArticle, getArticlePageList, publishArticle, type ArticleRow } from '#features/article/article.contract.ts';
import { canPublish, offlineWords, PhaseBadge } from '#features/article/page/phase.tsx';
import classes from '#features/article/page/list.module.css';

const PublishDialog = lazyDialog(() => import('#features/article/page/PublishDialog.tsx').then((file) => file.PublishDialog));
const PreviewDialog = lazyDialog(() =>
  import('#features/article/page/PreviewDialog.tsx').then((file) => file.SavedPreviewDialog),
);

const EDIT_PATH = '/operations/dashboards/edit';
const populations = Appid.options.filter(({ value }) => value !== Appid.custom);

const column = columnsOf(getArticlePageList);
const columns = [
  column.of(
    'title',
    '标题',
    (row) => (
      <span className={classes['title']}>
        <Cover kind="article" title={row.title} src={row.coverurl} shape="square" />
        <span className={classes['words']}>
          <span title={row.title}>{row.title}</span>
          {row.istop === 1 && <Badge tone="green">置顶</Badge>}
        </span>
      </span>
    ),
    { width: 250 },
  ),
  column('category', '分类', ArticleCategory.label, { width: 76 }),
  column('audience', '可见对象', ContentAudience.label, { width: 96 }),
  column('appids', '人群', populationWords, { width: 110 }),
  column('levels', '推荐等级', levelWords, { width: 110 }),
  column('phase', '状态', (phase) => <PhaseBadge phase={phase} />, { width: 96 }),
  column('publishtime', '发布时间', (time) => (time ? time.slice(0, 16) : '—'), { width: 146, sort: true }),
  column('offlinetime', '下线时间', (time) => (time ? time.slice(0, 16) : '—'), { width: 146, hidden: true }),
  column('viewcount', '阅读', { width: 76, align: 'right', sort: true, hint: '打开的次数，不记录谁看过' }),
  column('author', '作者', { width: 110, hidden: true }),
  column('updatetime', '更新', (time) => <RelativeTime at={time} />, { width: 104, sort: true, hidden: true }),
];

/** 推文管理: the articles of the institution, from draft to taken down. */
export default function ArticleListPage() {
  const list = useList(getArticlePageList);
  const navigate = useNavigate();
  const [publishing, setPublishing] = useState<ArticleRow>();
  const [previewed, setPreviewed] = useState<ArticleRow>();
  const publish = useActionMutation(publishArticle, { invalidates: [getArticlePageList] });
  const remove = useActionMutation(deleteArticle, { invalidates: [getArticlePageList], successMessage: '删除成功' });
  const open = (row: ArticleRow) => navigate(`${EDIT_PATH}?articleid=${row.articleid}`);
  const takeDown = async ({ articleid, phase, title }: ArticleRow) => {
    const { question } = offlineWords(phase, title);
    if (await confirm({ text: question, danger: true })) publish.mutate({ articleid, step: 'offline' });
  };
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => navigate(EDIT_PATH)}>
      写推文
    </Button>
  );
  const hasFilters = Object.keys(list.filters).length > 0;
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="keyword" label="标题" />
          <EnumFilter name="category" label="分类" of={ArticleCategory} />
          <EnumFilter name="phase" label="状态" of={ArticlePhase} />
          <SelectFilter name="appid" label="人群" options={populations} />
        </>
      }
      toolbar={create}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="articleid"
        label="推文列表"
        onOpen={open}
        actions={(row) => (
          <>
            <Button variant="subtle" size="compact-sm" onClick={() => open(row)}>
              编辑
            </Button>
            {canPublish(row.phase) ? (
              <Button variant="subtle" size="compact-sm" onClick={() => setPublishing(row)}>
                发布
              </Button>
            ) : (
              <Button variant="subtle" size="compact-sm" onClick={() => void takeDown(row)}>
                {offlineWords(row.phase, row.title).label}
              </Button>
            )}
            <RowMenu label={`${row.title}的更多操作`}>
              <RowMenuItem onClick={() => setPreviewed(row)}>预览</RowMenuItem>
              {row.phase === 'scheduled' && <RowMenuItem onClick={() => setPublishing(row)}>改发布时间</RowMenuItem>}
              {canPublish(row.phase) && (
                <RowMenuDelete name={row.title} onConfirm={() => remove.mutate({ articleid: row.articleid })} />
              )}
            </RowMenu>
          </>
        )}
        empty={
          hasFilters ? (
            <EmptyState filtered reset={() => list.setFilters({})} />
          ) : (
            <EmptyState
              title="还没有推文"
              hint="写一篇科普或通知，发布后受测者在“放松与学习”里看到，工作人员在“资讯与课程”里看到"
            >
              {create}
            </EmptyState>
          )
        }
      />
      {publishing && <PublishDialog article={publishing} onClose={() => setPublishing(undefined)} />}
      {previewed && <PreviewDialog articleid={previewed.articleid} onClose={() => setPreviewed(undefined)} />}
    </ListPage>
  );
}
