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

/** The departments beside the list: choosing one shows its staff and those below. */
export function DeptTree({ read, chosen, onChoose }: Props) {
  const node = (one: DeptNode, depth: number) => (
    <li key={one.id}>
      <button
        type="button"
        className={classes['node']}
        style={{ paddingLeft: 8 + depth * 16 }}
        aria-current={chosen === one.id || undefined}
        onClick={() => onChoose(chosen === one.id ? undefined : one.id)}
      >
        <span>{one.label}</span>
        <span className={classes['count']}>{one.count}</span>
      </button>
      {one.children.length > 0 && <ul style={list}>{one.children.map((child) => node(child, depth + 1))}</ul>}
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
            {nodes.map((item) => node(item, 0))}
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
