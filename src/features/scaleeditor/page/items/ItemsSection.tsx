import { Button, Group, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Scale } from '#domain/scoring/scale.ts';
import { Section } from '#ui/display/Section.tsx';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import { addItems, itemsOfScore, moveItem, removeItems, updateItem } from '#features/scaleeditor/page/edits/itemEdits.ts';
import { splitQuestions } from '#features/scaleeditor/page/edits/pasteText.ts';
import { freeSetName, readySets } from '#features/scaleeditor/page/edits/readySets.ts';
import { FaultLines } from '#features/scaleeditor/page/FaultLines.tsx';
import { faultsAt } from '#features/scaleeditor/page/places.ts';
import { ArchiveFieldMenu } from '#features/scaleeditor/page/items/ArchiveFieldMenu.tsx';
import { ItemRow } from '#features/scaleeditor/page/items/ItemRow.tsx';
import type { RowActions } from '#features/scaleeditor/page/items/rowActions.ts';
import { SelectionBar } from '#features/scaleeditor/page/items/SelectionBar.tsx';
import classes from './items.module.css';

/** Adds questions; the first questions of a form get an option set, so that they can be answered at once. */
function addQuestions(scale: Scale, at: number, texts: readonly string[]): Scale {
  const isScale = scale.formtype === '01' || scale.formtype === '04';
  const first = Object.keys(scale.optionsets)[0];
  const ready = readySets[0];
  if (!isScale || first !== undefined || !ready) return addItems(scale, at, texts, first);
  const name = freeSetName(scale, ready.name);
  return addItems({ ...scale, optionsets: { [name]: ready.rows } }, at, texts, name);
}

/** 题目: questions as a document. Enter adds the next one, Alt and an arrow moves one, a pasted text becomes many. */
export function ItemsSection() {
  const { scale, faults, change, target } = useEditor();
  const [active, setActive] = useState<string>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const lastSelected = useRef<number>(undefined);
  const list = useRef<HTMLOListElement>(null);
  const focusNext = useRef<{ index: number; caret: number }>(undefined);
  const current = useRef(scale);
  useEffect(() => {
    current.current = scale;
    const wish = focusNext.current;
    if (!wish) return;
    focusNext.current = undefined;
    const field = list.current?.children[wish.index]?.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(wish.caret, wish.caret);
  }, [scale]);
  useEffect(() => {
    if (target?.part === 'items' && target.code !== undefined) setActive(target.code);
  }, [target]);

  const actions = useMemo(
    (): RowActions => ({
      activate: setActive,
      write: (code, t) => change((before) => updateItem(before, code, { t }), `text ${code}`),
      set: (code, changes) =>
        change((before) => updateItem(before, code, changes), `item ${code} ${Object.keys(changes).join()}`),
      change,
      insertAfter: (index, before, after) => {
        focusNext.current = { index: index + 1, caret: 0 };
        change((old) => {
          const code = old.items[index]?.c ?? '';
          return addQuestions(updateItem(old, code, { t: before }), index + 1, [after]);
        });
      },
      paste: (index, before, text, after) => {
        const [firstLine = '', ...rest] = splitQuestions(text);
        const texts = rest.map((line, at) => (at === rest.length - 1 ? line + after : line));
        focusNext.current = { index: index + rest.length, caret: (texts.at(-1) ?? '').length };
        change((old) => addQuestions(updateItem(old, old.items[index]?.c ?? '', { t: before + firstLine }), index + 1, texts));
      },
      remove: (index) => {
        const code = current.current.items[index]?.c;
        if (code === undefined) return;
        const previous = current.current.items[Math.max(0, index - 1)];
        focusNext.current = { index: Math.max(0, index - 1), caret: previous?.t.length ?? 0 };
        change((old) => removeItems(old, [code]));
      },
      move: (from, to) => {
        if (to < 0 || to >= current.current.items.length) return;
        const caret = (document.activeElement as HTMLTextAreaElement | null)?.selectionStart ?? 0;
        focusNext.current = { index: to, caret };
        change((old) => moveItem(old, from, to));
      },
      focusRow: (index, isEnd) => {
        const field = list.current?.children[index]?.querySelector('textarea');
        if (!field) return false;
        field.focus();
        const caret = isEnd ? field.value.length : 0;
        field.setSelectionRange(caret, caret);
        return true;
      },
      select: (index, isRange) => {
        const { items } = current.current;
        const from = isRange ? (lastSelected.current ?? index) : index;
        lastSelected.current = index;
        setSelected((before) => {
          const next = new Set(before);
          const code = items[index]?.c ?? '';
          const isChosen = !before.has(code);
          for (const item of items.slice(Math.min(from, index), Math.max(from, index) + 1))
            if (isChosen) next.add(item.c);
            else next.delete(item.c);
          return next;
        });
      },
    }),
    [change],
  );
  const addAtEnd = useCallback(() => {
    const at = current.current.items.length;
    focusNext.current = { index: at, caret: 0 };
    change((old) => addQuestions(old, old.items.length, ['']));
  }, [change]);

  const chosen = scale.items.filter((item) => selected.has(item.c)).map((item) => item.c);
  const setNames = Object.keys(scale.optionsets).join('\n');
  const factorsOf = useMemo(() => {
    const names = new Map<string, string[]>();
    for (const score of scale.scores)
      if (!score.primary) for (const code of itemsOfScore(scale, score)) names.set(code, [...(names.get(code) ?? []), score.n]);
    return names;
  }, [scale]);
  const isArchive = scale.formtype === '02';
  return (
    <Section
      title={`题目（${scale.items.length}）`}
      right={
        scale.items.length > 0 && (
          <Group gap="xs">
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => setSelected(chosen.length ? new Set() : new Set(scale.items.map((item) => item.c)))}
            >
              {chosen.length ? '取消选择' : '全选'}
            </Button>
          </Group>
        )
      }
    >
      {chosen.length > 0 && <SelectionBar codes={chosen} onDone={() => setSelected(new Set())} />}
      {scale.items.length === 0 && (
        <Text size="sm" c="dimmed" mb="sm">
          {isArchive
            ? '从档案字段中选择要请受测者填写的内容。'
            : '输入第一题后按回车继续下一题；也可以把整份问卷的题目一次粘贴进来，题号会自动去掉。'}
        </Text>
      )}
      <ol className={classes['list']} ref={list} data-place="items">
        {scale.items.map((item, index) => (
          <ItemRow
            key={item.c}
            item={item}
            index={index}
            count={scale.items.length}
            isActive={active === item.c}
            isSelected={selected.has(item.c)}
            isReverse={scale.reverse?.includes(item.c) ?? false}
            isArchive={isArchive}
            factors={factorsOf.get(item.c)?.join('、') ?? ''}
            setNames={setNames}
            faultWords={faultsAt(faults, { part: 'items', code: item.c })
              .filter(({ kind }) => kind === 'error' || active === item.c)
              .map(({ kind, message }) => `${kind}:${message}`)
              .join('\n')}
            scale={active === item.c ? scale : undefined}
            actions={actions}
          />
        ))}
      </ol>
      <Group gap="xs" mt="sm">
        {isArchive ? (
          <ArchiveFieldMenu />
        ) : (
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={addAtEnd}>
            添加题目
          </Button>
        )}
        {scale.items.length > 0 && !isArchive && <ReadySetMenu />}
      </Group>
      {scale.items.length > 0 && !isArchive && (
        <Text size="xs" c="dimmed" mt="sm">
          回车添加下一题，Alt+↑↓ 移动，空题按退格删除，粘贴多行生成多题；勾选多题可一起设置选项组、因子和反向计分。
        </Text>
      )}
      {scale.items.length === 0 && <FaultLines place={{ part: 'items' }} />}
    </Section>
  );
}

/** Gives all choice questions one of the usual option sets. */
function ReadySetMenu() {
  const { scale, change } = useEditor();
  const give = (name: string) => {
    const ready = readySets.find((set) => set.name === name);
    if (!ready) return;
    change((before) => ({
      ...before,
      optionsets: { ...before.optionsets, ...(name in before.optionsets ? {} : { [name]: ready.rows }) },
      items: before.items.map((item) => ((item.type ?? 1) === 0 ? item : { ...item, o: name })),
    }));
  };
  if (!scale.items.some((item) => (item.type ?? 1) !== 0)) return null;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="subtle" rightSection={<IconChevronDown size={16} aria-hidden />}>
          全部题目使用
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {readySets.map(({ name, rows }) => (
          <Menu.Item key={name} onClick={() => give(name)}>
            {name}
            <Text size="xs" c="dimmed">
              {rows.map(([, label]) => label).join('／')}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
