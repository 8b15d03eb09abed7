import { useSyncExternalStore, type ReactNode } from 'react';
import type { ExamRun } from '#respondent/exam/examRun.ts';

/** Renders again after an answer is given, saved or refused. */
export function ExamState({ run, children }: { run: ExamRun; children: (state: ExamRun['saver']['state']) => ReactNode }) {
  return children(useSyncExternalStore(run.saver.subscribe, run.saver.snapshot));
}
