import { Anchor, Button } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { personWordsOf } from '#domain/person/words.ts';
import { TeamType } from '#domain/base/enums.ts';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Can } from '#ui/api/Can.tsx';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { RowMenu, RowMenuDelete, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { hasPermission, can, useUser } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import { getGuardianConsentPageList } from '#features/consent/guardian/guardian.contract.ts';
import { checkAssessTeamRoster } from '#features/team/roster/roster.contract.ts';
import {
  deleteAssessTeam,
  getAssessTeamPageList,
  getGradeList,
  getYearList,
  insertAssessTeam,
  type TeamRow,
} from '#features/team/team.contract.ts';

const ImportDialog = lazyDialog(() => import('#blocks/import/ImportDialog.tsx').then((file) => file.ImportDialog));
const TeamDrawer = lazyDialog(() => import('#features/team/TeamDrawer.tsx').then((file) => file.TeamDrawer));

const column = columnsOf(getAssessTeamPageList);
const columns = [
  column(
    'teamname',
    '团体名称',
    (name, row) => (
      <Anchor component={Link} inherit to={teamPath(row.teamcode)}>
        {name}
      </Anchor>
    ),
    { sort: true },
  ),
  column('teamtype', '类型', TeamType.label, { width: 96 }),
  column('year', '学年', { width: 104, sort: true }),
  column('gradename', '年级', { width: 84, sort: 'gradecode' }),
  column('classname', '班级', { width: 72 }),
  column(
    'membercount',
    '人数',
    (count, row) => (
      <Anchor component={Link} inherit to={teamPath(row.teamcode)}>
        {count}
      </Anchor>
    ),
    { width: 80, align: 'right', sort: true },
  ),
  column('ownername', '负责人', { width: 84 }),
  column('lasttaskname', '最近任务'),
  column('insname', '机构', { hidden: true }),
  column('remark', '备注', { hidden: true }),
  column('createtime', '创建时间', { hidden: true, sort: true }),
];
const teamPath = (teamcode: string) => `/task/team/${teamcode}`;

const plainColumns = columns.filter(({ key }) => !['year', 'gradename', 'classname'].includes(key));

/** 团体管理: the list of teams, and the import of rosters. */
export default function TeamListPage() {
  const list = useList(getAssessTeamPageList);
  const navigate = useNavigate();
  const [editRow, setEditRow] = useState<TeamRow | 'new'>();
  const [isImporting, setIsImporting] = useState(false);
  const { sector } = useUser();
  const words = personWordsOf(sector);
  // Only schools, and those who see several institutions, have school years and classes.
  const hasClasses = sector === 'edu' || sector === 'platform';
  const remove = useActionMutation(deleteAssessTeam, { invalidates: [getAssessTeamPageList], successMessage: '删除成功' });
  const years = useActionQuery(getYearList, {}, { quiet: true }).data ?? [];
  const grades =
    useActionQuery(getGradeList, typeof list.request['year'] === 'string' ? { year: list.request['year'] } : {}, { quiet: true })
      .data ?? [];
  const selectedGrade = grades.find((grade) => grade.gradecode === list.request['gradecode']);
  const classes = [...new Set((selectedGrade ? [selectedGrade] : grades).flatMap((grade) => grade.classes))];
  const openConsents = useActionQuery(getGuardianConsentPageList, { kind: '01', pageSize: 1 }, { quiet: true }).data?.total ?? 0;
  const canManageTeams = can(insertAssessTeam) && hasPermission('roster.edit');

  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="keyword" label="团体名称" />
          {hasClasses && (
            <>
              <SelectFilter
                name="year"
                label="学年"
                options={years.map(({ year, yearname }) => ({ value: year, label: yearname }))}
              />
              <SelectFilter
                name="gradecode"
                label="年级"
                options={grades
                  .filter((grade) => grade.gradecode)
                  .map(({ gradecode, gradename }) => ({ value: gradecode, label: gradename }))}
              />
              <SelectFilter name="classname" label="班级" options={classes.map((name) => ({ value: name, label: name }))} />
            </>
          )}
          <EnumFilter name="teamtype" label="类型" of={TeamType} />
        </>
      }
      toolbar={
        <>
          {canManageTeams && (
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditRow('new')}>
              新增
            </Button>
          )}
          <Can call={getGuardianConsentPageList}>
            <Button variant="default" component={Link} to="/task/guardianConsent">
              监护人同意{openConsents > 0 && `（待核实 ${openConsents}）`}
            </Button>
          </Can>
          {!hasPermission('statistics.reports') && (
            <Button variant="default" component={Link} to="/task/teamReports">
              团体报告
            </Button>
          )}
          <Can call={checkAssessTeamRoster}>
            <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setIsImporting(true)}>
              导入名单
            </Button>
          </Can>
        </>
      }
    >
      <DataTable
        list={list}
        columns={hasClasses ? columns : plainColumns}
        rowKey="teamcode"
        label="团体列表"
        onOpen={(row) => void navigate(teamPath(row.teamcode))}
        actions={(row) => (
          <>
            <Button variant="subtle" size="compact-sm" component={Link} to={teamPath(row.teamcode)}>
              名单
            </Button>
            <Button variant="subtle" size="compact-sm" component={Link} to={`${teamPath(row.teamcode)}/qr`}>
              二维码
            </Button>
            {canManageTeams && (
              <RowMenu label={`${row.teamname}的更多操作`}>
                <RowMenuItem onClick={() => setEditRow(row)}>修改</RowMenuItem>
                <RowMenuDelete name={row.teamname} onConfirm={() => remove.mutate({ teamcode: row.teamcode })} />
              </RowMenu>
            )}
          </>
        )}
        {...(Object.keys(list.filters).length === 0
          ? {
              empty: (
                <EmptyState
                  title="还没有团体"
                  hint={
                    canManageTeams
                      ? `上传${words.source}，${words.team}和${words.person}会一并建好`
                      : '请联系管理员为您分配负责的团体'
                  }
                >
                  <Can call={checkAssessTeamRoster}>
                    <Button onClick={() => setIsImporting(true)}>导入名单</Button>
                  </Can>
                </EmptyState>
              ),
            }
          : {})}
      />
      {editRow && <TeamDrawer row={editRow} onClose={() => setEditRow(undefined)} />}
      {isImporting && <ImportDialog kind="roster" title="导入名单" onClose={() => setIsImporting(false)} />}
    </ListPage>
  );
}
