import { shanghaiDate } from '#domain/base/calendar.ts';
import { composeTeamName, normalizeTeamName } from '#domain/person/grades.ts';
import { TeamType } from '#domain/base/enums.ts';
import type { ImportRemark, PersonKind } from '#contract/workbook/importJob.ts';
import { validateTable, type ParsedTable } from '#contract/workbook/importSheet.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import type { ImportRequest } from '#features/import/import.queries.ts';
import type { Inspection } from '#features/import/importFile.ts';
import { readRosterRow, readStudentRow, type ImportRow } from '#features/team/roster/row.ts';
import { planImport, toTeamValues, type ImportPlan, type KnownTeam } from '#features/team/roster/plan.ts';
import { findRecords } from '#features/team/roster/roster.queries.ts';

/** The stored options of an import of persons. */
export interface PersonsRequest extends ImportRequest {
  kind: PersonKind;
  appid: string;
  year: string;
  createteam: '0' | '1';
  teamcode?: string | undefined;
}

/** A checked table of persons; its `remarks` and `effects` come from the plan. */
export interface InspectedPersons extends Inspection {
  plan: ImportPlan;
}

/** Checks a parsed table, compares it with the database and plans the import. */
export async function inspectRoster(
  ctx: Pick<Context, 'scope' | 'cipher' | 'now'> & { caller: Staff },
  job: { musercode: string; request: PersonsRequest },
  table: ParsedTable,
): Promise<InspectedPersons> {
  const { musercode, request } = job;
  const { kind, appid, year } = request;
  const readRow = kind === 'roster' ? readRosterRow : readStudentRow;
  const checked = validateTable(kind, table, shanghaiDate(ctx.now));
  const hasAllColumns = !checked.columns.some((column) => column.state === 'missing');
  const rows = hasAllColumns
    ? checked.rows.flatMap((row): ImportRow[] => (row.ok ? [readRow(row.row, row.values as never, { appid, year })] : []))
    : [];
  const target = request.teamcode;
  // A list of pregnant women may have no column for the gender.
  if (appid === '000000001') for (const row of rows) row.gender ??= '02';
  const hashPhone = (phone: string) => ctx.cipher.blindIndex(musercode, 'cuser.phone', phone);
  const uniqueTexts = (select: (row: ImportRow) => string | null | undefined) => [
    ...new Set(rows.map(select).filter((text): text is string => Boolean(text))),
  ];
  const records = await findRecords(ctx.scope, {
    musercode,
    appid,
    numbers: uniqueTexts((row) => row.number),
    hashes: uniqueTexts((row) => row.phone).map(hashPhone),
    names: uniqueTexts((row) => row.username),
    teamnames: uniqueTexts((row) => row.team && normalizeTeamName(row.team.teamname)),
    classes: rows.flatMap(({ team }) =>
      team?.gradecode && team.classname ? [{ gradecode: team.gradecode, classname: team.classname }] : [],
    ),
    teamcode: target,
    staff: uniqueTexts((row) => row.headteacher?.toLowerCase()),
  });
  const targetTeam = target ? records.teams.find((team) => team.teamcode === target) : undefined;
  const strays = targetTeam ? joinTarget(rows, targetTeam) : [];
  const plan = planImport(rows, records, {
    kind,
    isStudents: appid === '000000002',
    createteam: request.createteam === '1',
    targetTeam,
    hashPhone,
    formatName: (username) => displayName(ctx.caller, username),
  });
  return { checked, plan, remarks: [...strays, ...plan.remarks], effects: plan.effects };
}

/** Puts all rows into the team of the import, and remarks rows that name another class. A class gives its grade to the archive. */
function joinTarget(rows: readonly ImportRow[], target: KnownTeam): ImportRemark[] {
  const remarks: ImportRemark[] = [];
  for (const row of rows) {
    const own = row.team;
    const isOther =
      own &&
      target.teamtype === TeamType.class &&
      ((own.classname && target.classname && own.classname !== target.classname) ||
        (own.gradecode && target.gradecode && own.gradecode !== target.gradecode));
    if (isOther) {
      const named = composeTeamName(own.gradename, own.classname);
      const message = `表中写的是“${named}”，将加入“${target.teamname}”，请核对`;
      remarks.push({ row: row.row, key: 'username', kind: 'warning', message });
    }
    if (own) row.team = { ...own, ...toTeamValues(target) };
    if (own && target.teamtype === TeamType.class)
      for (const key of ['gradecode', 'gradename', 'classname'] as const) if (target[key]) row.archive[key] = target[key];
  }
  return remarks;
}
