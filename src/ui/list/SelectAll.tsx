import { useSelected, type Selection } from '#ui/list/selection.ts';

/** Selects or deselects the rows of this page. */
export function SelectAll({ selection, keys }: { selection: Selection; keys: readonly string[] }) {
  const selected = useSelected(selection);
  const every = keys.length > 0 && keys.every((key) => selected.has(key));
  const some = !every && keys.some((key) => selected.has(key));
  return (
    <input
      type="checkbox"
      aria-label="选择本页全部"
      checked={every}
      ref={(box) => void (box && (box.indeterminate = some))}
      onChange={() => selection.set(every ? [] : keys)}
    />
  );
}
