import { Kbd, Modal, Table } from '@mantine/core';
import type { KeyboardEvent } from 'react';

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['Ctrl', 'K'], '搜索页面、受测者、预警个案、任务和量表（Mac 为 ⌘ K）'],
  [['/'], '到本页的查询条件'],
  [['J'], '列表中的下一行，同 ↓'],
  [['K'], '列表中的上一行，同 ↑'],
  [['Enter'], '打开所在的行'],
  [['空格'], '选择所在的行'],
  [['['], '上一例'],
  [[']'], '下一例'],
  [['Ctrl', 'Z'], '撤销刚才的一步（消息还在时）'],
  [['Esc'], '关闭弹窗或抽屉'],
  [['H'], '这一页怎么用'],
  [['?'], '显示全部键盘操作'],
];

/** The close button has the focus and keeps Escape from a drawer below, which listens, too. */
const closeButton = (onClose: () => void) => ({
  'aria-label': '关闭',
  'data-mantine-stop-propagation': true,
  onKeyDown: ({ key }: KeyboardEvent) => key === 'Escape' && onClose(),
});

/** The sheet of keys. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="键盘操作" size="md" closeButtonProps={closeButton(onClose)}>
      <Table aria-label="键盘操作" verticalSpacing={6}>
        <Table.Tbody>
          {KEYS.map(([keys, what]) => (
            <Table.Tr key={what}>
              <Table.Th scope="row" w={110} style={{ whiteSpace: 'nowrap' }}>
                {keys.map((key, index) => (
                  <span key={key}>
                    {index > 0 && ' + '}
                    <Kbd>{key}</Kbd>
                  </span>
                ))}
              </Table.Th>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
