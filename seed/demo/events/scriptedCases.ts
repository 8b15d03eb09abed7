import { fromShanghai } from '#domain/base/calendar.ts';
import * as care from '#features/care/care.contract.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as report from '#features/report/report.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as team from '#features/team/team.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as special from '#features/warning/special/special.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import {
  noRiskFindings,
  closeCase,
  confirmClosing,
  finishFollowUps,
  handleCases,
  findPendingCases,
  runRetest,
  type StaffDesk,
} from '#seed/demo/events/cases.ts';
import { keepRhythm } from '#seed/demo/events/rhythm.ts';
import { safetyPlanOf } from '#seed/demo/content/safetyplans.ts';
import { minutesLater } from '#seed/demo/content/dates.ts';
import { postponeReturn, uploadPaper } from '#seed/demo/events/papers.ts';
import type { Student } from '#seed/demo/tenants/persons.ts';
import { personas, personaAnswers, personWithoutExam } from '#seed/demo/content/personas.ts';
import type { DemoRun } from '#seed/demo/run.ts';

const hospital = '云栖市精神卫生中心';
const hour = 60;
const day = 24 * hour;

/** Creates the cases of the personas (personas.ts). */
export const createScriptedCases = {
  async afterSpring({ calls, dates }: DemoRun, desk: StaffDesk) {
    for (const row of await findPendingCases(calls, desk)) {
      if (row.username === personas.lin.username) await closeCase(calls, desk, row, personaAnswers(6, 0, 4));
      if (row.username === personas.gao.username) await handleCases(calls, [desk], [{ row, target: '08' }], '');
      if (row.username === personas.wu.username) {
        const start = fromShanghai(row.createtime);
        const retest = (days: number, phq: number, gad: number) =>
          runRetest(calls, desk, [row], minutesLater(start, days * day), '吴桐同学复测', () => personaAnswers(phq, 0, gad));
        const callAfter = async (minutes: number) => calls.as(desk.owner, minutesLater(start, minutes));
        await handleCases(
          calls,
          [{ ...desk, dates: { ...dates, now: minutesLater(start, 32 * day) } }],
          [{ row, target: '06' }],
          '',
        );
        await retest(33, 14, 9);
        await finishFollowUps(calls, desk, row, minutesLater(start, 61 * day), [
          '面谈，训练照常，睡眠恢复。',
          '状态平稳，按约定记录心情。',
        ]);
        await retest(62, 9, 6);
        await (
          await callAfter(63 * day)
        )(handling.insertRiskAssess, {
          ...noRiskFindings,
          warningcode: row.warningcode,
          protective: ['篮球队', '家人支持'],
          conclusionlevel: 1,
          note: '近一个月睡眠和胃口恢复，训练照常，能说出自己的变化，否认自伤想法。',
        });
        await finishFollowUps(calls, desk, row, minutesLater(start, 64 * day), ['面谈，睡眠和胃口都好，谈到下学期的打算。']);
        await confirmClosing(calls, desk, row.warningcode, minutesLater(start, 64 * day));
        await (
          await callAfter(64 * day + hour)
        )(handling.closeWarning, {
          warningcode: row.warningcode,
          closereason: '01',
          closenote: '连续复测得分下降，访谈评估平稳，到期随访完成，予以结案并继续关注。',
        });
        await retest(120, 6, 4);
      }
    }
    // The psychologist reviews and signs some reports.
    const call = await calls.as(desk.owner, dates.day(-168, '15:00'));
    const { rows } = await call(report.getCUserReportPageList, { isabnormal: 1, pageSize: 15 });
    for (const { reportcode } of rows) {
      const { version } = await call(report.getCUserReport, { reportcode });
      await call(report.updateReport, {
        reportcode,
        version,
        status: 2,
        conclusion: '结果与面谈印象一致，按预警流程跟进。',
        advice: '保持关注，四周内复测。',
      });
    }
  },

  async now(run: DemoRun, desk: StaffDesk, pupils: readonly Student[], teams: ReadonlyMap<string, string>, _taskcode: string) {
    const { calls, dates } = run;
    for (const row of await findPendingCases(calls, desk))
      if (row.username === personas.zhao.username) await createAcuteCase(run, desk, row);
    await agreeWithoutGuardian(run, desk);
    // A student joins the class after the tasks were created.
    const registrar = await calls.as('demo_school', dates.day(-2, '11:00'));
    const { cuserid } = await registrar(cuser.insertCUser, {
      appid: '000000002',
      username: personWithoutExam.username,
      gender: personWithoutExam.gender,
      birthday: pupils[0]?.birthday ?? '',
      archive: { studentno: 'ZX0001', eduphase: '02', gradecode: 'J1', gradename: '初一', classname: '1班' },
      guardian: [],
    });
    await registrar(team.insertAssessTeamCUser, {
      teamcode: teams.get(personWithoutExam.teamname) as string,
      cuserids: [cuserid],
    });
    // A class teacher reports a student, and another student asks for contact.
    const teacher = await calls.as('demo_teacher', dates.day(-1, '16:40'));
    const members = await teacher(team.getAssessTeamRoster, { teamcode: teams.get('初二(3)班') as string, pageSize: 200 });
    const reported = members.rows.filter(({ username }) => username !== personas.gao.username).at(-1);
    if (reported)
      await teacher(handling.insertWarning, {
        cuserid: reported.cuserid,
        level: 2,
        source: '03',
        content: '近一周上课经常趴着，不与同学来往，作业没有完成，课后询问说“没意思”。',
      });
    const applicant = pupils.find(({ teamname, persona }) => teamname === '初三(3)班' && !persona);
    if (applicant) {
      const time = minutesLater(dates.now, -200);
      const { token } = await calls.with('', time)(respond.loginRespondent, {
        clientcode: desk.clientcode,
        username: applicant.username,
        key: applicant.key,
      });
      await calls.with(token, time)(respond.askForContact, { content: '最近和室友关系不好，想找老师聊聊。' });
    }
  },
};

/** Handles a case with acute danger: an interview and a referral on the same morning, then daily follow-ups. */
async function createAcuteCase(
  { calls, dates }: DemoRun,
  desk: StaffDesk,
  row: Awaited<ReturnType<typeof findPendingCases>>[number],
) {
  const { warningcode, cuserid } = row;
  const start = fromShanghai(row.createtime);
  const callAfter = async (minutes: number) => calls.as(desk.owner, minutesLater(start, minutes));
  await (
    await callAfter(12)
  )(handling.acceptWarning, { warningcode });
  await (
    await callAfter(25)
  )(handling.verifyWarning, {
    warningcode,
    contactresult: '01',
    content: '班主任陪同到心理辅导室，本人确认作答属实，专人陪伴，未独处。',
    falsealarm: 0,
  });
  await (
    await callAfter(50)
  )(handling.insertRiskAssess, {
    warningcode,
    ideation: 3,
    plan: 1,
    means: 0,
    attempthistory: 1,
    hopelessness: 1,
    support: 1,
    psychosis: 0,
    substance: 0,
    infantharm: 0,
    abuse: 0,
    protective: ['愿意说出来', '信任班主任'],
    asqanswers: { q1: '1', q2: '1', q3: '1', q4: '1', q4t: '半年前，未就医', q5: '1' },
    conclusionlevel: 4,
    safetyplan: safetyPlanOf(desk.find(row.username), row.createtime.slice(0, 10), true),
    note: '访谈约 60 分钟，全程有人陪伴。目前仍有想法，有大致打算，没有准备工具，愿意先去医院。',
  });
  await (
    await callAfter(70)
  )(handling.notifyGuardian, {
    warningcode,
    guardianname: desk.find(row.username)?.guardian.name ?? '家长',
    method: '02',
    content: '家长到校，当面说明情况与陪伴要求，签收告知书，同意当天就医。',
    fileids: [await uploadPaper(await callAfter(70), 'receipt')],
  });
  const reporter = await callAfter(80);
  const { full } = await reporter(warning.getWarningDetail, { warningcode });
  const authorityReport = full?.duties.find(({ kind }) => kind === 'authority');
  const danger = full?.duties.find(({ kind }) => kind === 'danger');
  if (danger)
    await reporter(special.finishDuty, {
      warningcode,
      dutyid: danger.dutyid,
      companionrole: '班主任与家长',
      content: '一直有人陪在身边，直到家长陪同就医。',
    });
  if (authorityReport)
    await reporter(special.finishDuty, {
      warningcode,
      dutyid: authorityReport.dutyid,
      unit: '云栖市教育局心理健康工作专班',
      receipt: '周科长',
      content: '已按要求电话报告，并提交书面情况。',
    });
  await (
    await callAfter(85)
  )(care.insertInterfere, {
    cuserid,
    warningcode,
    kind: '07',
    minutes: 90,
    content: '危机干预：稳定情绪，制定安全计划，家长与班主任参与。',
    effect: 3,
  });
  await (
    await callAfter(90)
  )(handling.startIntervene, { warningcode });
  const { referralid } = await (
    await callAfter(95)
  )(handling.insertReferral, {
    warningcode,
    tohospital: hospital,
    todept: '儿童青少年心理科',
    reason: '存在自杀想法与大致打算，请急诊评估。',
    urgent: 1,
    fileids: [await uploadPaper(await callAfter(95), 'letter')],
  });
  await (
    await callAfter(day)
  )(handling.updateReferral, {
    warningcode,
    referralid,
    status: '04',
    visitdate: '',
    feedback: '急诊评估后门诊治疗，家长二十四小时陪护，一周后复诊。',
    fileids: [await uploadPaper(await callAfter(day), 'record')],
  });
  await (
    await callAfter(day + hour)
  )(handling.observe, { warningcode, method: '01' });
  await postponeReturn(await callAfter(3 * day), row, hospital, minutesLater(start, 3 * day));
  const daily = [
    '家访，本人在家休息，睡眠差，家长全程陪伴。',
    '面谈，情绪较前稳定，按时服药，否认当前想法。',
    '电话，本人接听，当天与父亲外出散步。',
    '面谈，愿意返校半天，班主任与同桌知晓陪伴安排。',
  ];
  await finishFollowUps(calls, desk, row, dates.now, daily);
  await keepRhythm(calls, desk, row);
  await (
    await calls.as(desk.owner, minutesLater(dates.now, -90))
  )(handling.insertWarningLog, { warningcode, action: '备注', content: '与家长通话，昨晚睡眠约六小时，今日按计划复诊。' });
}

/** A student of thirteen agrees without a guardian. Her results would wait until staff have asked the guardian. */
async function agreeWithoutGuardian({ calls, dates }: DemoRun, desk: StaffDesk) {
  const person = desk.find(personas.xu.username);
  if (!person) return;
  const time = dates.day(-4, '10:10');
  const { token, consentversion } = await calls.with('', time)(respond.loginRespondent, {
    clientcode: desk.clientcode,
    username: person.username,
    key: person.key,
  });
  await calls.with(token, time)(respond.submitConsent, { consentversion, scopes: ['01', '02'], agreed: 1 });
}
