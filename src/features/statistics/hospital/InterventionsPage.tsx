import { Gender, InterfereKind } from '#domain/base/enums.ts';
import { formatNumber } from '#domain/base/number.ts';
import { archivePathOf } from '#contract/population.ts';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { stamp } from '#ui/display/RelativeTime.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { Link } from '#ui/router/router.tsx';
import { getInterfereRecord } from '#features/statistics/hospital.contract.ts';

const column = columnsOf(getInterfereRecord);
const columns = [
  column('begintime', '时间', stamp, { width: 140, sort: true }),
  column('username', '姓名', (name, row) => <Link to={archivePathOf(row.appid, row.cuserid)}>{name}</Link>, { width: 110 }),
  column('gender', '性别', Gender.label, { width: 56 }),
  column('kindname', '方式', { width: 150 }),
  column('minutes', '时长', (minutes) => `${minutes} 分钟`, { width: 88, align: 'right' }),
  column('effect', '效果', (effect) => (effect === null ? '—' : `${effect} / 5`), { width: 80, hint: '记录人的评价，1 到 5' }),
  column('operatorname', '记录人', (name) => name || '—', { width: 110 }),
  column('insname', '机构', { hidden: true }),
];

/** 干预记录: what was done, the newest first; the numbers of statisticsN lead here. */
export default function InterventionsPage() {
  const list = useList(getInterfereRecord);
  const summary = list.answer?.summary;
  return (
    <ListPage
      list={list}
      also={['appid', 'musercode']}
      filters={
        <>
          <EnumFilter name="kind" label="干预方式" of={InterfereKind} />
          <DateRangeFilter from="begindate" to="enddate" label="日期" />
        </>
      }
      lead={
        summary && (
          <strong>
            共 {formatNumber(summary.total)} 人次，{formatNumber(summary.people)} 人
          </strong>
        )
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="interfereid"
        label="干预记录列表"
        empty={<EmptyState title="没有干预记录" hint="在个人档案或预警个案中登记干预后，会列在这里" />}
      />
    </ListPage>
  );
}
