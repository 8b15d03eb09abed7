import type { RequestOf } from '../src/contract/action.ts';
import { shanghaiTime } from '../src/domain/base/calendar.ts';
import type { insertCUser } from '../src/features/cuser/cuser.contract.ts';
import { insertAssessTask } from '../src/features/task/task.contract.ts';
import { insertAssessTeam, insertAssessTeamCUser } from '../src/features/team/team.contract.ts';
import { openSession, withToken, type Call } from './session.ts';
import type { Respondent } from './phone.ts';

/** Signs a member of staff in without a browser and returns calls in their name, for preparing data. */
export async function as(account: string): Promise<Call> {
  return withToken(await openSession(account));
}

/** Creates a class of 晨光中学 with an open task (PHQ-9 and GAD-7) and one student per birthday. Returns the students. */
export const createScreenedClass = async (birthdays: readonly string[]): Promise<Respondent[]> =>
  (await createScreening(birthdays)).students;

/** The same with any plan; also returns the task. */
export async function createScreening(
  birthdays: readonly string[],
  plancode = 'P900002',
): Promise<{ students: Respondent[]; taskcode: string }> {
  const call = await as('demo_psych');
  const run = `${Date.now() % 1_000_000}`;
  const teamname = `作答班${run}`;
  const { teamcode } = await call(insertAssessTeam, { teamname, teamtype: '01', appid: '000000002' });
  const students: Respondent[] = [];
  for (const [index, birthday] of birthdays.entries()) {
    const username = `温若${'甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥'[index] ?? ''}${run}`;
    const number = `A${run}${index}`;
    const cuser: RequestOf<typeof insertCUser> = {
      appid: '000000002',
      username,
      gender: '02',
      birthday,
      archive: { studentno: number, gradename: '初二', classname: teamname },
      guardian: [],
    };
    await call(insertAssessTeamCUser, { teamcode, cuser });
    students.push({ username, number });
  }
  const now = Date.now();
  const { taskcode } = await call(insertAssessTask, {
    taskname: `${teamname}测评`,
    appid: '000000002',
    plancode,
    teamcodes: [teamcode],
    begintime: shanghaiTime(new Date(now - 3_600_000)).slice(0, 16),
    endtime: shanghaiTime(new Date(now + 7 * 86_400_000)).slice(0, 16),
    resultshow: 0,
    status: 1,
  });
  return { students, taskcode };
}
