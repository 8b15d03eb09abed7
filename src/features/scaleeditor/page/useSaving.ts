import { useCallback, useEffect, useRef, useState } from 'react';
import type { Scale } from '#domain/scoring/scale.ts';
import { ApiError } from '#contract/apiError.ts';
import { call } from '#ui/api/call.ts';
import { CHANGED_MEANWHILE } from '#ui/api/conflict.ts';
import { readPreference, savePreference } from '#ui/api/preference.ts';
import { useUnsaved } from '#ui/router/unsaved.ts';
import { updateForm } from '#features/scaleeditor/scaleeditor.contract.ts';

/** What the page says about saving. */
export type SaveState =
  | { kind: 'saved'; time: string }
  | { kind: 'waiting' }
  | { kind: 'saving' }
  | { kind: 'offline' }
  | { kind: 'refused'; message: string }
  | { kind: 'conflict'; message: string };

/** The draft in this browser, until the server has it. */
interface LocalCopy {
  rowversion: number;
  scale: Scale;
}
const copyKey = (formcode: string) => `scale.${formcode}`;

/** Returns what an earlier visit typed and could not save. */
export const readLocalCopy = (formcode: string): LocalCopy | undefined => readPreference<LocalCopy>(copyKey(formcode));

/** Forgets what an earlier visit typed. */
export const dropLocalCopy = (formcode: string): void => savePreference(copyKey(formcode), null);

/** A pause in typing after which the draft is saved, and the time between two attempts without a network; in milliseconds. */
const PAUSE = 1000;
const RETRY = 8000;

/** Saves the draft by itself. A change waits in this browser until the server has it. */
export function useSaving(formcode: string, scale: Scale, first: { rowversion: number; saved: Scale | undefined }) {
  const [state, setState] = useState<SaveState>(first.saved === scale ? { kind: 'saved', time: '' } : { kind: 'waiting' });
  const version = useRef(first.rowversion);
  const saved = useRef(first.saved);
  const current = useRef(scale);
  const running = useRef<Promise<boolean>>(undefined);
  const blocked = useRef(false);

  const save = useCallback((): Promise<boolean> => {
    const send = async (): Promise<boolean> => {
      while (!blocked.current && saved.current !== current.current) {
        const sent = current.current;
        setState({ kind: 'saving' });
        try {
          const answer = await call(updateForm, { formcode, rowversion: version.current, definition: sent });
          version.current = answer.rowversion;
          saved.current = sent;
          if (current.current !== sent)
            savePreference(copyKey(formcode), { rowversion: version.current, scale: current.current } satisfies LocalCopy);
          else {
            dropLocalCopy(formcode);
            setState({ kind: 'saved', time: answer.updatetime.slice(11, 16) });
          }
        } catch (error) {
          const code = error instanceof ApiError ? error.code : 0;
          const message = error instanceof Error ? error.message : '';
          if (code === CHANGED_MEANWHILE) blocked.current = true;
          setState(
            code === CHANGED_MEANWHILE
              ? { kind: 'conflict', message }
              : code === 0
                ? { kind: 'offline' }
                : { kind: 'refused', message },
          );
          return false;
        }
      }
      return !blocked.current;
    };
    running.current ??= send().finally(() => (running.current = undefined));
    return running.current;
  }, [formcode]);

  useEffect(() => {
    current.current = scale;
    if (saved.current === scale || blocked.current) return;
    setState((before) => (before.kind === 'saving' ? before : { kind: 'waiting' }));
    // A save that runs meanwhile may finish first; then there is nothing to keep.
    const keep = setTimeout(() => {
      if (saved.current !== scale) savePreference(copyKey(formcode), { rowversion: version.current, scale } satisfies LocalCopy);
    }, 300);
    const timer = setTimeout(() => void save(), PAUSE);
    return () => {
      clearTimeout(keep);
      clearTimeout(timer);
    };
  }, [scale, formcode, save]);

  const isOffline = state.kind === 'offline';
  useEffect(() => {
    if (!isOffline) return;
    const again = () => void save();
    const timer = setInterval(again, RETRY);
    window.addEventListener('online', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', again);
    };
  }, [isOffline, save]);

  useUnsaved(state.kind !== 'saved');

  return {
    state,
    /** Saves at once; false when it could not. */
    flush: save,
    /** The saves of the draft so far. */
    readVersion: () => version.current,
    /** Ends a conflict: the draft of this page is saved over the other one, or the other one was loaded. */
    resolve: (rowversion: number, other: Scale | undefined) => {
      version.current = rowversion;
      blocked.current = false;
      if (other) {
        saved.current = other;
        dropLocalCopy(formcode);
        setState({ kind: 'saved', time: '' });
      } else void save();
    },
  };
}
