import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Badge } from '#ui/display/badges.tsx';
import { call } from '#ui/api/call.ts';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { LongTextField, NumberField, SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { notifyError } from '#ui/feedback/notify.ts';
import { can, setUser } from '#ui/api/session.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { deleteMenuById, selectMenuList, updateMenu, type MenuNode } from '#features/access/menu/menu.contract.ts';
import { getUserInfo } from '#features/session/session.contract.ts';
import classes from '#features/access/access.module.css';

const TYPES = { M: '目录', C: '页面', F: '功能' } as const;

/** Reloads the caller's menu. Other users get the change with their next visit. */
const reloadMenu = () => void call(getUserInfo, {}).then(setUser, notifyError);

/** Lists the menu entries with their codes. The platform renames, orders, hides and disables them here. */
export function MenuTree() {
  const [title, setTitle] = useState('');
  const [editing, setEditing] = useState<MenuNode>();
  const read = useActionQuery(selectMenuList, title.trim() ? { title: title.trim() } : {});
  const reset = useActionMutation(deleteMenuById, {
    invalidates: [selectMenuList],
    successMessage: '已恢复默认',
    onDone: reloadMenu,
  });
  const canArrange = can(updateMenu);
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="end">
        <TextInput
          label="名称或编码"
          placeholder="输入后即时筛选"
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        {!canArrange && (
          <Text size="sm" c="dimmed">
            菜单由平台统一维护，此处只能查看
          </Text>
        )}
      </Group>
      <Loaded read={read} skeleton={<Skeletons.Lines count={12} />}>
        {(nodes) =>
          nodes.length === 0 ? (
            <EmptyState filtered reset={() => setTitle('')} />
          ) : (
            <div className={classes['frame']} tabIndex={0} role="region" aria-label="菜单与编码">
              <table className={classes['table']}>
                <thead>
                  <tr>
                    <th scope="col">名称</th>
                    <th scope="col" className={classes['roomy']}>
                      类型
                    </th>
                    <th scope="col" className={classes['roomy']}>
                      权限编码
                    </th>
                    <th scope="col" className={classes['spacious']}>
                      路径
                    </th>
                    <th scope="col" className={classes['roomy']}>
                      排序
                    </th>
                    <th scope="col">状态</th>
                    {canArrange && <th scope="col">操作</th>}
                  </tr>
                </thead>
                <tbody>
                  {nodes
                    .flatMap((dir) => [dir, ...dir.children])
                    .map((node) => (
                      <tr key={node.menuid} data-type={node.menutype} data-off={node.enabled === 0 || undefined}>
                        <td className={classes['name']}>
                          {node.title}{' '}
                          {node.title !== node.shippedtitle && (
                            <Text span size="xs" c="dimmed">
                              （原名：{node.shippedtitle}）
                            </Text>
                          )}
                          <small className={classes['small']}>
                            {TYPES[node.menutype]} {node.code}
                          </small>
                        </td>
                        <td className={classes['roomy']}>{TYPES[node.menutype]}</td>
                        <td className={classes['roomy']}>{node.code ? <Code>{node.code}</Code> : '—'}</td>
                        <td className={classes['spacious']}>{node.path || '—'}</td>
                        <td className={classes['roomy']}>{node.ordernum}</td>
                        <td>
                          <Group gap={6} wrap="nowrap">
                            <Badge tone={node.enabled ? 'green' : 'gray'}>{node.enabled ? '启用' : '停用'}</Badge>
                            {node.hidden === 1 && <Badge tone="gray">隐藏</Badge>}
                          </Group>
                        </td>
                        {canArrange && (
                          <td className={classes['acts']}>
                            <Button variant="subtle" size="compact-sm" onClick={() => setEditing(node)}>
                              设置
                            </Button>
                            {node.changed && (
                              <ConfirmButton
                                question={`将“${node.title}”恢复为默认设置？`}
                                onConfirm={() => reset.mutateAsync({ menuid: node.menuid })}
                              >
                                恢复默认
                              </ConfirmButton>
                            )}
                          </td>
                        )}
                      </tr>
                    ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
      {editing && <MenuDrawer key={editing.menuid} node={editing} onClose={() => setEditing(undefined)} />}
    </Stack>
  );
}

function MenuDrawer({ node, onClose }: { node: MenuNode; onClose: () => void }) {
  const form = useActionForm(updateMenu, {
    initial: {
      menuid: node.menuid,
      version: node.version,
      title: node.title,
      ordernum: node.ordernum,
      hidden: node.hidden,
      enabled: node.enabled,
      remark: node.remark,
    },
    onDone: () => {
      onClose();
      reloadMenu();
    },
    invalidates: [selectMenuList],
  });
  const isOwnMenu = node.key === 'authority' || node.key === 'authority.menus';
  return (
    <FormDrawer title={`设置“${node.shippedtitle}”`} onClose={onClose} form={form}>
      <TextInput
        {...form.field('title')}
        description={`编码 ${node.code || '无'}；编码和路径随产品发布，不能修改`}
        data-autofocus
      />
      <NumberField {...form.field('ordernum')} min={0} />
      {node.menutype !== 'F' && <SwitchField {...form.field('hidden')} words="不在菜单中显示，有权限的账号仍可打开" />}
      {!isOwnMenu && <SwitchField {...form.field('enabled')} words="启用；停用后所有账号立即不能使用" />}
      <LongTextField {...form.field('remark')} maxLength={200} />
    </FormDrawer>
  );
}
