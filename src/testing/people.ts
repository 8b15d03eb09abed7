import { createHash } from 'node:crypto';
import type pg from 'pg';
import { allCodes } from '#contract/menu.ts';
import { asPlatform, platform } from '#seed/reference.ts';
import { roles } from '#seed/roles.ts';

/**
 * The institutions and people of the tests. The token of a person is their name: `as('chen')`.
 *
 * platform ─ anlan (provider) ─┬─ chenguang (school): ma administrator · chen psychologist · wang class teacher of 初二(3)班 ·
 *                              │    duty night officer · nobody without rights
 *                              ├─ dongshan (school): qiao psychologist
 *                              ├─ renai (hospital): lin doctor
 *                              └─ jyj (education bureau): zhou
 */
export const institutions = {
  anlan: {
    musercode: 'M_ANLAN',
    insname: '安澜心理',
    musertype: '002',
    sector: 'platform',
    level: 1,
    parent: platform.musercode,
  },
  chenguang: {
    musercode: 'M_CHENGUANG',
    insname: '云栖市晨光中学',
    musertype: '005',
    sector: 'edu',
    level: 3,
    parent: 'M_ANLAN',
  },
  dongshan: { musercode: 'M_DONGSHAN', insname: '云栖市东山中学', musertype: '005', sector: 'edu', level: 3, parent: 'M_ANLAN' },
  renai: {
    musercode: 'M_RENAI',
    insname: '云栖市仁爱妇幼保健院',
    musertype: '004',
    sector: 'health',
    level: 3,
    parent: 'M_ANLAN',
  },
  jyj: { musercode: 'JYJ00001', insname: '云栖市教育局', musertype: '003', sector: 'edu', level: 2, parent: 'M_ANLAN' },
} as const;

export const people = {
  super: { musercode: platform.musercode, userid: null, role: undefined },
  fang: { musercode: 'M_ANLAN', userid: 'U_FANG', role: 'provideradmin' },
  ma: { musercode: 'M_CHENGUANG', userid: 'U_MA', role: 'insadmin' },
  chen: { musercode: 'M_CHENGUANG', userid: 'U_CHEN', role: 'psychologist' },
  lu: { musercode: 'M_CHENGUANG', userid: 'U_LU', role: 'psychologist' },
  wang: { musercode: 'M_CHENGUANG', userid: 'U_WANG', role: 'classteacher' },
  duty: { musercode: 'M_CHENGUANG', userid: 'U_DUTY', role: 'warningduty' },
  nobody: { musercode: 'M_CHENGUANG', userid: 'U_NOBODY', role: undefined },
  qiao: { musercode: 'M_DONGSHAN', userid: 'U_QIAO', role: 'psychologist' },
  lin: { musercode: 'M_RENAI', userid: 'U_LIN', role: 'psychologist' },
  zhou: { musercode: 'JYJ00001', userid: 'U_ZHOU', role: 'authorityviewer' },
} as const;
export type Person = keyof typeof people;

const names: Record<string, string> = {
  fang: '方敏',
  ma: '马主任',
  chen: '陈静怡',
  lu: '陆远',
  wang: '王班主任',
  duty: '值班员',
  nobody: '无权限',
  qiao: '乔然',
  lin: '林医生',
  zhou: '周科长',
};
const hash = (token: string) => createHash('sha256').update(token).digest('hex');

/** Adds the institutions and people to a migrated and seeded database. Each person has a session with a step-up of this moment. */
export async function seedPeople(client: pg.ClientBase) {
  await client.query('begin');
  await asPlatform(client, async () => {
    for (const [key, ins] of Object.entries(institutions)) {
      const { rows } = await client.query<{ orgpath: string; path: string[] }>(
        `select orgpath,
           array[categorycode0, categorycode1, categorycode2, categorycode3, categorycode4, categorycode5] as path
         from muser
         where musercode = $1`,
        [ins.parent],
      );
      const path = [...(rows[0]?.path ?? [])];
      path[ins.level] = ins.musercode;
      await client.query(
        `insert into muser (musercode, orgpath, username, musertype, insname, shortname, sector, parentmusercode,
           categorycode, categorylevel,
           categorycode0, categorycode1, categorycode2, categorycode3, categorycode4, categorycode5,
           provincecode, citycode, districtcode, codes)
         values ($1, $2, $3, $4, $5, $5, $6, $7, $1, $8, $9, $10, $11, $12, $13, $14, '330000', '330100', $15, $16)`,
        [
          ins.musercode,
          `${rows[0]?.orgpath}${ins.musercode}.`,
          key,
          ins.musertype,
          ins.insname,
          ins.sector,
          ins.parent,
          ins.level,
          ...Array.from({ length: 6 }, (_, i) => path[i] ?? ''),
          ins.musertype === '003' ? null : '330106',
          allCodes.filter((code) => ins.musertype !== '003' || roles[2]?.codes.includes(code)),
        ],
      );
      if (ins.musertype === '005' || ins.musertype === '004') {
        const appid = ins.sector === 'health' ? '000000001' : '000000002';
        await client.query('insert into muserapp (musercode, appid) values ($1, $2)', [ins.musercode, appid]);
        await client.query(
          `insert into muserclient (clientcode, musercode, clienttitle, loginmode, welcome)
           values ($1, $2, $3, '03', '感谢你参加本次心理健康测评')`,
          [`entry_${key}`, ins.musercode, `${ins.insname}心理健康测评`],
        );
        await client.query("insert into assesscount (musercode, plancode, granted) values ($1, '*', 10000)", [ins.musercode]);
        await client.query(
          "insert into assesscountlog (musercode, plancode, kind, qty, balance) values ($1, '*', '01', 10000, 10000)",
          [ins.musercode],
        );
      }
    }
    for (const [name, person] of Object.entries(people)) {
      if (person.userid) {
        await client.query('insert into sysuser (userid, musercode, sysusername, realname, duty) values ($1, $2, $3, $4, $5)', [
          person.userid,
          person.musercode,
          name,
          names[name],
          name === 'duty' || name === 'chen' ? 1 : 0,
        ]);
        await client.query(
          "insert into auth.account (accountid, musercode, userid, loginname, pwdhash) values ($1, $2, $1, $3, '')",
          [person.userid, person.musercode, name],
        );
        if (person.role)
          await client.query(
            'insert into sysuserrole (userid, roleid, musercode) select $1, roleid, $2 from role where rolekey = $3',
            [person.userid, person.musercode, person.role],
          );
      }
      await client.query(
        `insert into auth.session (tokenhash, kind, musercode, accountid, expiretime, idle, stepuptime)
         values ($1, 'staff', $2, $3, now() + interval '1 day', '1 day', now())`,
        [hash(name), person.musercode, person.userid ?? person.musercode],
      );
    }
    await client.query("insert into auth.specialaccount (musercode, loginas) values ('JYJ00001', 'JYJ')");
  });
  await client.query('commit');
}
