import { Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from '#ui/router/router.tsx';
import type { Navigation } from '#console/navigation.ts';
import classes from '../frame/Shell.module.css';

/** Returns the number of items in the top menu: body width / 3 / 85 (specification section 9). */
export const visibleCount = (bodyWidth: number): number => Math.floor(bodyWidth / 3 / 85);

/** The directories along the top. The rest stands under 更多. */
export function TopMenu({ plan, active }: { plan: Navigation; active: string }) {
  const [count, setCount] = useState(() => visibleCount(document.body.clientWidth));
  useEffect(() => {
    const measure = () => setCount(visibleCount(document.body.clientWidth));
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  const navigate = useNavigate();
  const rest = plan.groups.slice(count);
  const isOn = (children: Navigation['groups'][number]['children']) => children.some((child) => child.path === active);
  return (
    <nav className={classes['top']} aria-label="顶部菜单">
      {plan.groups.slice(0, count).map(({ path, title, children }) => (
        <Link key={path} to={children[0]?.path ?? path} data-on={isOn(children) || undefined}>
          {title}
        </Link>
      ))}
      {rest.length > 0 && (
        <Menu position="bottom-start" withinPortal>
          <Menu.Target>
            <button type="button" data-on={rest.some(({ children }) => isOn(children)) || undefined}>
              更多 <IconChevronDown size={14} aria-hidden />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {rest.map(({ path, title, children }) => (
              <Menu.Item key={path} onClick={() => navigate(children[0]?.path ?? path)}>
                {title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </nav>
  );
}
