import { Text } from '@mantine/core';
import { Link } from '#ui/router/router.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import type { DeptNode } from '#features/org/dept/dept.contract.ts';
import classes from '#features/org/org.module.css';

interface Props {
  read: { data: DeptNode[] | undefined; error: unknown; refetch: () => unknown };
  chosen: number | undefined;
  onChoose: (deptid: number | undefined) => void;
}

/** The department tree beside the list. The chosen department filters the staff, with departments below it. */
export function DeptTree({ read, chosen, onChoose }: Props) {
  const renderNode = (dept: DeptNode, depth: number) => (
    <li key={dept.id}>
      <button
        type="button"
        className={classes['node']}
        style={{ paddingLeft: 8 + depth * 16 }}
        aria-current={chosen === dept.id || undefined}
        onClick={() => onChoose(chosen === dept.id ? undefined : dept.id)}
      >
        <span>{dept.label}</span>
        <span className={classes['count']}>{dept.count}</span>
      </button>
      {dept.children.length > 0 && <ul style={list}>{dept.children.map((child) => renderNode(child, depth + 1))}</ul>}
    </li>
  );
  return (
    <nav className={classes['tree']} aria-label="部门">
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
            {nodes.map((item) => renderNode(item, 0))}
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
