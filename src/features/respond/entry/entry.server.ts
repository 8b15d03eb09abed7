import { createHash } from 'node:crypto';
import { consentText, provideScope, requiredScopes } from '#domain/exam/consent.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { newKey } from '#server/storage/storage.ts';
import { findAddress } from '#features/respond/entry/support.ts';
import { countFailure, clearFailures, findWaitMinutes } from '#features/account/throttle.queries.ts';
import { consentVersion, findCurrentConsent, toConsentFacts } from '#features/consent/consentFacts.ts';
import { findConsentSource } from '#features/consent/consentSource.queries.ts';
import { openGuardianConsent } from '#features/consent/guardian/guardian.queries.ts';
import { resumeAfterWithdrawal } from '#features/consent/withdrawal/withdrawal.queries.ts';
import { findHotlines, toOwnLines } from '#features/hotline/hotline.queries.ts';
import { findConsentState } from '#features/respond/entry/consentState.ts';
import * as contract from '#features/respond/respond.contract.ts';
import * as queries from '#features/respond/entry/entry.queries.ts';
import { declineTasks } from '#features/respond/entry/decline.server.ts';
import { openRespondentSession } from '#features/respond/entry/openRespondentSession.ts';
import { requireEntry } from '#features/respond/entry/requireEntry.ts';
import { undoDecline } from '#features/respond/entry/decline.queries.ts';
import { findPersonByClass } from '#features/respond/entry/findByClass.queries.ts';
import { decideAsGuardian } from '#features/respond/entry/parent.server.ts';
import { guardianHandlers } from '#features/respond/entry/guardian.server.ts';
import { findPersonByCode, findPersonByScan } from '#features/respond/entry/anonymousEntry.server.ts';

/** Wrong tries at one name before the name must wait. A whole school has one address, so addresses are not counted. */
const maxTriesPerPerson = 5;

/** Wrong codes and new anonymous persons from one address in 15 minutes: one school may need as many. */
const maxCodeTriesPerAddress = 100;
const maxNewPersonsPerAddress = 500;
const keyTitles = { '01': '测评码', '02': '手机号', '03': '学号/工号' } as const;

/** The throttle key of a sign-in and the number of failures that it allows. */
function throttleFor(
  { cipher, origin }: Context,
  { musercode, loginmode }: queries.EntryFacts,
  username: string,
): [key: string, limit: number] {
  if (loginmode === '01') return [cipher.hmac('throttle', `code:${musercode}:${origin.ip}`), maxCodeTriesPerAddress];
  if (loginmode === '04') return [cipher.hmac('throttle', `newcomer:${musercode}:${origin.ip}`), maxNewPersonsPerAddress];
  return [cipher.hmac('throttle', `respondent:${musercode}:${username}`), maxTriesPerPerson];
}

/** What a respondent types to sign in. */
interface SignIn {
  username: string;
  key: string;
  classname?: string | undefined;
  birthday?: string | undefined;
}

/** The person of a sign-in, by the entry mode of the institution. The first use of a code or a scan creates the person. */
function identifyPerson(
  { cipher, now }: Context,
  scope: Scope,
  { musercode, loginmode }: queries.EntryFacts,
  { username, key, classname, birthday }: SignIn,
) {
  if (loginmode === '01') return findPersonByCode(scope, { musercode, now, cipher }, key);
  if (loginmode === '04')
    return findPersonByScan(
      scope,
      { musercode, now, cipher },
      key ? cipher.blindIndexes(musercode, 'cuser.scan', key) : undefined,
    );
  if (loginmode === '03' && !key && classname && birthday) return findPersonByClass(scope, { username, classname, birthday });
  return queries.findPerson(
    scope,
    loginmode === '02'
      ? { username, phonehashes: cipher.blindIndexes(musercode, 'cuser.phone', key) }
      : { username, number: key },
  );
}

const getEntry = handle(contract.getEntry, async ({ clientcode }, ctx) => {
  const {
    musercode,
    state: _state,
    needsignature: _,
    consentterms,
    hotlines,
    ...entry
  } = await requireEntry(ctx.authn, clientcode);
  const read = (text: string, values: readonly unknown[]) => ctx.authn.query(text, [...values]);
  const source = await findConsentSource(read, musercode);
  if (!source) throw problems.notFound({ what: '该作答入口' });
  const facts = toConsentFacts(source, consentterms);
  const place = { regions: source.regions, own: toOwnLines(hotlines, entry.hotline), sector: entry.sector };
  return {
    ...entry,
    hotlines: await findHotlines(read, place),
    consent: {
      version: consentVersion(facts),
      ...consentText(facts, 'full'),
      short: entry.sector === 'edu' ? consentText(facts, 'short') : null,
    },
  };
});

const loginRespondent = handle(contract.loginRespondent, async ({ clientcode, username = '', key = '', ...noNumber }, ctx) => {
  const { authn } = ctx.pools;
  const entry = await requireEntry(authn, clientcode);
  const { loginmode, musercode } = entry;
  if (!username && (loginmode === '02' || loginmode === '03')) throw problems.missing({ title: '姓名' }, { field: 'username' });
  const hasClass = loginmode === '03' && noNumber.classname && noNumber.birthday;
  if (!key && !hasClass && loginmode !== '04') throw problems.missing({ title: keyTitles[loginmode] }, { field: 'key' });
  const [throttleKey, limit] = throttleFor(ctx, entry, username);
  const minutes = await findWaitMinutes(authn, [throttleKey]);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
  const person = await runAsSystem(ctx.pools, musercode, async (scope) => {
    const person = await identifyPerson(ctx, scope, entry, { username, key, ...noNumber });
    if (!person) return undefined;
    const you = await findAddress(scope, person.cuserid, ctx.now);
    return { ...person, you, state: await findConsentState(scope, person.cuserid, ctx) };
  });
  // A scan holds nothing to guess, so the throttle counts the new persons of one address instead.
  if (!person || ('isNew' in person && person.isNew)) await countFailure(authn, throttleKey, limit);
  // The message is the same for an unknown name and an unknown number, so that nobody can probe for names.
  if (!person) throw problems.sameIdentity();
  if (loginmode === '02' || loginmode === '03') await clearFailures(authn, throttleKey);
  return openRespondentSession(ctx, entry, person);
});

const submitConsent = handle(contract.submitConsent, async ({ consentversion, scopes, guardian, signature }, ctx) => {
  const { scope, caller, now } = ctx;
  const { cuserid, musercode } = caller;
  const respondent = await queries.findRespondent(scope, cuserid);
  if (!respondent) throw problems.identityInvalid();
  const { facts, version } = await findCurrentConsent(scope, musercode);
  if (consentversion !== version) throw problems.changedMeanwhile();
  const missing = requiredScopes.filter((requiredScope) => !scopes.includes(requiredScope));
  if (missing.length > 0) throw problems.consentMissing({ why: '请分别勾选两项同意后再开始' }, { field: 'scopes' });
  if (respondent.needsignature === 1 && !signature)
    throw problems.consentMissing({ why: '请签名后再开始' }, { field: 'signature' });
  const { duty, reading, isRefused } = await findConsentState(scope, cuserid, ctx);
  if (isRefused) throw problems.wrongState({ why: '监护人没有同意参加，这次不用作答。有疑问请联系老师' });
  const signaturefileid = signature ? await saveSignature(ctx, musercode, cuserid, signature) : null;
  const { text, sensitivetext, providetext } = consentText(facts, reading);
  await queries.insertConsentText(scope, {
    musercode,
    version,
    reading,
    facts: JSON.stringify(facts),
    text,
    sensitivetext,
    providetext,
    createtime: now,
  });
  // A consent to provide data has no meaning without a recipient.
  const givenScopes = [...new Set(scopes)].filter((given) => given !== provideScope || providetext !== '');
  await queries.insertConsents(
    scope,
    givenScopes.map((consentScope) => ({
      cuserid,
      musercode,
      scope: consentScope,
      consentversion: version,
      reading,
      subject: '01',
      method: signature ? '01' : '02',
      signaturefileid,
      agreed: 1,
      agreetime: now,
      ip: ctx.origin.ip,
    })),
  );
  // The role of respondents may not write the rows that withhold their own results.
  await runAsSystem(ctx.pools, musercode, async (system) => {
    await resumeAfterWithdrawal(system, cuserid, now);
    await undoDecline(system, cuserid);
    if (duty) await openGuardianConsent(system, { cuserid, musercode, kind: duty, version, claimed: guardian, now });
  });
  return {};
});

async function saveSignature(ctx: Context, musercode: string, cuserid: string, dataUrl: string): Promise<string> {
  const content = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
  const isPng = content.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  if (!isPng || content.length > 100 * 1024)
    throw problems.fileRefused({ why: '签名图片格式不正确或过大' }, { field: 'signature' });
  const path = newKey('consent');
  await ctx.storage.put(path, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return (
    await queries.insertFile(ctx.scope, {
      musercode,
      cuserid,
      filename: 'signature.png',
      mime: 'image/png',
      size: content.length,
      sha256,
      path,
      biztype: 'consent',
    })
  ).fileid;
}

const getRegions = handle(contract.getRegions, ({ parentcode }, { authn }) => queries.findRegions(authn, parentcode));

export const entryHandlers = [
  getEntry,
  getRegions,
  loginRespondent,
  submitConsent,
  declineTasks,
  decideAsGuardian,
  ...guardianHandlers,
];
