import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { insertKiosk } from '#features/assess/assess.contract.ts';
import { takeExam } from '#seed/demo/events/exams.ts';
import { randomOf } from '#seed/demo/content/random.ts';
import { enrolWomen } from '#seed/demo/tenants/enrolment.ts';
import { createWomen, type Woman } from '#seed/demo/tenants/persons.ts';
import { maternityPersonas } from '#seed/demo/content/personas.ts';
import type { DemoRun } from '#seed/demo/run.ts';
import { taskRunner, deskOf, handleAll } from '#seed/demo/screenings.ts';

/** Past rounds of the hospital: when they began, and the days of gestation of the women of each stage at that time. */
const PAST_ROUNDS = [
  { before: -150, stages: { YC01: [40, 97], YC02: [98, 195] } },
  { before: -75, stages: { YC02: [98, 195], YC03: [196, 280] } },
] as const;
/** A past round of fewer women is left out. */
const PAST_LEAST = 3;
const STAGE_NAMES: Readonly<Record<string, string>> = { YC01: '孕早期', YC02: '孕中期', YC03: '孕晚期' };

/** Women who answer at the device of the clinic in a month. */
const VISITS_A_MONTH = 4;

/** Fills the hospital: three rounds, the women of each stage in theirs. */
export async function fillRenai(run: DemoRun) {
  const { calls, dates, seed } = run;
  const women = createWomen(seed, run.size === 's' ? 6 : 60, dates.now, maternityPersonas);
  const teamOf = ({ gestation }: Woman) => (gestation >= 281 ? '产后访视' : gestation >= 196 ? '孕晚期门诊' : '孕产期建册');
  const isEarly = ({ gestation }: Woman) => gestation >= 196;
  const enrol = (chosen: readonly Woman[], time: Date) => enrolWomen(calls, { by: 'demo_hospital', time, women: chosen, teamOf });
  const before = await enrol(women.filter(isEarly), dates.day(-180, '09:00'));
  const lately = await enrol(
    women.filter((woman) => !isEarly(woman)),
    dates.day(-40, '09:00'),
  );
  const codes = new Map([...before.codes, ...lately.codes]);
  const play = taskRunner(run, {
    by: 'demo_hospital',
    clientcode: 'demo-renai00',
    appid: '000000001',
    plancode: 'P900001',
    name: '仁爱妇幼',
  });
  const desk = deskOf(run, 'demo_hospital', 'demo-renai00', women);
  for (const { before: days, stages } of PAST_ROUNDS)
    for (const [stagecode, [first, last]] of Object.entries(stages)) {
      const begin = dates.day(days);
      const persons = women.filter(
        (woman) => isEarly(woman) && !woman.persona && woman.gestation + days >= first && woman.gestation + days + 7 <= last,
      );
      if (persons.length < PAST_LEAST) continue;
      await play({
        key: `past ${stagecode} ${days}`,
        taskname: `${Number(shanghaiDate(begin).slice(5, 7))}月${STAGE_NAMES[stagecode]}心理测评`,
        begin,
        end: addDays(begin, 14),
        round: 0,
        shares: { done: 0.9, doing: 0, absent: 0.03 },
        teamcodes: [],
        cuserids: persons.map(({ username }) => before.cuserids.get(username) as string),
        persons,
        stagecode,
        hours: [8, 9, 10],
      });
    }
  await handleAll(run, [desk], ['07', '07', '06'], '孕产期预警个案复测');
  const stage = { 孕产期建册: 'YC02', 孕晚期门诊: 'YC03', 产后访视: 'YC42' } as Record<string, string>;
  for (const [teamname, teamcode] of codes)
    await play({
      key: teamname,
      taskname: `${teamname}心理测评`,
      begin: dates.day(-25),
      end: teamname === '孕产期建册' ? dates.day(5, '18:00') : dates.day(-4, '18:00'),
      round: 0,
      shares: { done: 0.86, doing: 0.02, absent: 0.03 },
      teamcodes: [teamcode],
      persons: women.filter((woman) => teamOf(woman) === teamname),
      stagecode: stage[teamname] ?? null,
      hours: [8, 9, 10],
    });
  await handleAll(run, [desk], ['06', '04', '06', '05'], '');
  if (run.size !== 's')
    await visitClinic(
      run,
      women.filter((woman) => isEarly(woman) && !woman.persona),
      before.cuserids,
    );
}

/** Some women answer at the device of the clinic while they wait for their check-up, outside a task. It is paired anew each month. */
async function visitClinic({ calls, dates, seed }: DemoRun, women: readonly Woman[], cuserids: ReadonlyMap<string, string>) {
  const visitors = [...women];
  for (const month of [-80, -53, -26]) {
    const { link } = await (
      await calls.as('demo_hospital', dates.day(month, '08:00'))
    )(insertKiosk, { kioskname: '产科门诊一楼' });
    for (const [index, person] of visitors.splice(0, VISITS_A_MONTH).entries())
      await takeExam(calls, {
        clientcode: 'demo-renai00',
        person,
        time: dates.day(month + 2 + index * 5, '10:30'),
        theta: person.theta - 1,
        random: randomOf(seed, 'clinic', person.key),
        kiosk: {
          by: 'demo_hospital',
          kiosk: link.slice(link.indexOf('=') + 1),
          cuserid: cuserids.get(person.username) as string,
          plancode: 'P900001',
          stagecode: 'YC02',
        },
      });
  }
}
