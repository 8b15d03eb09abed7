import { Menu } from '@mantine/core';
import { PopupMenu } from '#ui/PopupMenu.tsx';
import { useNavigate } from '#ui/router.tsx';
import type { Popup } from '#ui/usePopup.ts';

/** Entries of the top menu that stand under 更多. */
export function MenuLinks({ links, ...popup }: Popup & { links: readonly { title: string; path: string }[] }) {
  const navigate = useNavigate();
  return (
    <PopupMenu {...popup} side="start">
      {links.map(({ title, path }) => (
        <Menu.Item key={path} onClick={() => navigate(path)}>
          {title}
        </Menu.Item>
      ))}
    </PopupMenu>
  );
}
