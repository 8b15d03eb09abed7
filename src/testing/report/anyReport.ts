import fc from 'fast-check';
import type { ReportFacts, ReportForm } from '#domain/report/report.facts.ts';
import { examOf, fillForm, reportFactsOf } from '#domain/report/report.fixture.ts';
import { emptyTemplate } from '#domain/report/template/template.ts';

const earlier = (total: number) => ({
  examcode: 'e1',
  submittime: '2025-06-01 09:00:00',
  valid: true,
  scores: { total },
  levels: { total: 1 as const },
});
const answer = fc.constantFrom('0', '1', '2', '3');
const yesNo = fc.constantFrom(undefined, 0, 1);
/** Any combination of forms, answers, archive, population and age. */
export const anyFacts: fc.Arbitrary<ReportFacts> = fc
  .record({
    appid: fc.constantFrom('000000001', '000000002', '000000003', '000000004', '000000005'),
    age: fc.constantFrom(null, 9, 11, 12, 15, 17, 20, 31, 70),
    gradename: fc.constantFrom(undefined, '小学五年级', '初二', '大一'),
    valid: fc.boolean(),
    phq: fc.option(fc.array(answer, { minLength: 9, maxLength: 9 })),
    gad: fc.option(fc.array(answer, { minLength: 7, maxLength: 7 })),
    gds: fc.option(fc.array(fc.constantFrom('0', '1'), { minLength: 15, maxLength: 15 })),
    teacher: fc.option(fc.array(fc.constantFrom('0', '1', '2'), { minLength: 12, maxLength: 12 })),
    violence: fc.constantFrom(undefined, '0', '1', '2'),
    archive: fc.record({
      ...Object.fromEntries(
        [
          ...['psychhistory', 'familypsychhistory', 'highrisk', 'planned', 'leftbehind', 'singleparent', 'povertyaid'],
          ...['boarding', 'incident', 'bereaved12m', 'cognitivecomplaint', 'hearing'],
        ].map((field) => [field, yesNo]),
      ),
      supportlevel: fc.constantFrom(undefined, 1, 4),
      livewith: fc.constantFrom(undefined, '01', '02'),
      adl: fc.constantFrom(undefined, '01', '03'),
      babyoutcome: fc.constantFrom(undefined, '01', '04'),
      weeklyhours: fc.constantFrom(undefined, 40, 60),
      falls12m: fc.constantFrom(undefined, 0, 2),
    }),
    last: fc.constantFrom(undefined, 0, 9, 27),
  })
  .map(({ appid, age, gradename, valid, phq, gad, gds, teacher, violence, archive, last }) => {
    const previous = last === undefined ? [] : [earlier(last)];
    const forms: ReportForm[] = [
      ...(phq ? [{ ...fillForm('PHQ9', phq), previous }] : []),
      ...(gad ? [{ ...fillForm('GAD7', gad), previous }] : []),
      ...(gds ? [fillForm('GDS15', gds)] : []),
      ...(teacher ? [fillForm('TEACHOBS', teacher)] : []),
    ];
    return reportFactsOf(forms, {
      person: { name: '林小雨', gender: '02', age },
      exam: examOf(appid, { valid }),
      archive: { ...archive, gradename, domesticviolence: violence },
      contents: [
        { title: '怎样和父母沟通', kind: '文章' },
        { title: '放松练习', kind: '音频' },
      ],
      template: { ...emptyTemplate(), templatecode: 'T1', notice: '您可以请信任的人一起阅读。' },
    });
  });
