import { call, isIdentityLost, isTransient, type CallRequest, type CallResponse } from '#respondent/api/api.ts';
import type { Session } from '#respondent/api/session.ts';

/** What a person watched of a lesson, until the server knows it: it waits in the tab, and ends with the session. */
export type LessonNote = CallRequest<'savePersonProgress'>;

const isSame = (note: LessonNote, { lessonid, from, to }: LessonNote) =>
  note.lessonid === lessonid && note.from === from && note.to === to;

/** Adds a note; the same seconds stand once, with the latest position. */
export const addNote = (notes: readonly LessonNote[], note: LessonNote): LessonNote[] => [
  ...notes.filter((other) => !isSame(other, note)),
  note,
];

/** Removes a note that arrived, and those of the lesson that it contains. A position alone is as old as the next note. */
export const removeNote = (notes: readonly LessonNote[], { lessonid, from, to }: LessonNote): LessonNote[] =>
  notes.filter((note) => note.lessonid !== lessonid || (note.from < note.to && (note.from < from || note.to > to)));

/** The second at which the person stopped, when the server may not know it yet. */
export const positionOf = (notes: readonly LessonNote[], lessonid: number): number | undefined =>
  notes.filter((note) => note.lessonid === lessonid).at(-1)?.position;

/**
 * Sends a note. Rejects when it has to be sent again later; a lesson that is no longer on the shelf takes none. With `isLeaving` the
 * call survives the end of the page.
 */
export async function sendNote(
  session: Session,
  note: LessonNote,
  isLeaving: boolean,
): Promise<CallResponse<'savePersonProgress'> | undefined> {
  session.setNotes(addNote(session.notes, note));
  let progress;
  try {
    // Not by the session: a question about the identity must not cover a lesson that plays.
    progress = await call('savePersonProgress', note, session.identity?.token, isLeaving);
  } catch (error) {
    if (isTransient(error) || isIdentityLost(error)) throw error;
  }
  session.setNotes(removeNote(session.notes, note));
  return progress;
}

/** Sends the notes that a page before a reload could not send. */
export async function sendWaitingNotes(session: Session): Promise<void> {
  for (const note of session.notes) await sendNote(session, note, false);
}
