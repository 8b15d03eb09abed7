import { addDays, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { isKeptCase } from '#domain/warning/clock/joinCases.ts';
import { isSameHuman } from '#domain/warning/decision/secondPerson.ts';
import type { WarningLevelCode } from '#domain/warning/warningfacts.ts';
import { archivePathOf } from '#contract/population.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { displayName, maskedPhone } from '#server/security/privacy.ts';
import * as contract from '#features/merge/merge.contract.ts';
import * as queries from '#features/merge/merge.queries.ts';
import { mergePersons, planFills, undoMerge } from '#features/merge/mergePersons.ts';
import { planTasks } from '#features/merge/mergeTasks.queries.ts';
import { addNotices, findTeamOwners } from '#features/warning/alerts/notify.queries.ts';
import { actorId, assertSecondHuman, findActor, operatorOf, type StaffContext } from '#features/warning/handling/transition.ts';
import { findAbleStaff } from '#features/warning/handover/handover.queries.ts';
import { findHumanKeys } from '#features/warning/humans.queries.ts';

/** Days in which a merge can be undone. */
export const UNDO_DAYS = 30;

interface Pair {
  goes: queries.MergePerson;
  stays: queries.MergePerson;
  open: queries.OpenCase[];
  /** a time at which both records have a booking for a consultation */
  doubleBooking: Date | undefined;
}

/** Loads both records and their open cases. Throws 130001 for a record that the caller does not see. */
async function findPair(
  { scope, caller }: Pick<StaffContext, 'scope' | 'caller'>,
  { cuserid, tocuserid }: { cuserid: string; tocuserid: string },
  find: typeof queries.findPersons = queries.findPersons,
): Promise<Pair> {
  const persons = await find(scope, [cuserid, tocuserid]);
  const goes = persons.get(cuserid);
  const stays = persons.get(tocuserid);
  if (!goes || !stays) throw problems.notFound({ what: '受测者' });
  for (const { appid } of [goes, stays]) permittedPopulations(caller, appid);
  return {
    goes,
    stays,
    open: await queries.findOpenCases(scope, [cuserid, tocuserid]),
    doubleBooking: await queries.findDoubleBooking(scope, cuserid, tocuserid),
  };
}

/** Why two records cannot be merged; '' when they can. It does not name a case that suspects the caller. */
function findRefusal({ goes, stays, open, doubleBooking }: Pair, { hasDataScope }: StaffContext['caller']): string {
  const both = [goes, stays];
  const guardians = both.map(({ guardianstatus }) => guardianstatus);
  if (goes.cuserid === stays.cuserid) return '请选择两份不同的档案';
  if (goes.musercode !== stays.musercode) return '只能合并同一机构的档案';
  if (hasDataScope) return '您只能看到部分受测者，不能合并档案；请由机构管理员或能看到全部受测者的老师办理';
  if (both.some(({ anonymizedtime }) => anonymizedtime)) return '已匿名化的档案不能合并';
  if (both.some(({ deathtime }) => deathtime)) return '其中一份档案已登记死亡，请先核对登记';
  if (both.some(({ iswithdrawn }) => iswithdrawn)) return '本人或监护人已撤回同意，相关答卷正在删除，不能合并';
  if (guardians.includes(2) || (guardians.includes(3) && !guardians.includes(null)))
    return '监护人未同意，相关答卷已删除或正在删除，不能合并';
  if (stays.enabled === 0) return '保留的档案已停用，请先启用，或保留另一份';
  if (both.some(({ hasmove }) => hasmove)) return '有答卷正在等待更正归属的复核，请复核后再合并';
  if (both.some(({ haserasure }) => haserasure)) return '其中一份档案已申请匿名化，正在等待复核，请先处理';
  if (open.some(({ issuspect }) => issuspect)) return '尚有未办结的事项，请由其他同事办理';
  if (open.some(({ istransferred }) => istransferred)) return '个案正在移交，请收到回执后再合并';
  if (doubleBooking) return `两份档案在 ${shanghaiTime(doubleBooking).slice(0, 16)} 各有一个咨询预约，请先改期或取消其中一个`;
  return '';
}

const getMergePreview = handle(contract.getMergePreview, async (input, ctx) => {
  const { scope, caller, cipher } = ctx;
  const pair = await findPair(ctx, input);
  const toRecord = (person: queries.MergePerson) => ({
    ...person,
    gender: person.gender as '01' | '02',
    username: displayName(caller, person.username),
    phonenumber: maskedPhone(cipher, person.musercode, person.phonesealed),
    archiveno: person.archiveno ?? '',
    createtime: shanghaiTime(person.createtime),
  });
  const visible = pair.open.filter(({ issuspect }) => !issuspect);
  const [kept] = visible.toSorted((a, b) => (isKeptCase(rankOf(a), rankOf(b)) ? -1 : 1));
  return {
    goes: toRecord(pair.goes),
    stays: toRecord(pair.stays),
    moves: await queries.countMoves(scope, input.cuserid),
    fills: await planFills(scope, input.cuserid, input.tocuserid),
    tasks: await planTasks(scope, input.cuserid, input.tocuserid),
    cases: visible.map((row) => ({ warningcode: row.warningcode, level: row.level, kept: row === kept ? 1 : 0 })),
    needssecond: visible.length > 0 ? 1 : 0,
    refusal: findRefusal(pair, caller),
  };
});

const rankOf = ({ level, createtime }: queries.OpenCase) => ({ level: level as WarningLevelCode, createtime });

const mergeCUser = handle(contract.mergeCUser, async ({ reason, ...input }, ctx) => {
  const { scope, now, caller } = ctx;
  const pair = await findPair(ctx, input, queries.lockPersons);
  const why = findRefusal(pair, caller);
  if (why) throw problems.wrongState({ why });
  const waiting = await queries.findWaitingMerge(scope, [input.cuserid, input.tocuserid]);
  if (waiting) throw problems.wrongState({ why: `${waiting.askname} 已申请合并，正在等待第二人复核` });
  const askkeys = await findActor(ctx);
  const waits = pair.open.length > 0;
  if (waits && askkeys.length === 0)
    throw problems.wrongState({ why: '有未结案的预警，须由具名人员申请、第二人复核；机构主账号和共用账号不能申请' });
  const mergeid = await queries.addMerge(scope, {
    ...input,
    musercode: pair.stays.musercode,
    status: waits ? '01' : '02',
    reason,
    askuserid: actorId(caller),
    askname: caller.name,
    askkeys,
    asktime: now,
  });
  ctx.audit({ objectid: input.cuserid, detail: { mergeid, tocuserid: input.tocuserid, waits } });
  if (waits) await askSecondPersons(ctx, pair, { mergeid, askkeys });
  else await merge(ctx, pair, mergeid);
  return { mergeid, waits: waits ? 1 : 0 };
});

/** Tells the other able staff that a merge waits for one of them. Who is suspected in one of the cases is not asked. */
async function askSecondPersons(
  { scope, now, caller }: StaffContext,
  { stays, open }: Pair,
  { mergeid, askkeys }: { mergeid: number; askkeys: readonly string[] },
): Promise<void> {
  const suspects = open.flatMap(({ suspectuserids }) => suspectuserids);
  const userids: string[] = [];
  for (const { userid, musercode } of await findAbleStaff(scope, stays.musercode, now))
    if (musercode === stays.musercode && !suspects.includes(userid) && !isSameHuman(await findHumanKeys(scope, userid), askkeys))
      userids.push(userid);
  await addNotices(
    scope,
    userids.map((userid) => ({
      musercode: stays.musercode,
      userid,
      kind: 'warning' as const,
      title: '请您复核：合并档案',
      content: `${caller.name} 申请合并两份档案，其中有未结案的预警。请打开档案核对后同意或退回；在此之前档案和个案都不变。`,
      link: archivePathOf(stays.appid, stays.cuserid),
      dedupekey: `merge:ask:${mergeid}:${userid}`,
      createtime: now,
    })),
  );
}

/** Merges the records, ends the sessions of the one that goes and tells the owners. */
async function merge(ctx: StaffContext, { goes, stays }: Pair, mergeid: number): Promise<void> {
  const { scope, now, caller } = ctx;
  const owners = await findOwners(ctx, [goes.cuserid, stays.cuserid]);
  const { musercode } = stays;
  await mergePersons(
    { scope, changes: [], from: goes.cuserid, to: stays.cuserid, musercode, now, ...operatorOf(caller) },
    mergeid,
  );
  await ctx.pools.authn.query('update auth.session set revoked = now() where cuserid = $1 and revoked is null', [goes.cuserid]);
  await tellOwners(ctx, stays, owners, {
    title: '两份档案已合并',
    content: `${caller.name} 确认两份档案属于同一人，已合并；${UNDO_DAYS} 天内可以撤销。`,
    key: `merge:done:${mergeid}`,
  });
}

/** The owners of persons and of their teams. */
async function findOwners({ scope }: StaffContext, cuserids: readonly string[]): Promise<string[]> {
  const rows = await scope.db
    .selectFrom('cuser')
    .select('owneruserid')
    .where('cuserid', 'in', [...cuserids])
    .execute();
  const userids = rows.flatMap(({ owneruserid }) => owneruserid ?? []);
  for (const cuserid of cuserids) userids.push(...(await findTeamOwners(scope, cuserid)));
  return [...new Set(userids)];
}

async function tellOwners(
  { scope, now, caller }: StaffContext,
  { musercode, appid, cuserid }: Pick<queries.MergePerson, 'musercode' | 'appid' | 'cuserid'>,
  owners: readonly string[],
  { title, content, key }: { title: string; content: string; key: string },
): Promise<void> {
  await addNotices(
    scope,
    owners
      .filter((userid) => userid !== actorId(caller))
      .map((userid) => ({
        musercode,
        userid,
        kind: 'warning' as const,
        title,
        content,
        link: archivePathOf(appid, cuserid),
        dedupekey: `${key}:${userid}`,
        createtime: now,
      })),
  );
}

const answerMergeCUser = handle(contract.answerMergeCUser, async ({ mergeid, agreed, content }, ctx) => {
  const { scope, now, caller } = ctx;
  const row = await queries.lockMerge(scope, mergeid);
  if (!row) throw problems.notFound({ what: '合并申请' });
  if (row.status !== '01') throw problems.wrongState({ why: '该申请已有结果，请刷新' });
  await assertSecondHuman(ctx, row.askkeys);
  const status = agreed === 1 ? ('02' as const) : ('03' as const);
  ctx.audit({ cuserids: [row.cuserid, row.tocuserid], objectid: row.cuserid, detail: { mergeid, status } });
  const pair = await findPair(ctx, row, agreed === 1 ? queries.lockPersons : queries.findPersons);
  if (pair.open.some(({ issuspect }) => issuspect)) throw problems.wrongState({ why: '尚有未办结的事项，请由其他同事办理' });
  await queries.changeMerge(scope, mergeid, {
    status,
    answerby: actorId(caller),
    answername: caller.name,
    answer: content,
    answertime: now,
  });
  if (agreed === 1) {
    const why = findRefusal(pair, caller);
    if (why) throw problems.wrongState({ why });
    await merge(ctx, pair, mergeid);
  }
  await tellOwners(ctx, pair.stays, [row.askuserid], {
    title: `合并档案${agreed === 1 ? '已完成' : '被退回'}`,
    content: `${caller.name}${agreed === 1 ? '同意了您的合并申请，两份档案已合并' : `退回了您的合并申请：${content}`}`,
    key: `merge:answer:${mergeid}`,
  });
  return { status };
});

const undoMergeCUser = handle(contract.undoMergeCUser, async ({ mergeid, reason }, ctx) => {
  const { scope, now, caller } = ctx;
  const row = await queries.lockMerge(scope, mergeid);
  if (!row) throw problems.notFound({ what: '合并记录' });
  const { cuserid, tocuserid, musercode, mergetime } = row;
  ctx.audit({ cuserids: [cuserid, tocuserid], objectid: cuserid, detail: { mergeid } });
  if (row.status !== '02' || !mergetime) throw problems.wrongState({ why: '该合并已撤销或没有完成，请刷新' });
  if (now >= addDays(mergetime, UNDO_DAYS)) throw problems.wrongState({ why: `合并已满 ${UNDO_DAYS} 天，不能再撤销` });
  const [stays] = [...(await queries.lockPersons(scope, [tocuserid])).values()];
  if (!stays) throw problems.wrongState({ why: '保留的档案后来又并入了其他档案，请先撤销之后的合并' });
  permittedPopulations(caller, stays.appid);
  if (caller.hasDataScope) throw problems.wrongState({ why: '您只能看到部分受测者，不能撤销合并' });
  if (stays.anonymizedtime) throw problems.wrongState({ why: '保留的档案已匿名化，不能撤销合并' });
  if (await queries.hasSuspectedCase(scope, tocuserid)) throw problems.wrongState({ why: '尚有未办结的事项，请由其他同事办理' });
  const owners = await findOwners(ctx, [tocuserid]);
  const human = await findActor(ctx);
  const { operator, operatorname } = operatorOf(caller);
  await undoMerge(
    { scope, now, from: cuserid, to: tocuserid, musercode, operator, operatorname, userid: actorId(caller), human },
    { mergetime, pointed: row.pointed, changes: row.changes, cases: row.cases },
  );
  await queries.changeMerge(scope, mergeid, {
    status: '04',
    undotime: now,
    undoby: actorId(caller),
    undoname: caller.name,
    undoreason: reason,
  });
  const [back] = [...(await queries.findPersons(scope, [cuserid])).values()];
  await tellOwners(ctx, stays, [...new Set([...owners, ...(await findOwners(ctx, [cuserid]))])], {
    title: '合并档案已撤销',
    content: `${caller.name} 撤销了合并，两份档案各自恢复：${reason}`,
    key: `merge:undo:${mergeid}`,
  });
  return { cuserid, appid: back?.appid ?? stays.appid };
});

const getMergeList = handle(contract.getMergeList, async ({ cuserid }, ctx) => {
  const { scope, caller, now } = ctx;
  const human = await findActor(ctx);
  return (await queries.findMerges(scope, cuserid)).map(({ askkeys, isdeleted, ...row }) => {
    const until = row.mergetime && addDays(row.mergetime, UNDO_DAYS);
    return {
      ...row,
      fromname: displayName(caller, row.fromname),
      toname: displayName(caller, row.toname),
      archiveno: row.archiveno ?? '',
      asktime: shanghaiTime(row.asktime),
      mergetime: row.mergetime && shanghaiTime(row.mergetime),
      undotime: row.undotime && shanghaiTime(row.undotime),
      undountil: until && shanghaiDate(until),
      canundo: row.status === '02' && isdeleted === 0 && until && now < until ? 1 : 0,
      cananswer: row.status === '01' && human.length > 0 && !isSameHuman(human, askkeys) ? 1 : 0,
    };
  });
});

export const mergeHandlers = [getMergePreview, mergeCUser, answerMergeCUser, undoMergeCUser, getMergeList];
