import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CheckboxTree } from '#ui/display/CheckboxTree.tsx';
import { confirm, confirmLeave } from '#ui/feedback/confirm.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useUser } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useUnsaved } from '#ui/router/unsaved.ts';
import { findAccounts } from '#features/access/permission/permission.contract.ts';
import { selectMuserMenuTreeselect, updateMuserMenu } from '#features/access/role/role.contract.ts';

/** 机构权限: shows and changes the functions that an institution below may use. */
export function InstitutionMenus() {
  const { musercode: own } = useUser();
  const [musercode, setMusercode] = useState<string | null>(null);
  const [text, setText] = useState('');
  // Choosing another institution discards the unsaved ticks of this one: the dialog asks first.
  const [dirty, setDirty] = useState(false);
  useUnsaved(dirty);
  const chooseInstitution = async (next: string | null) => {
    if (dirty && !(await confirmLeave())) return;
    setDirty(false);
    setMusercode(next);
  };
  const accounts = useActionQuery(findAccounts, { keyword: text, kind: 'institution' }, { quiet: true }).data ?? [];
  const options = accounts
    .filter((item) => item.accountid !== own)
    .map((item) => ({ value: item.accountid, label: item.insname }));
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        机构只能使用已开通的功能；机构的角色不会超出这里的范围。您没有的权限既不能开通也不能收回。
      </Text>
      <Select
        label="机构"
        placeholder="输入机构名称"
        searchable
        clearable
        maw={420}
        data={options}
        value={musercode}
        onChange={(next) => void chooseInstitution(next)}
        onSearchChange={(next) => options.some((option) => option.label === next) || setText(next)}
        filter={({ options: all }) => all}
        nothingFoundMessage="没有找到机构"
      />
      {musercode ? (
        <InstitutionRights key={musercode} musercode={musercode} onDirty={setDirty} />
      ) : (
        <EmptyState title="请选择机构" hint="查看和修改它已开通的功能" />
      )}
    </Stack>
  );
}

function InstitutionRights({ musercode, onDirty }: { musercode: string; onDirty: (dirty: boolean) => void }) {
  const read = useActionQuery(selectMuserMenuTreeselect, { musercode });
  const [ids, setIds] = useState<number[]>();
  // The ticks were made on this version, whatever the page reads in the meantime.
  const [base, setBase] = useState<{ version: number }>();
  const changeIds = (next: number[] | undefined) => {
    setIds(next);
    if (next === undefined) setBase(undefined);
    onDirty(next !== undefined);
  };
  const save = useActionMutation(updateMuserMenu, {
    invalidates: [selectMuserMenuTreeselect],
    successMessage: '保存成功',
    onDone: () => changeIds(undefined),
    onAdopt: () => changeIds(undefined),
  });
  const submit = async (before: readonly number[], version: number) => {
    const nextIds = ids ?? [...before];
    const removedCount = before.filter((id) => !nextIds.includes(id)).length;
    if (
      removedCount === 0 ||
      (await confirm({
        text: `将收回 ${removedCount} 项功能。该机构及其下级机构的账号立即不能使用，相关角色也会失去这些权限，是否继续？`,
        yes: '收回',
        no: '取消',
        danger: true,
      }))
    )
      save.mutate({ musercode, menuids: nextIds, version });
  };
  return (
    <Loaded read={read} skeleton={<Skeletons.Lines count={10} />}>
      {({ menus, checkedKeys, version }) => (
        <Stack gap="md">
          <CheckboxTree
            label="已开通的功能"
            nodes={menus}
            checked={ids ?? checkedKeys}
            onChange={(next) => {
              setBase((before) => before ?? { version });
              changeIds(next);
            }}
          />
          {ids && (
            <Alert variant="light" color="orange">
              有未保存的修改
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" disabled={!ids} onClick={() => changeIds(undefined)}>
              还原
            </Button>
            <Button disabled={!ids} loading={save.isPending} onClick={() => void submit(checkedKeys, base?.version ?? version)}>
              保存
            </Button>
          </Group>
        </Stack>
      )}
    </Loaded>
  );
}
