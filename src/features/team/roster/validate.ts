import { shanghaiDate } from '#domain/base/calendar.ts';
import { composeTeamName, normalizeTeamName } from '#domain/person/grades.ts';
import { TeamType } from '#domain/base/enums.ts';
import type { ImportRemark, PersonKind } from '#contract/workbook/importJob.ts';
import type { CheckedRow } from '#contract/workbook/checkRows.ts';
import type { WorksheetSchema } from '#contract/workbook/column.ts';
import { readOwnValues, type OwnColumn } from '#contract/workbook/own/own.columns.ts';
import { validateTable, type ParsedTable } from '#contract/workbook/importSheet.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { displayName } from '#server/security/privacy.ts';
import type { ImportRequest } from '#features/import/import.queries.ts';
import type { Inspection } from '#features/import/importFile.ts';
import {
  readAdultRow,
  readMaternityRow,
  readRosterRow,
  readStudentRow,
  numberField,
  type ImportRow,
  type RowOptions,
} from '#features/team/roster/row.ts';
import { planImport, toTeamValues, type ImportPlan } from '#features/team/roster/plan.ts';
import type { KnownTeam } from '#features/team/roster/records.ts';
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
  const own = table.own ?? [];
  const checked = validateTable(kind, table, shanghaiDate(ctx.now));
  const hasAllColumns = !checked.columns.some((column) => column.state === 'missing');
  const rows = hasAllColumns
    ? checked.rows.flatMap((row): ImportRow[] => (row.ok ? [readRow(kind, row, { appid, year }, own)] : []))
    : [];
  const target = request.teamcode;
  // A list of pregnant women may have no column for the gender.
  if (appid === '000000001') for (const row of rows) row.gender ??= '02';
  /** The present hash of each older one, so that a person from before a rotation of the key is recognised. */
  const present = new Map<string, string>();
  const hashesOf = (context: string) => (text: string) => {
    const hashes = ctx.cipher.blindIndexes(musercode, context, text);
    for (const hash of hashes) present.set(hash, hashes[0] as string);
    return hashes;
  };
  const hashPhone = (phone: string) => ctx.cipher.blindIndex(musercode, 'cuser.phone', phone);
  const hashIdno = (idno: string) => ctx.cipher.blindIndex(musercode, 'cuser.idno', idno);
  const appids = [...new Set([appid, ...rows.map((row) => row.appid)])];
  const uniqueTexts = (select: (row: ImportRow) => string | null | undefined) => [
    ...new Set(rows.map(select).filter((text): text is string => Boolean(text))),
  ];
  const records = await findRecords(ctx.scope, {
    musercode,
    appids,
    numberField: numberField(kind, appid),
    cuserids: uniqueTexts((row) => row.cuserid),
    idnos: uniqueTexts((row) => row.idno).flatMap(hashesOf('cuser.idno')),
    numbers: uniqueTexts((row) => row.number),
    hashes: uniqueTexts((row) => row.phone).flatMap(hashesOf('cuser.phone')),
    names: uniqueTexts((row) => row.username),
    teamnames: uniqueTexts((row) => row.team && normalizeTeamName(row.team.teamname)),
    classes: rows.flatMap(({ team }) =>
      team?.gradecode && team.classname ? [{ gradecode: team.gradecode, classname: team.classname }] : [],
    ),
    teamcode: target,
    staff: uniqueTexts((row) => row.headteacher?.toLowerCase()),
  });
  for (const person of records.persons) {
    person.phonehash = person.phonehash && (present.get(person.phonehash) ?? person.phonehash);
    person.idnohash = person.idnohash && (present.get(person.idnohash) ?? person.idnohash);
    person.merged.idnos = person.merged.idnos.map((idnohash) => present.get(idnohash) ?? idnohash);
  }
  const targetTeam = target ? records.teams.find((team) => team.teamcode === target) : undefined;
  const strays = targetTeam ? joinTarget(rows, targetTeam) : [];
  const plan = planImport(rows, records, {
    kind,
    own,
    isStudents: appid === '000000002',
    createteam: request.createteam === '1',
    targetTeam,
    hashPhone,
    hashIdno,
    permitted: permittedPopulations(ctx.caller),
    formatName: (username) => displayName(ctx.caller, username),
  });
  return { checked, plan, own, remarks: [...strays, ...plan.remarks], effects: plan.effects };
}

/** Reads a valid row. A covered cell cannot become the value of a new person. */
function readRow(
  kind: PersonKind,
  { row, values, cells }: CheckedRow<WorksheetSchema>,
  options: RowOptions,
  own: readonly OwnColumn[],
): ImportRow {
  const read = readers[kind](row, values as never, options);
  const ownValues = readOwnValues(own, read.appid, values);
  const missing = own.filter(({ targets }) => targets[read.appid]?.isRequired && !(targets[read.appid]!.code in ownValues));
  const covered = Object.keys(cells).filter((key) => cells[key]?.isMasked);
  const message = '内容被遮盖，新增人员请填写完整内容';
  return {
    ...read,
    archive: { ...read.archive, ...ownValues },
    neededForNew: [
      ...covered.map((key) => ({ key, message })),
      ...read.neededForNew,
      ...missing.map(({ key, head }) => ({ key, message: `新增人员需要填写“${head}”` })),
    ],
  };
}
const readers = {
  roster: readRosterRow,
  students: readStudentRow,
  maternity: readMaternityRow,
  adults: readAdultRow,
} as const;

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
