import { describe, expect, it } from 'vitest';
import { addNote, positionOf, removeNote } from '#respondent/relax/watchNotes.ts';

const note = (from: number, to: number, lessonid = 7) => ({ lessonid, from, to, position: to });

describe('what was watched and the server does not know yet', () => {
  it('is noted once, and the last note says where the person is', () => {
    const notes = addNote(addNote([], note(0, 15)), { ...note(0, 15), position: 40 });
    expect(notes).toEqual([{ ...note(0, 15), position: 40 }]);
    expect(positionOf(notes, 7)).toBe(40);
    expect(positionOf(notes, 8)).toBeUndefined();
  });

  it('is forgotten when it has arrived, also as a part of a longer note', () => {
    const notes = [note(0, 15), note(15, 30), note(60, 70), note(0, 10, 8)];
    expect(removeNote(notes, note(0, 30))).toEqual([note(60, 70), note(0, 10, 8)]);
  });

  it('a position alone is forgotten with the next note of its lesson', () => {
    expect(removeNote([note(90, 90)], note(0, 15))).toEqual([]);
  });
});
