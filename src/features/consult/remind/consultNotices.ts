import { shanghaiTime } from '#domain/base/calendar.ts';
import { pathOf } from '#contract/menu.ts';
import type { Context } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { findCounsellors, isSuspected } from '#features/consult/booking/booking.queries.ts';
import type { ConsultRecord } from '#features/consult/consult.queries.ts';
import { addNotices } from '#features/warning/alerts/notify.queries.ts';

/** Notices to counsellors about registrations. None names the person or the subject: the link opens the registration. */

type Consult = Pick<ConsultRecord, 'consultid' | 'cuserid' | 'musercode' | 'warningcode'>;
interface At {
  scope: Scope;
  now: Date;
}

const linkOf = (consultid: number) => `${pathOf('consult.forms')}?open=${consultid}`;

/**
 * Tells a counsellor of a change to a registration. A counsellor under suspicion in a case of the person is not told. Works in the
 * session of a respondent too.
 */
export async function tellCounsellor({ scope, now }: At, consult: Consult, userid: string, title: string): Promise<void> {
  if (await isSuspected(scope, consult, userid)) return;
  const { musercode, consultid } = consult;
  await addNotices(scope, [
    {
      musercode,
      userid,
      kind: 'followup',
      title,
      content: '请在登记表管理中查看。',
      link: linkOf(consultid),
      dedupekey: `consult:${consultid}:${now.getTime()}:${userid}:${title}`,
      createtime: now,
    },
  ]);
}

/** Tells counsellors of a change that somebody else made to their booking; null and the caller are passed over. */
export async function tellOtherCounsellors(
  { scope, now, caller }: Context<'staff'>,
  consult: Consult,
  userids: Iterable<string | null>,
  title: string,
): Promise<void> {
  for (const userid of new Set(userids)) {
    // Somebody who acts in the account of a counsellor (代登录) is not the counsellor.
    const isSelf = userid === caller.userid && caller.loginasby === null;
    if (userid !== null && !isSelf) await tellCounsellor({ scope, now }, consult, userid, title);
  }
}

/**
 * Tells the counsellors of an institution that a person applied, each at most once an hour: the list has the other applications. An
 * institution without counsellors sees the application on its workbench only. For the session of a respondent.
 */
export async function notifyOfApplication({ scope, now }: At, consult: Consult): Promise<void> {
  const { musercode, consultid } = consult;
  const hour = shanghaiTime(now).slice(0, 13);
  for (const userid of await findCounsellors(scope, musercode)) {
    if (await isSuspected(scope, consult, userid)) continue;
    await addNotices(scope, [
      {
        musercode,
        userid,
        kind: 'followup',
        title: '有新的咨询申请',
        content: '本人提交了咨询申请，请在登记表管理中查看并安排时间。',
        link: linkOf(consultid),
        dedupekey: `consultnew:${userid}:${hour}`,
        createtime: now,
      },
    ]);
  }
}
