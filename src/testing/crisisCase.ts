import { fromShanghai } from '#domain/base/calendar.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as special from '#features/warning/special/special.contract.ts';
import { getWarningDetail } from '#features/warning/warning.contract.ts';
import { aClassOf, aStudent } from '#testing/factories.ts';
import type { Person } from '#testing/people.ts';
import { startServer } from '#testing/server.ts';

/** 晨光中学 with the student 林小雨 (15) of Wang's class, and short names for the steps of her case. */
export async function crisisSchool(now: string) {
  const server = await startServer({ now: fromShanghai(now).toISOString() });
  const pupil = await aStudent(server);
  await aClassOf(server, [pupil.cuserid], { owneruserid: 'U_WANG' });
  const { as, sqlAsOwner, clock } = server;
  const at = (time: string) => {
    clock.now = fromShanghai(time);
  };
  /** Reports 林小雨 by hand and returns the code of her case. */
  const report = async (level: number, content = '观察到情绪低落，需要关注', who: Person = 'chen') =>
    (await as(who)(handling.insertWarning, { cuserid: pupil.cuserid, level, content })).warningcode;
  const detail = (warningcode: string, who: Person = 'chen') => as(who)(getWarningDetail, { warningcode });
  const version = async (warningcode: string) => (await detail(warningcode)).version;
  /** The pending clocks of a case: kind and time to the minute. */
  const clocks = async (warningcode: string): Promise<Record<string, string>> =>
    Object.fromEntries(
      ((await detail(warningcode)).full?.clocks ?? []).reverse().map((item) => [item.kind, item.at.slice(5, 16)]),
    );
  const accept = (warningcode: string, who: Person = 'chen') => as(who)(handling.acceptWarning, { warningcode });
  const talk = (warningcode: string, who: Person = 'chen') =>
    as(who)(handling.verifyWarning, { warningcode, contactresult: '01', content: '与学生面谈，了解近况' });
  /** An interview with the ASQ, negative unless `asq` says otherwise. */
  const interview = (warningcode: string, conclusionlevel: number, more: Record<string, unknown> = {}, who: Person = 'chen') =>
    as(who)(handling.insertRiskAssess, {
      warningcode,
      ideation: 0,
      attempthistory: 0,
      support: 2,
      asqanswers: { q1: '0', q2: '0', q3: '0', q4: '0' },
      conclusionlevel,
      ...more,
    });
  const tellGuardian = (warningcode: string) =>
    as('chen')(handling.notifyGuardian, { warningcode, guardianname: '林建国', method: '01', content: '已告知，家长配合陪伴' });
  /** The second person confirms a subject; they see the present version. */
  const confirm = async (
    warningcode: string,
    subject: 'close' | 'exclude' | 'transfer' | 'lost' | 'death' | 'exempt' | 'conclusion',
    who: Person,
  ) =>
    as(who)(special.confirmWarning, {
      warningcode,
      version: await version(warningcode),
      subject,
      content: '已核对作答、访谈与处置记录，同意',
    });
  /** Brings a case to observation: accepted, talked, interviewed, guardian told. */
  const observeCase = async (warningcode: string) => {
    await accept(warningcode);
    await talk(warningcode);
    await interview(warningcode, 2);
    await tellGuardian(warningcode);
    await as('chen')(handling.observe, { warningcode });
  };
  const notices = (warningcode: string) =>
    sqlAsOwner<{ userid: string; title: string; content: string; createtime: Date }>(
      "select userid, title, content, createtime from notification where link like '%' || $1 order by id",
      [warningcode],
    );
  const logs = async (warningcode: string) => (await detail(warningcode)).full?.logs ?? [];
  return {
    ...server,
    pupil,
    at,
    report,
    detail,
    version,
    clocks,
    accept,
    talk,
    interview,
    tellGuardian,
    confirm,
    observeCase,
    notices,
    logs,
  };
}
