import { Menu } from '@mantine/core';
import { Anchored, useOpening } from '#ui/Anchored.tsx';
import { useNavigate } from '#ui/router.tsx';
import type { Popup } from '#ui/usePopup.ts';

/** Entries of the top menu that stand under 更多. */
export function MenuLinks({ at, opened, onChange, links }: Popup & { links: readonly { title: string; path: string }[] }) {
  const navigate = useNavigate();
  return (
    <Menu opened={useOpening(opened)} onChange={onChange} position="bottom-start" withinPortal>
      <Menu.Target>
        <Anchored to={at} />
      </Menu.Target>
      <Menu.Dropdown>
        {links.map(({ title, path }) => (
          <Menu.Item key={path} onClick={() => navigate(path)}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
