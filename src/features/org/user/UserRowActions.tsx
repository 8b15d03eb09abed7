import { Button } from '@mantine/core';
import { askToAct } from '#ui/api/acting.ts';
import { can, useUser } from '#ui/api/session.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { confirm } from '#ui/feedback/confirm.tsx';
import { RowMenu, RowMenuDivider, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { useNavigate } from '#ui/router/router.tsx';
import { explain, getAllPermissions } from '#features/access/permission/permission.contract.ts';
import { selectDeptTreeList } from '#features/org/dept/dept.contract.ts';
import type { UserDialog } from '#features/org/user/userDialog.ts';
import {
  deleteUserById,
  enableUser,
  resetPwd,
  resetSecondFactor,
  selectUserList,
  type UserRow,
} from '#features/org/user/user.contract.ts';
import { handOver } from '#features/handover/handOver.contract.ts';
import { loginAs } from '#features/session/acting.contract.ts';
import { updateAbsence } from '#features/warning/handover/handover.contract.ts';

interface Props {
  row: UserRow;
  open: (dialog: UserDialog) => void;
}

/** The operations of a row in 用户管理. Users of another institution can be read, disabled in an emergency, or acted for. */
export function UserRowActions(props: Props) {
  const { musercode } = useUser();
  return props.row.musercode === musercode ? <OwnActions {...props} /> : <ActionsBelow {...props} />;
}

const affected = [selectUserList, selectDeptTreeList];

function OwnActions({ row, open }: Props) {
  const { musercode, userid } = useUser();
  const go = useNavigate();
  const comeBack = useActionMutation(updateAbsence, { invalidates: affected, successMessage: '已结束外出' });
  const enable = useActionMutation(enableUser, { invalidates: affected, successMessage: '修改成功' });
  const resetFactor = useActionMutation(resetSecondFactor, { invalidates: affected, successMessage: '二次验证已重置' });
  const askToResetFactor = async () => {
    if (await confirm(`重置“${row.realname}”的二次验证？其登录立即退出，之后凭密码登录并可重新设置，会通知本人。`))
      resetFactor.mutate({ userid: row.userid });
  };
  const isChangeable = row.manageable || row.userid === userid;
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={() => open({ kind: isChangeable ? 'edit' : 'detail', user: row })}>
        {isChangeable ? '修改' : '详情'}
      </Button>
      <RowMenu label={`${row.realname}的更多操作`}>
        {isChangeable && <RowMenuItem onClick={() => open({ kind: 'detail', user: row })}>详情</RowMenuItem>}
        {row.manageable && can(resetPwd) && (
          <RowMenuItem onClick={() => open({ kind: 'reset', users: [row] })}>重置密码</RowMenuItem>
        )}
        <RowMenuItem onClick={() => open({ kind: 'sessions', user: row })}>登录设备</RowMenuItem>
        {can(getAllPermissions) && <RowMenuItem onClick={() => open({ kind: 'rights', user: row })}>权限</RowMenuItem>}
        {can(explain) && (
          <RowMenuItem onClick={() => void go(`/authority/explain?accountid=${row.userid}`)}>为什么看不到</RowMenuItem>
        )}
        {row.manageable && row.secondfactor && can(resetSecondFactor) && (
          <RowMenuItem onClick={() => void askToResetFactor()}>重置二次验证</RowMenuItem>
        )}
        {row.manageable && row.enabled === 1 && can(loginAs) && (
          <RowMenuItem onClick={() => askToAct({ musercode, userid: row.userid, name: row.realname })}>代登录</RowMenuItem>
        )}
        {row.manageable && row.enabled === 1 && can(updateAbsence) && (
          <RowMenuItem onClick={() => open({ kind: 'absence', user: row })}>
            {row.absentuntil ? '修改外出' : '登记外出'}
          </RowMenuItem>
        )}
        {row.manageable && row.enabled === 1 && can(handOver) && (
          <RowMenuItem onClick={() => open({ kind: 'handover', user: row })}>移交工作</RowMenuItem>
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
                ? open({ kind: 'leave', user: row, mode: 'disable' })
                : enable.mutate({ userid: row.userid, enabled: 1 })
            }
          >
            {row.enabled ? '停用' : '启用'}
          </RowMenuItem>
        )}
        {row.manageable && can(deleteUserById) && (
          <RowMenuItem danger onClick={() => open({ kind: 'leave', user: row, mode: 'delete' })}>
            删除
          </RowMenuItem>
        )}
      </RowMenu>
    </>
  );
}

function ActionsBelow({ row, open }: Props) {
  const enable = useActionMutation(enableUser, { invalidates: affected, successMessage: '修改成功' });
  const disable = async () => {
    const cases = row.opencases
      ? `其 ${row.opencases} 个在办预警立即移交给该机构的值班或心理老师，没有时移交给服务商；随访和预约转给有权限的同事。`
      : '';
    const text = `紧急停用“${row.realname}”？其登录立即退出。${cases}`;
    if (await confirm({ text, yes: '停用', no: '取消', danger: true })) enable.mutate({ userid: row.userid, enabled: 0 });
  };
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={() => open({ kind: 'detail', user: row })}>
        详情
      </Button>
      {(can(loginAs) || can(enableUser)) && (
        <RowMenu label={`${row.realname}的更多操作`}>
          {row.enabled === 1 && can(loginAs) && (
            <RowMenuItem onClick={() => askToAct({ musercode: row.musercode, userid: row.userid, name: row.realname })}>
              代登录
            </RowMenuItem>
          )}
          {can(enableUser) &&
            (row.enabled === 1 ? (
              <RowMenuItem danger onClick={() => void disable()}>
                紧急停用
              </RowMenuItem>
            ) : (
              <RowMenuItem onClick={() => enable.mutate({ userid: row.userid, enabled: 1 })}>启用</RowMenuItem>
            ))}
        </RowMenu>
      )}
    </>
  );
}
