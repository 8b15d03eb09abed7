import { useEffect, useState } from 'react';
import { ApiError } from '#contract/apiError.ts';
import { createWatchReporter, type WatchReporter } from '#domain/content/watchReporter.ts';
import type { WatchNote } from '#domain/content/watching.ts';
import { call, callOnLeaving } from '#ui/api/call.ts';
import { saveShelfProgress } from '#features/content/content.contract.ts';

/** What the server has of a lesson after a note. */
export interface SavedProgress {
  position: number;
  watched: number;
  finished: number;
}

/**
 * Returns the reporter of one lesson: it saves every 15 seconds, on pause and when the page is hidden or left. The component that uses
 * it shows one lesson only; another lesson is another component.
 */
export function useWatchReporter(
  { lessonid, position }: { lessonid: number; position: number },
  onSaved: (saved: SavedProgress) => void,
): WatchReporter {
  const [reporter] = useState(() =>
    createWatchReporter({
      position,
      now: Date.now,
      send: async (note: WatchNote, isLeaving) => {
        try {
          const request = { lessonid, ...note };
          const saved = await (isLeaving ? callOnLeaving(saveShelfProgress, request) : call(saveShelfProgress, request));
          onSaved({ ...saved, position: note.position });
        } catch (error) {
          // The server refuses this note for good, such as of a lesson that was taken down: it is not sent again.
          const isRefused = error instanceof ApiError && error.code !== 0 && error.code !== 110000;
          if (!isRefused) throw error;
        }
      },
    }),
  );
  useEffect(() => {
    const onHide = () => document.visibilityState === 'hidden' && reporter.leave();
    const onLeave = () => reporter.leave();
    document.addEventListener('visibilitychange', onHide);
    window.addEventListener('pagehide', onLeave);
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      window.removeEventListener('pagehide', onLeave);
      reporter.leave();
    };
  }, [reporter]);
  return reporter;
}
