import { Input, MultiSelect, Text, TextInput } from '@mantine/core';
import { Gender } from '#domain/base/enums.ts';
import { EnumRadio, LongTextField, SelectField, SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { can, useUser } from '#ui/api/session.ts';
import type { RoleRow } from '#features/access/role/role.contract.ts';
import { selectDeptList, selectDeptTreeList } from '#features/org/dept/dept.contract.ts';
import { insertUser, selectUserList, updateUser, type UserRow } from '#features/org/user/user.contract.ts';

interface Props {
  row: UserRow | 'new';
  deptid: number | undefined;
  roles: readonly RoleRow[];
  onClose: () => void;
  onMade: (made: { name: string; loginname: string; secret: string; validuntil: string }) => void;
}

/** Creates a member of staff or changes one. Of oneself, account, department and roles are only shown. */
export function UserDrawer({ row, deptid, roles, onClose, onMade }: Props) {
  const { userid } = useUser();
  const fresh = row === 'new';
  const self = !fresh && row.userid === userid;
  const readOnly = !fresh && ((!row.manageable && !self) || !can(updateUser));
  const depts = useActionQuery(selectDeptList, {}).data ?? [];
  const form = useActionForm(fresh ? insertUser : updateUser, {
    initial: (fresh
      ? { deptid: deptid ?? null, roleids: [], duty: 0 }
      : {
          userid: row.userid,
          realname: row.realname,
          phonenumber: row.phonenumber,
          email: row.email,
          gender: row.gender || null,
          post: row.post,
          titles: row.titles,
          remark: row.remark,
          duty: row.duty,
          ...(self ? {} : { sysusername: row.sysusername, deptid: row.deptid, roleids: row.roleids }),
        }) as never,
    onDone: (result) => {
      onClose();
      if ('onetime' in result)
        onMade({
          name: String(form.values['realname']),
          loginname: String(form.values['sysusername']),
          secret: result.onetime,
          validuntil: result.validuntil,
        });
    },
    invalidates: [selectUserList, selectDeptTreeList],
    successMessage: fresh ? '' : '保存成功',
  });
  const roleids = fresh ? [] : row.roleids;
  const givenValue = (form.values['roleids'] as number[] | undefined) ?? [];
  return (
    <FormDrawer
      title={fresh ? '新增用户' : readOnly ? `用户“${row.realname}”` : '修改用户'}
      onClose={onClose}
      form={form}
      readOnly={readOnly}
    >
      {readOnly && (
        <Text size="sm" c="dimmed">
          该账号拥有您没有的权限，或您没有修改的权限，只能查看
        </Text>
      )}
      <TextInput {...form.field('realname')} disabled={readOnly} data-autofocus />
      {self ? (
        <TextInput label="登录账号" value={row.sysusername} disabled />
      ) : (
        <TextInput
          {...form.field('sysusername')}
          disabled={readOnly}
          autoComplete="off"
          description={fresh ? '全平台唯一；初始密码由系统生成，只显示一次' : undefined}
        />
      )}
      {self ? (
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
            placeholder={givenValue.length ? '' : '请选择角色'}
            searchable
            disabled={readOnly}
            data={roles
              .filter((role) => role.assignable || roleids.includes(role.roleid))
              .map((role) => ({ value: String(role.roleid), label: role.rolename, disabled: !role.assignable }))}
            value={givenValue.map(String)}
            onChange={(ids) => form.set('roleids', ids.map(Number))}
            error={form.error('roleids')}
            data-path="roleids"
            description="没有角色的账号登录后看不到任何功能"
          />
        </>
      )}
      <SwitchField {...form.field('duty')} words="接收本机构的危机预警提醒" />
      <EnumRadio {...form.field('gender')} of={Gender} />
      <TextInput {...form.field('phonenumber')} disabled={readOnly} inputMode="tel" />
      <TextInput {...form.field('email')} disabled={readOnly} />
      <TextInput {...form.field('post')} disabled={readOnly} placeholder="如 心理教师、护士" />
      <TextInput {...form.field('titles')} disabled={readOnly} placeholder="如 国家二级心理咨询师" />
      <LongTextField {...form.field('remark')} maxLength={200} />
      {!fresh && (
        <Input.Wrapper label="创建时间">
          <Text size="sm">{row.createtime}</Text>
        </Input.Wrapper>
      )}
    </FormDrawer>
  );
}
