import type { ComponentProps } from 'react';
import type { MenuGroup } from '#console/routes.ts';
import { iconOf } from '#console/shell/icons.ts';
import classes from './Shell.module.css';

interface Props extends ComponentProps<'button'> {
  group: MenuGroup;
  /** The menu path that stands out. */
  active: string;
}

/** A directory of the menu while the menu is narrow: its picture. */
export function GroupButton({ group, active, ...rest }: Props) {
  const Picture = iconOf(group.icon);
  return (
    <button
      type="button"
      {...rest}
      className={classes['group']}
      aria-label={group.title}
      data-on={group.children.some((child) => child.path === active) || undefined}
    >
      <Picture size={20} stroke={1.6} aria-hidden />
    </button>
  );
}
