import { DataScope, MUserType } from '#domain/base/enums.ts';
import { entryOf, codesSwitchedOff, type MenuEntry } from '#contract/menuTree.ts';
import type { Rights } from '#server/dispatch/rights.ts';
import type { Explanation } from '#features/access/permission/permission.contract.ts';
import type { ExplainedRow, rolesOf } from '#features/access/permission/permission.queries.ts';

type ExplanationStep = Explanation['steps'][number];
interface AccessCase {
  account: ExplainedRow;
  rights: Rights;
  entry: MenuEntry;
  roles: Awaited<ReturnType<typeof rolesOf>>;
  deptnames: readonly string[];
  persons: { total: number; reached: number };
}

const quoteNames = (names: readonly string[]) => names.map((name) => `“${name}”`).join('、');

/** Returns why an account sees a screen or does not: each check of the server, in its order, with the result in Chinese. */
export function explainAccess(accessCase: AccessCase): Explanation {
  const { account, entry } = accessCase;
  const steps = [
    institutionStep(accessCase),
    accountStep(accessCase),
    boughtStep(accessCase),
    menuStep(accessCase),
    ...(account.userid === null ? [] : [roleStep(accessCase), singleRightStep(accessCase)]),
    typeStep(accessCase),
    scopeStep(accessCase),
  ];
  const failed = steps.find((step) => step.ok === false);
  return {
    name: account.name,
    insname: account.insname,
    title: entry.title,
    path: entry.path,
    visible: failed === undefined,
    conclusion: failed
      ? `看不到“${entry.title}”：${failed.text}`
      : entry.hidden
        ? `可以打开“${entry.title}”，但它不在菜单中显示`
        : `可以使用“${entry.title}”`,
    steps,
  };
}

/** Returns the menu entries whose codes a screen requires: its own and its directory. */
const requiredEntries = (entry: MenuEntry): MenuEntry[] =>
  [entry, ...(entryOf(entry.parentid) && entry.menutype === 'C' ? [entryOf(entry.parentid) as MenuEntry] : [])].filter(
    (item) => item.code !== '',
  );
const missingEntries = (entry: MenuEntry, has: (code: string) => boolean) =>
  requiredEntries(entry).filter((item) => !has(item.code));

function institutionStep({ account }: AccessCase): ExplanationStep {
  const title = '机构是否可用';
  if (!account.insopen)
    return { key: 'institution', title, ok: false, text: `机构“${account.insname}”已停用`, hint: '由上级在机构管理中启用' };
  if (account.expired)
    return {
      key: 'institution',
      title,
      ok: false,
      text: `机构“${account.insname}”已于 ${account.expiredate} 到期`,
      hint: '由上级在机构管理中延长有效期',
    };
  return {
    key: 'institution',
    title,
    ok: true,
    text: `机构“${account.insname}”已启用${account.expiredate ? `，有效期至 ${account.expiredate}` : ''}`,
    hint: '',
  };
}

function accountStep({ account }: AccessCase): ExplanationStep {
  const title = '账号是否可用';
  if (!account.open) return { key: 'account', title, ok: false, text: '账号已停用', hint: '在用户管理中启用' };
  if (account.lapsed) return { key: 'account', title, ok: false, text: '一次性密码已使用或已过期', hint: '在用户管理中重置密码' };
  if (account.waiting)
    return {
      key: 'account',
      title,
      ok: false,
      text: '还没有修改初始密码，修改之前不能使用任何功能',
      hint: '请本人登录并修改密码',
    };
  return {
    key: 'account',
    title,
    ok: true,
    text: account.userid === null ? '机构账号，拥有机构的全部功能' : '账号已启用',
    hint: '',
  };
}

function boughtStep({ rights, entry }: AccessCase): ExplanationStep {
  const own = rights.musertype === '005' ? [...rights.mcodes, '0000901'] : rights.mcodes;
  const lacking = missingEntries(entry, (code) => own.includes(code));
  return lacking.length === 0
    ? { key: 'bought', title: '机构是否开通', ok: true, text: `机构已开通“${entry.title}”`, hint: '' }
    : {
        key: 'bought',
        title: '机构是否开通',
        ok: false,
        text: `机构没有开通${quoteNames(lacking.map((item) => item.title))}`,
        hint: '由上级在机构权限中开通',
      };
}

function menuStep({ rights, entry }: AccessCase): ExplanationStep {
  const off = codesSwitchedOff(new Set(rights.menusoff));
  const disabledEntries = requiredEntries(entry).filter((item) => off.has(item.code));
  return disabledEntries.length === 0
    ? { key: 'menu', title: '菜单是否启用', ok: true, text: '平台没有停用该菜单', hint: '' }
    : {
        key: 'menu',
        title: '菜单是否启用',
        ok: false,
        text: `平台已停用${quoteNames(disabledEntries.map((item) => item.title))}`,
        hint: '由平台在菜单管理中启用',
      };
}

function roleStep({ rights, entry, roles }: AccessCase): ExplanationStep {
  const title = '角色是否包含';
  const has = (codes: readonly string[]) => codes.includes(entry.code);
  const grantingRoles = roles.filter((role) => role.enabled === 1 && has(role.codes));
  if (grantingRoles.length > 0) {
    const lacking = missingEntries(entry, (code) => rights.rolecodes.includes(code) || rights.granted.includes(code));
    if (lacking.length === 0)
      return {
        key: 'role',
        title,
        ok: true,
        text: `角色${quoteNames(grantingRoles.map((role) => role.rolename))}包含该功能`,
        hint: '',
      };
    return {
      key: 'role',
      title,
      ok: false,
      text: `角色包含该功能，但不包含上级菜单${quoteNames(lacking.map((item) => item.title))}`,
      hint: '在角色管理中勾选上级菜单',
    };
  }
  if (missingEntries(entry, (code) => rights.granted.includes(code) || rights.rolecodes.includes(code)).length === 0)
    return { key: 'role', title, ok: null, text: '角色不包含该功能，已单独授予', hint: '' };
  const disabledRoles = roles.filter((role) => role.enabled === 0 && has(role.codes));
  if (disabledRoles.length > 0)
    return {
      key: 'role',
      title,
      ok: false,
      text: `包含该功能的角色${quoteNames(disabledRoles.map((role) => role.rolename))}已停用`,
      hint: '在角色管理中启用该角色',
    };
  return {
    key: 'role',
    title,
    ok: false,
    text: roles.length === 0 ? '账号没有任何角色' : `角色${quoteNames(roles.map((role) => role.rolename))}都不包含该功能`,
    hint: '在用户管理中增加角色，或在角色管理中勾选该功能',
  };
}

function singleRightStep({ rights, entry }: AccessCase): ExplanationStep {
  const title = '单独授予或禁止';
  const deniedEntries = missingEntries(entry, (code) => !rights.denied.includes(code));
  if (deniedEntries.length > 0)
    return {
      key: 'granted',
      title,
      ok: false,
      text: `已对该账号单独禁止${quoteNames(deniedEntries.map((item) => item.title))}`,
      hint: '在用户管理的“权限”中取消禁止',
    };
  if (rights.granted.includes(entry.code)) return { key: 'granted', title, ok: true, text: '已对该账号单独授予', hint: '' };
  return { key: 'granted', title, ok: null, text: '没有单独授予或禁止', hint: '' };
}

/** Specification section 6: type 004 has the hospital's statistics page; all other types have the school's. */
function typeStep({ account, entry }: AccessCase): ExplanationStep {
  const title = '账号类型';
  const type = MUserType.label(account.musertype);
  const statistics =
    entry.menuid === 200 || entry.parentid === 200
      ? 'school'
      : entry.menuid === 250 || entry.parentid === 250
        ? 'hospital'
        : undefined;
  const pageOfType = account.musertype === '004' ? 'hospital' : 'school';
  if (statistics && statistics !== pageOfType)
    return {
      key: 'type',
      title,
      ok: false,
      text: `账号类型是“${type}”，使用另一个统计分析页面`,
      hint: account.musertype === '004' ? '请打开医疗机构的统计分析' : '请打开统计分析 · 数据分析',
    };
  if (account.musertype === '003')
    return { key: 'type', title, ok: true, text: '主管部门只看所辖区域的汇总数据，不显示姓名', hint: '' };
  return { key: 'type', title, ok: true, text: `账号类型“${type}”没有额外限制`, hint: '' };
}

function scopeStep({ account, roles, deptnames, persons }: AccessCase): ExplanationStep {
  const title = '数据范围';
  const restrictingRoles = roles.filter((role) => role.enabled === 1 && role.datascope !== DataScope.all);
  const count = `可见 ${restrictingRoles.length === 0 ? persons.total : persons.reached} 位受测者，机构共 ${persons.total} 位`;
  if (restrictingRoles.length === 0) return { key: 'scope', title, ok: null, text: `本机构全部：${count}`, hint: '' };
  const chosenDepts = `（${deptnames.join('、') || '无'}）`;
  const scopeTexts = restrictingRoles.map(
    ({ rolename, datascope }) =>
      `“${rolename}”限定为${DataScope.label(datascope)}${datascope === DataScope.chosen ? chosenDepts : ''}`,
  );
  const hasNoDept =
    account.deptid === null &&
    restrictingRoles.some((role) => role.datascope === DataScope.own || role.datascope === DataScope.below);
  return {
    key: 'scope',
    title,
    ok: null,
    text:
      `${scopeTexts.join('，')}${restrictingRoles.length > 1 ? '，同时满足才可见' : ''}：${count}` +
      (hasNoDept ? '。账号没有所属部门，因此看不到任何人' : ''),
    hint: hasNoDept
      ? '在用户管理中设置所属部门'
      : persons.reached < persons.total
        ? '个案看不到时，请检查负责人所属部门，或调整角色的数据范围'
        : '',
  };
}
