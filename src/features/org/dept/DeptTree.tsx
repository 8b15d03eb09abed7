import { Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from '#ui/router/router.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { filterTree } from '#ui/tree/filterTree.ts';
import { FoldButton } from '#ui/tree/FoldButton.tsx';
import { TreeSearch } from '#ui/tree/TreeSearch.tsx';
import { useFolding } from '#ui/tree/useFolding.ts';
import type { DeptNode } from '#features/org/dept/dept.contract.ts';
import classes from '#features/org/org.module.css';

interface Props {
  read: { data: DeptNode[] | undefined; error: unknown; refetch: () => unknown };
  chosen: number | undefined;
  onChoose: (deptid: number | undefined) => void;
}

/** The department tree beside the list. The chosen department filters the staff, with departments below it. */
export function DeptTree({ read, chosen, onChoose }: Props) {
  const [text, setText] = useState('');
  const folding = useFolding('departments');
  const isOpen = (dept: DeptNode) => text.trim() !== '' || folding.isOpen(dept.id);
  const renderNode = (dept: DeptNode, depth: number) => (
    <li key={dept.id}>
      <div className={classes['line']} style={{ paddingLeft: depth * 16 }}>
        {dept.children.length > 0 ? (
          <FoldButton name={dept.label} isOpen={isOpen(dept)} onToggle={() => folding.toggle(dept.id)} />
        ) : (
          <span className={classes['stem']} />
        )}
        <button
          type="button"
          className={classes['node']}
          aria-current={chosen === dept.id || undefined}
          onClick={() => onChoose(chosen === dept.id ? undefined : dept.id)}
        >
          <span>{dept.label}</span>
          <span className={classes['count']}>{dept.count}</span>
        </button>
      </div>
      {dept.children.length > 0 && isOpen(dept) && (
        <ul style={list}>{dept.children.map((child) => renderNode(child, depth + 1))}</ul>
      )}
    </li>
  );
  return (
    <nav className={classes['tree']} aria-label="部门">
      <TreeSearch label="查找部门" value={text} onChange={setText} />
      <Loaded read={read} skeleton={<Skeletons.Lines count={6} />}>
        {(nodes) => (
          <ul style={list}>
            <li>
              <button
                type="button"
                className={classes['node']}
                style={{ paddingLeft: 8 }}
                aria-current={chosen === undefined || undefined}
                onClick={() => onChoose(undefined)}
              >
                全部人员
              </button>
            </li>
            {filterTree(nodes, text).map((item) => renderNode(item, 0))}
            {nodes.length > 0 && filterTree(nodes, text).length === 0 && (
              <Text component="li" size="sm" c="dimmed" p={8}>
                没有找到
              </Text>
            )}
            {nodes.length === 0 && (
              <li>
                <Text size="sm" c="dimmed" p={8}>
                  还没有部门，可在<Link to="/organization/dept">部门管理</Link>中新增
                </Text>
              </li>
            )}
          </ul>
        )}
      </Loaded>
    </nav>
  );
}
const list = { listStyle: 'none', margin: 0, padding: 0 };
