import { addDays, shanghaiTime } from '#domain/base/calendar.ts';
import { toReceipt } from '#domain/retention/receipt.ts';
import { keptSince, lastDayOf, monthsOf, retentionKinds } from '#domain/retention/retention.ts';
import { isSameHuman } from '#domain/warning/decision/secondPerson.ts';
import { codesOf } from '#contract/menu.ts';
import { archivePathOf } from '#contract/population.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { displayName } from '#server/security/privacy.ts';
import * as contract from '#features/anonymize/anonymize.contract.ts';
import * as queries from '#features/anonymize/anonymize.queries.ts';
import { copyHandlers } from '#features/anonymize/copy/copy.server.ts';
import { erasePerson } from '#features/anonymize/erasePerson.ts';
import { recordErasures } from '#features/anonymize/keepErasures.ts';
import { countTraces, findReceipt, saveReceipt } from '#features/anonymize/receipt/receipt.queries.ts';
import { findCUser } from '#features/cuser/cuser.queries.ts';
import { findOpenCasesOf } from '#features/cuser/leaving/leaving.queries.ts';
import { addNotices } from '#features/warning/alerts/notify.queries.ts';
import { actorId, assertSecondHuman, findActor, type StaffContext } from '#features/warning/handling/transition.ts';
import { findHumanKeys } from '#features/warning/humans.queries.ts';

/** Days in which a second person can answer: as long as a confirmation of a case stands. */
const ANSWER_DAYS = 7;

type Person = NonNullable<Awaited<ReturnType<typeof findCUser>>>;

async function requirePerson({ scope, caller }: Pick<StaffContext, 'scope' | 'caller'>, cuserid: string): Promise<Person> {
  const person = await findCUser(scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  if (person.anonymizedtime) throw problems.wrongState({ why: '该受测者已匿名化' });
  permittedPopulations(caller, person.appid);
  return person;
}

/** Why a person without an open case cannot be anonymised now; '' when nothing is unfinished. */
function describeObstacles({ hashold, hasopensheet, hasreview, hasmove, hasmerge }: queries.Obstacles): string {
  if (hashold) return '该受测者的资料正在保全，不能匿名化；请先解除保全';
  if (hasopensheet) return '有未提交的答卷，不能匿名化；请等本人提交，或停止作答 24 小时后再办理';
  if (hasreview) return '有待核对的答卷，不能匿名化；请先核对';
  if (hasmove) return '有答卷正在等待更正归属的复核，不能匿名化；请复核后再办理';
  return hasmerge ? '有合并档案的申请正在等待复核，不能匿名化；请复核后再办理' : '';
}

/** Why a person cannot be anonymised now, with the open case. The reason does not name a case that suspects the caller. */
async function findRefusal({ scope, now }: Pick<StaffContext, 'scope' | 'now'>, cuserid: string) {
  const [openCase] = await findOpenCasesOf(scope, [cuserid]);
  if (openCase) {
    const { warningcode } = openCase;
    return { isCase: true, warningcode, why: `${warningcode ? '预警尚未结案' : '尚有未办结的事项'}，不能匿名化；可先停用` };
  }
  const why = describeObstacles(await queries.findObstacles(scope, cuserid, now)) || (await findMedicalTerm(scope, cuserid, now));
  return { isCase: false, warningcode: null, why };
}

/**
 * Why the law forbids a medical institution to erase the record now; '' when its term is over, without a record and elsewhere. Until the
 * term ends, 个人信息保护法 47 (2) allows storage only: staff disable the person.
 */
async function findMedicalTerm(scope: StaffContext['scope'], cuserid: string, now: Date): Promise<string> {
  const service = await queries.findMedicalService(scope, cuserid);
  const medical = retentionKinds.find(({ key }) => key === 'medical');
  if (!service?.lastservice || !medical) return '';
  const months = monthsOf(medical, service.months) ?? 0;
  if (service.lastservice < keptSince(months, now)) return '';
  const until = lastDayOf(service.lastservice, months);
  return `病历须保存至 ${until}，期满前不能匿名化（${medical.ground}）。可先停用：停用后只保存，不再使用（个人信息保护法第四十七条第二款）`;
}

/** The receipt of an erasure at this moment. */
async function makeReceipt({ scope, now }: Pick<StaffContext, 'scope' | 'now'>, { cuserid, musercode }: Person) {
  const months = 12 * (await queries.findCaseYears(scope, musercode));
  const cases = (await queries.findClosedCases(scope, cuserid))
    .map(({ warningcode, closetime, updatetime }) => ({ warningcode, closedAt: closetime ?? updatetime }))
    .filter(({ closedAt }) => closedAt >= keptSince(months, now))
    .map(({ warningcode, closedAt }) => ({ warningcode, keepuntil: lastDayOf(closedAt, months) }));
  const counts = await countTraces(
    scope,
    cuserid,
    cases.map(({ warningcode }) => warningcode),
  );
  const lastDays = cases.map(({ keepuntil }) => keepuntil);
  return { cases, receipt: toReceipt(counts, lastDays) };
}

/** Refuses while something is unfinished: 130003 with an open case, otherwise 140001. */
async function assertFinished(ctx: Pick<StaffContext, 'scope' | 'now'>, cuserid: string): Promise<void> {
  const { isCase, why } = await findRefusal(ctx, cuserid);
  if (isCase) throw problems.inUse({ why });
  if (why) throw problems.wrongState({ why });
}

const getAnonymization = handle(contract.getAnonymization, async ({ cuserid }, ctx) => {
  const { scope, caller, now } = ctx;
  const person = await requirePerson(ctx, cuserid);
  const { warningcode, why } = await findRefusal(ctx, cuserid);
  const waiting = await queries.findWaiting(scope, cuserid, now);
  const human = waiting ? await findActor(ctx) : [];
  const hold = await queries.findHold(scope, cuserid);
  const isAsker = waiting !== undefined && isSameHuman(human, waiting.askkeys);
  return {
    confirmtext: `匿名化${displayName(caller, person.username)}`,
    ...(await makeReceipt(ctx, person)),
    warningcode,
    refusal: why,
    hold: hold ? { reason: hold.reason, beginname: hold.beginname, begintime: shanghaiTime(hold.begintime) } : null,
    waiting: waiting
      ? {
          anonymizationid: waiting.anonymizationid,
          reason: waiting.reason,
          askname: waiting.askname,
          asktime: shanghaiTime(waiting.asktime),
          duetime: shanghaiTime(waiting.duetime),
          cananswer: human.length > 0 && !isAsker ? 1 : 0,
          canwithdraw: isAsker ? 1 : 0,
        }
      : null,
  };
});

const anonymizeCUser = handle(contract.anonymizeCUser, async ({ cuserid, confirmtext, reason }, ctx) => {
  const { scope, caller, now } = ctx;
  await queries.lockPerson(scope, cuserid);
  const person = await requirePerson(ctx, cuserid);
  await assertFinished(ctx, cuserid);
  if (confirmtext !== `匿名化${displayName(caller, person.username)}`)
    throw problems.invalid({ message: '输入的文字不一致，请核对姓名' }, { field: 'confirmtext' });
  const askkeys = await findActor(ctx);
  if (askkeys.length === 0)
    throw problems.wrongState({ why: '匿名化须由具名人员申请、第二人复核；机构主账号和共用账号不能申请' });
  await queries.expireRequests(scope, now, cuserid);
  const waiting = await queries.findWaiting(scope, cuserid, now);
  if (waiting) throw problems.wrongState({ why: `${waiting.askname} 已申请匿名化，正在等待另一位同事复核` });
  const { musercode } = person;
  const duetime = addDays(now, ANSWER_DAYS);
  const anonymizationid = await queries.addRequest(scope, {
    musercode,
    cuserid,
    reason,
    askuserid: actorId(caller),
    askname: caller.name,
    askkeys,
    asktime: now,
    duetime,
  });
  ctx.audit({ objectid: cuserid, detail: { anonymizationid } });
  await askSecondPersons(ctx, person, { anonymizationid, askkeys, duetime });
  return { anonymizationid, duetime: shanghaiTime(duetime) };
});

/** Tells the other staff who may answer. They open the person's page, where the request stands. */
async function askSecondPersons(
  { scope, now, caller }: StaffContext,
  { musercode, appid, cuserid }: Person,
  { anonymizationid, askkeys, duetime }: { anonymizationid: number; askkeys: readonly string[]; duetime: Date },
): Promise<void> {
  const userids: string[] = [];
  for (const userid of await queries.findHolders(scope, musercode, codesOf(contract.ANONYMIZE_GUARDS)))
    if (!isSameHuman(await findHumanKeys(scope, userid), askkeys)) userids.push(userid);
  await addNotices(
    scope,
    userids.map((userid) => ({
      musercode,
      userid,
      kind: 'approval' as const,
      title: '请您复核：匿名化',
      content: `${caller.name} 申请匿名化一位受测者，同意后不能恢复。请在 ${shanghaiTime(duetime).slice(0, 16)} 前打开档案核对后同意或退回；在此之前资料不变。`,
      link: archivePathOf(appid, cuserid),
      dedupekey: `anonymize:ask:${anonymizationid}:${userid}`,
      createtime: now,
    })),
  );
}

/** Locks a request of the caller's reach that waits. */
async function requireWaiting({ scope, now }: StaffContext, anonymizationid: number) {
  const row = await queries.lockRequest(scope, anonymizationid);
  if (!row) throw problems.notFound({ what: '匿名化申请' });
  if (row.status !== '01') throw problems.wrongState({ why: '该申请已有结果，请刷新' });
  if (row.duetime <= now) throw problems.wrongState({ why: '该申请已过期，须重新申请' });
  return row;
}

const answerAnonymization = handle(contract.answerAnonymization, async ({ anonymizationid, agreed, content }, ctx) => {
  const { scope, now, caller } = ctx;
  const { cuserid, askkeys, askuserid } = await requireWaiting(ctx, anonymizationid);
  await assertSecondHuman(ctx, askkeys);
  const status = agreed === 1 ? ('02' as const) : ('03' as const);
  ctx.audit({ cuserids: [cuserid], objectid: cuserid, detail: { anonymizationid, status } });
  await queries.lockPerson(scope, cuserid);
  const person = await requirePerson(ctx, cuserid);
  if (agreed === 1) await assertFinished(ctx, cuserid);
  await queries.endRequest(scope, anonymizationid, {
    status,
    answerby: actorId(caller),
    answername: caller.name,
    answer: content,
    answertime: now,
  });
  if (agreed === 1) {
    // The numbers are those before the erasure.
    const { receipt } = await makeReceipt(ctx, person);
    const files = await erasePerson({ ...ctx, operator: caller.accountid, remark: '匿名化受测者' }, person);
    await saveReceipt(scope, anonymizationid, receipt);
    ctx.afterCommit(async () => {
      await recordErasures(ctx, now);
      for (const key of files) await ctx.storage.delete(key);
    });
  }
  await addNotices(scope, [
    {
      musercode: person.musercode,
      userid: askuserid,
      kind: 'approval',
      title: `匿名化${agreed === 1 ? '已完成' : '被退回'}`,
      content:
        agreed === 1 ? `${caller.name} 同意了您的申请，该受测者的资料已匿名化。` : `${caller.name} 退回了您的申请：${content}`,
      link: archivePathOf(person.appid, cuserid),
      dedupekey: `anonymize:answer:${anonymizationid}`,
      createtime: now,
    },
  ]);
  return { status };
});

const withdrawAnonymization = handle(contract.withdrawAnonymization, async ({ anonymizationid }, ctx) => {
  const { caller, now } = ctx;
  const { cuserid, askkeys } = await requireWaiting(ctx, anonymizationid);
  if (!isSameHuman(await findActor(ctx), askkeys)) throw problems.wrongState({ why: '只有申请人可以撤回' });
  await queries.endRequest(ctx.scope, anonymizationid, {
    status: '04',
    answerby: actorId(caller),
    answername: caller.name,
    answertime: now,
  });
  ctx.audit({ cuserids: [cuserid], objectid: cuserid, detail: { anonymizationid } });
  return {};
});

const getAnonymizationReceipt = handle(contract.getAnonymizationReceipt, async ({ cuserid }, { scope }) => {
  const found = await findReceipt(scope, cuserid);
  if (!found) throw problems.notFound({ what: '匿名化回执' });
  const { asktime, answertime, ...row } = found;
  return { ...row, asktime: shanghaiTime(asktime), donetime: shanghaiTime(answertime) };
});

export const anonymizeHandlers = [
  getAnonymizationReceipt,
  getAnonymization,
  anonymizeCUser,
  answerAnonymization,
  withdrawAnonymization,
  ...copyHandlers,
];
