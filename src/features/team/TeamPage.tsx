import { Button, TextInput } from '@mantine/core';
import { IconPlus, IconPrinter, IconUpload, IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Gender, MentalState, TeamType } from '#domain/base/enums.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { call } from '#ui/api/call.ts';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EntryButton } from '#blocks/staffexam/EntryButton.tsx';
import { ApprovedExport } from '#blocks/export/ApprovedExport.tsx';
import { DayField } from '#ui/dates/dateFields.tsx';
import { EnumRadio } from '#ui/form/fields.tsx';
import { TextFilter } from '#ui/list/filters.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Link, useNavigate, useParams } from '#ui/router/router.tsx';
import { Facts, PageStack, Section } from '#ui/display/Section.tsx';
import { hasPermission, can, useUser } from '#ui/api/session.ts';
import { EmptyState, Loaded } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useList } from '#ui/list/useList.ts';
import { checkAssessTeamRoster } from '#features/team/roster/roster.contract.ts';
import { insertCUser } from '#features/cuser/cuser.contract.ts';
import { AddMembers, MoveMembers } from '#features/team/TeamMembers.tsx';
import {
  batchDeleteAssessTeamCUser,
  exportAssessTeamRoster,
  getAssessTeamPageList,
  getAssessTeamRoster,
  insertAssessTeam,
  insertAssessTeamCUser,
  type TeamRow,
} from '#features/team/team.contract.ts';

const TeamDrawer = lazyDialog(() => import('#features/team/TeamDrawer.tsx').then((file) => file.TeamDrawer));

const ImportDialog = lazyDialog(() => import('#blocks/import/ImportDialog.tsx').then((file) => file.ImportDialog));

const column = columnsOf(getAssessTeamRoster);
const columns = [
  column('studentno', '学号/工号', { width: 140, sort: true }),
  column('username', '姓名', { width: 120, sort: true }),
  column('gender', '性别', Gender.label, { width: 70 }),
  column('age', '年龄', { width: 70, align: 'right' }),
  column('belongs', '班级/单位'),
  column('phonenumber', '联系电话', { width: 140 }),
  column('joindate', '加入日期', { width: 120, sort: true }),
  column('lastexamtime', '最近测评', (time) => (time ? <RelativeTime at={time} /> : '—'), { width: 130, sort: true }),
  column('lastlevel', '最近结果', (level) => (level === null ? '—' : MentalState.label(Math.min(4, level === 0 ? 1 : level))), {
    hidden: true,
    hint: '由最近一次测评自动得出，是筛查提示而非诊断',
  }),
];

/** 团体名单: one team and its members. */
export default function TeamPage() {
  const { teamcode = '' } = useParams();
  const teams = useActionQuery(getAssessTeamPageList, { teamcode }, { quiet: true });
  return (
    <Loaded read={teams}>
      {({ rows: [team] }) =>
        team ? (
          <Roster team={team} />
        ) : (
          <EmptyState title="团体不存在或已删除">
            <Button component={Link} to="/task/teamManagement">
              返回团体管理
            </Button>
          </EmptyState>
        )
      }
    </Loaded>
  );
}

function Roster({ team }: { team: TeamRow }) {
  const { teamcode } = team;
  const list = useList(getAssessTeamRoster, { teamcode });
  const navigate = useNavigate();
  const user = useUser();
  const [dialog, setDialog] = useState<'add' | 'new' | 'edit' | 'import'>();
  const [selection, setSelection] = useState<{ keys: string[]; done: () => void }>();
  const remove = useActionMutation(batchDeleteAssessTeamCUser, { successMessage: '已移出' });
  const canManageTeam = can(batchDeleteAssessTeamCUser);
  const canSeeResults = hasPermission('individual.persons') || hasPermission('archives.all');
  const isObserver = hasPermission('team.shortcut') && team.owneruserid === user?.userid;
  const closeDialog = () => setDialog(undefined);
  return (
    <PageStack>
      <Section
        title={team.teamname}
        right={
          <>
            {canManageTeam && can(insertAssessTeam) && (
              <Button variant="default" size="compact-sm" onClick={() => setDialog('edit')}>
                修改团体
              </Button>
            )}
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPrinter size={16} aria-hidden />}
              component={Link}
              to={`/task/team/${teamcode}/qr`}
            >
              打印二维码
            </Button>
          </>
        }
      >
        <Facts
          facts={[
            ['类型', TeamType.label(team.teamtype)],
            ['学年', team.year],
            ['年级班级', [team.gradename, team.classname].filter(Boolean).join(' ')],
            ['负责人', team.ownername],
            ['人数', team.membercount],
            ['最近任务', team.lasttaskname],
          ]}
        />
      </Section>
      <ListPage
        list={list}
        filters={<TextFilter name="keyword" label="姓名/学号/工号" placeholder="姓名、拼音首字母、学号/工号或电话" />}
        toolbar={
          <>
            <ApprovedExport action={exportAssessTeamRoster} request={{ teamcode }} title={`${team.teamname}名单`}>
              导出名单
            </ApprovedExport>
            {canManageTeam && can(insertAssessTeamCUser) && (
              <>
                <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog('new')}>
                  新增人员
                </Button>
                {can(checkAssessTeamRoster) && (
                  <Button
                    variant="default"
                    leftSection={<IconUpload size={16} aria-hidden />}
                    onClick={() => setDialog('import')}
                  >
                    导入名单
                  </Button>
                )}
                <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setDialog('add')}>
                  添加已有人员
                </Button>
              </>
            )}
          </>
        }
        {...(canManageTeam
          ? {
              bulk: (keys: string[], done: () => void) => (
                <>
                  <Button size="compact-sm" variant="light" onClick={() => setSelection({ keys, done })}>
                    调整到其他团体
                  </Button>
                  <ConfirmButton
                    question={`将 ${keys.length} 人移出“${team.teamname}”？人员档案会保留。`}
                    onConfirm={() => remove.mutateAsync({ teamcode, cuserids: keys }).then(done)}
                  >
                    移出
                  </ConfirmButton>
                </>
              ),
            }
          : {})}
      >
        <DataTable
          list={list}
          columns={columns}
          rowKey="cuserid"
          label="团体名单"
          selectable={canManageTeam}
          {...(canSeeResults ? { onOpen: (row: { cuserid: string }) => void navigate(`/trend/${row.cuserid}`) } : {})}
          actions={(row) => (
            <>
              {isObserver && (
                <EntryButton row={{ ...row, appid: team.appid }} variant="subtle" size="compact-sm">
                  填观察清单
                </EntryButton>
              )}
              {canSeeResults && (
                <Button variant="subtle" size="compact-sm" component={Link} to={`/trend/${row.cuserid}`}>
                  趋势
                </Button>
              )}
              {canManageTeam && (
                <ConfirmButton
                  question={`将“${row.username}”移出“${team.teamname}”？人员档案会保留。`}
                  onConfirm={() => remove.mutateAsync({ teamcode, cuserids: [row.cuserid] })}
                >
                  移出
                </ConfirmButton>
              )}
            </>
          )}
          {...(list.filters['keyword']
            ? {}
            : {
                empty: (
                  <EmptyState
                    title="这个团体还没有成员"
                    hint={canManageTeam ? '可以添加已有人员、新增人员，或在团体管理中导入名单' : ''}
                  />
                ),
              })}
        />
      </ListPage>
      {dialog === 'edit' && <TeamDrawer row={team} onClose={closeDialog} />}
      {dialog === 'import' && (
        <ImportDialog kind="roster" title={`导入名单到${team.teamname}`} teamcode={teamcode} onClose={closeDialog} />
      )}
      {dialog === 'add' && <AddMembers team={team} onClose={closeDialog} />}
      {dialog === 'new' && <NewMember team={team} onClose={closeDialog} />}
      {selection && (
        <MoveMembers
          team={team}
          cuserids={selection.keys}
          onClose={() => setSelection(undefined)}
          onDone={() => selection.done()}
        />
      )}
    </PageStack>
  );
}

/** Creates a person as a member of the team. 个体管理 edits the other fields of the archive. */
function NewMember({ team, onClose }: { team: TeamRow; onClose: () => void }) {
  const form = useActionForm(insertCUser, {
    initial: { appid: team.appid, archive: {}, guardian: [] },
    invalidates: [getAssessTeamRoster, getAssessTeamPageList],
    successMessage: '已添加',
    names: ['username'],
    onDone: onClose,
    // This call creates the person and the membership in one transaction.
    through: { within: 'cuser', send: (cuser) => call(insertAssessTeamCUser, { teamcode: team.teamcode, cuser }) },
  });
  const isStudent = team.appid === '000000002';
  const key = isStudent ? 'studentno' : 'employeeno';
  const number = (form.values.archive as Readonly<Record<string, unknown>> | undefined)?.[key];
  return (
    <FormDrawer title={`新增人员到“${team.teamname}”`} onClose={onClose} form={form} save="添加">
      <TextInput {...form.field('username')} data-autofocus />
      <EnumRadio {...form.field('gender')} of={Gender} />
      {(isStudent || team.appid === '000000003') && (
        <TextInput
          label={isStudent ? '学号' : '工号'}
          value={typeof number === 'string' ? number : ''}
          maxLength={32}
          error={form.error(`archive.${key}`)}
          data-path={`archive.${key}`}
          onChange={(event) => {
            const text = event.currentTarget.value;
            form.set('archive', text.trim() ? { [key]: text.trim() } : {});
          }}
        />
      )}
      <DayField {...form.field('birthday')} />
      <TextInput {...form.field('phonenumber')} inputMode="tel" />
    </FormDrawer>
  );
}
