import { Input, MultiSelect, Text, TextInput } from '@mantine/core';
import { Gender } from '#domain/base/enums.ts';
import { EnumRadio, LongTextField, SelectField, SwitchField } from '#ui/form/fields.tsx';
import { withLabels } from '#ui/form/FieldConflict.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { can, useUser } from '#ui/api/session.ts';
import type { RoleRow } from '#features/access/role/role.contract.ts';
import { selectDeptList, selectDeptTreeList } from '#features/org/dept/dept.contract.ts';
import { VALID_DAYS, validDaysOptions } from '#features/org/batch/oneTime.contract.ts';
import { insertUser, selectUserList, updateUser, type UserRow } from '#features/org/user/user.contract.ts';

interface Props {
  row: UserRow | 'new';
  deptid: number | undefined;
  roles: readonly RoleRow[];
  onClose: () => void;
  onCreated: (user: { name: string; loginname: string; secret: string; validuntil: string }) => void;
}

/** Creates or changes a user. Callers cannot change their own login name, department and roles. */
export function UserDrawer({ row, deptid, roles, onClose, onCreated }: Props) {
  const { userid } = useUser();
  const isNew = row === 'new';
  const isSelf = !isNew && row.userid === userid;
  const isReadOnly = !isNew && ((!row.manageable && !isSelf) || !can(updateUser));
  const depts = useActionQuery(selectDeptList, {}).data ?? [];
  const form = useActionForm(isNew ? insertUser : updateUser, {
    initial: (isNew
      ? { deptid: deptid ?? null, roleids: [], duty: 0, isshared: 0, validdays: VALID_DAYS[0] }
      : {
          userid: row.userid,
          version: row.version,
          realname: row.realname,
          phonenumber: row.phonenumber,
          email: row.email,
          gender: row.gender || null,
          post: row.post,
          titles: row.titles,
          remark: row.remark,
          duty: row.duty,
          isshared: row.isshared,
          ...(isSelf ? {} : { sysusername: row.sysusername, deptid: row.deptid, roleids: row.roleids }),
        }) as never,
    onDone: (result) => {
      onClose();
      if ('onetime' in result)
        onCreated({
          name: String(form.values['realname']),
          loginname: String(form.values['sysusername']),
          secret: result.onetime,
          validuntil: result.validuntil,
        });
    },
    invalidates: [selectUserList, selectDeptTreeList],
    names: ['realname'],
    successMessage: isNew ? '' : '保存成功',
  });
  const currentRoleids = isNew ? [] : row.roleids;
  const selectedRoleids = (form.values['roleids'] as number[] | undefined) ?? [];
  return (
    <FormDrawer
      title={isNew ? '新增用户' : isReadOnly ? `用户“${row.realname}”` : '修改用户'}
      onClose={onClose}
      form={form}
      readOnly={isReadOnly}
    >
      {isReadOnly && (
        <Text size="sm" c="dimmed">
          该账号拥有您没有的权限，或您没有修改的权限，只能查看
        </Text>
      )}
      <TextInput {...form.field('realname')} disabled={isReadOnly} data-autofocus />
      {isSelf ? (
        <TextInput label="登录账号" value={row.sysusername} disabled />
      ) : (
        <TextInput
          {...form.field('sysusername')}
          disabled={isReadOnly}
          autoComplete="off"
          description={isNew ? '全平台唯一；初始密码由系统生成，只显示一次' : undefined}
        />
      )}
      {isNew && <EnumRadio {...form.field('validdays' as never)} of={{ options: validDaysOptions }} />}
      {isSelf ? (
        <TextInput
          label="部门和角色"
          value={[row.deptname, ...row.rolenames].filter(Boolean).join('；') || '无'}
          disabled
          description="不能修改自己的部门和角色"
        />
      ) : (
        <>
          <SelectField
            {...form.field('deptid')}
            clearable
            options={depts.map((dept) => ({ value: dept.deptid, label: dept.deptname }))}
          />
          <MultiSelect
            label="角色"
            placeholder={selectedRoleids.length ? '' : '请选择角色'}
            searchable
            disabled={isReadOnly}
            data={roles
              .filter((role) => role.assignable || currentRoleids.includes(role.roleid))
              .map((role) => ({ value: String(role.roleid), label: role.rolename, disabled: !role.assignable }))}
            value={selectedRoleids.map(String)}
            onChange={(ids) => form.set('roleids', ids.map(Number))}
            error={withLabels(
              form.error('roleids'),
              roles.map((role) => ({ value: role.roleid, label: role.rolename })),
            )}
            data-path="roleids"
            description="没有角色的账号登录后看不到任何功能"
          />
        </>
      )}
      <SwitchField {...form.field('duty')} words="接收本机构的危机预警提醒" />
      <SwitchField {...form.field('isshared')} words="多人共用的账号（如护士站）：可以查看，不能作责任人，不能复核" />
      <EnumRadio {...form.field('gender')} of={Gender} />
      <TextInput {...form.field('phonenumber')} disabled={isReadOnly} inputMode="tel" />
      <TextInput {...form.field('email')} disabled={isReadOnly} />
      <TextInput {...form.field('post')} disabled={isReadOnly} placeholder="如 心理教师、护士" />
      <TextInput {...form.field('titles')} disabled={isReadOnly} placeholder="如 国家二级心理咨询师" />
      <LongTextField {...form.field('remark')} maxLength={200} />
      {!isNew && (
        <Input.Wrapper label="创建时间">
          <Text size="sm">{row.createtime}</Text>
        </Input.Wrapper>
      )}
    </FormDrawer>
  );
}
