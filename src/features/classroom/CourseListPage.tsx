import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { ContentAudience, ShelfStatus } from '#domain/content/content.ts';
import { lengthWords } from '#domain/content/duration.ts';
import { ContentTitle } from '#blocks/content/ContentTitle.tsx';
import { levelWords, populationWords } from '#blocks/content/ReaderFields.tsx';
import { EnumBadge } from '#ui/display/badges.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { RowMenu, RowMenuDelete, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { useList } from '#ui/list/useList.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { getCoursePageList, type CourseRow } from '#features/classroom/course.contract.ts';
import { coursePath, priceWords } from '#features/classroom/course.labels.ts';
import { useShelf } from '#features/classroom/useShelf.ts';

const CourseDrawer = lazyDialog(() => import('#features/classroom/CourseDrawer.tsx').then((file) => file.CourseDrawer));

const column = columnsOf(getCoursePageList);
const columns = [
  column.of('title', '课程', (row) => <ContentTitle kind="course" title={row.title} src={row.coverurl} />, { width: 260 }),
  column('lecturer', '讲师', { width: 120, hidden: true }),
  column.of('lessons', '课时', (row) => (row.lessons === 0 ? '还没有' : `${row.lessons} 节 · ${lengthWords(row.duration)}`), {
    width: 130,
  }),
  column.of('price', '价格', priceWords, { width: 120 }),
  column('audience', '可见对象', ContentAudience.label, { width: 96, hidden: true }),
  column('appids', '人群', populationWords, { width: 104 }),
  column('levels', '推荐等级', levelWords, { width: 110, hint: '结果为这些等级的报告会推荐它；每份报告至多推荐一门课程' }),
  column('status', '状态', (status) => <EnumBadge of={ShelfStatus} code={status} tones={{ 1: 'green' }} />, { width: 90 }),
  column('viewcount', '打开次数', { width: 104, align: 'right', sort: true, hint: '只计次数，不记录谁打开过' }),
  column('ordernum', '顺序', { width: 80, align: 'right', sort: true, hidden: true }),
  column('updatetime', '修改时间', (time) => time.slice(0, 16), { width: 150, sort: true, hidden: true }),
];

/** 云课堂: the courses of the institution. */
export default function CourseListPage() {
  const list = useList(getCoursePageList);
  const navigate = useNavigate();
  const [editing, setEditing] = useState<CourseRow | 'new'>();
  const { toggleShelf, remove } = useShelf();
  const hasFilters = Object.keys(list.filters).length > 0;
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
      新增课程
    </Button>
  );
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="keyword" label="课程名称" />
          <EnumFilter name="status" label="状态" of={ShelfStatus} />
        </>
      }
      toolbar={add}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="courseid"
        label="课程列表"
        onOpen={({ courseid }) => navigate(coursePath(courseid))}
        actions={(row) => (
          <>
            <Button
              variant="subtle"
              size="compact-sm"
              component={Link}
              to={coursePath(row.courseid)}
              aria-label={`${row.title}的课时`}
            >
              课时
            </Button>
            <Button variant="subtle" size="compact-sm" onClick={() => setEditing(row)}>
              修改
            </Button>
            <RowMenu label={`${row.title}的更多操作`}>
              <RowMenuItem onClick={() => void toggleShelf(row)}>{row.status === 1 ? '下架' : '上架'}</RowMenuItem>
              <RowMenuDelete name={row.title} onConfirm={() => remove(row)} />
            </RowMenu>
          </>
        )}
        empty={
          <EmptyState
            filtered={hasFilters}
            reset={() => list.setFilters({})}
            {...(hasFilters ? {} : { title: '还没有课程', hint: '先新增课程，再添加视频课时，然后上架' })}
          >
            {!hasFilters && add}
          </EmptyState>
        }
      />
      {editing && <CourseDrawer row={editing} onClose={() => setEditing(undefined)} />}
    </ListPage>
  );
}
