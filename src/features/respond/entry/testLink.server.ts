import { problems, type Problem } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { countWrongCodes, isKioskStopped } from '#features/assess/kioskStop.ts';
import { countFailure, findWaitMinutes } from '#features/account/throttle.queries.ts';
import { findConsentState, type ConsentState } from '#features/respond/entry/consentState.ts';
import { findPersonById, type EntryPerson } from '#features/respond/entry/entry.queries.ts';
import { openRespondentSession } from '#features/respond/entry/openRespondentSession.ts';
import { requireEntry } from '#features/respond/entry/requireEntry.ts';
import { findAddress } from '#features/respond/entry/support.ts';
import * as contract from '#features/respond/entry/testLink.contract.ts';
import * as queries from '#features/respond/entry/testLink.queries.ts';

/** Wrong days of birth that end a link (supplement-people-statistics.md, section 4). */
const MAX_WRONG_BIRTHDAYS = 5;
/** Unknown links from one address in 15 minutes. A secret of 192 bits cannot be guessed; the limit spares the database. */
const MAX_UNKNOWN_LINKS = 100;
/** The scene of an exam by way: 01 online, 04 kiosk. */
const SCENES = { '01': '01', '02': '01', '03': '04' } as const;

interface Entered {
  person: EntryPerson & { state: ConsentState; you: '你' | '您' };
  cuserplanid: number;
  way: '01' | '02' | '03';
}
const isEntered = (outcome: Entered | Problem): outcome is Entered => 'person' in outcome;

const ended = () => problems.wrongState({ why: '这个链接已经失效，请向工作人员要新的链接' });

/** The person of a link or code that is right. */
async function enter(ctx: Context, scope: Scope, link: queries.TestLinkRow): Promise<Entered | Problem> {
  const person = await findPersonById(scope, link.cuserid);
  if (!person) return ended();
  await queries.markUsed(scope, link, SCENES[link.way], ctx.now);
  const { cuserplanid, way } = link;
  const you = await findAddress(scope, person.cuserid, ctx.now);
  return { person: { ...person, you, state: await findConsentState(scope, person.cuserid, ctx) }, cuserplanid, way };
}

/** Who may enter with a link. A refusal keeps what it counted, because this is a transaction of its own. */
async function enterByLink(
  ctx: Context,
  scope: Scope,
  { musercode, secret, birthday }: { musercode: string; secret: string; birthday: string | undefined },
): Promise<Entered | Problem | undefined> {
  const link = await queries.lockLink(scope, {
    musercode,
    secrethashes: ctx.cipher.storedHashes('testlink', secret),
    now: ctx.now,
  });
  if (!link || link.way === '03') return undefined;
  if (link.grantstatus !== 1) return problems.wrongState({ why: '这次测评已经交卷或取消，链接不再有效' });
  if (link.wrongtries >= MAX_WRONG_BIRTHDAYS || (link.way === '01' && link.usedtime)) return ended();
  if (link.way === '02' && link.birthday) {
    if (birthday === undefined) return problems.missing({ title: '出生月日' }, { field: 'birthday' });
    if (link.birthday.slice(5) !== birthday) {
      await queries.countWrongTry(scope, link.linkid);
      const left = MAX_WRONG_BIRTHDAYS - link.wrongtries - 1;
      return left > 0
        ? problems.invalid({ message: `出生月日不一致，请核对（还可以试 ${left} 次）` }, { field: 'birthday' })
        : ended();
    }
  }
  return enter(ctx, scope, link);
}

const loginByLink = handle(contract.loginByLink, async ({ clientcode, secret, birthday }, ctx) => {
  const { authn } = ctx.pools;
  const entry = await requireEntry(authn, clientcode);
  const throttleKey = ctx.cipher.hmac('throttle', `testlink:${entry.musercode}:${ctx.origin.ip}`);
  const minutes = await findWaitMinutes(authn, [throttleKey]);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
  const { musercode } = entry;
  const outcome = await runAsSystem(ctx.pools, musercode, (scope) => enterByLink(ctx, scope, { musercode, secret, birthday }));
  if (!outcome) await countFailure(authn, throttleKey, MAX_UNKNOWN_LINKS);
  if (!outcome || !isEntered(outcome)) throw outcome ?? ended();
  const { person, cuserplanid, way } = outcome;
  return { ...(await openRespondentSession(ctx, entry, person)), cuserplanid, way };
});

/** Who may enter with a code at a paired device. */
async function enterByCode(
  ctx: Context,
  scope: Scope,
  { musercode, kiosk, code }: { musercode: string; kiosk: string; code: string },
): Promise<Entered | Problem> {
  const { cipher, now } = ctx;
  const device = await queries.lockKiosk(scope, { musercode, secrethashes: cipher.storedHashes('kiosk', kiosk), now });
  if (!device) return problems.wrongState({ why: '这台设备的配对已经结束，请工作人员重新配对' });
  const wrongtries = countWrongCodes(device, now);
  if (isKioskStopped(device, now))
    return problems.outsideWindow({ why: '输错的次数有点多，请找工作人员帮忙，10 分钟后可以再试' });
  const link = await queries.lockLink(scope, {
    musercode,
    secrethashes: cipher.storedHashes('kioskcode', `${musercode}:${code}`),
    now,
  });
  if (!link || link.way !== '03' || link.usedtime || link.grantstatus !== 1) {
    const wrongsince = wrongtries > 0 ? device.wrongsince : now;
    await queries.updateKiosk(scope, device.kioskid, { wrongtries: wrongtries + 1, wrongsince });
    return problems.invalid({ message: '测评码不正确或已过期，请核对工作人员给的 4 位数字' }, { field: 'code' });
  }
  await queries.updateKiosk(scope, device.kioskid, { wrongtries: 0, wrongsince: null, lasttime: now });
  return enter(ctx, scope, link);
}

const loginByKioskCode = handle(contract.loginByKioskCode, async ({ clientcode, kiosk, code }, ctx) => {
  const entry = await requireEntry(ctx.pools.authn, clientcode);
  const { musercode } = entry;
  const outcome = await runAsSystem(ctx.pools, musercode, (scope) => enterByCode(ctx, scope, { musercode, kiosk, code }));
  if (!isEntered(outcome)) throw outcome;
  const { person, cuserplanid, way } = outcome;
  return { ...(await openRespondentSession(ctx, entry, person)), cuserplanid, way };
});

export const testLinkHandlers = [loginByLink, loginByKioskCode];
