import type { Place } from '#domain/scoring/editor/fault.ts';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import { faultsAt, keyOfFault } from '#features/scaleeditor/page/places.ts';
import classes from './editor.module.css';

/** The faults of a place, in words. Nothing where there are none. */
export function FaultLines({ place }: { place: Place }) {
  const { faults } = useEditor();
  const own = faultsAt(faults, place);
  if (!own.length) return null;
  return (
    <ul className={classes['faults']}>
      {own.map((fault) => (
        <li key={keyOfFault(fault)} data-kind={fault.kind}>
          {fault.message}
        </li>
      ))}
    </ul>
  );
}
