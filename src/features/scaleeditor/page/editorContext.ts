import { createContext, use } from 'react';
import type { Fault, Place } from '#domain/scoring/editor/fault.ts';
import type { Scale } from '#domain/scoring/scale.ts';

/** What every section of the editor reads. `change` never changes, so that rows of a long list stay as they are. */
export interface EditorValue {
  scale: Scale;
  faults: readonly Fault[];
  /** Changes the draft. Changes with the same tag in quick succession are one step of undo. */
  change: (to: (scale: Scale) => Scale, tag?: string) => void;
  /** Opens the section of a place and puts the focus there. */
  show: (place: Place) => void;
  /** the place that the reader asked for last; a new object at each time */
  target: Place | undefined;
}

const EditorContext = createContext<EditorValue | undefined>(undefined);
export const EditorProvider = EditorContext.Provider;

/** Returns the draft and its faults. */
export function useEditor(): EditorValue {
  const value = use(EditorContext);
  if (!value) throw new Error('useEditor needs an EditorProvider');
  return value;
}
