import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';

/** Asks before a change of a used plan makes a new version: what happens to tasks, and to unused authorizations and codes. */
export function VersionQuestion({
  lineageno,
  movable,
  tasks,
  onSave,
  onClose,
}: {
  lineageno: number;
  movable: number;
  tasks: number;
  onSave: (movegrants: 0 | 1) => void;
  onClose: () => void;
}) {
  const [choice, setChoice] = useState('1');
  return (
    <Modal opened onClose={onClose} title={`保存为第 ${lineageno} 版`} centered>
      <Stack gap="md">
        <Text size="sm">
          方案已被使用，内容的修改会生成新版本，购买的次数继续可用。
          {tasks > 0 ? `${tasks} 个未结束的任务仍使用原来的版本。` : '目前没有未结束的任务。'}
        </Text>
        {movable > 0 && (
          <Radio.Group label={`任务之外还有 ${movable} 份没有开始的授权和测评码`} value={choice} onChange={setChoice}>
            <Stack gap="xs" mt="xs">
              <Radio value="1" label="转到新版本" data-autofocus />
              <Radio value="0" label="仍使用原来的版本" />
            </Stack>
          </Radio.Group>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            返回修改
          </Button>
          <Button onClick={() => onSave(movable > 0 && choice === '1' ? 1 : 0)}>保存新版本</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
