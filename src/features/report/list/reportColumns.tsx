import { Gender, MentalState, ReportStatus, YesNo } from '#domain/base/enums.ts';
import { reportPathOf } from '#contract/population.ts';
import { EnumBadge, LevelBadge } from '#ui/display/badges.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { Link, useLocation } from '#ui/router/router.tsx';
import { getCUserReportPageList } from '#features/report/report.contract.ts';

/** The path of a report that knows its list, for 上一份 and 下一份. `page` is another page than that of the population. */
export const pathFromList = (
  { appid, reportcode }: { appid: string; reportcode: string },
  { pathname, search }: { pathname: string; search: string },
  page?: string,
): string =>
  `${page ? `${page}?reportcode=${reportcode}` : reportPathOf(appid, reportcode)}&from=${encodeURIComponent(pathname + search)}`;

function Name({ row, name, page }: { row: { appid: string; reportcode: string }; name: string; page?: string | undefined }) {
  return <Link to={pathFromList(row, useLocation(), page)}>{name}</Link>;
}

export const statusTones = { 1: 'amber', 2: 'green', 9: 'red' } as const;

/** The columns that all lists of reports have; `page` is the page of the short form. */
export const reportColumns = (page?: string) => {
  const column = columnsOf(getCUserReportPageList);
  return {
    person: [
      column('username', '姓名', (name, row) => <Name row={row} name={name} page={page} />, { sort: true, width: 100 }),
      column('gender', '性别', Gender.label, { width: 60 }),
      column('age', '年龄', { width: 60, align: 'right' }),
      column('belongs', '所属', { width: 130 }),
      column('planname', '方案', { hidden: true }),
    ],
    result: [
      column(
        'overalllevel',
        '情绪状态',
        (level, row) => (row.valid ? <LevelBadge level={level} label={MentalState.label(row.mentalstate)} /> : '作答存疑'),
        { sort: true, width: 150 },
      ),
      column('quotas', '主要得分', (quotas) => quotas.map((quota) => `${quota.quotaname} ${quota.score ?? '—'}`).join('，')),
      column('submittime', '提交时间', (time) => <RelativeTime at={time} />, { sort: true, width: 130 }),
      column('status', '审核', (status) => <EnumBadge of={ReportStatus} code={status} tones={statusTones} />, {
        sort: true,
        width: 90,
      }),
      column('isshow', '向本人显示', YesNo.label, { width: 100 }),
      column('insname', '机构', { hidden: true }),
      column('taskname', '任务', { hidden: true }),
      column('stagename', '阶段', { hidden: true }),
    ],
  };
};
