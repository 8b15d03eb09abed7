import { institutions } from '#testing/people.ts';
import type { TestServer } from '#testing/server.ts';

/** A third school, in another district of the city. */
export const XIHE = { musercode: 'M_XIHE', insname: '云栖市西河小学', districtcode: '330108' };

/** Pupils of a grade with a valid sheet of the first day of their school's task; `levels` are how many have overall level 0 to 4. */
export interface Pupils {
  musercode: string;
  /** 2025-2026/1 */
  term: string;
  gradecode: string;
  gender: '01' | '02';
  levels: readonly [number, number, number, number, number];
  /** pupils on the roster without a sheet */
  absent?: number;
}

const DAYS: Readonly<Record<string, { begin: string; end: string }>> = {
  '2024-2025/2': { begin: '2025-03-10', end: '2025-03-30' },
  '2025-2026/1': { begin: '2025-09-10', end: '2025-09-30' },
};

/** Inserts the third school. */
export const insertXihe = ({ sqlAsOwner }: TestServer) =>
  sqlAsOwner(
    `with school as (
       insert into muser (musercode, orgpath, username, musertype, insname, shortname, sector, parentmusercode, categorycode,
         categorylevel, provincecode, citycode, districtcode)
       select $1, above.orgpath || $1 || '.', 'xihe', '005', $2, $2, 'edu', above.musercode, $1, 3, '330000', '330100', $3
       from muser above where above.musercode = $4
       returning musercode, orgpath)
     insert into muserapp (musercode, orgpath, appid) select musercode, orgpath, '000000002' from school`,
    [XIHE.musercode, XIHE.insname, XIHE.districtcode, institutions.anlan.musercode],
  );

/** Inserts pupils with one task for each school and term. Depression has the overall level, anxiety the same up to 3. */
export async function insertPupils({ sqlAsOwner }: TestServer, groups: readonly Pupils[]): Promise<void> {
  for (const [at, { musercode, term, gradecode, gender, levels, absent = 0 }] of groups.entries()) {
    const [year, number] = term.split('/') as [string, string];
    const { begin, end } = DAYS[term] as { begin: string; end: string };
    const taskcode = `T-${musercode}-${term}`;
    const teamcode = `${musercode}-${year}-${gradecode}`;
    await sqlAsOwner(
      `insert into assesstask (taskcode, musercode, taskname, appid, plancode, year, term, begintime, endtime)
       values ($1, $2, $1, '000000002', 'P900002', $3, $4, $5, $6) on conflict do nothing`,
      [taskcode, musercode, year, number, `${begin} 00:00+08`, `${end} 23:59+08`],
    );
    await sqlAsOwner(
      `insert into assessteam (teamcode, musercode, teamname, appid, year, gradecode, gradename, classname)
       values ($1, $2, $1, '000000002', $3, $4, $4, '1班') on conflict do nothing`,
      [teamcode, musercode, year, gradecode],
    );
    const levelOf = levels.flatMap((count, level) => Array.from({ length: count }, () => level));
    const prefix = `${taskcode}-${at}-`;
    const all = [...levelOf.map(String), ...Array.from({ length: absent }, () => '')];
    await sqlAsOwner(
      `insert into cuser (cuserid, musercode, username, gender, appid)
       select $1 || n, $2, $1 || n, $3, '000000002' from generate_series(1, $4::int) n`,
      [prefix, musercode, gender, all.length],
    );
    await sqlAsOwner(
      `insert into taskroster (taskcode, cuserid, teamcode, musercode, status)
       select $1, $2 || n, $3, $4, case when level = '' then 0 else 2 end from unnest($5::text[]) with ordinality as p (level, n)`,
      [taskcode, prefix, teamcode, musercode, all],
    );
    await sqlAsOwner(
      `insert into examrecord (examcode, musercode, cuserid, appid, plancode, taskcode, scenecode, status, starttime, submittime,
         valid, overalllevel, hasalert, alertlevel, isabnormal, gender, gradecode, gradename, classname)
       select $1 || n, $2, $1 || n, '000000002', 'P900002', $3, '01', 2, $4, $4, 1, level, 0, 0, (level >= 2)::int, $5, $6, $6, '1班'
       from unnest($7::int[]) with ordinality as p (level, n)`,
      [prefix, musercode, taskcode, `${begin} 10:00+08`, gender, gradecode, levelOf],
    );
    for (const [order, [form, domain, most]] of [['PHQ9', '01', 4] as const, ['GAD7', '02', 3] as const].entries())
      await sqlAsOwner(
        `with form as (
           insert into examform (examcode, musercode, cuserid, formcode, formversion, ordernum, status, submittime)
           select $1 || n, $2, $1 || n, $3, '1', $4, 2, $5 from generate_series(1, cardinality($6::int[])) n
           returning examformid, examcode
         )
         insert into examresult (examformid, quotacode, examcode, musercode, cuserid, score, level, domain, isprimary, submittime)
         select form.examformid, $3 || '.total', form.examcode, $2, form.examcode, 0, least(p.level, $7), $8, 1, $5
         from unnest($6::int[]) with ordinality as p (level, n) join form on form.examcode = $1 || p.n`,
        [prefix, musercode, form, order + 1, `${begin} 10:00+08`, levelOf, most, domain],
      );
  }
}
