import { IconGripVertical } from '@tabler/icons-react';
import { memo, type ClipboardEvent, type DragEvent, type KeyboardEvent } from 'react';
import { InputType, QuestionType } from '#domain/base/enums.ts';
import type { Item, Scale } from '#domain/scoring/scale.ts';
import { ItemDetails } from '#features/scaleeditor/page/items/ItemDetails.tsx';
import type { RowActions } from '#features/scaleeditor/page/items/rowActions.ts';
import classes from './items.module.css';

interface Props {
  item: Item;
  index: number;
  count: number;
  isActive: boolean;
  isSelected: boolean;
  isReverse: boolean;
  isArchive: boolean;
  /** names of the factors of the question */
  factors: string;
  /** names of the option sets, one a line */
  setNames: string;
  /** the faults of the question, one a line, with their kind */
  faultWords: string;
  /** the draft; only for the row whose settings are open */
  scale: Scale | undefined;
  actions: RowActions;
}

/** The place of a row that is being dragged. */
const DRAGGED = 'application/x-question';

/** One question: its text, and its settings while it has the focus. */
export const ItemRow = memo(function ItemRow(props: Props) {
  const { item, index, isActive, isSelected, isReverse, isArchive, factors, faultWords, scale, actions } = props;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // The keys of an input method choose Chinese characters.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const field = event.currentTarget;
    const { selectionStart: from, selectionEnd: to, value } = field;
    const isUp = event.key === 'ArrowUp';
    if (event.altKey && (isUp || event.key === 'ArrowDown')) actions.move(index, index + (isUp ? -1 : 1));
    else if (event.key === 'Enter' && !isArchive) actions.insertAfter(index, value.slice(0, from), value.slice(to));
    else if (event.key === 'Enter') actions.focusRow(index + 1, false);
    else if (event.key === 'Backspace' && value === '' && !isArchive) actions.remove(index);
    else if (isUp && from === 0 && to === 0) {
      if (!actions.focusRow(index - 1, true)) return;
    } else if (event.key === 'ArrowDown' && from === value.length) {
      if (!actions.focusRow(index + 1, false)) return;
    } else return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (isArchive || !/[\r\n]/.test(text.trim())) return;
    event.preventDefault();
    const { selectionStart: from, selectionEnd: to, value } = event.currentTarget;
    actions.paste(index, value.slice(0, from), text, value.slice(to));
  };
  const onDrop = (event: DragEvent) => {
    const from = Number(event.dataTransfer.getData(DRAGGED));
    if (!event.dataTransfer.types.includes(DRAGGED)) return;
    event.preventDefault();
    actions.move(from, index);
  };
  const faults = faultWords ? faultWords.split('\n').map((line) => line.split(/:(.*)/s)) : [];
  return (
    <li
      className={classes['row']}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
      data-page={item.page || undefined}
      data-place={`items:${item.c}`}
      onFocus={() => actions.activate(item.c)}
      onDragOver={(event) => event.dataTransfer.types.includes(DRAGGED) && event.preventDefault()}
      onDrop={onDrop}
    >
      {item.head && <p className={classes['head']}>{item.head}</p>}
      <div className={classes['line']}>
        <span
          className={classes['grip']}
          draggable
          onDragStart={(event) => {
            event.dataTransfer.setData(DRAGGED, String(index));
            event.dataTransfer.effectAllowed = 'move';
          }}
          title="拖动排序（Alt+↑↓）"
          aria-hidden
        >
          <IconGripVertical size={16} />
        </span>
        <input
          type="checkbox"
          className={classes['check']}
          aria-label={`选择第 ${index + 1} 题`}
          checked={isSelected}
          onChange={() => undefined}
          // A press must not open the settings of the row: the rows below would move away from the pointer.
          onFocus={(event) => event.stopPropagation()}
          onClick={(event) => actions.select(index, event.shiftKey)}
        />
        <span className={classes['number']} aria-hidden>
          {index + 1}.
        </span>
        <textarea
          className={classes['text']}
          rows={1}
          aria-label={`第 ${index + 1} 题`}
          placeholder="输入题干"
          maxLength={500}
          value={item.t}
          data-place={`items:${item.c}::t`}
          aria-invalid={faults.some(([kind]) => kind === 'error') || undefined}
          onChange={(event) => actions.write(item.c, event.currentTarget.value.replaceAll(/[\r\n]+/g, ''))}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
      </div>
      {!isActive && <p className={classes['about']}>{describeItem(item, isReverse, factors)}</p>}
      {isActive && scale && <ItemDetails {...props} scale={scale} />}
      {faults.length > 0 && (
        <ul className={classes['faults']}>
          {faults.map(([kind, message]) => (
            <li key={message} data-kind={kind}>
              {message}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
});

/** The settings of a question in one line, for rows without the focus. */
function describeItem(item: Item, isReverse: boolean, factors: string): string {
  const type = item.type ?? 1;
  const kind = type === 0 ? `填空 · ${InputType.label(item.input ?? 0)}` : (item.o ?? '未选选项组');
  return [
    type === 2 ? `${QuestionType.label(2)} · ${kind}` : kind,
    isReverse && '反向',
    factors,
    item.required === false && '选答',
    item.scored === false && type !== 0 && '不计分',
    item.showif && '有显示条件',
    item.sensitive && '敏感',
  ]
    .filter(Boolean)
    .join(' · ');
}
