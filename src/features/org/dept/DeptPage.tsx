import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Badge } from '#ui/display/badges.tsx';
import { NumberField, SelectField, SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { Can } from '#ui/api/Can.tsx';
import { Link } from '#ui/router/router.tsx';
import { RowActions } from '#ui/list/RowActions.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { call } from '#ui/api/call.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useDeletion } from '#ui/api/useDeletion.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { FoldButton } from '#ui/tree/FoldButton.tsx';
import { useFolding } from '#ui/tree/useFolding.ts';
import {
  deleteDeptById,
  insertDept,
  selectDeptList,
  selectDeptListExcludeChild,
  selectDeptTreeList,
  updateDept,
  type DeptRow,
} from '#features/org/dept/dept.contract.ts';
import classes from '#features/org/org.module.css';

interface TreeRow {
  row: DeptRow;
  depth: number;
  hasChildren: boolean;
}

/** Returns the rows in the order of the tree with their depth: the children of an open department follow it. */
function sortAsTree(rows: readonly DeptRow[], isOpen: (deptid: number) => boolean): TreeRow[] {
  const deptids = new Set(rows.map((row) => row.deptid));
  const withBelow = (row: DeptRow, depth: number): TreeRow[] => [
    { row, depth, hasChildren: rows.some((other) => other.parentid === row.deptid) },
    ...(isOpen(row.deptid) ? below(row.deptid, depth + 1) : []),
  ];
  const below = (parentid: number, depth: number): TreeRow[] =>
    rows.filter((row) => row.parentid === parentid).flatMap((row) => withBelow(row, depth));
  // A filtered list may contain a department without its parent: show it at the top.
  const orphans = rows.filter((row) => row.parentid !== 0 && !deptids.has(row.parentid));
  return [...below(0, 0), ...orphans.flatMap((row) => withBelow(row, 0))];
}

/** 部门管理: the departments of the institution as a tree. */
export default function DeptPage() {
  const [text, setText] = useState('');
  const [editing, setEditing] = useState<{ row?: DeptRow; parentid: number }>();
  const folding = useFolding('departments');
  const isNarrow = useMediaQuery('(max-width: 768px)') ?? false;
  const read = useActionQuery(selectDeptList, text.trim() ? { deptname: text.trim() } : {});
  const removeDept = useDeletion(deleteDeptById);
  // The server refuses a department with staff or departments, so nothing hangs on a deleted one.
  const remove = ({ deptid, parentid, deptname, ordernum, leader, phonenumber, email, enabled }: DeptRow) =>
    removeDept({ deptid }, `已删除“${deptname}”`, () =>
      call(insertDept, { parentid, deptname, ordernum, leader, phonenumber, email, enabled: enabled === 1 ? 1 : 0 }),
    );
  return (
    <PageStack>
      <Section>
        <Group justify="space-between" align="end" mb="md">
          <TextInput
            label="部门名称"
            placeholder="输入后即时筛选"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Can call={insertDept}>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing({ parentid: 0 })}>
              新增部门
            </Button>
          </Can>
        </Group>
        <Loaded read={read} skeleton={<Skeletons.Lines count={8} />}>
          {(rows) =>
            rows.length === 0 ? (
              text.trim() ? (
                <EmptyState filtered reset={() => setText('')} />
              ) : (
                <EmptyState title="还没有部门" hint="按学校或单位的实际架构新增；数据范围“本部门”等依据这里的层级">
                  <Can call={insertDept}>
                    <Button onClick={() => setEditing({ parentid: 0 })}>新增部门</Button>
                  </Can>
                </EmptyState>
              )
            ) : (
              <div className={classes['frame']} tabIndex={0} role="region" aria-label="部门列表">
                <table className={classes['table']}>
                  <thead>
                    <tr>
                      <th scope="col">部门名称</th>
                      <th scope="col">人数</th>
                      <th scope="col">负责人</th>
                      <th scope="col">联系电话</th>
                      <th scope="col">排序</th>
                      <th scope="col">状态</th>
                      <th scope="col" className={classes['operations']}>
                        {isNarrow ? '' : '操作'}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {sortAsTree(rows, (deptid) => text.trim() !== '' || folding.isOpen(deptid)).map(
                      ({ row, depth, hasChildren }, index) => (
                        <tr key={row.deptid}>
                          <td className={classes['name']} style={{ paddingLeft: 10 + depth * 22 }}>
                            <span className={classes['line']}>
                              {hasChildren ? (
                                <FoldButton
                                  name={row.deptname}
                                  isOpen={text.trim() !== '' || folding.isOpen(row.deptid)}
                                  onToggle={() => folding.toggle(row.deptid)}
                                />
                              ) : (
                                <span className={classes['stem']} />
                              )}
                              {row.deptname}
                            </span>
                          </td>
                          <td>
                            <Link
                              to={`/organization/user?deptid=${row.deptid}`}
                              aria-label={`${row.deptname}的 ${row.usercount} 位人员`}
                            >
                              {row.usercount}
                            </Link>
                          </td>
                          <td>{row.leader || '—'}</td>
                          <td>{row.phonenumber || '—'}</td>
                          <td>{row.ordernum}</td>
                          <td>
                            <Badge tone={row.enabled ? 'green' : 'gray'}>{row.enabled ? '启用' : '停用'}</Badge>
                          </td>
                          <td className={classes['operations']}>
                            <Operations isNarrow={isNarrow} index={index + 1}>
                              <Can call={updateDept}>
                                <Button
                                  variant="subtle"
                                  size="compact-sm"
                                  onClick={() => setEditing({ row, parentid: row.parentid })}
                                >
                                  修改
                                </Button>
                              </Can>
                              <Can call={insertDept}>
                                <Button variant="subtle" size="compact-sm" onClick={() => setEditing({ parentid: row.deptid })}>
                                  新增下级
                                </Button>
                              </Can>
                              <Can call={deleteDeptById}>
                                <Button variant="subtle" size="compact-sm" color="red" onClick={() => void remove(row)}>
                                  删除
                                </Button>
                              </Can>
                            </Operations>
                          </td>
                        </tr>
                      ),
                    )}
                  </tbody>
                </table>
              </div>
            )
          }
        </Loaded>
      </Section>
      {editing && (
        <DeptDrawer
          key={`${editing.row?.deptid ?? 'new'}-${editing.parentid}`}
          {...editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </PageStack>
  );
}

/** Shows the buttons side by side; on a phone, behind one button. */
function Operations({ isNarrow, index, children }: { isNarrow: boolean; index: number; children: ReactNode }) {
  return isNarrow ? <RowActions index={index}>{children}</RowActions> : children;
}

function DeptDrawer({ row, parentid, onClose }: { row?: DeptRow; parentid: number; onClose: () => void }) {
  const allDepts = useActionQuery(selectDeptList, row ? undefined : {}).data;
  const possibleParents = useActionQuery(selectDeptListExcludeChild, row ? { deptid: row.deptid } : undefined).data;
  const parents = (row ? possibleParents : allDepts) ?? [];
  const form = useActionForm(row ? updateDept : insertDept, {
    initial: (row
      ? {
          deptid: row.deptid,
          version: row.version,
          parentid,
          deptname: row.deptname,
          ordernum: row.ordernum,
          leader: row.leader,
          phonenumber: row.phonenumber,
          email: row.email,
          enabled: row.enabled,
        }
      : { parentid, ordernum: 0, enabled: 1 }) as never,
    onDone: onClose,
    invalidates: [selectDeptList, selectDeptTreeList, selectDeptListExcludeChild],
  });
  return (
    <FormDrawer title={row ? '修改部门' : '新增部门'} onClose={onClose} form={form}>
      <SelectField
        {...form.field('parentid')}
        clearable={false}
        options={[
          { value: 0, label: '（顶级）' },
          ...parents.map((parent) => ({ value: parent.deptid, label: parent.deptname })),
        ]}
      />
      <TextInput {...form.field('deptname')} data-autofocus />
      <NumberField {...form.field('ordernum')} min={0} />
      <TextInput {...form.field('leader')} />
      <TextInput {...form.field('phonenumber')} />
      <TextInput {...form.field('email')} />
      <SwitchField {...form.field('enabled')} words="启用" />
      {row && (
        <Text size="xs" c="dimmed">
          移动部门时下级部门一并移动；数据范围按部门限定的账号会立即按新的层级计算。
        </Text>
      )}
    </FormDrawer>
  );
}
