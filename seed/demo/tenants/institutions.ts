import { demoAccounts } from '#features/session/demoAccounts.ts';
import type pg from 'pg';
import { roles } from '#seed/roles.ts';
import { platform } from '#seed/reference.ts';

/** A fictional institution of the demonstration. */
export interface DemoInstitution {
  musercode: string;
  username: string;
  insname: string;
  shortname: string;
  musertype: '002' | '003' | '004' | '005';
  sector: 'platform' | 'edu' | 'health';
  level: number;
  parent: string;
  districtcode?: string;
  apps: readonly string[];
  /** the entry with the code of its link. Respondents enter name and student number ('03') or name and telephone ('02') */
  entry?: { clientcode: string; loginmode: '02' | '03'; welcome: string };
  enabled?: 0;
  contact: string;
}

const school = {
  musertype: '005',
  sector: 'edu',
  level: 3,
  parent: 'FWS00001',
  districtcode: '330106',
  apps: ['000000002'],
} as const;
const welcome = '欢迎参加本次心理健康测评。测评约需 5 分钟，没有对错之分，请按最近两周的真实感受作答。';

/** The codes of the institutions. */
export const codes = {
  provider: 'FWS00001',
  bureau: 'JYJ00001',
  chenguang: 'XX000001',
  dongshan: 'XX000002',
  qinglan: 'XX000003',
  renai: 'YY000001',
  special: 'ZS000001',
  noapp: 'XX000008',
  disabled: 'XX000009',
} as const;

/** The institutions of the demonstration, parents first. */
export const institutions: readonly DemoInstitution[] = [
  {
    musercode: codes.provider,
    username: 'anlan',
    insname: '安澜心理',
    shortname: '安澜',
    musertype: '002',
    sector: 'platform',
    level: 1,
    parent: platform.musercode,
    apps: [],
    contact: '方敏',
  },
  {
    musercode: codes.bureau,
    username: 'demo_jyj',
    insname: '云栖市教育局',
    shortname: '教育局',
    musertype: '003',
    sector: 'edu',
    level: 2,
    parent: codes.provider,
    apps: [],
    contact: '周科长',
  },
  {
    ...school,
    musercode: codes.chenguang,
    username: 'chenguang',
    insname: '云栖市晨光中学',
    shortname: '晨光中学',
    entry: { clientcode: 'demo-chenguang', loginmode: '03', welcome },
    contact: '马文博',
  },
  {
    ...school,
    musercode: codes.dongshan,
    username: 'dongshan',
    insname: '云栖市东山高级中学',
    shortname: '东山高中',
    entry: { clientcode: 'demo-dongshan', loginmode: '03', welcome },
    contact: '贺校长',
  },
  {
    ...school,
    musercode: codes.qinglan,
    username: 'qinglan',
    insname: '云栖市青蓝小学',
    shortname: '青蓝小学',
    entry: { clientcode: 'demo-qinglan', loginmode: '03', welcome },
    contact: '谭老师',
  },
  {
    musercode: codes.renai,
    username: 'renai',
    insname: '云栖市仁爱妇幼保健院',
    shortname: '仁爱妇幼',
    musertype: '004',
    sector: 'health',
    level: 3,
    parent: codes.provider,
    districtcode: '330106',
    apps: ['000000001'],
    entry: {
      clientcode: 'demo-renai00',
      loginmode: '02',
      welcome: '欢迎参加孕产期心理健康测评。测评约需 5 分钟，请按最近两周的真实感受作答。',
    },
    contact: '林主任',
  },
  {
    ...school,
    musercode: codes.special,
    username: 'demo_zs',
    insname: '云栖市直属实验学校',
    shortname: '直属实验',
    entry: { clientcode: 'demo-zhishu0', loginmode: '03', welcome },
    contact: '章老师',
  },
  {
    ...school,
    musercode: codes.noapp,
    username: 'demo_noapp',
    insname: '云栖市听松学校',
    shortname: '听松学校',
    apps: [],
    contact: '申老师',
  },
  {
    ...school,
    musercode: codes.disabled,
    username: 'demo_disabled',
    insname: '云栖市旧河学校',
    shortname: '旧河学校',
    enabled: 0,
    contact: '汪老师',
  },
];

/** The staff of the demonstration. `duty` 1: the server notifies them of every crisis. */
export const staff = [
  { loginname: 'demo_fws', realname: '方敏', musercode: codes.provider, role: 'provideradmin', post: '服务商管理员', duty: 0 },
  { loginname: 'demo_fws2', realname: '秦悦', musercode: codes.provider, role: 'operator', post: '运营与财务', duty: 0 },
  { loginname: 'demo_duty', realname: '何值班', musercode: codes.provider, role: 'warningduty', post: '预警值守', duty: 1 },
  { loginname: 'demo_school', realname: '马文博', musercode: codes.chenguang, role: 'insadmin', post: '德育主任', duty: 0 },
  { loginname: 'demo_psych', realname: '陈静怡', musercode: codes.chenguang, role: 'psychologist', post: '心理教师', duty: 1 },
  { loginname: 'demo_psych2', realname: '陆远', musercode: codes.chenguang, role: 'psychologist', post: '心理教师', duty: 0 },
  { loginname: 'demo_teacher', realname: '王慧敏', musercode: codes.chenguang, role: 'classteacher', post: '班主任', duty: 0 },
  { loginname: 'demo_teacher2', realname: '许建平', musercode: codes.chenguang, role: 'classteacher', post: '班主任', duty: 0 },
  { loginname: 'demo_dongshan', realname: '乔然', musercode: codes.dongshan, role: 'psychologist', post: '心理教师', duty: 1 },
  { loginname: 'demo_qinglan', realname: '谭晓', musercode: codes.qinglan, role: 'psychologist', post: '心理教师', duty: 1 },
  { loginname: 'demo_zhishu', realname: '章敏', musercode: codes.special, role: 'psychologist', post: '心理教师', duty: 1 },
  { loginname: 'demo_hospital', realname: '林若溪', musercode: codes.renai, role: 'psychologist', post: '心理门诊医生', duty: 1 },
  { loginname: 'demo_nurse', realname: '何晓芸', musercode: codes.renai, role: 'nurse', post: '产科护士', duty: 0 },
] as const;
/** A sign-in name of staff. */
export type StaffLogin = (typeof staff)[number]['loginname'];

/** The password of all accounts of the demonstration. */
export const demoPassword = 'Demo1234';

const codesOf = (rolekey: string) => roles.find((role) => role.rolekey === rolekey)?.codes ?? [];
const codesFor = {
  '002': codesOf('provideradmin'),
  '003': codesOf('authorityviewer'),
  '004': codesOf('insadmin'),
  '005': codesOf('insadmin'),
};

/**
 * Inserts the institutions and their staff, in a transaction with a session of the platform. SQL writes these rows.
 * All later rows (persons, exams, cases) come from the product's own actions.
 */
export async function insertInstitutions(client: pg.ClientBase, pwdhash: string) {
  for (const ins of institutions) {
    const { rows } = await client.query<{ orgpath: string; path: string[] }>(
      `select orgpath, array[categorycode0, categorycode1, categorycode2, categorycode3, categorycode4, categorycode5] as path
       from muser where musercode = $1`,
      [ins.parent],
    );
    const path = [...(rows[0]?.path ?? [])];
    path[ins.level] = ins.musercode;
    await client.query(
      `insert into muser (musercode, orgpath, username, musertype, insname, shortname, realname, sector,
        parentmusercode, categorycode, categorylevel,
         categorycode0, categorycode1, categorycode2, categorycode3, categorycode4, categorycode5, provincecode,
         citycode, districtcode, regionname, codes, enabled)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $1, $10, $11, $12, $13, $14, $15, $16, '330000', '330100', $17,
         (select fullname from ref.district where districtcode = coalesce($17, '330100')), $18, $19)`,
      [
        ins.musercode,
        `${rows[0]?.orgpath}${ins.musercode}.`,
        ins.username,
        ins.musertype,
        ins.insname,
        ins.shortname,
        ins.contact,
        ins.sector,
        ins.parent,
        ins.level,
        ...Array.from({ length: 6 }, (_, level) => path[level] ?? ''),
        ins.districtcode ?? null,
        codesFor[ins.musertype],
        ins.enabled ?? 1,
      ],
    );
    for (const appid of ins.apps)
      await client.query('insert into muserapp (musercode, appid) values ($1, $2)', [ins.musercode, appid]);
    if (ins.entry)
      await client.query(
        'insert into muserclient (clientcode, musercode, clienttitle, loginmode, welcome) values ($1, $2, $3, $4, $5)',
        [ins.entry.clientcode, ins.musercode, `${ins.insname}心理健康测评`, ins.entry.loginmode, ins.entry.welcome],
      );
    // Only institutions in the list of accounts get an account of their own.
    if (demoAccounts.some(({ loginname }) => loginname === ins.username))
      await client.query('insert into auth.account (accountid, musercode, loginname, pwdhash) values ($1, $1, $2, $3)', [
        ins.musercode,
        ins.username,
        pwdhash,
      ]);
  }
  for (const person of staff) {
    const userid = `U_${person.loginname.toUpperCase()}`;
    await client.query(
      'insert into sysuser (userid, musercode, sysusername, realname, post, duty) values ($1, $2, $3, $4, $5, $6)',
      [userid, person.musercode, person.loginname, person.realname, person.post, person.duty],
    );
    await client.query(
      'insert into auth.account (accountid, musercode, userid, loginname, pwdhash) values ($1, $2, $1, $3, $4)',
      [userid, person.musercode, person.loginname, pwdhash],
    );
    await client.query(
      'insert into sysuserrole (userid, roleid, musercode) select $1, roleid, $2 from role where rolekey = $3 and isbuiltin = 1',
      [userid, person.musercode, person.role],
    );
  }
  await client.query("insert into auth.specialaccount (musercode, loginas, navextra) values ($1, 'JYJ', 1)", [codes.bureau]);
  await client.query('insert into auth.specialaccount (musercode, appexempt, navextra) values ($1, 1, 1)', [codes.special]);
}

/** Returns the userid of a sign-in name. */
export const userOf = (loginname: StaffLogin) => `U_${loginname.toUpperCase()}`;
