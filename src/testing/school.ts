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

let pupilCount = 0;

/** Creates a class with its pupils, who are 14 years old by default. */
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
    const studentno = String(20_250_000 + ++pupilCount);
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
    const match = pupils.find((candidate) => candidate.username === username);
    if (!match) throw new Error(`nobody called ${username} in ${options.teamname}`);
    return match;
  };
  return { teamcode, pupils, pupil };
}

/** Returns the request for a screening with 学生心理健康标准方案 in the week of the tests' clock. `more` changes fields. */
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

/** A pupil signs in at the school's entry and consents if necessary. Returns calls in the pupil's name. */
export async function signInPupil({ nobody, withToken }: Server, pupil: Pupil, clientcode = 'entry_chenguang') {
  const { token, needconsent } = await nobody(respond.loginRespondent, {
    clientcode,
    username: pupil.username,
    key: pupil.studentno,
  });
  const call = withToken(token);
  if (needconsent) {
    const { consent } = await nobody(respond.getEntry, { clientcode });
    await call(respond.submitConsent, { consentversion: consent.version, scopes: ['01', '02'], agreed: 1 });
  }
  return call;
}

/** A pupil begins the newest open task. Unless `begin` is set, the pupil answers everything with the first option and submits. */
export async function answerTask(
  server: Server,
  pupil: Pupil,
  options: { begin?: boolean; minutes?: number; call?: Awaited<ReturnType<typeof signInPupil>> } = {},
) {
  const call = options.call ?? (await signInPupil(server, pupil));
  const openTask = (await call(respond.getTasks, {})).find((candidate) => candidate.status < 2);
  if (!openTask) throw new Error(`${pupil.username} has nothing to answer`);
  const { examcode, sheets } = await call(respond.startExam, { cuserplanid: openTask.cuserplanid });
  if (options.begin) return { examcode, handIn };
  server.clock.now = new Date(server.clock.now.getTime() + (options.minutes ?? 4) * 60_000);
  await handIn();
  return { examcode, handIn };

  async function handIn() {
    const answers = sheets.flatMap(({ examformid, items }) =>
      items.map((item, index) => ({ examformid, c: item.c, value: item.options?.[0]?.[0] ?? '', clientseq: index + 1 })),
    );
    const { done: isDone, missing } = await call(respond.submitExam, { examcode, submitkey: randomUUID(), answers });
    if (!isDone) throw new Error(`not submitted: ${JSON.stringify(missing)}`);
  }
}
