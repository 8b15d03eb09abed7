import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { pathOf } from '#contract/menu.ts';
import { DataScope, Enabled } from '#domain/base/enums.ts';
import { Badge, EnumBadge } from '#ui/display/badges.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, TextFilter } from '#ui/list/filters.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Can } from '#ui/api/Can.tsx';
import { Link } from '#ui/router/router.tsx';
import { can, hasPermission } from '#ui/api/session.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import { deleteRoleById, insertRole, selectRoleList, updateRole, type RoleRow } from '#features/access/role/role.contract.ts';

const RoleMembers = lazyDialog(() => import('#features/access/role/RoleMembers.tsx').then((file) => file.RoleMembers));
const RoleDetail = lazyDialog(() => import('#features/access/role/RoleDetail.tsx').then((file) => file.RoleDetail));
const RoleDrawer = lazyDialog(() => import('#features/access/role/RoleDrawer.tsx').then((file) => file.RoleDrawer));

const column = columnsOf(selectRoleList);
const columns = [
  column.of('rolename', '角色名称', (row) => (
    <span style={{ display: 'inline-flex', gap: 8, alignItems: 'center' }}>
      {row.rolename}
      {row.isbuiltin === 1 && <Badge tone="gray">系统内置</Badge>}
    </span>
  )),
  column('rolekey', '角色标识', { width: 140 }),
  column('datascope', '数据范围', DataScope.label, {
    width: 130,
    hint: '多个角色同时限定范围时，同时满足才可见；增加角色不会扩大数据范围',
  }),
  column('codecount', '权限数', { width: 80, align: 'right' }),
  column('usercount', '成员', (count, row) => <Members count={count} row={row} />, { width: 80, align: 'right', sort: true }),
  column('enabled', '状态', (enabled) => <EnumBadge of={Enabled} code={enabled} tones={{ 1: 'green', 0: 'gray' }} />, {
    width: 80,
  }),
  column('remark', '说明'),
  column('rolesort', '排序', { width: 80, sort: true, hidden: true }),
  column('createtime', '创建时间', { sort: true, hidden: true }),
];

function Members({ count, row }: { count: number; row: RoleRow }) {
  return count && hasPermission('organization.users') ? (
    <Link to={`${pathOf('organization.users')}?roleid=${row.roleid}`} aria-label={`${row.rolename}的 ${count} 名成员`}>
      {count}
    </Link>
  ) : (
    count
  );
}

/** 角色管理: the roles of this institution with their rights and data scopes. */
export default function RoleListPage() {
  const list = useList(selectRoleList);
  const [editing, setEditing] = useState<{ row: RoleRow | undefined; copy: boolean }>();
  const [detail, setDetail] = useState<RoleRow>();
  const [members, setMembers] = useState<RoleRow>();
  const remove = useActionMutation(deleteRoleById, { invalidates: [selectRoleList], successMessage: '删除成功' });
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="rolename" label="角色名称" />
          <TextFilter name="rolekey" label="角色标识" />
          <EnumFilter name="enabled" label="状态" of={Enabled} />
        </>
      }
      toolbar={
        <Can call={insertRole}>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing({ row: undefined, copy: false })}>
            新增角色
          </Button>
        </Can>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="roleid"
        label="角色列表"
        onOpen={setDetail}
        actions={(row) => (
          <>
            <Button variant="subtle" size="compact-sm" onClick={() => setDetail(row)}>
              详情
            </Button>
            {row.editable && can(updateRole) && (
              <Button variant="subtle" size="compact-sm" onClick={() => setEditing({ row, copy: false })}>
                修改
              </Button>
            )}
            <Button variant="subtle" size="compact-sm" onClick={() => setMembers(row)}>
              成员
            </Button>
            <Can call={insertRole}>
              <Button
                variant="subtle"
                size="compact-sm"
                disabled={!row.assignable}
                onClick={() => setEditing({ row, copy: true })}
              >
                复制
              </Button>
            </Can>
            {row.editable && row.isbuiltin === 0 && (
              <Can call={deleteRoleById}>
                <ConfirmButton name={row.rolename} onConfirm={() => remove.mutateAsync({ roleid: row.roleid })} />
              </Can>
            )}
          </>
        )}
        {...(Object.keys(list.filters).length === 0
          ? { empty: <EmptyState title="还没有角色" hint="新增角色，勾选它能使用的功能，再在用户管理中分配给老师" /> }
          : {})}
      />
      {editing && (
        <RoleDrawer
          key={`${editing.row?.roleid ?? 0}-${String(editing.copy)}`}
          row={editing.row}
          copy={editing.copy}
          onClose={() => setEditing(undefined)}
        />
      )}
      {detail && (
        <RoleDetail
          row={detail}
          onClose={() => setDetail(undefined)}
          onEdit={() => {
            setDetail(undefined);
            setEditing({ row: detail, copy: false });
          }}
        />
      )}
      {members && <RoleMembers row={members} onClose={() => setMembers(undefined)} />}
    </ListPage>
  );
}
