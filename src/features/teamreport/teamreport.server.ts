import { shanghaiTime } from '#domain/base/calendar.ts';
import { AiStatus } from '#domain/base/enums.ts';
import { teamAiFactsOf } from '#domain/teamreport/ai/teamAiFacts.ts';
import { withTeamText } from '#domain/teamreport/ai/teamAiSection.ts';
import { buildTeamReport } from '#domain/teamreport/teamreport.ts';
import { forClassOwner } from '#domain/teamreport/teamreport.content.ts';
import { codesOf, codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle, type Context, type ReadContext } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { setReportVisibility } from '#features/team/team.queries.ts';
import { findFingerprint, findTeams as findTeamcodes, hasOpenCase } from '#features/teamreport/facts.queries.ts';
import { gatherFacts } from '#features/teamreport/gatherFacts.ts';
import { isOutdated, openScope } from '#features/teamreport/scopeFilters.ts';
import { findGroupWords } from '#features/report/textsInForce.ts';
import * as contract from '#features/teamreport/teamreport.contract.ts';
import * as queries from '#features/teamreport/teamreport.queries.ts';

const reportCodes = codesOf(['statistics.reports', 'group.ai']);

/** The caller as a reader of group reports. Staff who do not see every person of the institution read as owners of classes. */
const toReader = (caller: Staff): queries.Reader => ({
  appids: permittedPopulations(caller),
  isOwner: caller.hasDataScope || !reportCodes.some((code) => caller.codes.has(code)),
});
/** Refuses staff whose figures would leave persons out. */
function assertSeesAll(caller: Staff) {
  if (toReader(caller).isOwner) throw problems.notAllowed();
}

/** The snapshot of a scope now. */
async function takeSnapshot(ctx: Context<'staff'>, scope: contract.TeamScope) {
  const { caller, now, stats } = ctx;
  const { filters, words } = await openScope(ctx, scope);
  const facts = await gatherFacts(ctx, filters, words);
  const hasTeams = ['task', 'teams', 'grade'].includes(scope.kind);
  return {
    musercode: filters.musercode,
    appid: filters.appid,
    snapshot: {
      content: buildTeamReport(facts, await findGroupWords(ctx.scope, filters.musercode, now)),
      aifacts: teamAiFactsOf(facts, filters.appid),
      title: words.scopename,
      teamcodes: hasTeams ? await stats((one) => findTeamcodes(one, filters)) : [],
      fingerprint: await stats((one) => findFingerprint(one, filters)),
      datatime: now,
      createby: caller.accountid,
      createname: caller.name,
    },
  };
}

const insertTeamReport = handle(contract.insertTeamReport, async ({ scope, teamreportcode }, ctx) => {
  const { caller, audit } = ctx;
  assertSeesAll(caller);
  if (scope) {
    const { snapshot, musercode, appid } = await takeSnapshot(ctx, scope);
    const code = await queries.addReport(ctx.scope, { ...snapshot, musercode, appid, scope });
    audit({ objectid: code, detail: { scope } });
    return { teamreportcode: code, version: 1 };
  }
  const known = teamreportcode && (await queries.findReport(ctx.scope, teamreportcode, toReader(caller), true));
  if (!known) throw problems.notFound({ what: '团体报告' });
  const { snapshot } = await takeSnapshot(ctx, known.scope);
  const version = await queries.renewReport(ctx.scope, known.teamreportcode, snapshot);
  audit({ objectid: known.teamreportcode, detail: { version } });
  return { teamreportcode: known.teamreportcode, version };
});

type ReportContext = Pick<ReadContext<'staff'>, 'scope' | 'stats' | 'caller'>;

/**
 * A report with the parts that the caller reads. Answers 130001 when the caller may not see it. With `isReviewedOnly` a text of the AI
 * provider that waits for its review is left out.
 */
export async function readTeamReport(
  { scope, caller }: ReportContext,
  { teamreportcode, version, isReviewedOnly = false }: { teamreportcode: string; version?: number; isReviewedOnly?: boolean },
) {
  const reader = toReader(caller);
  const report = await queries.findReport(scope, teamreportcode, reader);
  if (!report) throw problems.notFound({ what: '团体报告' });
  const isNewest = version === undefined || version === report.version;
  const earlier = isNewest || reader.isOwner ? undefined : await queries.findVersion(scope, teamreportcode, version);
  if (!isNewest && !earlier) throw problems.notFound({ what: '该版本' });
  // An earlier snapshot has its reviewed text only, and no state of a present one.
  const shown = { ...report, ...(earlier && { ...earlier, aistatus: earlier.aicontent ? AiStatus.reviewed : AiStatus.none }) };
  const isReviewed = shown.aistatus === AiStatus.reviewed;
  const text = shown.aicontent && (isReviewed || !isReviewedOnly) ? { text: shown.aicontent, isReviewed } : undefined;
  return {
    ...shown,
    newest: report.version,
    isOwner: reader.isOwner,
    hasText: text !== undefined,
    content: reader.isOwner ? forClassOwner(shown.content) : withTeamText(shown.content, text),
  };
}

const getTeamReport = handle(contract.getTeamReport, async ({ teamreportcode, version }, ctx) => {
  const { scope, stats, caller } = ctx;
  const report = await readTeamReport(ctx, { teamreportcode, ...(version ? { version } : {}) });
  const { isOwner, newest, teamcodes } = report;
  const row = {
    teamreportcode,
    version: report.version,
    title: report.title,
    kind: report.scope.kind,
    appid: report.appid,
    musercode: report.musercode,
    insname: report.insname,
    datatime: shanghaiTime(report.datatime),
    isshow: report.isshow,
    createname: report.createname,
    content: report.content,
    aistatus: isOwner ? AiStatus.none : report.aistatus,
    aitime: !isOwner && report.aitime ? shanghaiTime(report.aitime) : '',
    aireviewname: isOwner ? '' : (report.aireviewname ?? ''),
  };
  // The owner of a class sees fewer persons, so the figures cannot be compared.
  if (isOwner) return { ...row, isoutdated: 0, isownerpart: 1, versions: [], teams: [], hasannex: 0 };
  const { filters } = await openScope(ctx, report.scope);
  const earlier = await queries.findVersions(scope, teamreportcode);
  const current = await queries.findReport(scope, teamreportcode, toReader(caller));
  const versions = [...(current ? [current] : []), ...earlier].map((one) => ({
    version: one.version,
    datatime: shanghaiTime(one.datatime),
    createname: one.createname,
  }));
  const teams = await queries.findTeams(scope, teamcodes);
  const mayReadCases = caller.codes.has(codeOf('warning.crisis'));
  return {
    ...row,
    isoutdated: report.version === newest && (await isOutdated(ctx, report)) ? 1 : 0,
    isownerpart: 0,
    versions,
    teams: teams.map(({ teamcode, teamname, ownername, showreport }) => ({
      teamcode,
      teamname,
      showreport,
      ownername: ownername ?? '',
    })),
    hasannex: mayReadCases && (await stats((one) => hasOpenCase(one, filters))) ? 1 : 0,
  };
});

const getTeamReportPageList = handle(contract.getTeamReportPageList, async (filters, { scope, caller }) => {
  permittedPopulations(caller, filters.appid);
  const reader = toReader(caller);
  const { total, rows } = await queries.findReports(scope, filters, reader);
  return {
    total,
    rows: rows.map(({ scope: { kind }, datatime, createtime, shown, teamcodes, aistatus, aitime, ...row }) => ({
      ...row,
      kind,
      aistatus: reader.isOwner ? AiStatus.none : aistatus,
      aitime: !reader.isOwner && aitime ? shanghaiTime(aitime) : '',
      datatime: shanghaiTime(datatime),
      createtime: shanghaiTime(createtime),
      teamcodes,
      teamcount: teamcodes.length,
      showncount: shown,
    })),
  };
});

const deleteTeamReport = handle(contract.deleteTeamReport, async ({ teamreportcode }, { scope, caller, now, audit }) => {
  assertSeesAll(caller);
  const report = await queries.findReport(scope, teamreportcode, toReader(caller), true);
  if (!report || !(await queries.removeReport(scope, teamreportcode, now))) throw problems.notFound({ what: '团体报告' });
  audit({ objectid: teamreportcode, detail: { title: report.title } });
  return {};
});

const showOrHiddenTeamReport = handle(contract.showOrHiddenTeamReport, async (request, { scope, now, audit }) => {
  const { teamcodes = [], teamreportcode, isshow } = request;
  if (teamreportcode) {
    if (!(await queries.setShown(scope, teamreportcode, isshow, now))) throw problems.notFound({ what: '团体报告' });
    audit({ objectid: teamreportcode, detail: { isshow } });
    return { updated: 1 };
  }
  const teams = await setReportVisibility(scope, teamcodes, isshow);
  if (teams.length !== new Set(teamcodes).size) throw problems.notFound({ what: '部分团体' });
  audit({ detail: { teamcodes, isshow } });
  return { updated: teams.length };
});

export const teamReportHandlers = [
  insertTeamReport,
  getTeamReport,
  getTeamReportPageList,
  deleteTeamReport,
  showOrHiddenTeamReport,
];
