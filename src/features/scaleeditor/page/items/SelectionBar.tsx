import { Button, Group, Menu, Modal, Text, TextInput } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { put } from '#features/scaleeditor/page/edits/put.ts';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import { removeItems, setMembers, setReverse, updateItems } from '#features/scaleeditor/page/edits/itemEdits.ts';
import { freeSetName, readySets } from '#features/scaleeditor/page/edits/readySets.ts';
import { addFactor } from '#features/scaleeditor/page/edits/scoreEdits.ts';
import classes from './items.module.css';

/** What several chosen questions get at once: option set, factor, reverse, required. */
export function SelectionBar({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { scale, change } = useEditor();
  const [isNaming, setIsNaming] = useState(false);
  const factors = scale.scores.filter((score) => !score.primary && score.of !== undefined);
  const isScale = scale.formtype === '01' || scale.formtype === '04';
  const giveSet = (name: string, isReady: boolean) =>
    change((before) => {
      const key = isReady ? freeSetName(before, name) : name;
      const rows = readySets.find((set) => set.name === name)?.rows ?? [];
      const optionsets = isReady ? { ...before.optionsets, [key]: rows } : before.optionsets;
      return updateItems({ ...before, optionsets }, codes, (item) =>
        put(item, { o: key, type: item.type === 2 ? 2 : undefined, input: undefined }),
      );
    });
  return (
    <div className={classes['selection']} role="toolbar" aria-label="所选题目">
      <Text size="sm" fw={600}>
        已选 {codes.length} 题
      </Text>
      <Group gap={6}>
        <Menu position="bottom-start">
          <Menu.Target>
            <Button size="compact-sm" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
              选项组
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {Object.keys(scale.optionsets).map((name) => (
              <Menu.Item key={name} onClick={() => giveSet(name, false)}>
                {name}
              </Menu.Item>
            ))}
            <Menu.Label>常用选项组</Menu.Label>
            {readySets
              .filter(({ name }) => !(name in scale.optionsets))
              .map(({ name }) => (
                <Menu.Item key={name} onClick={() => giveSet(name, true)}>
                  {name}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
        {isScale && (
          <>
            <Menu position="bottom-start">
              <Menu.Target>
                <Button size="compact-sm" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
                  因子
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => setIsNaming(true)}>新建因子…</Menu.Item>
                {factors.map((score) => (
                  <Menu.Item key={score.c} onClick={() => change((before) => setMembers(before, score.c, codes, true))}>
                    加入“{score.n}”
                  </Menu.Item>
                ))}
                {factors.map((score) => (
                  <Menu.Item key={`-${score.c}`} onClick={() => change((before) => setMembers(before, score.c, codes, false))}>
                    移出“{score.n}”
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
            <Button size="compact-sm" variant="default" onClick={() => change((before) => setReverse(before, codes, true))}>
              反向
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => change((before) => setReverse(before, codes, false))}>
              取消反向
            </Button>
          </>
        )}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => change((before) => updateItems(before, codes, (item) => put(item, { required: undefined })))}
        >
          必答
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => change((before) => updateItems(before, codes, (item) => ({ ...item, required: false })))}
        >
          选答
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          onClick={() => {
            change((before) => removeItems(before, codes));
            onDone();
          }}
        >
          删除
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={onDone}>
          完成
        </Button>
      </Group>
      {isNaming && (
        <FactorName
          count={codes.length}
          onClose={() => setIsNaming(false)}
          onName={(name) => change((before) => addFactor(before, name, codes).scale)}
        />
      )}
    </div>
  );
}

/** Asks for the name of a new factor. */
function FactorName({ count, onClose, onName }: { count: number; onClose: () => void; onName: (name: string) => void }) {
  const [name, setName] = useState('');
  const text = name.trim();
  return (
    <Modal opened onClose={onClose} title={`新建因子（${count} 题）`} size="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!text) return;
          onName(text);
          onClose();
        }}
      >
        <TextInput
          label="因子名称"
          required
          data-autofocus
          maxLength={40}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            取消
          </Button>
          <Button type="submit" disabled={!text}>
            新建
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
