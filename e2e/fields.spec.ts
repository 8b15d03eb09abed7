import { shanghaiDate } from '../src/domain/base/calendar.ts';
import type { ResponseOf } from '../src/contract/action.ts';
import { insertMUserExamPlan } from '../src/features/plan/plan.contract.ts';
import type { startExam } from '../src/features/respond/respond.contract.ts';
import { accessibilityFaults, answerTo, expect, test } from './people.ts';
import { consent, identify, openPhone, type Respondent } from './phone.ts';
import { as, createScreening } from './school.ts';

const birthday = shanghaiDate(new Date(Date.now() - 15.5 * 365.25 * 86_400_000));

test('on a phone a person chooses the region level by level and a time span by two times', async ({ browser }) => {
  const call = await as('demo_psych');
  const { plancode } = await call(insertMUserExamPlan, {
    appid: '000000002',
    planname: `学生登记${Date.now() % 1_000_000}`,
    forms: [{ formcode: 'STUREG' }, { formcode: 'PHQ2' }],
  });
  const { students } = await createScreening([birthday], plancode);
  const { context, phone, faults } = await openPhone(browser);
  // No form of the demonstration that persons fill in themselves has these inputs, so two text fields of one get them.
  await phone.route('**/api/as.c.exam.startExam/**', async (route) => {
    const response = await answerTo(route);
    const answer = (await response.json()) as { data: ResponseOf<typeof startExam> };
    const inputs: Record<string, number> = { schoolname: 8, dorm: 6 };
    for (const sheet of answer.data.sheets)
      sheet.items = sheet.items.flatMap((item) => (inputs[item.c] ? [{ ...item, input: inputs[item.c] }] : []));
    await route.fulfill({ response, json: answer });
  });
  await identify(phone, '/c/demo-chenguang', students[0] as Respondent);
  await consent(phone);
  const region = phone.getByRole('group', { name: '学校名称' });
  const list = (title: string) => region.getByLabel(title, { exact: true });
  await expect(list('省份')).toBeVisible();
  await expect(list('城市')).toBeHidden();
  await list('省份').selectOption('江苏省');
  await list('城市').selectOption('南京市');
  await list('区县').selectOption('鼓楼区');
  // Another province empties the levels below it. 东莞 has no counties, so no third list appears.
  await list('省份').selectOption('广东省');
  await expect(list('城市')).toHaveValue('');
  await list('城市').selectOption('东莞市');
  await expect(list('区县')).toBeHidden();

  await phone.screenshot({ path: '.cache/region.png', fullPage: true });
  expect(await accessibilityFaults(phone)).toEqual([]);

  await phone.getByRole('button', { name: '下一题' }).click();
  const slot = phone.getByRole('group', { name: '宿舍' });
  await slot.getByLabel('开始时间').fill('16:00');
  await slot.getByLabel('结束时间').fill('14:00');
  await slot.getByLabel('结束时间').blur();
  await expect(phone.getByText('结束时间应晚于开始时间')).toBeVisible();
  await phone.screenshot({ path: '.cache/slot.png', fullPage: true });
  await slot.getByLabel('结束时间').fill('17:30');
  await expect(phone.getByText('结束时间应晚于开始时间')).toBeHidden();
  expect(await accessibilityFaults(phone)).toEqual([]);

  await phone.getByRole('button', { name: '上一题' }).click();
  await expect(list('省份')).toHaveValue('440000');
  await expect(list('城市')).toHaveValue('441900');
  expect(faults).toEqual([]);
  await context.close();
});
