import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { createContext, use, type ReactNode } from 'react';
import { confirm } from '#ui/feedback/confirm.tsx';

/** True inside the sheet that holds all operations of a row on a phone (`RowActions`). */
export const InSheet = createContext(false);

/**
 * The rarer operations of a row, behind one button. Inside the sheet of a phone there is no second menu to open: its items
 * stand in the sheet itself.
 */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  if (use(InSheet)) return children;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="subtle" size="compact-sm" aria-label={label}>
          <IconDots size={16} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
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
  return use(InSheet) ? (
    <Button variant="subtle" size="compact-sm" {...color} onClick={onClick}>
      {children}
    </Button>
  ) : (
    <Menu.Item {...color} onClick={onClick}>
      {children}
    </Menu.Item>
  );
}

/** Removes the thing of this name, after asking. Refusals are told by themselves. */
export const RowMenuDelete = ({ name, onConfirm }: { name: string; onConfirm: () => void }) => (
  <RowMenuItem
    danger
    onClick={() => void confirm({ text: `是否确认删除“${name}”？`, danger: true }).then((yes) => yes && onConfirm())}
  >
    删除
  </RowMenuItem>
);

/** A line between what changes and what ends. */
export const RowMenuDivider = () => (use(InSheet) ? null : <Menu.Divider />);
