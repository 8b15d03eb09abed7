import { shanghaiTime } from '#domain/base/calendar.ts';
import { Appid } from '#domain/base/enums.ts';
import { inventedFacts } from '#domain/report/commentary/invented.ts';
import { placeholdersOf } from '#domain/report/commentary/placeholders.ts';
import { coverageOf, tryTexts } from '#domain/report/commentary/tryTexts.ts';
import type { TextsInForce } from '#domain/report/report.basis.ts';
import type { ReportFacts } from '#domain/report/report.facts.ts';
import { isPermitted } from '#contract/action.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { toCheckedRow } from '#features/comments/checkComment.ts';
import * as contract from '#features/comments/comments.contract.ts';
import * as queries from '#features/comments/comments.queries.ts';
import { findScales, findScalesOf } from '#features/comments/scales.ts';
import { reportReaders } from '#features/report/report.contract.ts';
import { isSuspectedBy } from '#features/report/report.queries.ts';
import { findReportFacts } from '#features/report/reportFacts.ts';
import { assertNotRestricted, isMinor } from '#features/report/reportRow.ts';
import { textReader } from '#features/report/textsInForce.ts';

const getCommentPageList = handle(contract.getCommentPageList, async (filters, { scope, caller }) => {
  const { total, rows } = await queries.findComments(scope, caller.musercode, filters);
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      formname: row.formname ?? '',
      quotaname: row.quotaname ?? '',
      gender: row.gender,
      owner: row.musercode === caller.musercode ? ('own' as const) : row.isplatform ? ('platform' as const) : ('above' as const),
      insname: row.insname ?? (row.isplatform ? '平台' : '上级单位'),
      validfrom: shanghaiTime(row.validfrom),
    })),
  };
});

/** What every row of the caller's institution has. */
const ownerOf = ({ caller, now }: Pick<Context<'staff'>, 'caller' | 'now'>) => ({
  musercode: caller.musercode,
  isplatform: caller.musertype === '001' ? 1 : 0,
  updateby: caller.accountid,
  validfrom: now,
});

const insertComment = handle(contract.insertComment, async (fields, ctx) => {
  // The rules of group reports are code: an institution can word them otherwise, but not add one.
  if (fields.section === 'group') throw problems.invalid({ message: '团体报告的建议只能改写已有的段落' }, { field: 'section' });
  const row = await toCheckedRow(ctx.scope, fields);
  const commentid = await queries.addComment(ctx.scope, { ...row, ...ownerOf(ctx), version: 1 });
  ctx.audit({ objectid: commentid });
  return { commentid };
});

const updateComment = handle(contract.updateComment, async ({ commentid, version, ...fields }, ctx) => {
  const { scope, caller, now } = ctx;
  const present = await queries.lockComment(scope, caller.musercode, commentid);
  if (!present) throw problems.notFound({ what: '段落' });
  if (present.version !== version) throw problems.changedMeanwhile(undefined, { data: { version: present.version } });
  const row = { ...(await toCheckedRow(scope, fields)), ...ownerOf(ctx) };
  if (present.musercode !== caller.musercode) {
    if (await queries.findCopy(scope, caller.musercode, commentid)) throw problems.duplicate({ what: '本机构对这一段的修改' });
    const copy = await queries.addComment(scope, { ...row, version: 1, originid: commentid });
    ctx.audit({ objectid: copy, detail: { originid: commentid } });
    return { commentid: copy, version: 1 };
  }
  await queries.closeComment(scope, { musercode: caller.musercode, commentid, updateby: caller.accountid, now });
  // Two changes at one moment: the second one begins right after the first.
  const validfrom = new Date(Math.max(now.getTime(), present.validfrom.getTime() + 1));
  await queries.addComment(scope, { ...row, validfrom, commentid, version: version + 1, originid: present.originid });
  ctx.audit({ objectid: commentid });
  return { commentid, version: version + 1 };
});

const deleteComment = handle(contract.deleteComment, async ({ commentid }, { scope, caller, audit, now }) => {
  const key = { musercode: caller.musercode, commentid, updateby: caller.accountid, now };
  if (!(await queries.closeComment(scope, key))) throw problems.notFound({ what: '本机构的段落' });
  audit({ objectid: commentid });
  return {};
});

const getCommentPlaceholders = handle(contract.getCommentPlaceholders, async ({ formcode, ...place }, { scope }) =>
  placeholdersOf(place, await findScalesOf(scope, formcode ? [formcode] : [])),
);

/** The texts in force now for the caller's own institution. */
const findOwnTexts = async ({ scope, caller, now }: Pick<Context<'staff'>, 'scope' | 'caller' | 'now'>): Promise<TextsInForce> =>
  textReader(scope)(await queries.findOrgpath(scope, caller.musercode), now);

/** The facts of a report, read under its own rules. */
async function readReportFacts(ctx: Context<'staff'>, reportcode: string): Promise<{ facts: ReportFacts; texts: TextsInForce }> {
  const { scope, caller } = ctx;
  if (!isPermitted(reportReaders, caller.codes, caller.musertype)) throw problems.notAllowed();
  assertNotRestricted(caller);
  const { cuserid, orgpath, facts } = await findReportFacts(scope, reportcode);
  if (await isSuspectedBy(scope, cuserid)) throw problems.notFound({ what: '报告' });
  ctx.audit({ cuserids: [cuserid], objectid: reportcode, minors: isMinor(facts.person.age) });
  // A test says what a report of today would have; the texts of earlier hand-ins stay in their reports.
  return { facts, texts: await textReader(scope)(orgpath, ctx.now) };
}

const testComment = handle(contract.testComment, async ({ section, audience, formcode, reportcode, invented }, ctx) => {
  if (section === 'group') throw problems.invalid({ message: '团体报告的段落不在这里试用' }, { field: 'section' });
  const { scope } = ctx;
  const [scale] = formcode ? await findScalesOf(scope, [formcode]) : [];
  if (formcode && !scale) throw problems.notFound({ what: '量表' });
  const { facts, texts } =
    reportcode === undefined
      ? {
          facts: inventedFacts({
            appid: invented?.appid ?? '',
            gender: invented?.gender ?? null,
            age: invented?.age ?? null,
            forms: scale ? [{ scale, scores: invented?.scores ?? {}, items: invented?.items ?? {} }] : [],
          }),
          texts: await findOwnTexts(ctx),
        }
      : await readReportFacts(ctx, reportcode);
  const { rows } = texts;
  const place = { audience, formcode };
  const own = tryTexts(facts, rows, { ...place, section });
  const fallback =
    section === 'form' && own.chosen.length === 0 ? tryTexts(facts, rows, { ...place, section: 'formdefault' }) : undefined;
  const templates = new Map(rows.map(({ id, t }) => [id, t]));
  return {
    chosen: (fallback ?? own).chosen.map(({ commentid, text, because }) => ({ commentid, text, because })),
    others: [...own.others, ...(fallback?.others ?? [])].map((other) => ({
      ...other,
      template: templates.get(other.commentid) ?? '',
    })),
    isfallback: fallback !== undefined,
  };
});

const getCommentCoverage = handle(contract.getCommentCoverage, async ({ formcode, appid }, ctx) => {
  const { scope, caller } = ctx;
  const { rows: texts } = await findOwnTexts(ctx);
  const own = await queries.findPopulations(scope, caller.musercode);
  const populations = appid ? [appid] : own.length > 0 ? own : Appid.codes.filter((code) => code !== Appid.custom);
  const scales = (await findScales(scope)).filter(({ scale }) => formcode === undefined || scale.formcode === formcode);
  const rows = scales.flatMap(({ formname, scale }) => {
    const names = new Map(scale.scores.map(({ c, n }) => [`${scale.formcode}.${c}`, n]));
    return populations
      .filter((population) => !scale.appids?.length || scale.appids.includes(population))
      .flatMap((population) =>
        coverageOf(scale, population, texts).map((cell) => ({
          ...cell,
          formcode: scale.formcode,
          formname,
          quotaname: names.get(cell.quotacode) ?? '',
          appid: population,
        })),
      );
  });
  return { rows, holes: rows.filter(({ commentid }) => commentid === '').length };
});

export const commentHandlers = [
  getCommentPageList,
  insertComment,
  updateComment,
  deleteComment,
  getCommentPlaceholders,
  testComment,
  getCommentCoverage,
];
