import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { clearFailures, countFailure, findWaitMinutes } from '#features/account/throttle.queries.ts';
import { findCurrentConsent } from '#features/consent/consentFacts.ts';
import { isChildCode } from '#features/consent/guardian/childCode.ts';
import { openForDecision } from '#features/consent/guardian/decide.ts';
import { findByGuardian } from '#features/consent/guardian/guardianClass.queries.ts';
import { settleGuardians } from '#features/consent/guardian/settleGuardians.ts';
import * as contract from '#features/respond/respond.contract.ts';
import { requireEntry } from '#features/respond/entry/requireEntry.ts';

/** The page for parents: a guardian of the roster agrees or refuses before the day. */

/** Wrong tries at one child before the page must wait. */
const MAX_TRIES = 5;

export const decideAsGuardian = handle(contract.decideAsGuardian, async ({ clientcode, teamcode, agreed, ...input }, ctx) => {
  const { pools, cipher, now } = ctx;
  const { musercode } = await requireEntry(pools.authn, clientcode);
  const { username, child, phonenumber, birthday, name, relation, consentversion } = input;
  if (!child && !username) throw problems.missing({ title: '学生姓名' }, { field: 'username' });
  if (!phonenumber && !(child && birthday)) throw problems.missing({ title: '监护人电话' }, { field: 'phonenumber' });
  const throttleKey = cipher.hmac('throttle', `parent:${musercode}:${teamcode}:${child ?? username}`);
  const minutes = await findWaitMinutes(pools.authn, [throttleKey]);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
  const digits = (text: string) => text.replace(/\D/g, '');
  const cuserid = await runAsSystem(pools, musercode, async (scope) => {
    const { version } = await findCurrentConsent(scope, musercode);
    if (consentversion !== version) throw problems.changedMeanwhile();
    const members = child
      ? (await findByGuardian(scope, teamcode)).filter(({ cuserid }) => isChildCode(cipher, { musercode, cuserid }, child))
      : await findByGuardian(scope, teamcode, username);
    const hasPhone = (phones: readonly string[]) =>
      phones.some((sealed) => digits(cipher.decrypt(musercode, 'cuser.phone', sealed)) === digits(phonenumber ?? ''));
    const matches = members.filter((member) =>
      phonenumber ? hasPhone(member.phones) : child !== undefined && birthday !== undefined && member.birthday === birthday,
    );
    const [person] = matches;
    if (!person || matches.length > 1) return undefined;
    await openForDecision(scope, { cuserid: person.cuserid, musercode, claimed: { name, relation }, now });
    await settleGuardians(scope, [person.cuserid], {
      status: agreed === 1 ? 1 : 2,
      method: '04',
      verifiedby: 'guardian',
      remark: '监护人在家长入口表态',
      now,
    });
    return person.cuserid;
  });
  if (!cuserid) {
    await countFailure(pools.authn, throttleKey, MAX_TRIES);
    const words = child ? (phonenumber ? '监护人电话' : '出生日期') : '学生姓名或监护人电话';
    throw problems.invalid(
      { message: `${words}与学校登记的不符，请核对，或联系班主任` },
      { field: phonenumber ? 'phonenumber' : 'birthday' },
    );
  }
  await clearFailures(pools.authn, throttleKey);
  ctx.audit({ cuserids: [cuserid], detail: { agreed } });
  return {};
});
