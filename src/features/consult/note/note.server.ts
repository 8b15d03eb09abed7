import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context, type RefusalContext } from '#server/dispatch/handle.ts';
import { findConsult, type ConsultRecord } from '#features/consult/consult.queries.ts';
import { openText, sealText } from '#features/consult/consultSeal.ts';
import { isOwnConsult, lockConsult } from '#features/consult/lockConsult.ts';
import * as contract from '#features/consult/note/note.contract.ts';
import * as queries from '#features/consult/note/note.queries.ts';
import { addNotices } from '#features/warning/alerts/notify.queries.ts';

type OwnNote = Awaited<ReturnType<typeof queries.findOwnNotes>>[number];

/** The time of the latest note, which the next save must name; null without a note. */
const versionOf = (notes: readonly OwnNote[]): Date | null =>
  notes.reduce<Date | null>((latest, { updatetime }) => (latest && latest > updatetime ? latest : updatetime), null);

const getConsultNote = handle(
  contract.getConsultNote,
  async ({ consultid }, ctx) => {
    const consult = await findConsult(ctx.scope, consultid);
    if (!consult) throw problems.notFound({ what: '咨询登记' });
    if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
    const notes = await queries.findOwnNotes(ctx.scope, consultid, ctx.caller.userid ?? '');
    // Somebody who took the person over reads the notes that passed on, also of consultations with the colleague before.
    if (notes.length === 0) assertCounsellor(ctx, consult);
    ctx.audit({ cuserids: [consult.cuserid], objectid: String(consultid) });
    return {
      note: notes.map(({ note }) => openText(ctx.cipher, consult.musercode, 'consultnote.note', note)).join('\n\n'),
      isshared: notes.some(({ isshared }) => isshared === 1) ? 1 : 0,
      updatetime: versionOf(notes)?.toISOString() ?? null,
    };
  },
  { refused: tellCounsellor },
);

const saveConsultNote = handle(
  contract.saveConsultNote,
  async ({ consultid, note, isshared, updatetime }, ctx) => {
    const consult = await lockConsult(ctx, consultid);
    const userid = assertCounsellor(ctx, consult);
    const before = versionOf(await queries.findOwnNotes(ctx.scope, consultid, userid));
    if ((before?.toISOString() ?? null) !== (updatetime ?? null))
      throw problems.wrongState({ why: '这份记录已在别处修改过，请重新打开核对后再保存；您刚才写的内容没有丢失' });
    const text = note.trim();
    // Two saves within a millisecond are two versions too.
    const time = new Date(Math.max(ctx.now.getTime(), (before?.getTime() ?? 0) + 1));
    const { cuserid, musercode } = consult;
    const sealed = sealText(ctx.cipher, musercode, 'consultnote.note', text);
    await queries.replaceOwnNotes(
      ctx.scope,
      { consultid, userid },
      sealed === null ? null : { consultid, cuserid, musercode, userid, note: sealed, isshared, updatetime: time },
    );
    return { updatetime: sealed === null ? null : time.toISOString() };
  },
  { refused: tellCounsellor },
);

export const noteHandlers = [getConsultNote, saveConsultNote];

/** Returns the account of the caller, who is the counsellor of the consultation. Throws 110004 for everybody else. */
function assertCounsellor(ctx: Context<'staff'>, consult: ConsultRecord): string {
  if (!isOwnConsult(ctx, consult) || consult.counsellor === null) throw problems.notAllowed();
  return consult.counsellor;
}

/** Records an attempt at a private note, and tells the counsellor who tried. The message names neither person nor content. */
async function tellCounsellor(
  { consultid }: { consultid: number },
  { scope, caller, now, audit }: RefusalContext,
): Promise<void> {
  const consult = await queries.findCounsellor(scope, consultid);
  if (!consult) return;
  audit({ cuserids: [consult.cuserid], objectid: String(consultid) });
  const { musercode, counsellor } = consult;
  const isSelf = counsellor === caller.userid && caller.loginasby === null;
  if (counsellor === null || isSelf) return;
  const who = caller.loginasby === null ? caller.name : `${caller.loginasname ?? '上级账号'}（代登录 ${caller.name}）`;
  const time = shanghaiTime(now);
  await addNotices(scope, [
    {
      musercode,
      userid: counsellor,
      kind: 'system',
      title: '有人尝试查看您的个别咨询记录',
      content: `${who} 于 ${time.slice(0, 16)} 尝试打开登记 ${consultid} 的个别咨询记录，系统已拒绝，内容没有显示。如不知情，请联系管理员。`,
      link: `/registration/registrationForm?open=${consultid}`,
      // One message an hour for each account; the audit log has every attempt.
      dedupekey: `consultnote:${consultid}:${caller.loginasby ?? ''}:${caller.accountid}:${time.slice(0, 13)}`,
      createtime: now,
    },
  ]);
}
