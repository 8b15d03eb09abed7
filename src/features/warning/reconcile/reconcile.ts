import { createHash } from 'node:crypto';
import { addDays, addHours, ageOn, shanghaiTime } from '#domain/base/calendar.ts';
import { compareCase, type DifferenceKind } from '#domain/reconcile/compareCase.ts';
import { expectWarning } from '#domain/reconcile/expectSheet.ts';
import { formTable, shortForms } from '#domain/reconcile/formTable.ts';
import { findOpenTime } from '#domain/reconcile/openSheet.ts';
import type { OwnRule, Sheet } from '#domain/reconcile/sheet.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { WarningLevelCode } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import type { TextSealer } from '#server/sealing/textSealer.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { findScales } from '#features/form/scaleCache.ts';
import { describeMissing } from '#features/warning/reconcile/reconcileText.ts';
import { openCase } from '#features/warning/alerts/openCase.queries.ts';
import { isMinor } from '#features/warning/warning.queries.ts';
import * as caseQueries from '#features/warning/reconcile/cases.queries.ts';
import { notifyAuthority, notifyOfReconcile, type NoticeSubject } from '#features/warning/reconcile/reconcileNotices.ts';
import * as report from '#features/warning/reconcile/report.queries.ts';
import * as sheetQueries from '#features/warning/reconcile/sheets.queries.ts';

/**
 * 零漏报对账: a second check of all answers and cases that shares no code with scoring, rules and the case machine. Answers say which
 * warning a sheet asks for; the log and its copies say how each case must stand.
 */

/** The hourly pass looks back 26 hours, so that it overlaps its predecessors for a day. */
const HOURLY_HOURS = 26;
/** The nightly pass reads sheets of windows that ended up to 90 days ago and cases that were closed up to 30 days ago. */
const NIGHTLY_SHEET_DAYS = 90;
const NIGHTLY_CASE_DAYS = 30;
/** The lowest level that a reconciliation asks for. Level 1 opens a case only where the institution has chosen it. */
const LOWEST_LEVEL = 2;
/**
 * With more silent sheets in one pass, staff get one notice with the number of cases: after an update, the new rules judge the sheets of
 * 90 days. With fewer, each new case also sends its own notices.
 */
const MOST_SINGLE_NOTICES = 10;
/** The PHQ-9 is compared with the earlier one. */
const DELTA_FORMS = ['PHQ9'];

/** SHA-256 of the table that judges the answers. Reports show it, so that a changed table is visible. */
export const tableHash = createHash('sha256')
  .update(JSON.stringify([formTable, shortForms]))
  .digest('hex');

export interface ReconcileResult {
  reports: Record<string, report.RunRow>;
  failed: { musercode: string; error: string }[];
}

/** A difference that a pass found. */
interface Finding {
  kind: DifferenceKind;
  key: string;
  content: string;
  level: number | null;
  warningcode: string | null;
  examcode: string | null;
  cuserid: string | null;
  owneruserid: string | null;
  shouldRaise: boolean;
}

/** Runs one pass over all institutions, disabled ones too. A failed institution does not stop the others; it has no report. */
export async function reconcile(
  services: Pick<Services, 'pools' | 'cipher'>,
  kind: 'hourly' | 'nightly',
  now: Date,
  institutions?: readonly string[],
): Promise<ReconcileResult> {
  const result: ReconcileResult = { reports: {}, failed: [] };
  for (const musercode of institutions ?? (await report.findInstitutions(services.pools))) {
    try {
      result.reports[musercode] = await reconcileInstitution(services, musercode, kind, now);
    } catch (error) {
      result.failed.push({ musercode, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return result;
}

/**
 * Runs the passes that are due: hourly for each institution without a success within the hour, nightly once between 02:00 and 05:00, or
 * when the last nightly pass is older than 36 hours. The job calls it every minute.
 */
export async function reconcileDue(services: Pick<Services, 'pools' | 'cipher'>, now: Date): Promise<ReconcileResult> {
  const runs = await asPlatform(services, (scope) => report.findLastRuns(scope));
  const hour = Number(shanghaiTime(now).slice(11, 13));
  const isNight = hour >= 2 && hour < 5;
  const isNightlyDue = (musercode: string) => {
    const nightly = runs.get(musercode)?.nightly ?? null;
    if (nightly === null) return isNight;
    return nightly < addHours(now, isNight ? -6 : -36);
  };
  const isHourlyDue = (musercode: string) => {
    const last = runs.get(musercode)?.last ?? null;
    return last === null || last <= addHours(now, -1);
  };
  const institutions = await report.findInstitutions(services.pools);
  const nightly = await reconcile(services, 'nightly', now, institutions.filter(isNightlyDue));
  const hourly = await reconcile(
    services,
    'hourly',
    now,
    institutions.filter((musercode) => !isNightlyDue(musercode) && isHourlyDue(musercode)),
  );
  return { reports: { ...hourly.reports, ...nightly.reports }, failed: [...nightly.failed, ...hourly.failed] };
}

/** Runs with the range of the platform: the provider stands above the institution. */
const asPlatform = <T>({ pools }: Pick<Services, 'pools'>, work: (scope: Scope) => Promise<T>) =>
  runAsSystem(pools, platformCode, work);

async function reconcileInstitution(
  services: Pick<Services, 'pools' | 'cipher'>,
  musercode: string,
  kind: 'hourly' | 'nightly',
  now: Date,
): Promise<report.RunRow> {
  const since = kind === 'hourly' ? addHours(now, -HOURLY_HOURS) : addDays(now, -NIGHTLY_SHEET_DAYS);
  const caseSince = kind === 'hourly' ? since : addDays(now, -NIGHTLY_CASE_DAYS);
  const sheets = await checkSheets(services, musercode, { kind, since }, now);
  const cases = await checkCases(services, musercode, { since: caseSince, withLines: kind === 'nightly' });
  const findings = [...cases.findings, ...sheets.findings];
  const unsettled = await recordFindings(services, musercode, findings, now);
  const run: report.RunRow = {
    musercode,
    kind,
    fromtime: since,
    totime: now,
    sheets: sheets.count,
    cases: cases.count,
    differences: unsettled.length,
    difflist: unsettled.map((finding) => finding.content),
    tablehash: tableHash,
  };
  await asPlatform(services, (scope) => report.saveRun(scope, run));
  return run;
}

/** Judges the sheets of an institution page by page, each page in its own short transaction. */
async function checkSheets(
  services: Pick<Services, 'pools' | 'cipher'>,
  musercode: string,
  range: sheetQueries.SheetRange,
  now: Date,
): Promise<{ count: number; findings: Finding[] }> {
  const findings: Finding[] = [];
  let count = 0;
  let cursor = '';
  for (;;) {
    const page = await asPlatform(services, async (scope) => {
      const rules = await sheetQueries.findOwnRules(scope, musercode);
      const deltaForms = [...DELTA_FORMS, ...rules.flatMap(deltaFormsOf)];
      const { sector } = await report.findInstitution(scope, musercode);
      const rows = await sheetQueries.findSheets(scope, musercode, range, deltaForms, cursor);
      const asking = rows
        .map((row) => ({ row, expected: expectWarning(toSheet(row, now), rules, now) }))
        .filter(({ expected }) => expected.level >= LOWEST_LEVEL);
      const scales = await findScales(
        scope,
        asking.flatMap(({ row }) => row.forms.map(({ formcode }) => formcode)),
      );
      const raised = await sheetQueries.findRaisedLevels(
        scope,
        asking.map(({ row }) => row.examcode),
      );
      for (const { row, expected } of asking) {
        if ((raised.get(row.examcode) ?? 0) >= expected.level) continue;
        findings.push({
          kind: 'sheet',
          key: `sheet:${row.examcode}:${expected.level}${row.movetime ? `:${row.movetime.getTime()}` : ''}`,
          content: describeMissing(row, expected, sector, scales),
          level: expected.level,
          warningcode: null,
          examcode: row.examcode,
          cuserid: row.cuserid,
          owneruserid: null,
          shouldRaise: true,
        });
      }
      return rows;
    });
    count += page.length;
    cursor = page.at(-1)?.examcode ?? cursor;
    if (page.length < sheetQueries.PAGE_SIZE) return { count, findings };
  }
}

const deltaFormsOf = ({ cond }: OwnRule): string[] =>
  ('all' in cond ? cond.all : cond.any).flatMap((clause) => (clause.delta ? [clause.delta.form] : []));

function toSheet(row: sheetQueries.SheetRow, now: Date): Sheet {
  return {
    appid: row.appid,
    planroot: row.planroot,
    time: row.time,
    isSubmitted: row.status === 2,
    isValid: row.valid !== 0,
    // Only an open sheet is judged later; a withdrawn or erased one is not.
    opentime: row.status === 1 ? findOpenTime(row, now) : null,
    person: {
      gender: row.gender,
      age: row.birthday ? ageOn(row.birthday, row.time) : null,
      grade: row.gradecode,
      appid: row.appid,
    },
    forms: row.forms.map(({ versions, late, ...form }) => ({ ...form, versions: withDates(versions), late: withDates(late) })),
    earlier: row.earlier.map(({ time, versions: _, late: __, ...form }) => ({ ...form, time: new Date(time) })),
    formsAfter: row.formsafter,
  };
}

const withDates = <T extends { time: string }>(rows: readonly T[] | null | undefined) =>
  (rows ?? []).map((row) => ({ ...row, time: new Date(row.time) }));

/** Compares the cases of an institution with their log page by page, and looks for cases without a log. */
async function checkCases(
  services: Pick<Services, 'pools' | 'cipher'>,
  musercode: string,
  range: { since: Date; withLines: boolean },
): Promise<{ count: number; findings: Finding[] }> {
  const findings: Finding[] = [];
  let count = 0;
  let cursor = '';
  for (;;) {
    const page = await asPlatform(services, (scope) => caseQueries.findCases(scope, musercode, range, cursor));
    for (const row of page)
      findings.push(
        ...compareCase(toObserved(row, range.since, services.cipher.texts)).map((difference) => ({
          ...difference,
          warningcode: row.warningcode,
          examcode: null,
          cuserid: row.cuserid,
          owneruserid: row.owneruserid ?? row.witness.at(-1)?.owneruserid ?? null,
        })),
      );
    count += page.length;
    cursor = page.at(-1)?.warningcode ?? cursor;
    if (page.length < sheetQueries.PAGE_SIZE) break;
  }
  const unlogged = await asPlatform(services, (scope) => caseQueries.findUnloggedCases(scope, musercode, range.since));
  for (const { warningcode, cuserid, level, exists } of unlogged)
    findings.push({
      kind: exists ? 'log' : 'deleted',
      key: `${exists ? 'log' : 'deleted'}:${warningcode}`,
      content: `个案 ${warningcode} ${exists ? '没有操作记录' : '已被删除，操作记录也已删除'}`,
      level,
      warningcode,
      examcode: null,
      cuserid,
      owneruserid: null,
      shouldRaise: false,
    });
  return { count, findings };
}

/**
 * Whether a line of the case log has this hash. The hash covers the commitment of a sealed text. A line from before texts were sealed
 * has the hash of its plain text; its seal came later.
 */
const isLineOf = (hash: string, text: string, texts: TextSealer): boolean =>
  [texts.toCommitments(text), texts.openInJson(text)].some((form) => createHash('sha256').update(form).digest('hex') === hash);

const toObserved = (row: caseQueries.CaseRow, since: Date, texts: TextSealer): Parameters<typeof compareCase>[0] => ({
  warningcode: row.warningcode,
  witness: row.witness,
  lines:
    row.lines?.map(({ text, time, ...line }) => ({
      ...line,
      time: new Date(time),
      isGenuine: isLineOf(line.hash, Buffer.from(text, 'base64').toString('utf8'), texts),
    })) ?? null,
  row: row.exists ? { state: row.state, level: row.level, owneruserid: row.owneruserid, isdeleted: row.isdeleted ?? 0 } : null,
  lastnotice: row.lastnotice,
  since,
});

/** Records the findings, raises those that need it, and notifies of the new ones. Returns the findings that nobody has settled. */
async function recordFindings(
  services: Pick<Services, 'pools' | 'cipher'>,
  musercode: string,
  findings: readonly Finding[],
  now: Date,
): Promise<Finding[]> {
  const subjects: NoticeSubject[] = [];
  const isNotifiedTogether = findings.filter(({ kind }) => kind === 'sheet').length > MOST_SINGLE_NOTICES;
  for (const finding of findings) {
    const subject = await runAsSystem(services.pools, musercode, async (scope) => {
      const { key: diffkey, shouldRaise, owneruserid, ...row } = finding;
      if (!(await report.addDifference(scope, { ...row, musercode, diffkey, foundtime: now }))) return undefined;
      const person = finding.cuserid ? await caseQueries.findPerson(scope, finding.cuserid) : undefined;
      const raised = shouldRaise && person ? await raiseFinding(scope, finding, person, { isNotifiedTogether, now }) : undefined;
      if (raised) await report.markRaised(scope, musercode, diffkey, raised.warningcode);
      return {
        warningcode: raised?.warningcode ?? finding.warningcode,
        owneruserid: raised?.owneruserid ?? owneruserid,
        username: person?.username ?? null,
        level: finding.level,
        content: `${finding.content}${raised ? `，已在个案 ${raised.warningcode} 重新预警` : ''}`,
        foundtime: now,
      };
    });
    if (subject) subjects.push(subject);
  }
  return asPlatform(services, async (scope) => {
    const institution = await report.findInstitution(scope, musercode);
    if (subjects.length > 0) {
      const event = { kind: 'gap', subjects, isNotifiedTogether } as const;
      await notifyOfReconcile(scope, institution, event, `gap:${musercode}:${now.getTime()}`, now);
    }
    const old = await report.claimForAuthority(scope, musercode, addHours(now, -24), now);
    if (old.length > 0)
      await notifyAuthority(
        scope,
        institution,
        old.map((row) => ({ ...row, owneruserid: null, username: null, content: row.kind })),
        `day:${musercode}:${now.getTime()}`,
        now,
      );
    const settled = await report.findSettledKeys(scope, musercode);
    return findings.filter((finding) => !settled.has(finding.key));
  });
}

/** Opens a case or raises the open one, unless the person's open case already has the level. */
async function raiseFinding(
  scope: Scope,
  finding: Finding,
  person: NonNullable<Awaited<ReturnType<typeof caseQueries.findPerson>>>,
  { isNotifiedTogether, now }: { isNotifiedTogether: boolean; now: Date },
): Promise<{ warningcode: string; owneruserid: string | null } | undefined> {
  const level = (finding.level ?? LOWEST_LEVEL) as WarningLevelCode;
  const { examcode } = finding;
  if (!examcode) {
    const open = await caseQueries.findOpenCase(scope, person.cuserid, level);
    if (open) return open;
  }
  const { warningcode } = await openCase(scope, {
    cuserid: person.cuserid,
    musercode: person.musercode,
    appid: person.appid,
    examcode,
    trigger: {
      // Only the acute ASQ of source 01 may set level 4; a case that was at level 4 keeps it.
      source: level === 4 && !examcode ? '03' : '01',
      level,
      // Staff look into it within a day, at any level.
      itemtrigger: true,
      rulecodes: [],
      alerts: examcode && level === 4 ? ['ASQ_ACUTE'] : [],
      alertmsgs: [`零漏报对账：${finding.content}`],
    },
    time: now,
    isMinor: isMinor(person, now),
    sector: person.sector,
    isNotifiedTogether,
  });
  return (await caseQueries.findOpenCase(scope, person.cuserid, 1)) ?? { warningcode, owneruserid: null };
}
