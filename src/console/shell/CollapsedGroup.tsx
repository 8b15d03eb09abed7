import { Menu } from '@mantine/core';
import { useNavigate } from '#ui/router.tsx';
import type { MenuGroup } from '#console/routes.ts';
import { GroupButton } from '#console/shell/GroupButton.tsx';
import { warmUp } from '#console/shell/ScreenView.tsx';

/** A directory of the narrow menu: its screens open beside its picture. */
export function CollapsedGroup({ group, active }: { group: MenuGroup; active: string }) {
  const navigate = useNavigate();
  return (
    <Menu trigger="click-hover" position="right-start" offset={6} withinPortal>
      <Menu.Target>
        <GroupButton group={group} active={active} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{group.title}</Menu.Label>
        {group.children.map(({ path, title, load }) => (
          <Menu.Item key={path} onPointerEnter={() => warmUp(load)} onClick={() => navigate(path)}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
