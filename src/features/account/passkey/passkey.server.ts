import { randomBytes } from 'node:crypto';
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import { findLoginname, isFactorEnforced } from '#features/account/factor.queries.ts';
import { issueRecoveryCodes, notifyOfFactor } from '#features/account/factor.server.ts';
import * as contract from '#features/account/passkey/passkey.contract.ts';
import * as queries from '#features/account/passkey/passkey.queries.ts';
import {
  askForPasskey,
  CHALLENGE_MS,
  challengeOf,
  relyingPartyOf,
  requireRelyingParty,
} from '#features/account/passkey/verifyPasskey.ts';

/** The signatures that a new passkey may use, as COSE numbers: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

const getPasskeyList = handle(contract.getPasskeyList, async (_, { caller, authn, publicUrl }) => ({
  origin: relyingPartyOf(publicUrl)?.origin ?? '',
  passkeys: (await queries.findPasskeys(authn, caller.accountid)).map((row) => ({
    passkeyid: row.passkeyid,
    passkeyname: row.passkeyname,
    isbackedup: row.isbackedup,
    createtime: shanghaiTime(row.createtime),
    lasttime: row.lasttime ? shanghaiTime(row.lasttime) : '',
  })),
}));

const beginPasskey = handle(contract.beginPasskey, async (_, ctx) => {
  const { caller, pools } = ctx;
  const { rpid } = requireRelyingParty(ctx);
  const passkeys = await queries.findPasskeys(pools.authn, caller.accountid);
  if (passkeys.length >= contract.MAX_PASSKEYS) throw tooMany();
  const loginname = (await findLoginname(pools.authn, caller.accountid)) ?? '';
  const userhandle = passkeys[0]?.userhandle ?? randomBytes(32).toString('base64url');
  // The challenge begins with the handle: so the server knows it again when the device answers.
  const challenge = Buffer.concat([Buffer.from(userhandle, 'base64url'), randomBytes(32)]);
  const options = await generateRegistrationOptions({
    rpName: 'AI智慧心理-管理端',
    rpID: rpid,
    userName: loginname,
    userDisplayName: loginname,
    userID: new Uint8Array(Buffer.from(userhandle, 'base64url')),
    challenge: new Uint8Array(challenge),
    timeout: CHALLENGE_MS,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  await queries.addChallenge(pools.authn, hashToken(options.challenge), 'add', caller.accountid);
  return {
    challenge: options.challenge,
    rp: { id: rpid, name: options.rp.name },
    user: { id: options.user.id, name: loginname, displayName: loginname },
    pubKeyCredParams: options.pubKeyCredParams.map(({ alg }) => ({ alg, type: 'public-key' as const })),
    timeout: CHALLENGE_MS,
    attestation: 'none' as const,
    excludeCredentials: passkeys
      .filter((passkey) => passkey.rpid === rpid)
      .map(({ credentialid, transports }) => ({ id: credentialid, type: 'public-key' as const, transports })),
    authenticatorSelection: { residentKey: 'preferred' as const, userVerification: 'preferred' as const },
  };
});

const tooMany = () => problems.wrongState({ why: `通行密钥最多 ${contract.MAX_PASSKEYS} 个，请先移除不用的` });

const confirmPasskey = handle(contract.confirmPasskey, async ({ passkeyname, credential }, ctx) => {
  const { caller, pools } = ctx;
  const { rpid, origin } = requireRelyingParty(ctx);
  const { id, transports, ...response } = credential;
  const expectedChallenge = challengeOf(credential.clientDataJSON);
  if (!(await queries.consumeChallenge(pools.authn, hashToken(expectedChallenge), 'add', caller.accountid)))
    throw problems.passkeyLapsed();
  const verified = await verifyRegistrationResponse({
    response: { id, rawId: id, type: 'public-key', response: { ...response, transports: [] }, clientExtensionResults: {} },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpid,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!verified?.verified) throw problems.passkeyRefused();
  const info = verified.registrationInfo;
  const passkeyid = await queries.addPasskey(
    pools.authn,
    {
      accountid: caller.accountid,
      passkeyname,
      credentialid: info.credential.id,
      publickey: Buffer.from(info.credential.publicKey).toString('base64url'),
      userhandle: Buffer.from(expectedChallenge, 'base64url').subarray(0, 32).toString('base64url'),
      rpid,
      counter: info.credential.counter,
      transports,
      isbackedup: info.credentialBackedUp ? 1 : 0,
    },
    contract.MAX_PASSKEYS,
  );
  if (passkeyid === undefined) throw problems.wrongState({ why: '这个通行密钥已经添加，或数量已满' });
  const recoverycodes =
    (await queries.countRecoveryCodes(pools.authn, caller.accountid)) > 0 ? [] : await issueRecoveryCodes(ctx);
  ctx.audit({ objectid: caller.accountid, detail: { name: passkeyname } });
  await notifyOfFactor(ctx, '已添加通行密钥', `名称：${passkeyname}。以后可以用它登录。`);
  return { passkeyid, recoverycodes };
});

const deletePasskey = handle(contract.deletePasskey, async ({ passkeyid }, ctx) => {
  const { caller, pools } = ctx;
  const removed = await queries.removePasskey(pools.authn, caller.accountid, passkeyid, await isFactorEnforced(ctx.scope));
  if (removed === undefined) throw problems.notFound({ what: '通行密钥' });
  if (removed === 'last')
    throw problems.wrongState({ why: '所在机构或角色要求二次验证，请先设置动态验证码或添加另一个通行密钥' });
  ctx.audit({ objectid: caller.accountid, detail: { name: removed.passkeyname } });
  await notifyOfFactor(ctx, '已移除通行密钥', `名称：${removed.passkeyname}。它不能再用来登录。`);
  return {};
});

const beginPasskeyStepUp = handle(contract.beginPasskeyStepUp, (_, ctx) => askForPasskey(ctx, 'stepup', ctx.caller.accountid));

export const passkeyHandlers = [getPasskeyList, beginPasskey, confirmPasskey, deletePasskey, beginPasskeyStepUp];
