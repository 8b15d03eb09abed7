import { Alert, MultiSelect, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, type FormEvent, type ReactNode } from 'react';
import { DataScope } from '#domain/base/enums.ts';
import { menuEntries } from '#contract/menuTree.ts';
import { CheckboxTree } from '#ui/display/CheckboxTree.tsx';
import { EnumField, LongTextField, NumberField, SwitchField } from '#ui/form/fields.tsx';
import { withLabels } from '#ui/form/FieldConflict.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { can } from '#ui/api/session.ts';
import { selectDeptList } from '#features/org/dept/dept.contract.ts';
import {
  insertRole,
  selectRoleList,
  selectRoleMenuTreeselect,
  updateRole,
  type RoleRow,
} from '#features/access/role/role.contract.ts';

interface Props {
  row: RoleRow | undefined;
  copy: boolean;
  onClose: () => void;
}

/** Creates, changes or copies a role. A role that the caller may not change is read-only. */
export function RoleDrawer({ row, copy, onClose }: Props) {
  const isNew = row === undefined || copy;
  const isReadOnly = !isNew && (!row.editable || !can(updateRole));
  // The rights must be at least as new as the row, whose version the form sends.
  const read = useActionQuery(selectRoleMenuTreeselect, row ? { roleid: row.roleid } : {});
  const tree = read.isFetchedAfterMount ? read : { ...read, data: undefined };
  const depts = useActionQuery(selectDeptList, {}, { quiet: true }).data ?? [];
  const form = useActionForm(isNew ? insertRole : updateRole, {
    initial: {
      ...(isNew ? {} : { roleid: row.roleid, version: row.version }),
      rolename: row ? (copy ? `${row.rolename}（副本）`.slice(0, 30) : row.rolename) : '',
      rolekey: row ? (copy ? `${row.rolekey}_copy`.slice(0, 50) : row.rolekey) : '',
      rolesort: row?.rolesort ?? 100,
      datascope: row?.datascope ?? 1,
      deptids: row?.deptids ?? [],
      enabled: copy ? 1 : (row?.enabled ?? 1),
      mustfactor: row?.mustfactor ?? 0,
      remark: row?.remark ?? '',
    } as never,
    onDone: onClose,
    invalidates: [selectRoleList, selectRoleMenuTreeselect],
  });
  const scope = Number(form.values.datascope);
  const isEmpty = !isReadOnly && ((form.values.menuids as number[] | undefined) ?? tree.data?.checkedKeys)?.length === 0;
  /** Asks before a role without any right is saved. */
  const submit = async (event?: FormEvent<HTMLFormElement>) => {
    event?.preventDefault();
    if (!isEmpty || (await confirm({ text: `${EMPTY_WORDS}仍然保存？`, yes: '仍然保存', no: '返回勾选' }))) form.submit();
  };
  // A copy starts with the rights of the original role.
  const { checkedKeys } = tree.data ?? {};
  const { set } = form;
  const hasCopied = useRef(false);
  useEffect(() => {
    if (!isNew || !checkedKeys || hasCopied.current) return;
    hasCopied.current = true;
    set('menuids', checkedKeys);
  }, [isNew, checkedKeys, set]);
  const title =
    row === undefined ? '新增角色' : copy ? `复制“${row.rolename}”` : isReadOnly ? `角色“${row.rolename}”` : '修改角色';
  return (
    <FormDrawer
      title={title}
      onClose={onClose}
      form={{ ...form, submit: (event) => void submit(event) }}
      readOnly={isReadOnly}
      width={620}
    >
      {isReadOnly && (
        <Text size="sm" c="dimmed">
          {row?.isbuiltin ? '系统内置角色由平台维护，可以复制后修改' : '该角色包含您没有的权限，不能修改'}
        </Text>
      )}
      <TextInput {...form.field('rolename')} disabled={isReadOnly} data-autofocus />
      <TextInput
        {...form.field('rolekey')}
        disabled={isReadOnly || (!isNew && row.isbuiltin === 1)}
        description="字母开头，用于系统对接，如 classteacher"
      />
      <EnumField {...form.field('datascope')} of={DataScope} clearable={false} />
      {scope === DataScope.chosen && (
        <MultiSelect
          label="部门"
          required
          searchable
          placeholder={depts.length ? '请选择部门' : '还没有部门，请先在部门管理中新增'}
          data={depts.map((dept) => ({ value: String(dept.deptid), label: dept.deptname }))}
          value={((form.values.deptids ?? []) as number[]).map(String)}
          onChange={(ids) => form.set('deptids', ids.map(Number))}
          error={withLabels(
            form.error('deptids'),
            depts.map((dept) => ({ value: dept.deptid, label: dept.deptname })),
          )}
          data-path="deptids"
          disabled={isReadOnly}
        />
      )}
      <Text size="xs" c="dimmed" mt={-8}>
        {SCOPE_TEXTS[scope]}
      </Text>
      <Loaded read={tree} skeleton={<Skeletons.Lines count={8} />}>
        {({ menus, checkedKeys }) => (
          <CheckboxTree
            label="能使用的功能"
            nodes={menus}
            checked={(form.values.menuids as number[] | undefined) ?? checkedKeys}
            onChange={isReadOnly ? undefined : (ids) => form.set('menuids', ids)}
            error={menuError(form.error('menuids'))}
            path="menuids"
          />
        )}
      </Loaded>
      {isEmpty && (
        <Alert color="orange" variant="light" role="status">
          {EMPTY_WORDS}
        </Alert>
      )}
      <NumberField {...form.field('rolesort')} min={0} />
      {!isReadOnly && <SwitchField {...form.field('enabled')} words="启用；停用后成员立即失去该角色的权限" />}
      {!isReadOnly && <SwitchField {...form.field('mustfactor')} words="成员登录须通过二次验证；未设置的成员下次登录时先设置" />}
      <LongTextField {...form.field('remark')} maxLength={200} />
    </FormDrawer>
  );
}

const menuTitles = menuEntries.map(({ menuid, title }) => ({ value: menuid, label: title }));
const menuError = (error: ReactNode) => (typeof error === 'string' ? '请勾选能使用的功能' : withLabels(error, menuTitles));
const EMPTY_WORDS = '没有勾选任何功能：只有这个角色的成员能登录和修改密码，但不能使用任何功能。';

const SCOPE_TEXTS: Readonly<Record<number, string>> = {
  1: '可见本机构的全部受测者',
  2: '只见负责人属于所选部门的受测者和团体',
  3: '只见负责人与本人同部门的受测者和团体；没有部门的账号看不到任何人',
  4: '只见负责人属于本人部门及其下级部门的受测者和团体',
  5: '只见本人负责的团体及其成员，不见分数与作答',
};
