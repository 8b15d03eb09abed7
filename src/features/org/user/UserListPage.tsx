import { Button, Group, Text } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { pathOf } from '#contract/menu.ts';
import { Enabled, YesNo } from '#domain/base/enums.ts';
import { askToAct } from '#ui/api/acting.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { Badge, EnumBadge } from '#ui/display/badges.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { ExportButton, filtersOf } from '#blocks/export/ExportButton.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Can } from '#ui/api/Can.tsx';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { RowMenu, RowMenuDivider, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { hasPermission, can, useUser } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import { explain, getAllPermissions } from '#features/access/permission/permission.contract.ts';
import { selectRoleList } from '#features/access/role/role.contract.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';
import { selectDeptTreeList } from '#features/org/dept/dept.contract.ts';
import { DeptTree } from '#features/org/dept/DeptTree.tsx';
import {
  deleteUserById,
  enableUser,
  exportUserList,
  insertUser,
  resetPwd,
  resetSecondFactor,
  selectUserList,
  type UserRow,
} from '#features/org/user/user.contract.ts';
import type { BatchAct } from '#features/org/batch/UserBatch.tsx';
import { updateUserBatch } from '#features/org/batch/userBatch.contract.ts';
import { loginAs } from '#features/session/acting.contract.ts';
import { updateAbsence } from '#features/warning/handover/handover.contract.ts';
import classes from '#features/org/org.module.css';

const OneTimePassword = lazyDialog(() => import('#blocks/file/OneTimePassword.tsx').then((file) => file.OneTimePassword));
const UserRights = lazyDialog(() => import('#features/org/user/UserRights.tsx').then((file) => file.UserRights));
const UserSessions = lazyDialog(() => import('#features/org/user/UserSessions.tsx').then((file) => file.UserSessions));
const StaffImport = lazyDialog(() => import('#features/org/import/StaffImport.tsx').then((file) => file.StaffImport));
const UserDrawer = lazyDialog(() => import('#features/org/user/UserDrawer.tsx').then((file) => file.UserDrawer));

const ResetPasswords = lazyDialog(() => import('#features/org/batch/ResetPasswords.tsx').then((file) => file.ResetPasswords));
const UserBatch = lazyDialog(() => import('#features/org/batch/UserBatch.tsx').then((file) => file.UserBatch));
const LeaveDialog = lazyDialog(() => import('#blocks/handover/LeaveDialog.tsx').then((file) => file.LeaveDialog));
const AbsenceDialog = lazyDialog(() => import('#blocks/handover/AbsenceDialog.tsx').then((file) => file.AbsenceDialog));

const column = columnsOf(selectUserList);
const STATES = { active: undefined, waiting: ['待首次登录', 'amber'], lapsed: ['初始密码已用或过期', 'gray'] } as const;
const columns = [
  column('realname', '姓名', { width: 96, sort: true }),
  column('sysusername', '登录账号', { width: 112, sort: true }),
  column('deptname', '部门', { width: 110, sort: true }),
  column('rolenames', '角色'),
  column.of(
    'enabled',
    '状态',
    (row) => {
      const state = STATES[row.state];
      if (row.enabled && row.absentuntil) return <Badge tone="amber">{`外出至 ${row.absentuntil.slice(5)}`}</Badge>;
      return row.enabled && state ? (
        <Badge tone={state[1]}>{state[0]}</Badge>
      ) : (
        <EnumBadge of={Enabled} code={row.enabled} tones={{ 1: 'green', 0: 'gray' }} />
      );
    },
    { width: 100 },
  ),
  column('secondfactor', '二次验证', (on) => (on ? '已启用' : '未启用'), { hidden: true }),
  column('isshared', '共用账号', YesNo.label, { hidden: true, hint: '多人共用，可查看；不能作责任人，不能复核' }),
  column('duty', '接收预警', YesNo.label, { width: 84, hint: '接收本机构的危机预警提醒' }),
  column(
    'opencases',
    '在办预警',
    (count, row) =>
      count && hasPermission('warning.crisis') ? (
        <Link to={`${pathOf('warning.crisis')}?owneruserid=${row.userid}`} aria-label={`${row.realname}的 ${count} 个在办预警`}>
          {count}
        </Link>
      ) : (
        count
      ),
    { width: 80, align: 'right' },
  ),
  column('lastlogintime', '最近登录', (time) => (time ? <RelativeTime at={time} /> : '—'), { width: 104 }),
  column('post', '职务', { hidden: true }),
  column('phonenumber', '联系电话', { hidden: true }),
  column('titles', '资质', { hidden: true }),
  column('email', '邮箱', { hidden: true }),
  column('remark', '备注', { hidden: true }),
  column('createtime', '创建时间', { hidden: true, sort: true }),
];

/** 用户管理: staff by department, with their roles, passwords and sessions. */
export default function UserListPage() {
  const list = useList(selectUserList);
  const go = useNavigate();
  const [editing, setEditing] = useState<UserRow | 'new'>();
  const [secret, setSecret] = useState<{ title: string; name: string; loginname: string; secret: string; validuntil: string }>();
  const [sessions, setSessions] = useState<UserRow>();
  const [rights, setRights] = useState<UserRow>();
  const [importing, setImporting] = useState(false);
  const [leaving, setLeaving] = useState<{ user: Pick<UserRow, 'userid' | 'realname'>; mode: 'disable' | 'delete' }>();
  const [absent, setAbsent] = useState<UserRow>();
  const [resetting, setResetting] = useState<readonly UserRow[]>();
  const [batch, setBatch] = useState<{ act: BatchAct; users: readonly UserRow[] }>();
  const tree = useActionQuery(selectDeptTreeList, {});
  const roles = useActionQuery(selectRoleList, { pageSize: 200 }, { quiet: true }).data?.rows ?? [];
  const affected = [selectUserList, selectDeptTreeList];
  const comeBack = useActionMutation(updateAbsence, { invalidates: affected, successMessage: '已结束外出' });
  const enable = useActionMutation(enableUser, { invalidates: affected, successMessage: '修改成功' });
  const resetFactor = useActionMutation(resetSecondFactor, { invalidates: affected, successMessage: '二次验证已重置' });
  const { musercode: own } = useUser();
  // Users of another institution (opened from 机构管理): the caller reads them or acts for them, but cannot change them.
  const elsewhere =
    typeof list.filters['musercode'] === 'string' && list.filters['musercode'] !== own ? list.filters['musercode'] : undefined;
  const institution = useActionQuery(
    getMUserPageList,
    elsewhere && can(getMUserPageList) ? { page: 1, pageSize: 1, keyword: elsewhere } : undefined,
    { quiet: true },
  ).data?.rows.find((row) => row.musercode === elsewhere)?.insname;
  const deptid =
    typeof list.filters['deptid'] === 'string' || typeof list.filters['deptid'] === 'number'
      ? Number(list.filters['deptid'])
      : undefined;

  const resetSecondFactorOf = async (row: UserRow) => {
    if (await confirm(`重置“${row.realname}”的二次验证？其登录立即退出，之后凭密码登录并可重新设置，会通知本人。`))
      resetFactor.mutate({ userid: row.userid });
  };
  const disableBelow = async (row: UserRow) => {
    const cases = row.opencases ? `其 ${row.opencases} 个在办预警立即移交给该机构的值班或心理老师，没有时移交给服务商。` : '';
    const text = `紧急停用“${row.realname}”？其登录立即退出。${cases}`;
    if (await confirm({ text, yes: '停用', no: '取消', danger: true })) enable.mutate({ userid: row.userid, enabled: 0 });
  };

  const canChangeMany = !elsewhere && can(updateUserBatch);
  const bulk = (keys: string[]) => {
    const users = list.rows.filter((row) => keys.includes(row.userid));
    const button = (label: string, onClick: () => void) => (
      <Button size="compact-sm" variant="default" onClick={onClick}>
        {label}
      </Button>
    );
    return (
      <>
        {button('启用', () => setBatch({ act: 'enable', users }))}
        {button('停用', () => setBatch({ act: 'disable', users }))}
        {button('重置密码', () => setResetting(users))}
        {button('调整部门', () => setBatch({ act: 'dept', users }))}
        {button('调整角色', () => setBatch({ act: 'roles', users }))}
      </>
    );
  };

  return (
    <div className={elsewhere ? undefined : classes['split']}>
      {!elsewhere && (
        <DeptTree
          read={tree}
          chosen={deptid}
          onChoose={(id) => {
            const { deptid: _before, ...rest } = list.filters;
            list.setFilters(id === undefined ? rest : { ...rest, deptid: String(id) });
          }}
        />
      )}
      <ListPage
        list={list}
        filters={
          <>
            <TextFilter name="keyword" label="姓名/账号/电话" />
            {!elsewhere && (
              <SelectFilter
                name="roleid"
                label="角色"
                options={roles.map((role) => ({ value: role.roleid, label: role.rolename }))}
              />
            )}
            <EnumFilter name="enabled" label="状态" of={Enabled} />
            <EnumFilter name="duty" label="接收预警" of={YesNo} />
          </>
        }
        also={['deptid', 'musercode']}
        lead={
          elsewhere && (
            <Group gap="sm">
              <Text fw={600}>{institution ?? elsewhere}的用户</Text>
              <Button variant="subtle" size="compact-sm" onClick={() => list.setFilters({})}>
                返回本机构用户
              </Button>
            </Group>
          )
        }
        toolbar={
          <>
            <ExportButton action={exportUserList} request={filtersOf(list.request)} title="用户" total={list.total} />
            {!elsewhere && (
              <Can call={insertUser}>
                <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setImporting(true)}>
                  批量新增
                </Button>
                <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
                  新增用户
                </Button>
              </Can>
            )}
          </>
        }
        {...(canChangeMany ? { bulk } : {})}
      >
        <DataTable
          list={list}
          columns={columns}
          rowKey="userid"
          label="用户列表"
          selectable={canChangeMany}
          {...(elsewhere ? {} : { onOpen: setEditing })}
          actions={(row) =>
            elsewhere ? (
              <>
                {row.enabled === 1 && can(loginAs) && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    onClick={() => askToAct({ musercode: elsewhere, userid: row.userid, name: row.realname })}
                  >
                    代登录
                  </Button>
                )}
                {can(enableUser) && (
                  <RowMenu label={`${row.realname}的更多操作`}>
                    {row.enabled === 1 ? (
                      <RowMenuItem danger onClick={() => void disableBelow(row)}>
                        紧急停用
                      </RowMenuItem>
                    ) : (
                      <RowMenuItem onClick={() => enable.mutate({ userid: row.userid, enabled: 1 })}>启用</RowMenuItem>
                    )}
                  </RowMenu>
                )}
              </>
            ) : (
              <>
                <Button variant="subtle" size="compact-sm" onClick={() => setEditing(row)}>
                  {row.manageable ? '修改' : '查看'}
                </Button>
                <RowMenu label={`${row.realname}的更多操作`}>
                  {row.manageable && can(resetPwd) && <RowMenuItem onClick={() => setResetting([row])}>重置密码</RowMenuItem>}
                  <RowMenuItem onClick={() => setSessions(row)}>登录会话</RowMenuItem>
                  {can(getAllPermissions) && <RowMenuItem onClick={() => setRights(row)}>权限</RowMenuItem>}
                  {can(explain) && (
                    <RowMenuItem onClick={() => void go(`/authority/explain?accountid=${row.userid}`)}>为什么看不到</RowMenuItem>
                  )}
                  {row.manageable && row.secondfactor && can(resetSecondFactor) && (
                    <RowMenuItem onClick={() => void resetSecondFactorOf(row)}>重置二次验证</RowMenuItem>
                  )}
                  {row.manageable && row.enabled === 1 && can(loginAs) && (
                    <RowMenuItem onClick={() => askToAct({ musercode: own, userid: row.userid, name: row.realname })}>
                      代登录
                    </RowMenuItem>
                  )}
                  {row.manageable && row.enabled === 1 && can(updateAbsence) && (
                    <RowMenuItem onClick={() => setAbsent(row)}>{row.absentuntil ? '修改外出' : '登记外出'}</RowMenuItem>
                  )}
                  {row.manageable && row.absentuntil !== '' && can(updateAbsence) && (
                    <RowMenuItem onClick={() => comeBack.mutate({ userid: row.userid, absentuntil: null })}>结束外出</RowMenuItem>
                  )}
                  {row.manageable && (can(enableUser) || can(deleteUserById)) && <RowMenuDivider />}
                  {row.manageable && can(enableUser) && (
                    <RowMenuItem
                      danger={Boolean(row.enabled)}
                      onClick={() =>
                        row.enabled
                          ? setLeaving({ user: row, mode: 'disable' })
                          : enable.mutate({ userid: row.userid, enabled: 1 })
                      }
                    >
                      {row.enabled ? '停用' : '启用'}
                    </RowMenuItem>
                  )}
                  {row.manageable && can(deleteUserById) && (
                    <RowMenuItem danger onClick={() => setLeaving({ user: row, mode: 'delete' })}>
                      删除
                    </RowMenuItem>
                  )}
                </RowMenu>
              </>
            )
          }
          {...(elsewhere
            ? {
                empty: (
                  <EmptyState
                    title="没有用户"
                    hint="该机构的用户由其管理员在“用户管理”中新增"
                    filtered={Object.keys(list.filters).length > 1}
                    reset={() => list.setFilters({ musercode: elsewhere })}
                  />
                ),
              }
            : Object.keys(list.filters).length === 0
              ? {
                  empty: (
                    <EmptyState title="还没有用户" hint="逐个新增，或用表格批量新增">
                      <Can call={insertUser}>
                        <Button onClick={() => setEditing('new')}>新增用户</Button>
                      </Can>
                    </EmptyState>
                  ),
                }
              : {})}
        />
        {editing && (
          <UserDrawer
            row={editing}
            deptid={deptid}
            roles={roles}
            onClose={() => setEditing(undefined)}
            onCreated={(user) => setSecret({ title: '用户已创建', ...user })}
          />
        )}
        {secret && <OneTimePassword {...secret} onClose={() => setSecret(undefined)} />}
        {sessions && <UserSessions row={sessions} onClose={() => setSessions(undefined)} />}
        {rights && <UserRights row={rights} onClose={() => setRights(undefined)} />}
        {resetting && <ResetPasswords users={resetting} onClose={() => setResetting(undefined)} />}
        {batch && (
          <UserBatch
            {...batch}
            roles={roles}
            onClose={() => setBatch(undefined)}
            onHandOver={(user) => setLeaving({ user, mode: 'disable' })}
          />
        )}
        {leaving && <LeaveDialog {...leaving} onClose={() => setLeaving(undefined)} />}
        {absent && <AbsenceDialog user={absent} onClose={() => setAbsent(undefined)} />}
        {importing && <StaffImport onClose={() => setImporting(false)} />}
      </ListPage>
    </div>
  );
}
