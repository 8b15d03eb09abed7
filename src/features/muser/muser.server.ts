import { randomBytes } from 'node:crypto';
import { addDays, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { MUserType, Sector } from '#domain/base/enums.ts';
import { maskPhone } from '#domain/base/mask.ts';
import { canBeChildOf, moveUnder, placeUnder } from '#domain/tenant/tenantTree.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import { xlsxMime } from '#contract/file.ts';
import { allPages } from '#server/export/allPages.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { generateOneTimePassword } from '#server/security/oneTimePassword.ts';
import { writeWorksheet, type ExportColumn } from '#server/workbook/write.ts';
import { requireAppsToGrant, grantApps } from '#features/app/appGrants.ts';
import { hashFirstPassword, renewMUserPassword, resetInstitutionFactor } from '#features/muser/edit/updateInstitution.ts';
import { findMUsers } from '#features/muser/list/list.queries.ts';
import { replaceLogo } from '#features/muser/logo.ts';
import * as contract from '#features/muser/muser.contract.ts';
import * as queries from '#features/muser/muser.queries.ts';
import { requireBelow, requireReach, canManageType } from '#features/access/institutionAccess.ts';
import { regionColumns } from '#features/muser/region.ts';
import { findBranch } from '#features/muser/tree/tree.queries.ts';
import { passInstitutionCases } from '#features/warning/handover/handOver.ts';
import { operatorOf } from '#features/warning/handling/transition.ts';

/** Days before the end of its contract at which an institution counts as expiring. */
const expiringDays = 30;
const maxTreeNodes = 500;

async function findRows(ctx: ReadContext<'staff'>, filters: Parameters<typeof findMUsers>[1]) {
  const { scope, caller, now } = ctx;
  const today = shanghaiDate(now);
  const soon = shanghaiDate(addDays(now, expiringDays));
  const canReadPhones = caller.codes.has(codeOf('person.unmasked'));
  const { total, rows } = await findMUsers(scope, filters, caller.musertype === '001');
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      shortname: row.shortname ?? '',
      parentmusercode: row.parentmusercode ?? '',
      parentname: row.parentname ?? '',
      provincecode: row.provincecode ?? '',
      citycode: row.citycode ?? '',
      districtcode: row.districtcode ?? '',
      regionname: row.regionname ?? '',
      address: row.address ?? '',
      logo: row.logo ?? '',
      realname: row.realname ?? '',
      phonenumber: canReadPhones ? (row.phonenumber ?? '') : maskPhone(row.phonenumber ?? ''),
      expiring: row.expiredate === null || row.expiredate > soon ? 0 : row.expiredate < today ? 2 : 1,
      contractno: row.contractno ?? '',
      remark: row.remark ?? '',
      clientcode: row.clientcode ?? '',
      loginmode: row.loginmode ?? '',
      opening: row.opening as contract.MUserRow['opening'],
      createtime: shanghaiTime(row.createtime),
    })),
  };
}

const expiringBy = (now: Date, expiring: number | undefined) =>
  expiring === 1 ? shanghaiDate(addDays(now, expiringDays)) : undefined;

const getMUserPageList = handle(contract.getMUserPageList, ({ expiring, ...filters }, ctx) =>
  findRows(ctx, { ...filters, expiringby: expiringBy(ctx.now, expiring) }),
);

const getMUserTree = handle(contract.getMUserTree, async ({ parentmusercode }, { scope, caller }) => {
  const branch = await findBranch(scope, parentmusercode ?? caller.musercode, maxTreeNodes);
  if (!branch) throw problems.notFound({ what: '机构' });
  return branch;
});

/** The built-in role of each type. A new institution gets those rights of the role that the institutions above hold. */
const startingRole: Readonly<Record<string, string>> = {
  '002': 'provideradmin',
  '003': 'authorityviewer',
  '004': 'insadmin',
  '005': 'insadmin',
};

const addMUser = handle(
  contract.addMUser,
  async ({ pwd, appids, frommusercode, parentmusercode, username, musertype, sector, insname, logofileid, ...fields }, ctx) => {
    const { scope, caller, cipher } = ctx;
    if (!canManageType(caller, musertype)) throw problems.notAllowed();
    const password = pwd === undefined ? generateOneTimePassword(cipher.pepper) : { hash: await hashFirstPassword(ctx, pwd) };
    await queries.lockTree(scope, 'adding');
    const parent = await requireReach(scope, parentmusercode ?? caller.musercode);
    if (!canBeChildOf(parent.musertype, musertype))
      throw problems.invalid(
        { message: `${MUserType.label(parent.musertype)}下不能新增${MUserType.label(musertype)}` },
        { field: 'parentmusercode' },
      );
    const from = frommusercode ? await requireReach(scope, frommusercode) : undefined;
    if (from && from.musertype !== musertype)
      throw problems.invalid({ message: '参照机构的类型不同' }, { field: 'frommusercode' });
    if (appids) await requireAppsToGrant(scope, caller, appids);
    const { provincecode, citycode, districtcode, ...plain } = fields;
    const region = await regionColumns(scope, { provincecode, citycode, districtcode });
    if (await queries.isNameUsed(scope, parent.musercode, insname))
      throw problems.duplicate({ what: '同名机构' }, { field: 'insname' });
    const musercode = await queries.nextMusercode(scope);
    const place = placeUnder({ musercode, musertype }, parent);
    if (!place) throw problems.invalid({ message: '机构层级最多 5 级' }, { field: 'parentmusercode' });
    // An institution never gets rights that the institutions above lack.
    const grantableCodes = new Set(await queries.findGrantableCodes(scope, parent.orgpath));
    const codes = from?.codes ?? (await queries.findRoleCodes(scope, startingRole[musertype] ?? 'insadmin'));
    const grantedCodes = codes.filter((code) => grantableCodes.has(code));
    await queries.insertMUser(scope, {
      place,
      row: {
        username: username.toLowerCase(),
        insname,
        sector,
        ...region,
        codes: grantedCodes,
        settings: JSON.stringify({ opening: { step: 'apps' } }),
        shortname: plain.shortname || null,
        realname: plain.realname || null,
        phonenumber: plain.phonenumber || null,
        address: plain.address || null,
        expiredate: plain.expiredate ?? null,
        contractno: plain.contractno || null,
        remark: plain.remark || null,
        abnormalminlevel: plain.abnormalminlevel ?? from?.abnormalminlevel ?? 2,
        showreportdefault: plain.showreportdefault ?? from?.showreportdefault ?? 0,
        mustfactor: plain.mustfactor ?? 0,
        trustdevice: plain.trustdevice ?? 0,
      },
    });
    await queries.createAccount(scope, musercode, username, password.hash);
    if (logofileid) await replaceLogo(ctx, musercode, logofileid);
    if (from)
      await queries.copySetup(scope, from.musercode, {
        musercode,
        clientcode: newClientcode(),
        clienttitle: `${insname.slice(0, 22)}心理健康测评`,
      });
    if (appids)
      await grantApps(
        scope,
        musercode,
        appids.map((appid) => ({ appid, stagecodes: undefined })),
        {},
      );
    ctx.audit({
      objectid: musercode,
      detail: { insname, musertype, parentmusercode: parent.musercode, ...(from ? { frommusercode: from.musercode } : {}) },
    });
    const copied = from && {
      insname: from.insname,
      ...(await queries.findSetup(scope, musercode)),
      rights: grantedCodes.length,
      missingrights: codes.length - grantedCodes.length,
      ...(plain.abnormalminlevel === undefined ? { abnormalminlevel: from.abnormalminlevel } : {}),
      ...(plain.showreportdefault === undefined ? { showreportdefault: from.showreportdefault } : {}),
    };
    return { musercode, ...('onetime' in password ? { onetime: password.onetime } : {}), ...(copied ? { copied } : {}) };
  },
);

/** Returns a new code of an entry: 96 random bits, because the link is a secret. */
export const newClientcode = () => randomBytes(12).toString('base64url');

const deleteMUser = handle(contract.deleteMUser, async ({ musercode }, ctx) => {
  const { insname } = await requireBelow(ctx.scope, ctx.caller, musercode);
  if (!(await queries.removeMUser(ctx.scope, musercode))) {
    const { children, persons, staff } = await queries.findDependents(ctx.scope, musercode);
    const dependents = [
      children ? `${children} 个下级机构` : '',
      persons ? `${persons} 名受测者` : '',
      staff ? `${staff} 名用户` : '',
    ].filter(Boolean);
    throw problems.inUse({ why: `“${insname}”还有 ${dependents.join('、')}，不能删除，可改为停用` });
  }
  ctx.audit({ objectid: musercode, detail: { insname } });
  return {};
});

const blockReason = {
  'below itself': '不能移动到自己或自己的下级',
  'wrong type': '该类型的机构不能放在所选上级之下',
  'too deep': '移动后层级超过 5 级',
} as const;

const updateMUserCategory = handle(contract.updateMUserCategory, async ({ musercode, parentmusercode }, ctx) => {
  const { scope, caller } = ctx;
  await queries.lockTree(scope, 'moving');
  const institution = await requireBelow(scope, caller, musercode);
  const parent = await requireReach(scope, parentmusercode);
  const subtree = await queries.lockSubtree(scope, institution.orgpath);
  const moveResult = moveUnder(musercode, subtree, parent);
  if ('refusal' in moveResult) throw problems.invalid({ message: blockReason[moveResult.refusal] }, { field: 'parentmusercode' });
  if (
    subtree.some(
      (node) => node.musercode !== musercode && node.insname === institution.insname && node.parentmusercode === parentmusercode,
    ) ||
    (await queries.isNameUsed(scope, parentmusercode, institution.insname, musercode))
  )
    throw problems.duplicate({ what: '所选上级下同名机构' }, { field: 'parentmusercode' });
  const movedCount = await queries.rewritePlaces(
    scope,
    moveResult.places,
    await queries.findGrantableCodes(scope, parent.orgpath),
  );
  if (movedCount !== subtree.length) throw problems.changedMeanwhile();
  const [place] = moveResult.places;
  if (!place) throw problems.notFound({ what: '机构' });
  const [categorycode0 = '', categorycode1 = '', categorycode2 = '', categorycode3 = '', categorycode4 = '', categorycode5 = ''] =
    place.categorycodes;
  // The chain of the audit log needs the paths: a moved row has another path than its seal.
  const paths = [institution.orgpath, `${parent.orgpath}${musercode}.`];
  ctx.audit({
    objectid: musercode,
    detail: { from: institution.parentmusercode, to: parentmusercode, moved: movedCount, paths },
  });
  return {
    categorycode: musercode,
    categorylevel: place.categorylevel,
    categorycode0,
    categorycode1,
    categorycode2,
    categorycode3,
    categorycode4,
    categorycode5,
    moved: movedCount,
  };
});

const enableMuser = handle(contract.enableMuser, async ({ musercode, enabled, reason }, ctx) => {
  const { insname } = await requireBelow(ctx.scope, ctx.caller, musercode);
  if (enabled === 0 && !reason) throw problems.missing({ title: '停用原因' }, { field: 'reason' });
  // The trigger on muser ends the sessions in the same transaction.
  await queries.changeMUser(ctx.scope, musercode, { enabled });
  const why = { reason: `${insname}已停用`, ...operatorOf(ctx.caller), now: ctx.now };
  const handedover = enabled === 0 ? await passInstitutionCases(ctx.scope, { musercode, insname }, why) : 0;
  ctx.audit({ objectid: musercode, detail: { enabled, reason: reason ?? '', handedover } });
  return { handedover };
});

const saveOpening = handle(contract.saveOpening, async ({ musercode, step }, ctx) => {
  await requireBelow(ctx.scope, ctx.caller, musercode);
  await queries.setOpening(ctx.scope, musercode, JSON.stringify({ step, time: ctx.now.toISOString() }));
  ctx.audit({ objectid: musercode, detail: { step } });
  return {};
});

const getDistrictList = handle(contract.getDistrictList, async ({ parentcode = '', level }, { scope }) =>
  queries.findDistricts(scope, parentcode, level),
);

const exportColumns: readonly ExportColumn[] = [
  { head: '机构编号', width: 14 },
  { head: '机构名称', width: 28 },
  { head: '类型', width: 16 },
  { head: '行业' },
  { head: '上级机构', width: 24 },
  { head: '地区', width: 24 },
  { head: '负责人' },
  { head: '联系电话', width: 16 },
  { head: '登录账号', width: 18 },
  { head: '应用', width: 28 },
  { head: '状态' },
  { head: '有效期至', width: 13 },
  { head: '下级机构', kind: 'number' },
  { head: '用户', kind: 'number' },
  { head: '受测者', kind: 'number' },
  { head: '获得次数', kind: 'number' },
  { head: '已使用', kind: 'number' },
  { head: '剩余', kind: 'number' },
  { head: '合同号', width: 16 },
  { head: '备注', width: 24 },
  { head: '开通时间', width: 20 },
];

const exportToFile = handle(contract.exportToFile, async ({ expiring, ...filters }, ctx) => {
  const { caller, now } = ctx;
  const listFilters = {
    ...filters,
    expiringby: expiringBy(now, expiring),
    pageSize: 500,
    isasc: '1' as const,
    orderby: 'insname' as const,
  };
  const rows: (string | number | null)[][] = [];
  for await (const pageRows of allPages((page) => findRows(ctx, { ...listFilters, page }), ctx.progress))
    for (const row of pageRows)
      rows.push([
        row.musercode,
        row.insname,
        MUserType.label(row.musertype),
        Sector.label(row.sector),
        row.parentname,
        row.regionname,
        row.realname,
        row.phonenumber,
        row.username,
        row.apps.map((app) => app.appname).join('、'),
        row.enabled ? '启用' : '停用',
        row.expiredate ?? '',
        row.childcount,
        row.staffcount,
        row.personcount,
        row.granted,
        row.used,
        row.free,
        row.contractno,
        row.remark,
        row.createtime,
      ]);
  ctx.audit({ detail: { filters, rows: rows.length } });
  return {
    filename: `机构_${shanghaiDate(now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({
      name: '机构',
      heads: exportColumns,
      rows,
      note: `${caller.name} 于 ${shanghaiTime(now)} 导出，共 ${rows.length} 个机构`,
      properties: { 导出人: caller.name, 导出时间: shanghaiTime(now) },
    }),
  };
});

const resetMUserFactor = handle(contract.resetMUserFactor, async ({ musercode }, ctx) => {
  await resetInstitutionFactor(ctx, musercode);
  return {};
});

const resetMUserPassword = handle(contract.resetMUserPassword, async ({ musercode }, ctx) => ({
  onetime: await renewMUserPassword(ctx, musercode),
}));

export const muserHandlers = [
  getMUserPageList,
  getMUserTree,
  addMUser,
  deleteMUser,
  updateMUserCategory,
  enableMuser,
  resetMUserFactor,
  resetMUserPassword,
  saveOpening,
  getDistrictList,
  exportToFile,
];
