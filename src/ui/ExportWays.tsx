import { Menu } from '@mantine/core';
import { PopupMenu } from '#ui/PopupMenu.tsx';
import type { Popup } from '#ui/usePopup.ts';

interface Props extends Popup {
  directly: () => void;
  inBackground: () => void;
}

/** The two ways of an export. */
export function ExportWays({ directly, inBackground, ...popup }: Props) {
  return (
    <PopupMenu {...popup}>
      <Menu.Item onClick={directly}>直接下载</Menu.Item>
      <Menu.Item onClick={inBackground}>后台导出（下载中心）</Menu.Item>
    </PopupMenu>
  );
}
