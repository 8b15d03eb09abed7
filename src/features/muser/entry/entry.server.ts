import { randomBytes } from 'node:crypto';
import { assessCodeFromBytes, assessCodeLength } from '#domain/exam/assessCode.ts';
import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import { entryLink } from '#server/http/qrRoute.ts';
import { qrZip } from '#server/qr/qrZip.ts';
import type { Scope } from '#server/db/scope.ts';
import { requirePlan } from '#features/plan/requirePlan.ts';
import * as contract from '#features/muser/entry/entry.contract.ts';
import * as queries from '#features/muser/entry/entry.queries.ts';
import { newClientcode } from '#features/muser/muser.server.ts';
import { requireBelow, requireReach } from '#features/access/institutionAccess.ts';

const clientPath = (clientcode: string) => `/c/${clientcode}`;

/** Returns the caller's institution or one below that the caller manages; refuses all others. */
const requireEditable = (scope: Scope, caller: Staff, musercode: string) =>
  musercode === caller.musercode ? requireReach(scope, musercode) : requireBelow(scope, caller, musercode);

const getMUserClient = handle(contract.getMUserClient, async ({ musercode }, { scope, caller }) => {
  const institution = await requireReach(scope, musercode ?? caller.musercode);
  const client = await queries.findClient(scope, { musercode: institution.musercode });
  return client
    ? { ...client, loginmode: client.loginmode as (typeof contract.loginmodes)[number], qrcodeurl: clientPath(client.clientcode) }
    : null;
});

const createMUserClient = handle(contract.createMUserClient, async ({ musercode, ...fields }, ctx) => {
  const { scope, caller, now } = ctx;
  const { orgpath } = await requireEditable(scope, caller, musercode);
  if (fields.loginmode === '04')
    await requirePlan(scope, { musercode, orgpath, plancode: fields.plancode ?? '', stagecode: fields.stagecode ?? null, now });
  const clientcode = newClientcode();
  const { clienttitle, loginmode, welcome, needguardian, needsignature, hotline, themecolor, showreport, plancode, stagecode } =
    fields;
  await queries.addClient(scope, {
    clientcode,
    musercode,
    clienttitle,
    loginmode,
    welcome,
    needguardian,
    needsignature,
    hotline,
    themecolor,
    showreport,
    plancode,
    stagecode,
  });
  ctx.audit({ objectid: musercode, detail: { loginmode } });
  return { clientcode, qrcodeurl: clientPath(clientcode) };
});

const updateMUserClient = handle(contract.updateMUserClient, async ({ clientcode, version: _, ...fields }, ctx) => {
  const { scope, caller, now } = ctx;
  const before = await queries.findClient(scope, { clientcode });
  if (!before) throw problems.notFound({ what: '机构入口' });
  const { musercode } = before;
  const { orgpath } = await requireEditable(scope, caller, musercode);
  const after = { ...before, ...fields };
  const changesPlan = fields.loginmode !== undefined || fields.plancode !== undefined || fields.stagecode !== undefined;
  if (after.loginmode === '04' && changesPlan)
    await requirePlan(scope, { musercode, orgpath, plancode: after.plancode ?? '', stagecode: after.stagecode ?? null, now });
  if (!(await queries.changeClient(scope, clientcode, fields))) throw problems.changedMeanwhile();
  ctx.audit({ objectid: musercode, detail: { changed: Object.keys(fields) } });
  return {};
});

const resetQrCode = handle(contract.resetQrCode, async ({ musercode }, ctx) => {
  const { scope, caller } = ctx;
  await requireEditable(scope, caller, musercode);
  const clientcode = newClientcode();
  if (!(await queries.renameClient(scope, musercode, clientcode))) throw problems.notFound({ what: '机构入口' });
  ctx.audit({ objectid: musercode });
  return { clientcode, qrcodeurl: clientPath(clientcode) };
});

/** Returns a file name that is valid on every operating system. */
const fileName = (insname: string) => insname.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').slice(0, 60);

const exportToZipFile = handle(contract.exportToZipFile, async ({ musercodes }, ctx) => {
  const { scope, now, publicUrl, progress } = ctx;
  // Refuse the whole request: a response without the foreign institutions would reveal which exist.
  const uniqueMusercodes = new Set(musercodes);
  if ((await queries.countReached(scope, [...uniqueMusercodes])) !== uniqueMusercodes.size)
    throw problems.notFound({ what: '机构' });
  const clients = await queries.findClients(scope, musercodes);
  if (clients.length === 0) throw problems.notFound({ what: '所选机构的二维码' });
  ctx.audit({ detail: { musercodes: clients.map((client) => client.musercode) } });
  const codes = clients.map(({ insname, clientcode }) => ({
    name: `${fileName(insname)}_${clientcode}.png`,
    link: entryLink(publicUrl, clientcode),
  }));
  return {
    filename: `机构二维码_${shanghaiDate(now)}.zip`,
    mime: 'application/zip',
    body: qrZip(codes, (count) => progress(count, codes.length)),
  };
});

const insertCUserAssessCode = handle(
  contract.insertCUserAssessCode,
  async ({ musercode, appid, plancode, stagecode, qty, expiredate }, ctx) => {
    const { scope, caller, now } = ctx;
    const targetMusercode = musercode ?? caller.musercode;
    const { musertype, orgpath } = await requireReach(scope, targetMusercode);
    if (musertype !== '004' && musertype !== '005')
      throw problems.invalid({ message: '测评码只能发给医疗卫生机构、学校、企业或养老机构' }, { field: 'musercode' });
    const today = shanghaiDate(now);
    await requirePlan(scope, { musercode: targetMusercode, orgpath, plancode, stagecode: stagecode ?? null, appid, now });
    const codes = new Set<string>();
    while (codes.size < qty) codes.add(assessCodeFromBytes(randomBytes(assessCodeLength)));
    const batchno = `${today.replaceAll('-', '')}${assessCodeFromBytes(randomBytes(assessCodeLength))}`;
    await queries.issueCodes(scope, {
      musercode: targetMusercode,
      batchno,
      appid,
      plancode,
      stagecode: stagecode ?? null,
      expiredate: expiredate ?? null,
      codes: [...codes],
      operator: caller.accountid,
      now,
      today,
    });
    ctx.audit({ objectid: batchno, detail: { musercode: targetMusercode, plancode, qty } });
    return { batchno, codes: [...codes] };
  },
);

const getAssessCodeBatches = handle(contract.getAssessCodeBatches, async ({ musercode }, { scope, caller }) => {
  const institution = await requireReach(scope, musercode ?? caller.musercode);
  return (await queries.findBatches(scope, institution.musercode)).map((row) => ({
    ...row,
    createtime: shanghaiTime(row.createtime),
  }));
});

const voidAssessCodes = handle(contract.voidAssessCodes, async ({ batchno }, ctx) => {
  if (!(await queries.hasBatch(ctx.scope, batchno))) throw problems.notFound({ what: '批次' });
  const released = await queries.voidCodes(ctx.scope, batchno, { operator: ctx.caller.accountid, now: ctx.now });
  ctx.audit({ objectid: batchno, detail: { released } });
  return { released };
});

export const entryAdminHandlers = [
  getMUserClient,
  createMUserClient,
  updateMUserClient,
  resetQrCode,
  exportToZipFile,
  insertCUserAssessCode,
  getAssessCodeBatches,
  voidAssessCodes,
];
