import { IconChevronDown, IconHome } from '@tabler/icons-react';
import { useState } from 'react';
import { later } from '#ui/later.tsx';
import { Link } from '#ui/router.tsx';
import type { MenuGroup, Plan } from '#console/routes.ts';
import { GroupButton } from '#console/shell/GroupButton.tsx';
import { iconOf } from '#console/shell/icons.ts';
import { warmUp } from '#console/shell/ScreenView.tsx';
import classes from './Shell.module.css';

const Collapsed = later(() => import('#console/shell/CollapsedGroup.tsx').then((file) => file.CollapsedGroup), GroupButton);

interface Props {
  plan: Plan;
  /** The menu path that stands out. */
  active: string;
  collapsed: boolean;
  /** Called when an entry was followed: the overlay on small screens closes. */
  onFollow: () => void;
}

/** The menu built from the account's routes. */
export function Sidebar({ plan, active, collapsed, onFollow }: Props) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(() => new Set());
  const bench = plan.routes.find((route) => route.path === '/workbench');
  const toggle = (path: string) =>
    setClosed((before) => {
      const next = new Set(before);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  return (
    <nav className={classes['menu']} aria-label="主菜单">
      {bench && (
        <Link
          to="/workbench"
          className={classes['entry'] ?? ''}
          data-on={active === '/workbench' || undefined}
          title={collapsed ? '工作台' : ''}
          onClick={onFollow}
          onPointerEnter={() => warmUp(bench.load)}
        >
          <IconHome size={18} stroke={1.6} aria-hidden />
          <span>工作台</span>
        </Link>
      )}
      {plan.groups.map((group) =>
        collapsed ? (
          <Collapsed key={group.path} group={group} active={active} />
        ) : (
          <Group
            key={group.path}
            group={group}
            active={active}
            open={!closed.has(group.path)}
            toggle={() => toggle(group.path)}
            onFollow={onFollow}
          />
        ),
      )}
    </nav>
  );
}

function Group({
  group,
  active,
  open,
  toggle,
  onFollow,
}: {
  group: MenuGroup;
  active: string;
  open: boolean;
  toggle: () => void;
  onFollow: () => void;
}) {
  const Picture = iconOf(group.icon);
  return (
    <div>
      <button type="button" className={classes['group']} aria-expanded={open} onClick={toggle}>
        <Picture size={18} stroke={1.6} aria-hidden />
        <span>{group.title}</span>
        <IconChevronDown size={14} aria-hidden className={classes['chevron'] ?? ''} />
      </button>
      {open && (
        <ul className={classes['children']}>
          {group.children.map(({ path, title, load }) => (
            <li key={path}>
              <Link
                to={path}
                className={classes['child'] ?? ''}
                data-on={path === active || undefined}
                {...(path === active ? { 'aria-current': 'page' as const } : {})}
                onClick={onFollow}
                onPointerEnter={() => warmUp(load)}
                onFocus={() => warmUp(load)}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
