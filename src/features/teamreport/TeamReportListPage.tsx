import { Anchor, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { AiStatus, Appid } from '#domain/base/enums.ts';
import { AiConsent } from '#blocks/aireport/AiConsent.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { Can } from '#ui/api/Can.tsx';
import { can } from '#ui/api/session.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { RowMenu, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { useList } from '#ui/list/useList.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { TeamTextBadge } from '#features/teamreport/ai/TeamText.tsx';
import { ReleasedReports } from '#features/teamreport/released/ReleasedReports.tsx';
import { getReleasedReportList } from '#features/teamreport/released/released.contract.ts';
import { KIND_OPTIONS, kindName, teamReportPath } from '#features/teamreport/kinds.ts';
import {
  deleteTeamReport,
  getTeamReportPageList,
  insertTeamReport,
  showOrHiddenTeamReport,
  type TeamReportRow,
} from '#features/teamreport/teamreport.contract.ts';

const NewTeamReport = lazyDialog(() => import('#features/teamreport/NewTeamReport.tsx').then((file) => file.NewTeamReport));

const TeamTextDrawer = lazyDialog(() => import('#features/teamreport/ai/TeamTextDrawer.tsx').then((file) => file.TeamTextDrawer));

const column = columnsOf(getTeamReportPageList);
const columns = [
  column(
    'title',
    '报告名称',
    (title, row) => (
      <Anchor component={Link} inherit to={teamReportPath(row.teamreportcode)}>
        {title}
      </Anchor>
    ),
    { sort: true },
  ),
  column('kind', '范围', (kind) => kindName(kind), { width: 90 }),
  column('appid', '人群', (appid) => Appid.label(appid as '000000002'), { width: 90 }),
  column('datatime', '数据截至', (time) => time.slice(0, 16), { width: 156, sort: true }),
  column('version', '版本', (version) => `第 ${version} 版`, { width: 80 }),
  column.of('shown', '班主任可看', (row) => shownText(row), { width: 120 }),
  column('createname', '生成人', { width: 100 }),
  column('insname', '机构', { hidden: true }),
  column('teamreportcode', '报告编号', { hidden: true, width: 120 }),
];

/** How many of the teams are released to their owners. */
const shownText = ({ teamcount, showncount }: Pick<TeamReportRow, 'teamcount' | 'showncount'>): string =>
  teamcount === 0 ? '—' : showncount === 0 ? '未显示' : showncount === teamcount ? '已显示' : `${showncount}/${teamcount} 个班级`;

const aiColumn = column('aistatus', 'AI综合解读', (status) => <TeamTextBadge aistatus={status} />, {
  width: 170,
  hint: '未生成或生成失败时，综合解读由规则引擎生成',
});
const aiColumns = [...columns.slice(0, 4), aiColumn, ...columns.slice(4)];

/** 报告分析: the group reports that the caller may read. Owners of classes find those that their institution has released. */
export default function TeamReportListPage() {
  return <TeamReportList />;
}

/** 报告分析 of the caller's kind: an authority reads released reports only. */
export const GroupReports = () => (can(getReleasedReportList) ? <ReleasedReports /> : <TeamReportList />);

/** AI团体报告: the same reports with the text on each of them. */
export const AiTeamReports = () => <TeamReportList isAi />;

function TeamReportList({ isAi = false }: { isAi?: boolean }) {
  const list = useList(getTeamReportPageList);
  const [chosen, setChosen] = useState<string>();
  const navigate = useNavigate();
  const [isMaking, setIsMaking] = useState(false);
  const isFiltered = Object.keys(list.filters).length > 0;
  return (
    <>
      <ListPage
        list={list}
        filters={
          <>
            <TextFilter name="keyword" label="报告名称" />
            <SelectFilter name="kind" label="范围" options={KIND_OPTIONS} />
            <EnumFilter name="appid" label="人群" of={Appid} />
            {isAi && <EnumFilter name="aistatus" label="AI综合解读" of={AiStatus} />}
          </>
        }
        lead={isAi && <AiConsent />}
        toolbar={
          <Can call={insertTeamReport}>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsMaking(true)}>
              生成团体报告
            </Button>
          </Can>
        }
      >
        <DataTable
          list={list}
          columns={isAi ? aiColumns : columns}
          rowKey="teamreportcode"
          label={isAi ? 'AI团体报告列表' : '团体报告列表'}
          onOpen={(row) => void navigate(teamReportPath(row.teamreportcode))}
          actions={(row) => (
            <>
              {isAi && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={`综合解读：${row.title}`}
                  onClick={() => setChosen(row.teamreportcode)}
                >
                  综合解读
                </Button>
              )}
              <Operations row={row} />
            </>
          )}
          empty={
            <EmptyState
              filtered={isFiltered}
              reset={() => list.setFilters({})}
              {...(isFiltered
                ? {}
                : {
                    title: '还没有团体报告',
                    hint: can(insertTeamReport)
                      ? '按任务、班级、年级、学期或时间段生成一份，可打印和下载'
                      : '机构发布后，您负责班级的团体报告会出现在这里',
                  })}
            />
          }
        />
      </ListPage>
      {chosen && <TeamTextDrawer teamreportcode={chosen} onClose={() => setChosen(undefined)} />}
      {isMaking && <NewTeamReport onClose={() => setIsMaking(false)} onMade={(code) => void navigate(teamReportPath(code))} />}
    </>
  );
}

function Operations({ row }: { row: TeamReportRow }) {
  const show = useActionMutation(showOrHiddenTeamReport, { successMessage: '操作成功', invalidates: [getTeamReportPageList] });
  const remove = useActionMutation(deleteTeamReport, { successMessage: '删除成功', invalidates: [getTeamReportPageList] });
  const isShown = row.showncount > 0;
  const confirmDelete = async () => {
    if (await confirm({ text: `是否确认删除“${row.title}”的团体报告？各个版本都会删除。`, danger: true }))
      remove.mutate({ teamreportcode: row.teamreportcode });
  };
  const canShow = can(showOrHiddenTeamReport) && row.teamcount > 0;
  if (!canShow && !can(deleteTeamReport)) return null;
  return (
    <RowMenu label={`更多操作：${row.title}`}>
      {canShow && (
        <RowMenuItem onClick={() => show.mutate({ teamcodes: row.teamcodes, isshow: isShown ? 0 : 1 })}>
          {isShown ? '对班主任隐藏' : '对班主任显示'}
        </RowMenuItem>
      )}
      {can(deleteTeamReport) && (
        <RowMenuItem danger onClick={() => void confirmDelete()}>
          删除
        </RowMenuItem>
      )}
    </RowMenu>
  );
}
