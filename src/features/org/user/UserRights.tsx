import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { menuEntries, menusOfCodes, codesOfMenus } from '#contract/menuTree.ts';
import { CheckboxTree } from '#ui/display/CheckboxTree.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { can } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { getAllPermissions, updateUserPermissions } from '#features/access/permission/permission.contract.ts';
import type { UserRow } from '#features/org/user/user.contract.ts';

/** The effective rights of a user. The caller grants or denies single rights in addition to the roles. */
export function UserRights({ row, onClose }: { row: UserRow; onClose: () => void }) {
  const read = useActionQuery(getAllPermissions, { userid: row.userid });
  const [ids, setIds] = useState<number[]>();
  // The ticks were made on this version, whatever the page reads in the meantime.
  const [base, setBase] = useState<number>();
  const save = useActionMutation(updateUserPermissions, {
    invalidates: [getAllPermissions],
    successMessage: '保存成功',
    onDone: onClose,
    onAdopt: () => setIds(undefined),
  });
  const canEdit = row.manageable && can(updateUserPermissions);
  const leave = useLeave(ids !== undefined, onClose);
  return (
    <Drawer opened onClose={leave} title={`“${row.realname}”的权限`} size="min(620px, 100vw)">
      <Loaded read={read} skeleton={<Skeletons.Lines count={12} />}>
        {({ all, granted, byroles, version }) => {
          const effectiveCodes = new Set(granted);
          const grantable = new Map(all.map((item) => [item.menuid, item.held]));
          const node = ({ menuid, title, menutype }: (typeof menuEntries)[number]) => ({
            id: menuid,
            label: title,
            menutype,
            held: grantable.get(menuid) ?? false,
          });
          const tree = menuEntries
            .filter((entry) => entry.parentid === 0)
            .map((dir) => ({
              ...node(dir),
              children: menuEntries
                .filter(
                  (entry) => entry.parentid === dir.menuid && (grantable.get(entry.menuid) || effectiveCodes.has(entry.code)),
                )
                .map((entry) => ({ ...node(entry), children: [] })),
            }))
            .filter((dir) => dir.children.length > 0);
          const currentIds = menusOfCodes(effectiveCodes);
          const nextCodes = codesOfMenus(ids ?? currentIds);
          const grantCount = nextCodes.filter((code) => !byroles.includes(code)).length;
          const denyCount = byroles.filter((code) => !nextCodes.includes(code)).length;
          return (
            <Stack gap="md">
              <Text size="sm" c="dimmed">
                权限来自角色，可在此为个人单独授予或禁止。{grantCount > 0 && `单独授予 ${grantCount} 项。`}
                {denyCount > 0 && `单独禁止 ${denyCount} 项。`}保存后下一次操作立即生效。
              </Text>
              <CheckboxTree
                label="有效权限"
                nodes={tree}
                checked={ids ?? currentIds}
                onChange={canEdit ? (next) => (setBase(base ?? version), setIds(next)) : undefined}
              />
              {canEdit && (
                <Group justify="flex-end">
                  <Button variant="default" onClick={leave}>
                    取消
                  </Button>
                  <Button
                    disabled={!ids}
                    loading={save.isPending}
                    onClick={() => save.mutate({ userid: row.userid, codes: nextCodes, version: base ?? version })}
                  >
                    保存
                  </Button>
                </Group>
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Drawer>
  );
}
