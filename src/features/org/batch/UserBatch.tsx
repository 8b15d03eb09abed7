import { Alert, Button, Group, Modal, MultiSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { RequestOf } from '#contract/action.ts';
import { EnumRadio, SelectField } from '#ui/form/fields.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { useUser } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import type { RoleRow } from '#features/access/role/role.contract.ts';
import { selectDeptList, selectDeptTreeList } from '#features/org/dept/dept.contract.ts';
import { RefusedUsers } from '#features/org/batch/RefusedUsers.tsx';
import type { BatchAct } from '#features/org/user/userDialog.ts';
import { selectUserList, type UserRow } from '#features/org/user/user.contract.ts';
import { ROLE_MODES, updateUserBatch, type RefusedUser, type RoleMode } from '#features/org/batch/userBatch.contract.ts';

interface Props {
  act: BatchAct;
  users: readonly UserRow[];
  roles: readonly RoleRow[];
  onClose: () => void;
  /** Disables a user alone, with the hand-over of the open cases. */
  onHandOver: (user: RefusedUser) => void;
}

const WORDS = {
  enable: { title: '启用', done: '已启用', effect: '启用后可以用原来的密码登录。' },
  disable: { title: '停用', done: '已停用', effect: '其登录立即退出，停用期间不能登录，可以随时重新启用。' },
  dept: { title: '调整部门', done: '已调整部门', effect: '部门决定“本部门”数据范围的角色能看到哪些受测者。' },
  roles: { title: '调整角色', done: '已调整角色', effect: '新的权限从下一次操作开始生效。' },
} as const;
const modeOptions = Object.entries(ROLE_MODES).map(([value, label]) => ({ value, label }));

/** Enables, disables or moves the selected users, or changes their roles. Users that could not be changed are listed with the reason. */
export function UserBatch({ act, users, roles, onClose, onHandOver }: Props) {
  const { title, done, effect } = WORDS[act];
  const [deptid, setDeptid] = useState<number | null>(null);
  const [mode, setMode] = useState<RoleMode>('add');
  const [roleids, setRoleids] = useState<number[]>([]);
  const [hasTried, setHasTried] = useState(false);
  const depts = useActionQuery(selectDeptList, act === 'dept' ? {} : undefined).data ?? [];
  const update = useActionMutation(updateUserBatch, {
    invalidates: [selectUserList, selectDeptTreeList],
    onDone: ({ changed, refused }) => {
      if (refused.length > 0) return;
      notify.done(`${done} ${changed} 人`);
      onClose();
    },
  });
  const isMissing = act === 'roles' && roleids.length === 0;
  const send = () => {
    setHasTried(true);
    if (isMissing) return;
    const changes: Record<BatchAct, Omit<RequestOf<typeof updateUserBatch>, 'userids'>> = {
      enable: { enabled: 1 },
      disable: { enabled: 0 },
      dept: { deptid },
      roles: { rolemode: mode, roleids },
    };
    update.mutate({ userids: users.map(({ userid }) => userid), ...changes[act] });
  };
  const { data } = update;
  if (data && data.refused.length > 0)
    return (
      <Modal opened onClose={onClose} title={`${done} ${data.changed} 人`} size="lg">
        <Stack gap="md">
          <RefusedUsers refused={data.refused} {...(act === 'disable' ? { onHandOver } : {})} />
          <Group justify="flex-end">
            <Button onClick={onClose}>完成</Button>
          </Group>
        </Stack>
      </Modal>
    );
  return (
    <Modal opened onClose={onClose} title={`${title} · ${users.length} 人`} size="md">
      <Stack gap="md">
        <Text size="sm">
          {users
            .slice(0, 5)
            .map(({ realname }) => realname)
            .join('、')}
          {users.length > 5 ? `等 ${users.length} 人` : ''}。{effect}
        </Text>
        <Unchangeable act={act} users={users} />
        {act === 'dept' && (
          <SelectField
            label="调到部门"
            placeholder="不属于任何部门"
            clearable
            value={deptid}
            onChange={(id: number | null) => setDeptid(id)}
            options={depts.map((dept) => ({ value: dept.deptid, label: dept.deptname }))}
          />
        )}
        {act === 'roles' && (
          <>
            <EnumRadio
              label="调整方式"
              of={{ options: modeOptions }}
              value={mode}
              onChange={(value: RoleMode) => setMode(value)}
            />
            <MultiSelect
              label="角色"
              required
              searchable
              placeholder={roleids.length ? '' : '请选择角色'}
              data={roles.filter((role) => role.assignable).map((role) => ({ value: String(role.roleid), label: role.rolename }))}
              value={roleids.map(String)}
              onChange={(ids) => setRoleids(ids.map(Number))}
              error={hasTried && isMissing ? '请选择角色' : undefined}
            />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            取消
          </Button>
          <Button {...(act === 'disable' ? { color: 'red' } : {})} loading={update.isPending} onClick={send}>
            {title}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Says before the call which of the users will stay as they are. */
function Unchangeable({ act, users }: Pick<Props, 'act' | 'users'>) {
  const { userid: own } = useUser();
  const owners = act === 'disable' ? users.filter((user) => user.opencases > 0 && user.manageable) : [];
  const others = users.filter((user) => !user.manageable && user.userid !== own);
  const lines = [
    owners.length > 0 &&
      `${owners.map((user) => `${user.realname}（${user.opencases} 个）`).join('、')}还有在办预警，先保持启用，之后逐个移交并停用。`,
    users.some((user) => user.userid === own) && '您自己的账号不会改变。',
    others.length > 0 && `${others.map((user) => user.realname).join('、')}拥有您没有的权限，不会改变。`,
  ].filter((line) => line !== false);
  return lines.length > 0 ? (
    <Alert color="orange" variant="light">
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </Alert>
  ) : null;
}
