import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { DataScope, Enabled, YesNo } from '#domain/base/enums.ts';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Facts } from '#ui/display/Section.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { selectDeptList } from '#features/org/dept/dept.contract.ts';
import { selectRoleMenuTreeselect, updateRole, type RoleRow } from '#features/access/role/role.contract.ts';

interface Props {
  row: RoleRow;
  onEdit: () => void;
  onClose: () => void;
}

/** Everything about a role, to read: its data scope, and the functions that it gives. */
export function RoleDetail({ row, onEdit, onClose }: Props) {
  const read = useActionQuery(selectRoleMenuTreeselect, { roleid: row.roleid });
  const depts = useActionQuery(selectDeptList, row.deptids.length > 0 ? {} : undefined, { quiet: true }).data ?? [];
  const deptnames = depts.filter((dept) => row.deptids.includes(dept.deptid)).map((dept) => dept.deptname);
  return (
    <Drawer opened onClose={onClose} title={`角色“${row.rolename}”`} size="min(560px, 100vw)">
      <Stack gap="lg">
        <Facts
          facts={[
            ['角色名称', row.rolename],
            ['角色标识', row.rolekey],
            ['数据范围', DataScope.label(row.datascope)],
            ...(deptnames.length > 0 ? ([['部门', deptnames.join('、')]] as const) : []),
            ['状态', Enabled.label(row.enabled)],
            ['成员', `${row.usercount} 人`],
            ['登录须二次验证', YesNo.label(row.mustfactor)],
            ['系统内置', YesNo.label(row.isbuiltin)],
            ['创建时间', row.createtime],
            ['说明', row.remark],
          ]}
        />
        <Loaded read={read} skeleton={<Skeletons.Lines count={6} />}>
          {({ menus, checkedKeys }) => <Functions menus={menus} checked={new Set(checkedKeys)} />}
        </Loaded>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            关闭
          </Button>
          {row.editable && can(updateRole) && <Button onClick={onEdit}>修改</Button>}
        </Group>
      </Stack>
    </Drawer>
  );
}

interface Menu {
  id: number;
  label: string;
  children: readonly Menu[];
}

/** The functions of a role by directory. */
function Functions({ menus, checked }: { menus: readonly Menu[]; checked: ReadonlySet<number> }) {
  const given = menus
    .map(({ id, label, children }) => ({ id, label, functions: children.filter((child) => checked.has(child.id)) }))
    .filter(({ functions }) => functions.length > 0);
  if (given.length === 0)
    return (
      <Text size="sm" c="dimmed">
        没有任何功能：只有这个角色的成员能登录和修改密码，但不能使用任何功能。
      </Text>
    );
  return (
    <section aria-label="能使用的功能">
      <Text fw={600} mb="sm">
        能使用的功能
      </Text>
      <Facts facts={given.map(({ label, functions }) => [label, functions.map((item) => item.label).join('、')] as const)} />
    </section>
  );
}
