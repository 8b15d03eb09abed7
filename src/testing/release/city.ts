import { judge } from '#testing/statistics/sheets.ts';
import type { TestServer } from '#testing/server.ts';

/** A small city of two districts, whose schools are screened in the autumn term of 2025. */

/** The schools: 晨光中学 and 东山中学 of `people.ts`, and those that `insertCity` adds. */
export const schools = {
  M_CHENGUANG: { district: '330106', insname: '云栖市晨光中学' },
  M_DONGSHAN: { district: '330106', insname: '云栖市东山中学' },
  M_XIXI: { district: '330106', insname: '云栖市西溪小学' },
  M_JIANGNAN: { district: '330108', insname: '云栖市江南中学' },
  M_CHANGHE: { district: '330108', insname: '云栖市长河小学' },
} as const;
export type School = keyof typeof schools;

/** Pupils of a school with a grade and a gender in common: how many are calm, need attention, have an alert, have not handed in. */
export interface Pupils {
  school: School;
  grade: string;
  gender: '00' | '01' | '02';
  calm: number;
  abnormal: number;
  alert?: number;
  open?: number;
}

export const pupils: readonly Pupils[] = [
  { school: 'M_CHENGUANG', grade: 'J1', gender: '01', calm: 22, abnormal: 4, open: 3 },
  { school: 'M_CHENGUANG', grade: 'J1', gender: '02', calm: 19, abnormal: 7, alert: 1 },
  { school: 'M_CHENGUANG', grade: 'J2', gender: '01', calm: 17, abnormal: 6 },
  { school: 'M_CHENGUANG', grade: 'J2', gender: '02', calm: 24, abnormal: 5, alert: 2 },
  { school: 'M_DONGSHAN', grade: 'S1', gender: '01', calm: 15, abnormal: 2 },
  { school: 'M_DONGSHAN', grade: 'S1', gender: '02', calm: 16, abnormal: 6, open: 4 },
  { school: 'M_DONGSHAN', grade: 'S2', gender: '02', calm: 2, abnormal: 1 },
  { school: 'M_XIXI', grade: 'P4', gender: '01', calm: 8, abnormal: 0 },
  { school: 'M_XIXI', grade: 'P4', gender: '02', calm: 3, abnormal: 1, alert: 1 },
  { school: 'M_JIANGNAN', grade: 'J1', gender: '01', calm: 20, abnormal: 6 },
  { school: 'M_JIANGNAN', grade: 'J1', gender: '02', calm: 21, abnormal: 8, alert: 3 },
  { school: 'M_JIANGNAN', grade: 'J2', gender: '00', calm: 1, abnormal: 0 },
  { school: 'M_CHANGHE', grade: 'P4', gender: '01', calm: 9, abnormal: 1 },
  { school: 'M_CHANGHE', grade: 'P4', gender: '02', calm: 12, abnormal: 5 },
];

/** Adds the schools, the authority of 330106 with a session `district`, the tasks until 30 September and the sheets. */
export async function insertCity(server: TestServer): Promise<void> {
  const { sqlAsOwner } = server;
  await sqlAsOwner("update muser set districtcode = '330106' where musercode in ('M_CHENGUANG', 'M_DONGSHAN')");
  for (const [musercode, { district, insname }] of Object.entries(schools))
    await insertSchool(server, musercode, insname, district);
  await insertInstitution(server, { musercode: 'JYJ_XIHU', insname: '西湖区教育局', musertype: '003', district: '330106' });
  await sqlAsOwner(
    `insert into auth.session (tokenhash, kind, musercode, accountid, expiretime, idle)
     select encode(sha256('district'), 'hex'), 'staff', 'JYJ_XIHU', accountid, now() + interval '1 day', '1 day'
     from auth.account where accountid = 'JYJ_XIHU'`,
  );
  for (const musercode of Object.keys(schools)) await insertScreening(server, musercode, '2025-09-30');
  for (const [index, group] of pupils.entries()) await insertPupils(server, group, `G${index}`);
}

/** Adds a copy of 东山中学. */
export const insertSchool = (server: TestServer, musercode: string, insname: string, district: string) =>
  insertInstitution(server, { musercode, insname, musertype: '005', district });

async function insertInstitution(
  { sqlAsOwner }: TestServer,
  { musercode, insname, musertype, district }: { musercode: string; insname: string; musertype: string; district: string },
): Promise<void> {
  await sqlAsOwner(
    `insert into muser (musercode, orgpath, username, musertype, insname, sector, parentmusercode, categorycode, categorylevel,
       categorycode0, categorycode1, categorycode2, categorycode3, provincecode, citycode, districtcode, codes)
     select $1, replace(orgpath, 'M_DONGSHAN', $1), $1, $2, $3, sector, parentmusercode, $1, categorylevel, categorycode0,
       categorycode1, categorycode2, $1, provincecode, citycode, $4, (select codes from muser where musercode = 'JYJ00001')
     from muser where musercode = 'M_DONGSHAN' on conflict do nothing`,
    [musercode, musertype, insname, district],
  );
  if (musertype === '005')
    await sqlAsOwner("insert into muserapp (musercode, appid) values ($1, '000000002') on conflict do nothing", [musercode]);
  else
    await sqlAsOwner("insert into auth.account (accountid, musercode, loginname, pwdhash) values ($1, $1, $1, '')", [musercode]);
}

/** Adds a task of the autumn term with one class a grade. */
export async function insertScreening({ sqlAsOwner }: TestServer, musercode: string, end: string, name = ''): Promise<void> {
  await sqlAsOwner(
    `insert into assesstask (taskcode, musercode, taskname, appid, plancode, year, term, begintime, endtime)
     values ('T_' || $1 || $3, $1, '秋季普测', '000000002', 'P900002', '2025-2026', '1', '2025-09-10 00:00+08', $2)`,
    [musercode, `${end} 23:59+08`, name],
  );
}

/** Adds pupils to a screening. Their sheets need attention by PHQ-9, with an alert by its item 9. */
export async function insertPupils({ sqlAsOwner }: TestServer, group: Pupils, name: string, task = ''): Promise<void> {
  const { school, grade, gender, calm, abnormal, alert = 0, open = 0 } = group;
  const scores = [
    ...Array.from({ length: calm }, (_, index) => ({ phq9: index % 8, gad7: index % 5, item9: 0 })),
    ...Array.from({ length: abnormal }, (_, index) => ({
      phq9: 10 + (index % 14),
      gad7: index % 12,
      item9: Number(index < alert),
    })),
    ...Array.from({ length: open }, () => null),
  ];
  const rows = scores.map((score, index) => {
    const result = score && judge(score);
    return { code: `${name}-${index}`, ...score, ...result, isopen: score === null };
  });
  const values = [JSON.stringify(rows), school, grade, gender, `T_${school}${task}`];
  const source = `from jsonb_to_recordset($1) as x (code text, phq9 int, gad7 int, dep int, anx int, overall int, alertlevel int,
    isabnormal int, isopen boolean)`;
  await sqlAsOwner(
    `insert into assessteam (teamcode, musercode, teamname, appid, year, gradecode, gradename, classname)
     select distinct $2 || $3, $2, $3, '000000002', '2025-2026', $3, $3, '1班' ${source}
     where $4 <> '' and $5 <> '' on conflict do nothing`,
    values,
  );
  await sqlAsOwner(
    `insert into cuser (cuserid, musercode, username, gender, appid)
     select code, $2, code, $4, '000000002' ${source} where $3 <> '' and $5 <> ''`,
    values,
  );
  await sqlAsOwner(
    `insert into taskroster (taskcode, cuserid, teamcode, musercode, status)
     select $5, code, $2 || $3, $2, case when isopen then 0 else 2 end ${source} where $4 <> ''`,
    values,
  );
  await sqlAsOwner(
    `insert into examrecord (examcode, musercode, cuserid, appid, plancode, taskcode, status, starttime, submittime, valid, overalllevel,
       hasalert, alertlevel, isabnormal, gender, gradecode, gradename, classname)
     select code, $2, code, '000000002', 'P900002', $5, 2, '2025-09-20 10:00+08', '2025-09-20 10:00+08', 1, overall,
       (alertlevel > 0)::int, alertlevel, isabnormal, $4, $3, $3, '1班' ${source} where not isopen`,
    values,
  );
  for (const [order, form, domain, score, level] of [
    ['1', 'PHQ9', '01', 'phq9', 'dep'],
    ['2', 'GAD7', '02', 'gad7', 'anx'],
  ])
    await sqlAsOwner(
      `with sheet as (select x.* ${source} where not isopen and $3 <> '' and $4 <> '' and $5 <> ''), form as (
         insert into examform (examcode, musercode, cuserid, formcode, formversion, ordernum, status, submittime)
         select code, $2, code, '${form}', '1', ${order}, 2, '2025-09-20 10:00+08' from sheet
         returning examformid, examcode
       )
       insert into examresult (examformid, quotacode, examcode, musercode, cuserid, score, level, domain, isprimary, submittime)
       select examformid, '${form}.total', code, $2, code, ${score}, ${level}, '${domain}', 1, '2025-09-20 10:00+08'
       from form join sheet on sheet.code = form.examcode`,
      values,
    );
}
