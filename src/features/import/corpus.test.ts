import { expect, test } from 'vitest';
import { validateTable } from '#contract/workbook/importSheet.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import { dirtySheets, type DirtySheet } from '#testing/files/dirtySheets.ts';
import { startServer } from '#testing/server.ts';

/** The people who import each template: the school's psychologist, and the doctor of the hospital. */
const importers = {
  roster: { person: 'chen', call: roster.checkAssessTeamRoster },
  students: { person: 'chen', call: roster.checkZLBCUserFromExcel },
  maternity: { person: 'lin', call: roster.checkZNBCUserFromExcel },
  adults: { person: 'lin', call: roster.checkZABCUserFromExcel },
} as const;

test('the corpus has at least forty sheets, of all four templates', () => {
  expect(dirtySheets.length).toBeGreaterThanOrEqual(40);
  expect(new Set(dirtySheets.map(({ kind }) => kind)).size).toBe(4);
});

test.each(dirtySheets.map((sheet) => [sheet.kind, sheet.mistake, sheet] as const))(
  'a %s sheet with %s loses no row silently',
  async (kind, _, sheet: DirtySheet) => {
    const { as, sqlAsOwner } = await startServer();
    const { person, call } = importers[kind];
    const staged = await as(person)(call, {}, await sheet.file());
    const { errors, warnings, notes } = validateTable(kind, staged, staged.today);
    const texts = [...errors, ...warnings]
      .map(({ message }) => message)
      .concat(
        notes,
        staged.verdict.remarks.map((remark) => remark.message),
      );
    for (const part of sheet.says ?? []) expect(texts.join('\n')).toContain(part);
    const { importid } = staged;
    const accepted = Object.keys(staged.verdict.effects).length;
    expect({ total: sheet.rows, accepted }).toEqual({ total: sheet.rows, accepted: sheet.rows - (sheet.refused ?? 0) });
    if (accepted === 0) {
      await expect(as(person)(roster.commitAssessTeamRoster, { importid, skiperror: '1' })).rejects.toThrow('需要改正');
      return;
    }
    const result = await as(person)(roster.commitAssessTeamRoster, { importid, skiperror: '1' });
    const { total, created, joined, moved, updated, unchanged, failed } = result;
    expect(total).toBe(sheet.rows);
    expect(created + joined + moved + updated + unchanged + failed).toBe(total);
    expect({ created, refused: failed }).toEqual({ created: sheet.created, refused: sheet.refused ?? 0 });
    const [stored] = await sqlAsOwner<{ n: number }>('select count(*)::int as n from cuser');
    expect(stored?.n).toBe(sheet.created);
  },
);
