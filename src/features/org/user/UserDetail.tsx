import { Button, Drawer, Group, Stack } from '@mantine/core';
import { Gender, YesNo } from '#domain/base/enums.ts';
import { can, useUser } from '#ui/api/session.ts';
import { Facts } from '#ui/display/Section.tsx';
import { Link } from '#ui/router/router.tsx';
import { getLoginPageList } from '#features/audit/login/login.contract.ts';
import { UserState } from '#features/org/user/userColumns.tsx';
import type { UserDialog } from '#features/org/user/userDialog.ts';
import { updateUser, type UserRow } from '#features/org/user/user.contract.ts';

interface Props {
  row: UserRow;
  open: (dialog: UserDialog) => void;
  onClose: () => void;
}

const logOf = ({ musercode, sysusername }: UserRow) => String(new URLSearchParams({ musercode, keyword: sysusername }));

/** Everything about a member of staff, to read. */
export function UserDetail({ row, open, onClose }: Props) {
  const { userid } = useUser();
  const isChangeable = (row.manageable || row.userid === userid) && can(updateUser);
  return (
    <Drawer opened onClose={onClose} title={`用户“${row.realname}”`} size="min(560px, 100vw)">
      <Stack gap="lg">
        <Facts
          facts={[
            ['姓名', row.realname],
            ['登录账号', row.sysusername],
            ['机构', row.insname],
            ['部门', row.deptname],
            ['角色', row.rolenames.join('、') || '没有角色，登录后看不到任何功能'],
            ['状态', <UserState key="state" row={row} />],
            ['接收预警', YesNo.label(row.duty)],
            ['在办预警', row.opencases],
            ['共用账号', YesNo.label(row.isshared)],
            ['二次验证', row.secondfactor ? '已启用' : '未启用'],
            [
              '最近登录',
              <span key="login">
                {row.lastlogintime || '还没有登录过'}{' '}
                {can(getLoginPageList) && <Link to={`/authority/loginLog?${logOf(row)}`}>登录日志</Link>}
              </span>,
            ],
            ['创建时间', row.createtime],
          ]}
        />
        <Facts
          facts={[
            ['性别', row.gender && Gender.label(row.gender)],
            ['联系电话', row.phonenumber],
            ['邮箱', row.email],
            ['职务', row.post],
            ['资质', row.titles],
            ['备注', row.remark],
          ]}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            关闭
          </Button>
          {isChangeable && <Button onClick={() => open({ kind: 'edit', user: row })}>修改</Button>}
        </Group>
      </Stack>
    </Drawer>
  );
}
