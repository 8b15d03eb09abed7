import { Menu } from '@mantine/core';
import { IconChevronDown, IconHome } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from '#ui/router/router.tsx';
import type { MenuGroup, Navigation } from '#console/navigation.ts';
import { iconOf } from '#console/shell/menu/icons.ts';
import classes from '../frame/Shell.module.css';

interface Props {
  plan: Navigation;
  /** The highlighted menu path. */
  active: string;
  collapsed: boolean;
  /** Called after a click on a menu item: closes the overlay on small screens. */
  onFollow: () => void;
}

/** The menu of the account's routes. */
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
          {...(active === '/workbench' ? { 'aria-current': 'page' as const } : {})}
          title={collapsed ? '工作台' : ''}
          onClick={onFollow}
          onPointerEnter={() => void bench.screen.prefetch()}
        >
          <IconHome size={18} stroke={1.6} aria-hidden />
          <span>工作台</span>
        </Link>
      )}
      {plan.groups.map((group) =>
        collapsed ? (
          <CollapsedGroup key={group.path} group={group} active={active} />
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
          {group.children.map(({ path, title, screen }) => (
            <li key={path}>
              <Link
                to={path}
                className={classes['child'] ?? ''}
                data-on={path === active || undefined}
                {...(path === active ? { 'aria-current': 'page' as const } : {})}
                onClick={onFollow}
                onPointerEnter={() => void screen.prefetch()}
                onFocus={() => void screen.prefetch()}
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

/** A directory of the collapsed menu: its screens open beside its icon. */
function CollapsedGroup({ group, active }: { group: MenuGroup; active: string }) {
  const navigate = useNavigate();
  const Picture = iconOf(group.icon);
  return (
    <Menu trigger="click-hover" position="right-start" offset={6} withinPortal>
      <Menu.Target>
        <button
          type="button"
          className={classes['group']}
          aria-label={group.title}
          data-on={group.children.some((child) => child.path === active) || undefined}
        >
          <Picture size={20} stroke={1.6} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{group.title}</Menu.Label>
        {group.children.map(({ path, title, screen }) => (
          <Menu.Item key={path} onPointerEnter={() => void screen.prefetch()} onClick={() => navigate(path)}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
