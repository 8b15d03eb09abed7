import { Gender } from '#domain/base/enums.ts';
import { formatNumber } from '#domain/base/number.ts';
import { archivePathOf } from '#contract/population.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { StageFilter, type Population } from '#blocks/person/archiveColumns.tsx';
import { Coverage, getStagePersonPageList, type StagePersonRow } from '#features/statistics/stages/stages.contract.ts';

const TONES = { tested: 'green', untested: 'amber', missed: 'red' } as const;
const column = columnsOf(getStagePersonPageList);
const columns = [
  column('username', '姓名', (name, row) => <Link to={archivePathOf(row.appid, row.cuserid)}>{name}</Link>, {
    width: 110,
    sort: true,
  }),
  column('age', '年龄', { width: 56, align: 'right' }),
  column('gender', '性别', Gender.label, { width: 56, hidden: true }),
  column('gestation', '孕周/产后', (text) => text || '—', { width: 124 }),
  column('edcdate', '预产期', (date) => date || '—', { width: 108 }),
  column('belongs', '班级/单位', { hidden: true }),
  column('stagename', '阶段', { width: 100 }),
  column('coverage', '测评', (code) => <EnumBadge of={Coverage} code={code} tones={TONES} />, {
    width: 88,
    hint: '漏测：窗口期已经结束，没有该阶段的有效答卷',
  }),
  column('until', '截止', (date) => date ?? '—', { width: 108, sort: true, hint: '这个阶段可以测评的最后一天' }),
  column('lastexamtime', '上次测评', (time) => (time ? <RelativeTime at={time} /> : '—'), { width: 112, sort: true }),
  column('ownername', '负责人', (text) => text || '—', { width: 96 }),
  column('archiveno', '档案号', { width: 130, hidden: true }),
];

/** The persons behind a number of the coverage of stages. */
export default function StagePersonsPage() {
  const list = useList(getStagePersonPageList);
  const navigate = useNavigate();
  const appid = list.filters['appid'] as Population | undefined;
  return (
    <ListPage
      list={list}
      also={['appid', 'musercode']}
      filters={
        <>
          <StageFilter {...(appid ? { appid } : {})} />
          <EnumFilter name="coverage" label="测评" of={Coverage} />
          <DateRangeFilter from="begindate" to="enddate" label="窗口期在" />
        </>
      }
      lead={<strong>共 {formatNumber(list.total)} 人</strong>}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="rowkey"
        label="阶段覆盖人员列表"
        onOpen={(row: StagePersonRow) => navigate(archivePathOf(row.appid, row.cuserid))}
        empty={<EmptyState title="没有符合的人员" hint="换一个阶段，或放宽日期" />}
      />
    </ListPage>
  );
}
