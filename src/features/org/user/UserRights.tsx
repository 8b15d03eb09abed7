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

/** What a user may do in effect; single rights can be given or denied besides the roles. */
export function UserRights({ row, onClose }: { row: UserRow; onClose: () => void }) {
  const read = useActionQuery(getAllPermissions, { userid: row.userid });
  const [ids, setIds] = useState<number[]>();
  const save = useActionMutation(updateUserPermissions, {
    invalidates: [getAllPermissions],
    successMessage: '保存成功',
    onDone: onClose,
  });
  const editable = row.manageable && can(updateUserPermissions);
  const leave = useLeave(ids !== undefined, onClose);
  return (
    <Drawer opened onClose={leave} title={`“${row.realname}”的权限`} size="min(620px, 100vw)">
      <Loaded read={read} skeleton={<Skeletons.Lines count={12} />}>
        {({ all, granted, byroles }) => {
          const has = new Set(granted);
          const heldById = new Map(all.map((item) => [item.menuid, item.held]));
          const node = ({ menuid, title, menutype }: (typeof menuEntries)[number]) => ({
            id: menuid,
            label: title,
            menutype,
            held: heldById.get(menuid) ?? false,
          });
          const tree = menuEntries
            .filter((entry) => entry.parentid === 0)
            .map((dir) => ({
              ...node(dir),
              children: menuEntries
                .filter((entry) => entry.parentid === dir.menuid && (heldById.get(entry.menuid) || has.has(entry.code)))
                .map((entry) => ({ ...node(entry), children: [] })),
            }))
            .filter((dir) => dir.children.length > 0);
          const now = menusOfCodes(has);
          const codes = codesOfMenus(ids ?? now);
          const extra = codes.filter((code) => !byroles.includes(code)).length;
          const less = byroles.filter((code) => !codes.includes(code)).length;
          return (
            <Stack gap="md">
              <Text size="sm" c="dimmed">
                权限来自角色，可在此为个人单独授予或禁止。{extra > 0 && `单独授予 ${extra} 项。`}
                {less > 0 && `单独禁止 ${less} 项。`}保存后下一次操作立即生效。
              </Text>
              <CheckboxTree label="有效权限" nodes={tree} checked={ids ?? now} onChange={editable ? setIds : undefined} />
              {editable && (
                <Group justify="flex-end">
                  <Button variant="default" onClick={leave}>
                    取消
                  </Button>
                  <Button disabled={!ids} loading={save.isPending} onClick={() => save.mutate({ userid: row.userid, codes })}>
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
