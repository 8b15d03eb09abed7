import { randomBytes, randomInt } from 'node:crypto';
import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { entryLink } from '#server/http/qrRoute.ts';
import { qrPng } from '#server/qr/qr.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { authorizePersons } from '#features/assesscount/authorizations/authorizePersons.ts';
import * as contract from '#features/assess/assess.contract.ts';
import { isKioskStopped } from '#features/assess/kioskStop.ts';
import * as queries from '#features/assess/assess.queries.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long a link or code is valid, by way (supplement-people-statistics.md, section 4); this device: ten minutes to hand it over. */
const VALID_MS = { '01': 10 * MINUTE_MS, '02': 7 * DAY_MS, '03': 15 * MINUTE_MS } as const;
const KIOSK_MS = 30 * DAY_MS;
const MAX_LIVE_CODES = 50;
const QR_SIZE = 400;

interface Target {
  cuserid: string;
  plancode: string;
  stagecode?: string | null | undefined;
}

/** The live authorization of the person for the plan and stage; authorises the person when there is none. */
async function requireGrant(ctx: Context<'staff'>, { cuserid, plancode, stagecode }: Target) {
  const { scope, caller, now } = ctx;
  const person = await queries.findPerson(scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  permittedPopulations(caller, person.appid);
  const { clientcode } = person;
  if (!clientcode) throw problems.wrongState({ why: '本机构还没有开通测评入口，请联系服务商开通' });
  const sought = { cuserid, plancode, stagecode: stagecode ?? '', today: shanghaiDate(now) };
  const live = await queries.findGrant(scope, sought);
  if (live) return { ...person, ...live, clientcode, isgranted: 0 };
  const { exclusions } = await authorizePersons(ctx, { cuserids: [cuserid], plancode, stagecode, total: 1 });
  const made = await queries.findGrant(scope, sought);
  if (!made) throw problems.wrongState({ why: `不能测评：${exclusions[0]?.reason ?? '没有有效的授权'}` });
  return { ...person, ...made, clientcode, isgranted: 1 };
}

const insertTestLink = handle(contract.insertTestLink, async ({ way, ...target }, ctx) => {
  const { scope, caller, cipher, now, publicUrl } = ctx;
  const grant = await requireGrant(ctx, target);
  const { musercode, cuserid, cuserplanid } = grant;
  const secret = randomBytes(24).toString('base64url');
  const expiretime = new Date(now.getTime() + VALID_MS[way]);
  await queries.deleteLinks(scope, cuserplanid, musercode, now);
  await queries.insertLink(scope, {
    musercode,
    cuserid,
    cuserplanid,
    way,
    secrethash: cipher.storedHash('testlink', secret),
    createby: caller.accountid,
    createtime: now,
    expiretime,
  });
  ctx.audit({ objectid: cuserid, detail: { plancode: target.plancode, stagecode: target.stagecode ?? '', way } });
  const link = `${entryLink(publicUrl, grant.clientcode)}#t=${secret}`;
  return {
    planname: grant.planname,
    isgranted: grant.isgranted,
    expiretime: shanghaiTime(expiretime),
    link,
    picture: way === '02' ? `data:image/png;base64,${qrPng(link, { size: QR_SIZE }).toString('base64')}` : '',
    asksbirthday: way === '02' && grant.birthday ? 1 : 0,
  };
});

const insertKioskCode = handle(contract.insertKioskCode, async (target, ctx) => {
  const { scope, caller, cipher, now } = ctx;
  const grant = await requireGrant(ctx, target);
  const { musercode, cuserid, cuserplanid } = grant;
  await queries.deleteLinks(scope, cuserplanid, musercode, now);
  const live = await queries.lockLiveCodes(scope, musercode);
  if (live.size >= MAX_LIVE_CODES)
    throw problems.wrongState({ why: `同时有效的测评码最多 ${MAX_LIVE_CODES} 个，请等前面的人用完再生成` });
  let code: string;
  let hashes: string[];
  do {
    code = String(randomInt(10_000)).padStart(4, '0');
    hashes = cipher.storedHashes('kioskcode', `${musercode}:${code}`);
  } while (hashes.some((hash) => live.has(hash)));
  const expiretime = new Date(now.getTime() + VALID_MS['03']);
  await queries.insertLink(scope, {
    musercode,
    cuserid,
    cuserplanid,
    way: '03',
    secrethash: hashes[0] as string,
    createby: caller.accountid,
    createtime: now,
    expiretime,
  });
  ctx.audit({ objectid: cuserid, detail: { plancode: target.plancode, stagecode: target.stagecode ?? '', way: '03' } });
  return { planname: grant.planname, isgranted: grant.isgranted, expiretime: shanghaiTime(expiretime), code };
});

const insertKiosk = handle(contract.insertKiosk, async ({ kioskname }, ctx) => {
  const { scope, caller, cipher, now, publicUrl } = ctx;
  const entry = await queries.findEntry(scope, caller.musercode);
  if (!entry) throw problems.wrongState({ why: '本机构还没有开通测评入口，请联系服务商开通' });
  const secret = randomBytes(24).toString('base64url');
  const { kioskid } = await queries.insertKiosk(scope, {
    musercode: caller.musercode,
    kioskname,
    secrethash: cipher.storedHash('kiosk', secret),
    createby: caller.accountid,
    createtime: now,
    expiretime: new Date(now.getTime() + KIOSK_MS),
  });
  ctx.audit({ objectid: String(kioskid), detail: { kioskname } });
  return { link: `${entryLink(publicUrl, entry.clientcode)}#k=${secret}` };
});

const getKioskList = handle(contract.getKioskList, async (_, { scope, caller, now }) =>
  (await queries.findKiosks(scope, caller.musercode, now)).map((row) => ({
    kioskid: row.kioskid,
    kioskname: row.kioskname,
    pairedby: row.pairedby ?? '',
    createtime: shanghaiTime(row.createtime),
    expiretime: shanghaiTime(row.expiretime),
    lasttime: row.lasttime && shanghaiTime(row.lasttime),
    isstopped: isKioskStopped(row, now) ? 1 : 0,
  })),
);

const deleteKiosk = handle(contract.deleteKiosk, async ({ kioskid }, { scope, caller, now, audit }) => {
  if (!(await queries.revokeKiosk(scope, caller.musercode, kioskid, now))) throw problems.notFound({ what: '自助机' });
  audit({ objectid: String(kioskid) });
  return {};
});

const releaseKiosk = handle(contract.releaseKiosk, async ({ kioskid }, { scope, caller, audit }) => {
  if (!(await queries.releaseKiosk(scope, caller.musercode, kioskid))) throw problems.notFound({ what: '自助机' });
  audit({ objectid: String(kioskid) });
  return {};
});

export const assessHandlers = [insertTestLink, insertKioskCode, insertKiosk, getKioskList, deleteKiosk, releaseKiosk];
