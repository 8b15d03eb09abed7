import { randomUUID } from 'node:crypto';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import type * as task from '#features/task/task.contract.ts';
import * as team from '#features/team/team.contract.ts';
import type { RequestOf } from '#contract/action.ts';
import type { Person } from '#testing/people.ts';
import type { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

export interface Pupil {
  cuserid: string;
  username: string;
  studentno: string;
}

let madeCount = 0;

/** A class with its pupils, as a school makes one; 14 years old unless told otherwise. */
export async function addClass(
  { as }: Server,
  options: { teamname: string; names: readonly string[]; owneruserid?: string; birthday?: string; who?: Person; year?: string },
): Promise<{ teamcode: string; pupils: Pupil[]; pupil: (username: string) => Pupil }> {
  const { who = 'chen' } = options;
  const { teamcode } = await as(who)(team.insertAssessTeam, {
    teamname: options.teamname,
    teamtype: '01',
    appid: '000000002',
    year: options.year ?? '2025-2026',
    gradename: options.teamname.slice(0, 2),
    owneruserid: options.owneruserid ?? null,
  });
  const pupils: Pupil[] = [];
  for (const username of options.names) {
    const studentno = String(20_250_000 + ++madeCount);
    const { cuserid } = await as(who)(cuser.insertCUser, {
      appid: '000000002',
      username,
      gender: '01',
      birthday: options.birthday ?? '2011-03-04',
      archive: { studentno },
      guardian: [],
    });
    pupils.push({ cuserid, username, studentno });
  }
  if (pupils.length) await as(who)(team.insertAssessTeamCUser, { teamcode, cuserids: pupils.map((item) => item.cuserid) });
  const pupil = (username: string) => {
    const foundPupil = pupils.find((candidate) => candidate.username === username);
    if (!foundPupil) throw new Error(`nobody called ${username} in ${options.teamname}`);
    return foundPupil;
  };
  return { teamcode, pupils, pupil };
}

/** What a screening of 学生心理健康标准方案 asks, unless changed: the week around the tests' clock. */
export const screening = (
  teamcodes: string[],
  more: Partial<RequestOf<typeof task.insertAssessTask>> = {},
): RequestOf<typeof task.insertAssessTask> => ({
  taskname: '2025 秋季普测',
  appid: '000000002',
  plancode: 'P900002',
  teamcodes,
  year: '2025-2026',
  term: '1',
  begintime: '2025-10-06 08:00',
  endtime: '2025-10-10 17:00',
  ...more,
});

/** A pupil signs in at the school's entry and agrees, if they have not yet. */
export async function enter({ nobody, withToken }: Server, pupil: Pupil, clientcode = 'entry_chenguang') {
  const { token, needconsent } = await nobody(respond.loginRespondent, {
    clientcode,
    username: pupil.username,
    key: pupil.studentno,
  });
  const own = withToken(token);
  if (needconsent) {
    const { consent } = await nobody(respond.getEntry, { clientcode });
    await own(respond.submitConsent, { consentversion: consent.version, scopes: ['01', '02'], agreed: 1 });
  }
  return own;
}

/** A pupil opens the newest task open to them and, unless `begin` only, answers everything with the first option. */
export async function answer(
  server: Server,
  pupil: Pupil,
  how: { begin?: boolean; minutes?: number; own?: Awaited<ReturnType<typeof enter>> } = {},
) {
  const own = how.own ?? (await enter(server, pupil));
  const open = (await own(respond.getTasks, {})).find((candidate) => candidate.status < 2);
  if (!open) throw new Error(`${pupil.username} has nothing to answer`);
  const { examcode, sheets } = await own(respond.startExam, { cuserplanid: open.cuserplanid });
  if (how.begin) return { examcode, handIn };
  server.clock.now = new Date(server.clock.now.getTime() + (how.minutes ?? 4) * 60_000);
  await handIn();
  return { examcode, handIn };

  async function handIn() {
    const answers = sheets.flatMap(({ examformid, items }) =>
      items.map((item, index) => ({ examformid, c: item.c, value: item.options?.[0]?.[0] ?? '', clientseq: index + 1 })),
    );
    const { done: isDone, missing } = await own(respond.submitExam, { examcode, submitkey: randomUUID(), answers });
    if (!isDone) throw new Error(`not handed in: ${JSON.stringify(missing)}`);
  }
}
