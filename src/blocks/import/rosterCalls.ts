import type { PersonKind } from '#contract/workbook/importJob.ts';
import {
  commitAssessTeamRoster,
  exportImportErrors,
  getImport,
  getImportList,
  saveImportEdits,
  type RosterResult,
  type StagedRoster,
} from '#features/team/roster/roster.contract.ts';
import { call } from '#ui/api/call.ts';
import type { ImportCalls } from '#blocks/import/importCalls.ts';

const callsOf = (kind: PersonKind): ImportCalls<StagedRoster, RosterResult> => ({
  kind,
  get: (which) => call(getImport, which),
  list: () => call(getImportList, { kind }),
  save: (edits) => call(saveImportEdits, edits),
  commit: (request) => call(commitAssessTeamRoster, request),
  errors: exportImportErrors,
});

/** The calls of the imports of persons. */
export const rosterCalls = {
  roster: callsOf('roster'),
  students: callsOf('students'),
  maternity: callsOf('maternity'),
  adults: callsOf('adults'),
} as const;
