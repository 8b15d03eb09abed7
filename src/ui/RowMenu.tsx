import { Button } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { createContext, use, type ComponentType, type ReactNode } from 'react';
import { ask } from '#ui/ask.tsx';
import { later } from '#ui/later.tsx';
import { usePopup } from '#ui/usePopup.ts';

const RowMenuPanel = later(() => import('#ui/RowMenuPanel.tsx').then((file) => file.RowMenuPanel));

/** True inside the sheet that holds all operations of a row on a phone (`RowActions`). */
export const InSheet = createContext(false);

/** What a menu's entries are drawn with; set by the menu, whose code comes later than the row's. */
export interface MenuParts {
  Item: ComponentType<{ onClick: () => void; color?: string; children: ReactNode }>;
  Divider: ComponentType;
}
export const InMenu = createContext<MenuParts | undefined>(undefined);

/**
 * The rarer operations of a row, behind one button. Inside the sheet of a phone there is no second menu to open: its items
 * stand in the sheet itself.
 */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  const { button, popup } = usePopup('menu', RowMenuPanel.warm);
  if (use(InSheet)) return children;
  return (
    <>
      <Button variant="subtle" size="compact-sm" aria-label={label} {...button}>
        <IconDots size={16} aria-hidden />
      </Button>
      {popup && <RowMenuPanel {...popup}>{children}</RowMenuPanel>}
    </>
  );
}

/** One of them; `danger` for what ends or removes something. */
export function RowMenuItem({
  onClick,
  danger = false,
  children,
}: {
  onClick: () => void;
  danger?: boolean;
  children: ReactNode;
}) {
  const color = danger ? { color: 'red' } : {};
  const parts = use(InMenu);
  return parts ? (
    <parts.Item {...color} onClick={onClick}>
      {children}
    </parts.Item>
  ) : (
    <Button variant="subtle" size="compact-sm" {...color} onClick={onClick}>
      {children}
    </Button>
  );
}

/** Removes the thing of this name, after asking. Refusals are told by themselves. */
export const RowMenuDelete = ({ name, onConfirm }: { name: string; onConfirm: () => void }) => (
  <RowMenuItem
    danger
    onClick={() => void ask({ text: `是否确认删除“${name}”？`, danger: true }).then((yes) => yes && onConfirm())}
  >
    删除
  </RowMenuItem>
);

/** A line between what changes and what ends. */
export function RowMenuDivider() {
  const parts = use(InMenu);
  return parts ? <parts.Divider /> : null;
}
