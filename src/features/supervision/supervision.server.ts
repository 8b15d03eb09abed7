import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { spanOf } from '#domain/release/period.ts';
import {
  findPersonalNumber,
  joinName,
  MOST_ANSWER_DAYS,
  SupervisionState,
  SupervisionStep,
} from '#domain/supervision/supervision.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context, type ReadContext } from '#server/dispatch/handle.ts';
import * as contract from '#features/supervision/supervision.contract.ts';
import * as queries from '#features/supervision/supervision.queries.ts';

type StaffContext = Context<'staff'>;
type Reader = Pick<ReadContext<'staff'>, 'scope' | 'stats' | 'now' | 'caller'>;

const { waiting, answered, closed } = SupervisionState;
/** The page of a 督办 for each side. */
const AUTHORITY_PAGE = '/statistics/supervision';
const OWN_PAGE = '/earlyWarning/supervision';
const pathTo = (page: string, supervisionid: number) => `${page}?supervisionid=${supervisionid}`;

/** The days in which a 督办 of a term, a quarter or a whole school year was opened; nothing without a year. */
function toSpan({ year, term }: { year?: string | undefined; term?: string | undefined }) {
  if (!year) return {};
  const [first, last] = [spanOf({ year, term: term ?? '1' }), spanOf({ year, term: term ?? '2' })];
  if (!first || !last) throw problems.invalid({ message: '学期不正确' }, { field: 'term' });
  return { from: fromShanghai(first.begindate), until: addDays(fromShanghai(last.enddate), 1) };
}

const toRow = (row: queries.SupervisionRecord, insname: string, now: Date): contract.SupervisionRow => ({
  supervisionid: row.supervisionid,
  musercode: row.musercode,
  insname,
  authorityname: row.authorityname,
  content: row.content,
  state: row.state,
  duedate: row.duedate,
  createtime: shanghaiTime(row.createtime),
  replytime: row.replytime && shanghaiTime(row.replytime),
  closetime: row.closetime && shanghaiTime(row.closetime),
  isoverdue: row.state === waiting && isLate(row, now) ? 1 : 0,
  islate: row.islate,
});
const isLate = ({ duedate }: { duedate: string }, now: Date) => shanghaiDate(now) > duedate;

/** The steps for one side. The other side's staff stay unnamed: it reads the institution only. */
async function toSteps(
  { scope }: Pick<Reader, 'scope'>,
  supervisionid: number,
  side: 'authority' | 'institution',
): Promise<contract.SupervisionStepRow[]> {
  const steps = await queries.findSteps(scope, supervisionid);
  return steps.map((step) => ({
    ...step,
    kind: step.kind as contract.SupervisionStepRow['kind'],
    operatorname: (step.kind === SupervisionStep.reply) === (side === 'institution') ? step.operatorname : '',
    time: shanghaiTime(step.time),
  }));
}

/** One 督办 of a side; throws 130001 without it. */
async function requireSupervision(
  { scope }: Pick<Reader, 'scope'>,
  side: { supervisionid: number } & ({ authoritycode: string } | { musercode: string }),
): Promise<queries.SupervisionRecord> {
  const { rows } = await queries.findSupervisions(scope, { ...side, page: 1, pageSize: 1 });
  if (!rows[0]) throw problems.notFound({ what: '督办' });
  return rows[0];
}

const getSupervisionSchools = handle(contract.getSupervisionSchools, async ({ musercode }, { scope, stats, caller }) => {
  const flags = await stats((statsScope) => queries.findFlags(statsScope, musercode));
  const { rows } = await queries.findSupervisions(scope, { authoritycode: caller.musercode, page: 1, pageSize: 1000 });
  const open = new Map(rows.filter(({ state }) => state !== closed).map((row) => [row.musercode, row.supervisionid]));
  const counted = flags.map(({ datatime }) => datatime).sort((a, b) => b.getTime() - a.getTime())[0];
  return {
    datatime: counted ? shanghaiTime(counted) : null,
    schools: flags.map((flag) => ({
      musercode: flag.musercode,
      insname: flag.insname,
      hasoverdue: flag.hasoverdue ? 1 : 0,
      supervisionid: open.get(flag.musercode) ?? null,
    })),
  };
});

const getSupervisionPageList = handle(contract.getSupervisionPageList, async ({ year, term, ...filters }, ctx) => {
  const { scope, stats, caller, now } = ctx;
  const { total, rows } = await queries.findSupervisions(scope, {
    ...filters,
    ...toSpan({ year, term }),
    authoritycode: caller.musercode,
  });
  const names = await stats((statsScope) => queries.findNames(statsScope, [...new Set(rows.map((row) => row.musercode))]));
  return { total, rows: rows.map((row) => toRow(row, names.get(row.musercode) ?? '', now)) };
});

const getSupervision = handle(contract.getSupervision, async ({ supervisionid }, ctx) => {
  const row = await requireSupervision(ctx, { supervisionid, authoritycode: ctx.caller.musercode });
  const names = await ctx.stats((statsScope) => queries.findNames(statsScope, [row.musercode]));
  return { ...toRow(row, names.get(row.musercode) ?? '', ctx.now), steps: await toSteps(ctx, supervisionid, 'authority') };
});

/** Refuses a last day that is over, or too far away. */
function assertDueDate(duedate: string, now: Date): void {
  const refuse = (message: string) => problems.invalid({ message }, { field: 'duedate' });
  if (duedate < shanghaiDate(now)) throw refuse('回复期限不能早于今天');
  if (duedate > shanghaiDate(addDays(now, MOST_ANSWER_DAYS))) throw refuse(`回复期限最长 ${MOST_ANSWER_DAYS} 天`);
}

/** The words of an authority know no person of the institution, so only numbers are refused. */
function assertNoNumbers(content: string, field: string): void {
  const what = findPersonalNumber(content);
  if (what) throw problems.invalid({ message: `内容中不能出现${what}` }, { field });
}

const insertSupervision = handle(contract.insertSupervision, async ({ musercode, content, duedate }, ctx) => {
  const { scope, stats, caller, now, audit } = ctx;
  assertDueDate(duedate, now);
  assertNoNumbers(content, 'content');
  const [flag] = await stats((statsScope) => queries.findFlags(statsScope, musercode));
  if (!flag) throw problems.notFound({ what: '机构' });
  const authorityname = await queries.findOwnName(scope, caller.musercode);
  const step = { content, duedate, insname: authorityname, operatorname: caller.name, time: now };
  const open = await queries.lockOpenSupervision(scope, caller.musercode, musercode);
  if (!open && !flag.hasoverdue) throw problems.wrongState({ why: '最近一次夜间统计中，该机构没有超时事项，不需要督办' });
  const supervisionid =
    open?.supervisionid ??
    (await queries.addSupervision(scope, {
      musercode,
      authoritycode: caller.musercode,
      authorityname,
      duedate,
      createtime: now,
    }));
  audit({ objectid: String(supervisionid), detail: { musercode, joined: open ? 1 : 0 } });
  if (open) {
    await queries.addStep(scope, supervisionid, { ...step, kind: 'join' });
    await queries.saveSupervision(scope, supervisionid, { state: waiting, duedate });
  } else {
    await queries.addStep(scope, supervisionid, { ...step, kind: 'open' });
    const overdue = await stats((statsScope) => queries.countOverdueCases(statsScope, musercode, now));
    await queries.addOverdueCount(scope, { supervisionid, musercode, overdue });
  }
  await notifyInstitution(ctx, { supervisionid, musercode, title: `${authorityname}督办：请核对超时事项并回复`, duedate });
  return { supervisionid, joined: open ? 1 : 0 };
});

/** Notifies the institution of a 督办 with its last day. */
const notifyInstitution = (
  { scope, now }: Pick<StaffContext, 'scope' | 'now'>,
  { supervisionid, musercode, title, duedate }: { supervisionid: number; musercode: string; title: string; duedate?: string },
) =>
  queries.notifySupervised(scope, musercode, {
    title,
    content: duedate ? `请于 ${duedate} 前回复。` : '',
    link: pathTo(OWN_PAGE, supervisionid),
    key: `supervision:${supervisionid}:${now.getTime()}`,
    time: now,
  });

/** A 督办 of the caller's authority, locked; throws 130001 without it and 140001 when it is closed. */
async function lockOpen({ scope, caller }: StaffContext, supervisionid: number): Promise<queries.SupervisionRecord> {
  const row = await queries.lockSupervision(scope, supervisionid);
  if (row?.authoritycode !== caller.musercode) throw problems.notFound({ what: '督办' });
  if (row.state === closed) throw problems.wrongState({ why: '该督办已办结' });
  return row;
}

const closeSupervision = handle(contract.closeSupervision, async ({ supervisionid, content }, ctx) => {
  const { scope, caller, now, audit } = ctx;
  assertNoNumbers(content, 'content');
  const { musercode, authorityname, state } = await lockOpen(ctx, supervisionid);
  if (state !== answered) throw problems.wrongState({ why: '对方回复后才能办结' });
  await queries.saveSupervision(scope, supervisionid, { state: closed, closetime: now });
  await queries.addStep(scope, supervisionid, {
    kind: 'close',
    content,
    insname: authorityname,
    operatorname: caller.name,
    time: now,
  });
  audit({ objectid: String(supervisionid) });
  await notifyInstitution(ctx, { supervisionid, musercode, title: `${authorityname}已办结督办` });
  return {};
});

const returnSupervision = handle(contract.returnSupervision, async ({ supervisionid, content, duedate }, ctx) => {
  const { scope, caller, now, audit } = ctx;
  assertDueDate(duedate, now);
  assertNoNumbers(content, 'content');
  const { musercode, authorityname, state } = await lockOpen(ctx, supervisionid);
  if (state !== answered) throw problems.wrongState({ why: '对方回复后才能退回' });
  await queries.saveSupervision(scope, supervisionid, { state: waiting, duedate });
  const step = { content, duedate, insname: authorityname, operatorname: caller.name, time: now };
  await queries.addStep(scope, supervisionid, { ...step, kind: 'return' });
  audit({ objectid: String(supervisionid) });
  await notifyInstitution(ctx, { supervisionid, musercode, title: `${authorityname}退回了督办回复，请补充`, duedate });
  return {};
});

const getOwnSupervisionPageList = handle(contract.getOwnSupervisionPageList, async ({ year, term, ...filters }, ctx) => {
  const { scope, caller, now } = ctx;
  const { total, rows } = await queries.findSupervisions(scope, {
    ...filters,
    ...toSpan({ year, term }),
    musercode: caller.musercode,
  });
  const insname = await queries.findOwnName(scope, caller.musercode);
  return { total, rows: rows.map((row) => toRow(row, insname, now)) };
});

const getOwnSupervision = handle(contract.getOwnSupervision, async ({ supervisionid }, ctx) => {
  const { scope, caller, now } = ctx;
  const row = await requireSupervision(ctx, { supervisionid, musercode: caller.musercode });
  return {
    ...toRow(row, await queries.findOwnName(scope, caller.musercode), now),
    steps: await toSteps(ctx, supervisionid, 'institution'),
    overdueatopening: await queries.findOverdueCount(scope, supervisionid),
    overduenow: await queries.countOverdueCases(scope, caller.musercode, now),
  };
});

/** Refuses an answer that names a person of the institution: nobody's name may reach the authority. */
async function assertNamesNobody({ scope }: StaffContext, content: string): Promise<void> {
  const refuse = (message: string) => problems.invalid({ message }, { field: 'content' });
  const number = findPersonalNumber(content);
  if (number) throw refuse(`回复中不能出现${number}，请删去后再提交`);
  const named = await queries.findNamedPersons(scope, joinName(content));
  if (named.length > 0)
    throw refuse(`回复中有受测者或家长的姓名、学号（${named.join('、')}），请改写后再提交，例如“一名初二学生”`);
}

const replySupervision = handle(contract.replySupervision, async ({ supervisionid, content }, ctx) => {
  const { scope, caller, now, audit } = ctx;
  const row = await queries.lockSupervision(scope, supervisionid);
  if (row?.musercode !== caller.musercode) throw problems.notFound({ what: '督办' });
  if (row.state === closed) throw problems.wrongState({ why: '该督办已办结' });
  await assertNamesNobody(ctx, content);
  const islate = isLate(row, now) ? 1 : 0;
  const insname = await queries.findOwnName(scope, caller.musercode);
  await queries.saveSupervision(scope, supervisionid, {
    state: answered,
    replytime: now,
    // A second answer to the same words does not change when the first one came.
    islate: row.state === waiting ? Math.max(row.islate, islate) : row.islate,
  });
  const step = { content, islate: row.state === waiting ? islate : 0, insname, operatorname: caller.name, time: now };
  await queries.addStep(scope, supervisionid, { ...step, kind: 'reply' });
  audit({ objectid: String(supervisionid) });
  await queries.notifySupervisor(scope, row.authoritycode, {
    title: `${insname}已回复督办`,
    content: '',
    link: pathTo(AUTHORITY_PAGE, supervisionid),
    key: `supervision:${supervisionid}:${now.getTime()}`,
    time: now,
  });
  return {};
});

export const supervisionHandlers = [
  getSupervisionSchools,
  getSupervisionPageList,
  getSupervision,
  insertSupervision,
  closeSupervision,
  returnSupervision,
  getOwnSupervisionPageList,
  getOwnSupervision,
  replySupervision,
];
