import { Button, Drawer, NativeSelect } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useDeferredValue, useEffect, useMemo, useReducer, useRef, useState, type KeyboardEvent } from 'react';
import { findFaults } from '#domain/scoring/editor/findFaults.ts';
import type { Place } from '#domain/scoring/editor/fault.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { useSearchParams } from '#ui/router/router.tsx';
import { ConflictDialog } from '#features/scaleeditor/page/ConflictDialog.tsx';
import { EditorBar } from '#features/scaleeditor/page/EditorBar.tsx';
import { EditorProvider } from '#features/scaleeditor/page/editorContext.ts';
import { editHistory, startHistory } from '#features/scaleeditor/page/edits/history.ts';
import { countFaults, marksAround, sectionOf, sectionsOf, type SectionKey } from '#features/scaleeditor/page/places.ts';
import { SectionRail } from '#features/scaleeditor/page/SectionRail.tsx';
import { SectionView } from '#features/scaleeditor/page/SectionView.tsx';
import { SidePanel } from '#features/scaleeditor/page/preview/SidePanel.tsx';
import { useSaving } from '#features/scaleeditor/page/useSaving.ts';
import classes from './editor.module.css';

interface Props {
  formcode: string;
  initial: Scale;
  /** what the server has; undefined: nothing of this draft yet */
  saved: Scale | undefined;
  rowversion: number;
  currentVersion: string;
}

/** The editor: sections at the left, the open section in the middle, preview, trial and checks at the right. */
export function Editor({ formcode, initial, saved, rowversion, currentVersion }: Props) {
  const [history, dispatch] = useReducer(editHistory, initial, startHistory);
  const scale = history.present;
  const saving = useSaving(formcode, scale, { rowversion, saved });
  const [params, setParams] = useSearchParams();
  const sections = sectionsOf(scale.formtype);
  const section = sections.find(({ key }) => key === params.get('section'))?.key ?? (scale.items.length ? 'items' : 'form');
  const openSection = useCallback(
    (key: SectionKey) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          next.set('section', key);
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  // Preview, checks and counts follow after the typing, so that typing in a long questionnaire stays fast.
  const shownScale = useDeferredValue(scale);
  const faults = useMemo(() => findFaults(shownScale), [shownScale]);
  const change = useCallback(
    (to: (before: Scale) => Scale, tag = '') => dispatch({ kind: 'change', to, tag, time: Date.now() }),
    [],
  );
  const [target, setTarget] = useState<Place>();
  const [isSideOpen, setIsSideOpen] = useState(false);
  const show = useCallback(
    (place: Place) => {
      openSection(sectionOf(place.part));
      setIsSideOpen(false);
      setTarget({ ...place });
    },
    [openSection],
  );
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!target) return;
    // The section and the row of the place are drawn first.
    const frame = setTimeout(() => focusPlace(root.current, target), 60);
    return () => clearTimeout(frame);
  }, [target, section]);
  const value = useMemo(() => ({ scale, faults, change, show, target }), [scale, faults, change, show, target]);
  const isWide = useMediaQuery('(min-width: 1200px)', true);
  const side = <SidePanel scale={shownScale} faults={faults} formcode={formcode} flush={saving.flush} onShow={show} />;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const kind = key === 'y' || (key === 'z' && event.shiftKey) ? 'redo' : key === 'z' ? 'undo' : undefined;
    if (kind === undefined && key !== 's') return;
    event.preventDefault();
    if (kind) dispatch({ kind });
    else void saving.flush();
  };
  return (
    <EditorProvider value={value}>
      <div className={classes['editor']} ref={root} onKeyDown={onKeyDown}>
        <EditorBar
          formcode={formcode}
          currentVersion={currentVersion}
          history={history}
          saving={saving}
          errors={faults.filter((fault) => fault.kind === 'error')}
          onShow={show}
          onUndo={() => dispatch({ kind: 'undo' })}
          onRedo={() => dispatch({ kind: 'redo' })}
          onLoad={(next) => dispatch({ kind: 'change', to: () => next, tag: '', time: Date.now() })}
        />
        <div className={classes['columns']}>
          <SectionRail sections={sections} section={section} faults={faults} onOpen={openSection} />
          <div className={classes['pick']}>
            <NativeSelect
              aria-label="编辑的部分"
              value={section}
              onChange={(event) => openSection(event.currentTarget.value as SectionKey)}
              data={sections.map(({ key, title }) => ({ value: key, label: titleWithFaults(title, countFaults(faults, key)) }))}
            />
            <Button variant="default" onClick={() => setIsSideOpen(true)}>
              预览与检查
            </Button>
          </div>
          <section className={classes['middle']} aria-label={sections.find(({ key }) => key === section)?.title}>
            <SectionView section={section} />
          </section>
          {isWide && (
            <aside className={classes['side']} aria-label="预览与检查">
              {side}
            </aside>
          )}
        </div>
        {!isWide && (
          <Drawer opened={isSideOpen} onClose={() => setIsSideOpen(false)} title="预览与检查" size={440}>
            {side}
          </Drawer>
        )}
        <ConflictDialog
          formcode={formcode}
          state={saving.state}
          onTheirs={(other, version) => {
            dispatch({ kind: 'load', scale: other });
            saving.resolve(version, other);
          }}
          onMine={(version) => saving.resolve(version, undefined)}
        />
      </div>
    </EditorProvider>
  );
}

const titleWithFaults = (title: string, { errors, notices }: { errors: number; notices: number }) =>
  errors ? `${title}（${errors} 处错误）` : notices ? `${title}（${notices} 条提示）` : title;

/** Puts the focus on the field of a place, or on the nearest part of the page around it. */
function focusPlace(root: HTMLElement | null, place: Place): void {
  for (const mark of marksAround(place)) {
    const found = root?.querySelector<HTMLElement>(`[data-place="${CSS.escape(mark)}"]`);
    if (!found) continue;
    const focusable = 'input:not([type="hidden"]), textarea, select, button, [tabindex="0"]';
    const field = found.matches(focusable) ? found : (found.querySelector<HTMLElement>(focusable) ?? found);
    found.scrollIntoView({ block: 'center' });
    field.focus({ preventScroll: true });
    return;
  }
}
