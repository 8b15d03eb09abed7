import { Drawer, Table } from '@mantine/core';
import { Badge } from '#ui/display/badges.tsx';
import { EmptyState, Loaded } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getRoleUsers, type RoleRow } from '#features/access/role/role.contract.ts';

/** Lists the staff who hold a role. */
export function RoleMembers({ row, onClose }: { row: RoleRow; onClose: () => void }) {
  const read = useActionQuery(getRoleUsers, { roleid: row.roleid });
  return (
    <Drawer opened onClose={onClose} title={`“${row.rolename}”的成员`} size="min(480px, 100vw)">
      <Loaded read={read}>
        {(users) =>
          users.length === 0 ? (
            <EmptyState title="还没有成员" hint="在用户管理中为老师分配该角色" />
          ) : (
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>姓名</Table.Th>
                  <Table.Th>账号</Table.Th>
                  <Table.Th>部门</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {users.map((user) => (
                  <Table.Tr key={user.userid}>
                    <Table.Td>
                      {user.realname} {user.enabled === 0 && <Badge tone="gray">停用</Badge>}
                    </Table.Td>
                    <Table.Td>{user.sysusername}</Table.Td>
                    <Table.Td>{user.deptname || '—'}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </Loaded>
    </Drawer>
  );
}
