import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { ArchiveCloseReason } from '#domain/person/archiveStates.ts';
import { judgeSheets, raiseNewTriggers } from '#features/identity/moveSheet.ts';
import { rescore } from '#features/identity/rescore.ts';
import { loadSheet, recountPersons } from '#features/identity/sheet.queries.ts';
import { changeRow, readRow, recordChange, type Change } from '#features/merge/changes.queries.ts';
import * as queries from '#features/merge/merge.queries.ts';
import { closeSecondCase, joinKeptCase, logMovedCase, separateCases } from '#features/merge/mergeCases.ts';
import * as rows from '#features/merge/mergeRows.queries.ts';
import { mergeTasks, undoChanges, type MergeContext } from '#features/merge/mergeTasks.queries.ts';
import { raiseAlert } from '#features/respond/exam/raiseAlert.ts';

/** Sheets of this span are judged again, because rules compare them with one another. */
const JUDGED_DAYS = 366;

/** Columns that the record that stays takes over where it has none. The columns of a group go together. */
const FILLS: readonly { title: string; columns: readonly string[]; empty?: unknown }[] = [
  { title: '出生日期', columns: ['birthday'] },
  { title: '联系电话', columns: ['phonehash', 'phonesealed'] },
  { title: '证件号', columns: ['idnohash', 'idnosealed', 'idtype'] },
  { title: '性别', columns: ['gender'], empty: '00' },
  { title: '民族', columns: ['nation'] },
  { title: '文化程度', columns: ['education'] },
  { title: '婚姻状况', columns: ['marital'] },
  { title: '地区', columns: ['provincecode', 'citycode', 'districtcode'] },
  { title: '住址', columns: ['address'] },
  { title: '负责人', columns: ['owneruserid'] },
];
/** The same for the archives of one population. */
const ARCHIVE_FILLS: readonly (readonly string[])[] = [
  ['studentno'],
  ['employeeno'],
  ['checkupno'],
  ['eduphase'],
  ['gradecode', 'gradename', 'classname'],
  ['unitname'],
  ['lmpdate', 'edcdate', 'deliverydate'],
];
const DERIVED = ['examcount', 'reportcount', 'lastexamtime', 'lastlevel', 'mentalstate', 'mentalstatetime', 'riskflag'];
type Row = Record<string, unknown>;

/** The changes from before the rows were pointed at the record that stays, and those from afterwards. */
interface ChangeLists {
  early: Change[];
  late: Change[];
}

/** The fills of a record: those that it does not have and the other one has. */
const findFills = (from: Row, to: Row) =>
  FILLS.filter(
    ({ columns, empty = null }) =>
      columns.every((column) => (to[column] ?? null) === empty) && columns.some((column) => (from[column] ?? null) !== empty),
  );

/** The titles of the fields that the record that stays takes over, for the preview. */
export async function planFills(scope: MergeContext['scope'], from: string, to: string): Promise<string[]> {
  const records = [await readRow(scope, 'cuser', { cuserid: from }), await readRow(scope, 'cuser', { cuserid: to })];
  return findFills(records[0] ?? {}, records[1] ?? {}).map(({ title }) => title);
}

/** Merges one record of a person into the other in one transaction and keeps what it changed. */
export async function mergePersons(ctx: MergeContext, mergeid: number): Promise<void> {
  const { scope, changes, from, to, now } = ctx;
  const since = addDays(now, -JUDGED_DAYS);
  const before = await judgeSheets(scope, await queries.findYearSheets(scope, [from, to], since));
  const fromRow = (await readRow(scope, 'cuser', { cuserid: from })) ?? {};
  const toRow = (await readRow(scope, 'cuser', { cuserid: to })) ?? {};
  await changeRow(scope, changes, 'cuser', { cuserid: from }, { isdeleted: 1, mergedinto: to, riskflag: 0 });
  for (const cuserid of await rows.findMergedInto(scope, from))
    await changeRow(scope, changes, 'cuser', { cuserid }, { mergedinto: to });
  await mergeArchives(ctx);
  await mergeTasks(ctx);
  const closed = await closeSecondCase(ctx);
  const pointed = await queries.pointRows(scope, from, to, null);
  const late = { ...ctx, changes: [] as Change[] };
  await fillPerson(late, fromRow, toRow);
  await joinGuardianConsents(late);
  if (closed) await joinKeptCase(late, closed);
  else await logMovedCase(late, '两份档案为同一人，已合并；个案继续处理');
  await recordChange(scope, late.changes, { table: 'cuser', key: { cuserid: to }, columns: DERIVED }, async () => {
    await recountPersons(scope, [to], now);
    await queries.refreshRiskFlags(scope, [to]);
  });
  await queries.changeMerge(scope, mergeid, {
    status: '02',
    mergetime: now,
    pointed: JSON.stringify(pointed),
    changes: JSON.stringify({ early: changes, late: late.changes } satisfies ChangeLists),
    cases: JSON.stringify(closed ? { kept: closed.kept, joined: closed.row.warningcode } : {}),
  });
  // What the joint history calls for is raised like an answer of today.
  const after = await judgeSheets(scope, await queries.findYearSheets(scope, [to], since));
  await raiseNewTriggers(scope, before, after, now);
}

/** Gives the record that stays what only the other one has. */
async function fillPerson({ scope, changes, to }: MergeContext, fromRow: Row, toRow: Row): Promise<void> {
  const columns = findFills(fromRow, toRow).flatMap((fill) => fill.columns);
  const set = Object.fromEntries(columns.map((column) => [column, fromRow[column] ?? null]));
  if (fromRow.focus === 1 && toRow.focus === 0) set.focus = 1;
  if (Object.keys(set).length > 0) await changeRow(scope, changes, 'cuser', { cuserid: to }, set);
}

/** Of two current archives of a population the one of the record that stays goes on; the other one closes as 重复建档. */
async function mergeArchives({ scope, changes, from, to, now }: MergeContext): Promise<void> {
  for (const { fromid, toid, isfromkept } of await rows.findSharedArchives(scope, from, to)) {
    const [kept, other] = isfromkept ? [fromid, toid] : [toid, fromid];
    const otherRow = (await readRow(scope, 'cuserarchive', { archiveid: other })) ?? {};
    const keptRow = (await readRow(scope, 'cuserarchive', { archiveid: kept })) ?? {};
    await changeRow(
      scope,
      changes,
      'cuserarchive',
      { archiveid: other },
      {
        iscurrent: 0,
        ...(otherRow.status === 1
          ? { status: 2, closedate: shanghaiDate(now), closereason: ArchiveCloseReason.duplicate, closenote: '合并档案' }
          : {}),
      },
    );
    const set: Row = {};
    for (const columns of ARCHIVE_FILLS)
      if (columns.every((column) => keptRow[column] == null))
        for (const column of columns) if (otherRow[column] != null) set[column] = otherRow[column];
    const detail = { ...(otherRow.detail as Row), ...(keptRow.detail as Row) };
    if (Object.keys(detail).length > Object.keys(keptRow.detail as Row).length) set.detail = detail;
    if (Object.keys(set).length > 0) await changeRow(scope, changes, 'cuserarchive', { archiveid: kept }, set);
  }
}

/**
 * A verified consent of the guardian is one for both records: sheets that waited for it are shown. The consent of the record that goes
 * stays with it.
 */
async function joinGuardianConsents({ scope, changes, from, to }: MergeContext): Promise<void> {
  const consents = await rows.findGuardianConsents(scope, [from, to]);
  const open = consents.find(({ status }) => status === 0);
  const verified = consents.find(({ status }) => status === 1);
  if (!verified || !open) return;
  for (const { examcode, hasresults, hasreport } of await rows.findHiddenSheets(scope, to)) {
    await changeRow(scope, changes, 'examrecord', { examcode }, { withheld: 0 });
    if (hasresults) await changeRow(scope, changes, 'examresult', { examcode }, { withheld: 0 });
    if (hasreport) await changeRow(scope, changes, 'report', { examcode }, { withheld: 0 });
  }
  const source = (await readRow(scope, 'guardianconsent', { guardianconsentid: verified.guardianconsentid })) ?? {};
  const columns = ['status', 'method', 'verifiedby', 'verifiedtime', 'fileid', 'guardianid', 'remark'];
  await changeRow(
    scope,
    changes,
    'guardianconsent',
    { guardianconsentid: open.guardianconsentid },
    Object.fromEntries(columns.map((column) => [column, source[column] ?? null])),
  );
}

/** Undoes a merge in one transaction: rows and changes return, cases part, and alarms of the time between are raised anew. */
export async function undoMerge(
  ctx: Omit<MergeContext, 'changes'> & { userid: string; human: readonly string[] },
  merge: { mergetime: Date; pointed: unknown; changes: unknown; cases: unknown },
): Promise<void> {
  const { scope, from, to, now } = ctx;
  const since = addDays(now, -JUDGED_DAYS);
  const persons = [from, to];
  const before = await judgeSheets(scope, await queries.findYearSheets(scope, [to], since));
  const { early, late } = merge.changes as ChangeLists;
  await undoChanges(scope, late, ctx);
  await queries.pointRows(scope, to, from, JSON.stringify(merge.pointed));
  await undoChanges(scope, early, ctx);
  await separateCases(ctx, merge.cases as queries.JoinedCases);
  const miscounted = await queries.findMiscounted(scope, persons);
  if (miscounted.length > 0) await recountPersons(scope, miscounted, now);
  await queries.refreshRiskFlags(scope, persons);
  const sheets = await queries.findYearSheets(scope, persons, since);
  await raiseNewTriggers(scope, before, await judgeSheets(scope, sheets), now);
  await raiseAgain(ctx, sheets, merge.mergetime);
}

/** Raises alarms of the time of the merge anew, where the case has returned to one record and the sheet to the other. */
async function raiseAgain(
  { scope, now }: Pick<MergeContext, 'scope' | 'now'>,
  sheets: readonly { examcode: string; cuserid: string }[],
  since: Date,
): Promise<void> {
  const parted = await queries.findPartedSheets(
    scope,
    sheets.map(({ examcode }) => examcode),
    since,
  );
  for (const { examcode, cuserid } of parted) {
    const sheet = await loadSheet(scope, examcode, cuserid);
    const { trigger } = await rescore(scope, sheet);
    const alertmsgs = [...(trigger?.alertmsgs ?? []), '由撤销合并档案产生'];
    await raiseAlert(scope, sheet, trigger && { ...trigger, alertmsgs }, now, true);
  }
}
