import type { Action } from '#contract/action.ts';
import type { PersonKind } from '#contract/workbook/importJob.ts';
import type { AdultAppid } from '#blocks/import/ImportDialog.tsx';
import { personWordsOf } from '#domain/person/words.ts';
import {
  checkAssessTeamRoster,
  checkZABCUserFromExcel,
  checkZLBCUserFromExcel,
  checkZNBCUserFromExcel,
} from '#features/team/roster/roster.contract.ts';

/** The import that a list of persons offers: its sheet, its button, and the call that the button needs. */
export interface ListImport {
  kind: PersonKind;
  title: string;
  call: Action;
  appid?: AdultAppid;
}

const MATERNITY: ListImport = { kind: 'maternity', title: '导入孕产妇', call: checkZNBCUserFromExcel };
const STUDENTS: ListImport = { kind: 'students', title: '导入学生', call: checkZLBCUserFromExcel };
const byPopulation: Readonly<Record<string, ListImport>> = {
  '000000001': MATERNITY,
  '000000002': STUDENTS,
  '000000003': { kind: 'adults', title: '导入职工', call: checkZABCUserFromExcel, appid: '000000003' },
  '000000004': { kind: 'adults', title: '导入老人', call: checkZABCUserFromExcel, appid: '000000004' },
};
const bySector: Readonly<Record<string, ListImport | undefined>> = {
  edu: STUDENTS,
  health: MATERNITY,
  enterprise: byPopulation['000000003'],
  gov: byPopulation['000000003'],
  elder: byPopulation['000000004'],
};

/** The import of a list: of its population, else of the institution's sector, else the list of teams. */
export const importOf = (sector: string, appid?: string): ListImport =>
  (appid ? byPopulation[appid] : bySector[sector]) ?? {
    kind: 'roster',
    title: `导入${personWordsOf(sector).person}`,
    call: checkAssessTeamRoster,
  };
