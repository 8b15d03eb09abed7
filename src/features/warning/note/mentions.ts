import { problems } from '#contract/problem.ts';
import { addNotices, caseLink } from '#features/warning/alerts/notify.queries.ts';
import { findStaff } from '#features/warning/duty/duty.queries.ts';
import { actorId, type LockedCase, type StaffContext } from '#features/warning/handling/transition.ts';

/**
 * Refuses (120002) a mention of somebody who may not handle the case, or who is not named in the text. A suspected source of harm cannot
 * be mentioned: the message would tell them of the case.
 */
export async function assertMentions(
  { scope, now }: StaffContext,
  { row, settings }: LockedCase,
  content: string,
  mentions: readonly string[],
): Promise<void> {
  if (mentions.length === 0) return;
  const staff = await findStaff(scope, row.musercode, settings.roster, now);
  for (const userid of mentions) {
    const colleague = staff.find((item) => item.userid === userid && item.isAble && !row.suspectuserids.includes(userid));
    if (!colleague) throw problems.invalid({ message: '提到的同事不能处理这个个案' }, { field: 'content' });
    if (!content.includes(`@${colleague.realname}`))
      throw problems.invalid({ message: `内容里没有 @${colleague.realname}` }, { field: 'content' });
  }
}

/** Tells the mentioned colleagues, each once. The message says nothing of the note or the person; the case does, within their rights. */
export async function notifyMentioned(
  { scope, caller, now }: StaffContext,
  { row }: LockedCase,
  version: number,
  mentions: readonly string[],
): Promise<void> {
  const others = [...new Set(mentions)].filter((userid) => userid !== actorId(caller));
  await addNotices(
    scope,
    others.map((userid) => ({
      musercode: row.musercode,
      userid,
      kind: 'mention',
      title: `${caller.name} 在个案记录中提到了您`,
      content: '请打开个案查看记录。',
      link: caseLink(row.warningcode),
      dedupekey: `mention:${row.warningcode}:${version}:${userid}`,
      createtime: now,
      warningcode: row.warningcode,
    })),
  );
}
