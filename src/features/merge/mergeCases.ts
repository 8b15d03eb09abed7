import { closeJoined, isKeptCase, joinCase } from '#domain/warning/clock/joinCases.ts';
import { applyAction } from '#domain/warning/decision/applyAction.ts';
import { joinSuspects } from '#domain/warning/suspect.ts';
import { isOpen, type WarningFacts, type WarningLevelCode } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';
import { changeRow, recordChange, type Change } from '#features/merge/changes.queries.ts';
import { findOpenCases, type JoinedCases } from '#features/merge/merge.queries.ts';
import { findOpenDuties, findOpenWork, findTriggers } from '#features/merge/mergeRows.queries.ts';
import type { MergeContext } from '#features/merge/mergeTasks.queries.ts';
import { addNotices, caseLink, notifyOfWarning, type CaseEvent } from '#features/warning/alerts/notify.queries.ts';
import { openCase } from '#features/warning/alerts/openCase.queries.ts';
import { findStaff, findWarningSettings } from '#features/warning/duty/duty.queries.ts';
import { replaceSuspectedOwner } from '#features/warning/handover/handOver.ts';
import { voidRequests } from '#features/warning/second/voidRequests.ts';
import { addLog, findSector, loadFacts, saveFacts, type WarningRecord } from '#features/warning/warning.queries.ts';

/** 并案: the open cases of two records that become one person's. */

/** What the case that stays gets from the other one, besides its clocks. */
const CASE_COLUMNS = ['rulecodes', 'alertmsgs', 'itemtrigger', 'peaklevel', 'lastacutesign', 'suspectuserids', 'suspectname'];

/** A case that has just closed as 并案, with the facts that it had before. */
interface ClosedCase {
  row: WarningRecord;
  facts: WarningFacts;
  kept: string;
}

const lockCase = (scope: Scope, warningcode: string): Promise<WarningRecord> =>
  scope.db.selectFrom('warning').selectAll().where('warningcode', '=', warningcode).forUpdate().executeTakeFirstOrThrow();

/**
 * Before the rows are pointed at the person who stays: with two open cases the lesser one closes, and its appointments, letters and duties
 * go on in the other one. Returns the closed case; undefined unless both records have an open case.
 */
export async function closeSecondCase(ctx: MergeContext): Promise<ClosedCase | undefined> {
  const { scope, changes, from, to, now } = ctx;
  const open = await findOpenCases(scope, [from, to]);
  const [one, other] = open;
  if (!one || !other) return undefined;
  const first = await lockCase(scope, one.warningcode);
  const second = await lockCase(scope, other.warningcode);
  const isFirstKept = isKeptCase(
    { level: first.level as WarningLevelCode, createtime: first.createtime },
    { level: second.level as WarningLevelCode, createtime: second.createtime },
  );
  const [kept, row] = isFirstKept ? [first, second] : [second, first];
  const facts = await loadFacts(scope, row, now);
  await moveDuties(scope, changes, row.warningcode, kept.warningcode, now);
  const before = await loadFacts(scope, row, now);
  const after = closeJoined(before, `与个案 ${kept.warningcode} 合并，由该个案继续处理`);
  await saveFacts(scope, row.warningcode, before, after, {
    action: '并案',
    content: `两份档案为同一人，本个案并入 ${kept.warningcode} 继续处理`,
    ...lineOf(ctx),
  });
  await voidRequests(scope, row.warningcode, before, after, now);
  return { row, facts, kept: kept.warningcode };
}

const lineOf = ({ operator, operatorname, now }: Pick<MergeContext, 'operator' | 'operatorname' | 'now'>) => ({
  operator,
  operatorname,
  time: now,
});

/** Moves what is still to be done from one case to another. Of two equal duties the earlier due time stays. */
async function moveDuties(scope: Scope, changes: Change[], from: string, to: string, now: Date): Promise<void> {
  for (const { table, key, id } of await findOpenWork(scope, from))
    await changeRow(scope, changes, table, { [key]: id }, { warningcode: to });
  for (const { dutyid, twin, isearlier, duetime } of await findOpenDuties(scope, from, to)) {
    if (twin === null) {
      await changeRow(scope, changes, 'warningduty', { dutyid }, { warningcode: to });
      continue;
    }
    if (isearlier) await changeRow(scope, changes, 'warningduty', { dutyid: twin }, { duetime });
    await changeRow(scope, changes, 'warningduty', { dutyid }, { donetime: now, content: `并案，由个案 ${to} 的同一职责继续` });
  }
}

/** After the rows are pointed: the case that stays gets the triggers and clocks of the closed one. Its staff are told. */
export async function joinKeptCase(ctx: MergeContext, { row: closed, facts: other, kept }: ClosedCase): Promise<void> {
  const { scope, changes, now } = ctx;
  const after = await recordChange(
    scope,
    changes,
    { table: 'warning', key: { warningcode: kept }, columns: CASE_COLUMNS },
    async () => {
      const row = await lockCase(scope, kept);
      await scope.db
        .updateTable('warning')
        .set({
          suspectuserids: [...new Set([...row.suspectuserids, ...closed.suspectuserids])],
          suspectname: joinSuspects(row.suspectname, closed.suspectname),
        })
        .where('warningcode', '=', kept)
        .execute();
      const before = await loadFacts(scope, row, now);
      const joined = joinCase(before, other, now);
      const messages = other.alertmsgs.join('；');
      await saveFacts(scope, kept, before, joined, {
        action: '并案',
        content: `两份档案为同一人，个案 ${closed.warningcode} 并入本个案${messages ? `：${messages}` : ''}`,
        ...lineOf(ctx),
      });
      await copyTriggers(ctx, row, closed.warningcode);
      await voidRequests(scope, kept, before, joined, now);
      return { joined, isNews: joined.newsno > before.newsno };
    },
  );
  const { operator, operatorname } = ctx;
  await replaceSuspectedOwner(scope, kept, { operator, operatorname, now });
  await notify(scope, kept, after.isNews ? 'news' : 'joined', now);
  await tellOwner(ctx, closed, {
    title: '个案已并案',
    content: `个案 ${closed.warningcode} 与 ${kept} 属于同一人，已并案，由后者继续处理。`,
    link: caseLink(kept),
  });
}

/** Copies the triggers of a case into the log of another one: its exams then stand behind both. */
async function copyTriggers(ctx: MergeContext, kept: WarningRecord, closedcode: string): Promise<void> {
  const { scope } = ctx;
  for (const { content, trigger } of await findTriggers(scope, closedcode))
    await addLog(scope, kept, {
      action: '追加',
      content: `来自个案 ${closedcode}：${content}`,
      detail: { trigger },
      ...lineOf(ctx),
    });
}

/** Sends the notices of an event of an open case. */
async function notify(scope: Scope, warningcode: string, reason: CaseEvent, time: Date): Promise<void> {
  const row = await lockCase(scope, warningcode);
  const { roster } = await findWarningSettings(scope, row.musercode);
  await notifyOfWarning(scope, {
    row,
    staff: await findStaff(scope, row.musercode, roster, time),
    level: row.level as WarningLevelCode,
    triggers: row.alertmsgs.join('；'),
    due: row.nextdue,
    reason,
    itemtrigger: row.itemtrigger === 1,
    time,
  });
}

/** Tells the owner of a case, unless the case suspects them. */
export async function tellOwner(
  { scope, now }: Pick<MergeContext, 'scope' | 'now'>,
  row: Pick<WarningRecord, 'warningcode' | 'musercode' | 'owneruserid' | 'suspectuserids'>,
  { title, content, link }: { title: string; content: string; link: string },
): Promise<void> {
  const { musercode, owneruserid: userid, warningcode } = row;
  if (userid === null || row.suspectuserids.includes(userid)) return;
  const dedupekey = `merge:${warningcode}:${now.getTime()}:${userid}`;
  const note = { musercode, userid, kind: 'warning' as const, title, content, link, dedupekey, createtime: now, warningcode };
  await addNotices(scope, [{ ...note, infokind: 4 }]);
}

/** Writes into the log of the one open case that it now belongs to the record that stays. */
export async function logMovedCase(ctx: MergeContext, content: string): Promise<void> {
  const { scope, to, now } = ctx;
  for (const { warningcode } of await findOpenCases(scope, [to])) {
    const row = await lockCase(scope, warningcode);
    await addLog(scope, row, { action: '合并档案', content, ...lineOf(ctx) });
    await tellOwner({ scope, now }, row, { title: '个案的档案已合并', content, link: caseLink(warningcode) });
  }
}

/** After the undo of a merge: the case that goes on computes its clocks anew, and the one that was closed opens with fresh clocks. */
export async function separateCases(
  ctx: Pick<MergeContext, 'scope' | 'operator' | 'operatorname' | 'now'> & { userid: string; human: readonly string[] },
  { kept, joined }: JoinedCases,
): Promise<void> {
  const { scope, now } = ctx;
  if (!kept || !joined) return;
  const keptRow = await lockCase(scope, kept);
  const keptFacts = await loadFacts(scope, keptRow, now);
  const content = '合并档案已撤销，两份档案各自处理';
  const separate = { ...keptFacts, peaklevel: keptFacts.level > keptFacts.peaklevel ? keptFacts.level : keptFacts.peaklevel };
  await saveFacts(scope, kept, keptFacts, separate, { action: '撤销并案', content, ...lineOf(ctx) });
  if (isOpen(keptFacts)) await tellOwner(ctx, keptRow, { title: '并案已撤销', content, link: caseLink(kept) });
  const row = await lockCase(scope, joined);
  const facts = await loadFacts(scope, row, now);
  if (isOpen(facts)) return;
  const { trigger } = await findWarningSettings(scope, row.musercode);
  if (facts.otheropen) {
    // The person got another case meanwhile, so the alarm goes on there.
    await openCase(scope, {
      cuserid: row.cuserid,
      musercode: row.musercode,
      appid: row.appid,
      time: now,
      isMinor: facts.minor,
      sector: await findSector(scope, row.musercode),
      trigger: {
        source: '03',
        level: facts.level,
        itemtrigger: facts.selfharm,
        rulecodes: [],
        alerts: [],
        alertmsgs: [`合并档案已撤销，个案 ${joined} 的情况由本个案继续处理`],
      },
      operator: { accountid: ctx.operator, name: ctx.operatorname },
    });
    return;
  }
  const reopened = applyAction(
    facts,
    { kind: 'reopen', reason: content },
    { now, userid: ctx.userid, human: ctx.human, ...trigger },
  );
  await saveFacts(scope, joined, facts, reopened, { action: '重开', content, ...lineOf(ctx) });
  await notify(scope, joined, 'reopened', now);
}
