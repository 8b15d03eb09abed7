import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { createContext, use, type ReactNode } from 'react';
import { confirm } from '#ui/feedback/confirm.tsx';

/** True inside the action sheet with all operations of a row on a phone (`RowActions`). */
export const InSheet = createContext(false);

/**
 * Shows the rarer operations of a row behind one button. In the action sheet of a phone its items stand in the sheet itself,
 * without a second menu.
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

/** An item of the menu; `danger` for an operation that ends or removes something. */
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

/** An item that deletes the record of this name after a confirmation. A refusal is shown. */
export const RowMenuDelete = ({ name, onConfirm }: { name: string; onConfirm: () => void }) => (
  <RowMenuItem
    danger
    onClick={() =>
      void confirm({ text: `是否确认删除“${name}”？删除后不能恢复。`, danger: true }).then((yes) => yes && onConfirm())
    }
  >
    删除
  </RowMenuItem>
);

/** A line between operations that change and operations that end. */
export const RowMenuDivider = () => (use(InSheet) ? null : <Menu.Divider />);
