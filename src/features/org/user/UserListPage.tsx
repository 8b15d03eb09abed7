import { Button, SegmentedControl } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Enabled, YesNo } from '#domain/base/enums.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { InstitutionFilter } from '#blocks/institution/InstitutionFilter.tsx';
import { ExportButton, filtersOf } from '#blocks/export/ExportButton.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Can } from '#ui/api/Can.tsx';
import { useSearchParams } from '#ui/router/router.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { can, useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import { selectRoleList } from '#features/access/role/role.contract.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';
import { selectDeptTreeList } from '#features/org/dept/dept.contract.ts';
import { DeptTree } from '#features/org/dept/DeptTree.tsx';
import { exportUserList, insertUser, selectUserList } from '#features/org/user/user.contract.ts';
import type { UserDialog } from '#features/org/user/userDialog.ts';
import { UserDialogs } from '#features/org/user/UserDialogs.tsx';
import { UserRowActions } from '#features/org/user/UserRowActions.tsx';
import { userColumns } from '#features/org/user/userColumns.tsx';
import { updateUserBatch } from '#features/org/batch/userBatch.contract.ts';
import classes from '#features/org/org.module.css';

const ownColumns = userColumns(false);
const allColumns = userColumns(true);

/** Returns whether the list is of all institutions. The platform begins with all of them, a provider with its own staff. */
function useReach() {
  const { musertype } = useUser();
  const [params] = useSearchParams();
  const hasBelow = musertype === '001' || musertype === '002';
  const reach = params.has('musercode') ? 'all' : (params.get('reach') ?? (musertype === '001' ? 'all' : 'own'));
  return { hasBelow, isAll: hasBelow && reach === 'all' };
}

/** 用户管理: staff by department, with their roles, passwords and sessions. Platform and providers find staff of all institutions. */
export default function UserListPage() {
  const { hasBelow, isAll } = useReach();
  const list = useList(selectUserList, hasBelow ? { reach: isAll ? 'all' : 'own' } : {});
  const [dialog, setDialog] = useState<UserDialog>();
  const tree = useActionQuery(selectDeptTreeList, {});
  const rolesRead = useActionQuery(selectRoleList, { pageSize: 200 }, { quiet: true });
  const roles = useMemo(() => rolesRead.data?.rows ?? [], [rolesRead.data]);
  const deptid =
    typeof list.filters['deptid'] === 'string' || typeof list.filters['deptid'] === 'number'
      ? Number(list.filters['deptid'])
      : undefined;
  const setReach = (reach: string) => {
    const { deptid: _dept, musercode: _institution, ...rest } = list.filters;
    list.setFilters({ ...rest, reach });
  };

  const canChangeMany = !isAll && can(updateUserBatch);
  const bulk = (keys: string[]) => {
    const users = list.rows.filter((row) => keys.includes(row.userid));
    const button = (label: string, onClick: () => void) => (
      <Button size="compact-sm" variant="default" onClick={onClick}>
        {label}
      </Button>
    );
    return (
      <>
        {button('启用', () => setDialog({ kind: 'batch', act: 'enable', users }))}
        {button('停用', () => setDialog({ kind: 'batch', act: 'disable', users }))}
        {button('重置密码', () => setDialog({ kind: 'reset', users }))}
        {button('调整部门', () => setDialog({ kind: 'batch', act: 'dept', users }))}
        {button('调整角色', () => setDialog({ kind: 'batch', act: 'roles', users }))}
      </>
    );
  };
  const searched = Object.keys(list.filters).filter((name) => name !== 'reach');

  return (
    <div className={isAll ? undefined : classes['split']}>
      {!isAll && (
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
            {isAll && can(getMUserPageList) && <InstitutionFilter />}
            <SelectFilter
              name="roleid"
              label="角色"
              options={roles.map((role) => ({ value: role.roleid, label: role.rolename }))}
            />
            <EnumFilter name="enabled" label="状态" of={Enabled} />
            <EnumFilter name="duty" label="接收预警" of={YesNo} />
          </>
        }
        also={['deptid', 'reach']}
        lead={
          hasBelow && (
            <SegmentedControl
              aria-label="范围"
              value={isAll ? 'all' : 'own'}
              onChange={setReach}
              data={[
                { value: 'own', label: '本机构用户' },
                { value: 'all', label: '全部机构用户' },
              ]}
            />
          )
        }
        toolbar={
          <>
            <ExportButton action={exportUserList} request={filtersOf(list.request)} title="用户" total={list.total} />
            {!isAll && (
              <Can call={insertUser}>
                <Button
                  variant="default"
                  leftSection={<IconUpload size={16} aria-hidden />}
                  onClick={() => setDialog({ kind: 'import' })}
                >
                  批量新增
                </Button>
                <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog({ kind: 'new' })}>
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
          columns={isAll ? allColumns : ownColumns}
          rowKey="userid"
          label="用户列表"
          selectable={canChangeMany}
          onOpen={(user) => setDialog({ kind: 'detail', user })}
          actions={(row) => <UserRowActions row={row} open={setDialog} />}
          empty={
            searched.length > 0 ? (
              <EmptyState filtered reset={() => list.setFilters({ reach: isAll ? 'all' : 'own' })}>
                {hasBelow && !isAll && (
                  <Button variant="default" size="xs" onClick={() => setReach('all')}>
                    在全部机构中查找
                  </Button>
                )}
              </EmptyState>
            ) : isAll ? (
              <EmptyState title="还没有用户" hint="各机构的用户由其管理员在“用户管理”中新增" />
            ) : (
              <EmptyState title="还没有用户" hint="逐个新增，或用表格批量新增">
                <Can call={insertUser}>
                  <Button onClick={() => setDialog({ kind: 'new' })}>新增用户</Button>
                </Can>
              </EmptyState>
            )
          }
        />
        {dialog && <UserDialogs dialog={dialog} deptid={deptid} roles={roles} open={setDialog} />}
      </ListPage>
    </div>
  );
}
