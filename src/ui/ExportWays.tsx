import { Menu } from '@mantine/core';
import { Anchored, useOpening } from '#ui/Anchored.tsx';
import type { Popup } from '#ui/usePopup.ts';

interface Props extends Popup {
  directly: () => void;
  inBackground: () => void;
}

/** The two ways of an export. */
export function ExportWays({ at, opened, onChange, directly, inBackground }: Props) {
  return (
    <Menu opened={useOpening(opened)} onChange={onChange} position="bottom-end" withinPortal>
      <Menu.Target>
        <Anchored to={at} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={directly}>直接下载</Menu.Item>
        <Menu.Item onClick={inBackground}>后台导出（下载中心）</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
