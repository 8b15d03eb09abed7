import type { TestServer } from '#testing/server.ts';

/** A submitted sheet of PHQ-9 and GAD-7 with its judged result, as rows. */
export interface Sheet {
  examcode: string;
  cuserid: string;
  taskcode: string | null;
  submit: string;
  phq9: number;
  gad7: number;
  item9?: number;
  valid?: number;
  status?: number;
  scene?: string;
  gender?: string;
  gradecode?: string;
  classname?: string;
  withheld?: number;
}

const levelOf = (score: number, starts: readonly number[]): number => starts.filter((start) => score >= start).length;
const PHQ9_STARTS = [5, 10, 15, 20];
const GAD7_STARTS = [5, 10, 15];

/** What the submission judges of a sheet: levels of both forms, the alert of item 9, and 需关注 from level 2 on. */
export function judge({ phq9, gad7, item9 = 0, valid = 1 }: Pick<Sheet, 'phq9' | 'gad7' | 'item9' | 'valid'>) {
  const [dep, anx] = [levelOf(phq9, PHQ9_STARTS), levelOf(gad7, GAD7_STARTS)];
  const alertlevel = item9 >= 2 ? 3 : item9 === 1 ? 2 : 0;
  const overall = Math.max(dep, anx, alertlevel);
  const isabnormal = alertlevel > 0 || (valid === 1 && overall >= 2) ? 1 : 0;
  return { dep, anx, overall, alertlevel, isabnormal };
}

/** Inserts a sheet of 晨光中学 with its results. */
export async function insertSheet({ sqlAsOwner }: TestServer, sheet: Sheet): Promise<void> {
  const { dep, anx, overall, alertlevel, isabnormal } = judge(sheet);
  const valid = sheet.valid ?? 1;
  await sqlAsOwner(
    `insert into examrecord (examcode, musercode, cuserid, appid, plancode, taskcode, scenecode, status, starttime, submittime,
       valid, overalllevel, hasalert, alertlevel, isabnormal, gender, gradecode, gradename, classname)
     values ($1, 'M_CHENGUANG', $2, '000000002', 'P900002', $3, $4, $5, $6, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14)`,
    [
      sheet.examcode,
      sheet.cuserid,
      sheet.taskcode,
      sheet.scene ?? '01',
      sheet.status ?? 2,
      `${sheet.submit} 10:00+08`,
      valid,
      valid ? overall : null,
      alertlevel > 0 ? 1 : 0,
      alertlevel,
      isabnormal,
      sheet.gender ?? '01',
      sheet.gradecode ?? null,
      sheet.classname ?? null,
    ],
  );
  for (const [order, [form, score, level, domain]] of [
    ['PHQ9', sheet.phq9, dep, '01'] as const,
    ['GAD7', sheet.gad7, anx, '02'] as const,
  ].entries())
    await sqlAsOwner(
      `with form as (
         insert into examform (examcode, musercode, cuserid, formcode, formversion, ordernum, status, submittime)
         values ($1, 'M_CHENGUANG', $2, $3, '1', $4, 2, $5)
         returning examformid
       )
       insert into examresult (examformid, quotacode, examcode, musercode, cuserid, score, level, domain, isprimary, submittime)
       select examformid, $3 || '.total', $1, 'M_CHENGUANG', $2, $6, $7, $8, 1, $5 from form`,
      [sheet.examcode, sheet.cuserid, form, order + 1, `${sheet.submit} 10:00+08`, score, valid ? level : null, domain],
    );
  // A trigger derives the mark from the person's consent, so a sheet is marked after it exists.
  if (sheet.withheld) await sqlAsOwner('update examrecord set withheld = 1 where examcode = $1', [sheet.examcode]);
}

/** Inserts a task of 晨光中学 for the autumn term with its classes, such as J1 1班. */
export async function insertTask(
  { sqlAsOwner }: TestServer,
  task: { taskcode: string; begin: string; end: string; year?: string; term?: string },
  classes: readonly { teamcode: string; gradecode: string; classname: string }[],
): Promise<void> {
  await sqlAsOwner(
    `insert into assesstask (taskcode, musercode, taskname, appid, plancode, year, term, begintime, endtime)
     values ($1, 'M_CHENGUANG', $1, '000000002', 'P900002', $2, $3, $4, $5)`,
    [task.taskcode, task.year ?? '2025-2026', task.term ?? '1', `${task.begin} 00:00+08`, `${task.end} 23:59+08`],
  );
  for (const { teamcode, gradecode, classname } of classes)
    await sqlAsOwner(
      `insert into assessteam (teamcode, musercode, teamname, appid, year, gradecode, gradename, classname)
       values ($1, 'M_CHENGUANG', $1, '000000002', $2, $3, $3, $4) on conflict do nothing`,
      [teamcode, task.year ?? '2025-2026', gradecode, classname],
    );
}

/** Inserts a person of 晨光中学. */
export const insertPerson = ({ sqlAsOwner }: TestServer, cuserid: string, gender: string) =>
  sqlAsOwner("insert into cuser (cuserid, musercode, username, gender, appid) values ($1, 'M_CHENGUANG', $1, $2, '000000002')", [
    cuserid,
    gender,
  ]);

/** Puts a person on the roster of a task. */
export const insertRosterRow = (
  { sqlAsOwner }: TestServer,
  row: { taskcode: string; cuserid: string; teamcode: string; status: number; reason?: string },
) =>
  sqlAsOwner(
    `insert into taskroster (taskcode, cuserid, teamcode, musercode, status, reason)
     values ($1, $2, $3, 'M_CHENGUANG', $4, $5)`,
    [row.taskcode, row.cuserid, row.teamcode, row.status, row.reason ?? null],
  );
