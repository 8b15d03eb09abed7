import type { Page } from '@playwright/test';
import { getCUserReportPageList } from '../src/features/report/report.contract.ts';
import { insertAssessTeam, insertAssessTeamCUser } from '../src/features/team/team.contract.ts';
import { expect, expectNotification, signIn, test, url } from './people.ts';
import { choose, consent, identify, openPhone } from './phone.ts';
import { as } from './school.ts';

// Every run uses new names, so the test can run again on the same server.
const run = String(Date.now() % 1_000_000).padStart(6, '0');
const formname = `住校适应问卷${run}`;
const planname = `住校筛查${run}`;
const team = `初一(${run})班`;
const student = {
  username: `宋知夏${[...run].map((digit) => '零一二三四五六七八九'[Number(digit)]).join('')}`,
  number: `S${run}`,
};
const comment = '刚住校的头几周容易想家。可以先和同寝室的同学说说，也欢迎来心理室坐一坐。';
const staffComment = '住校适应总体平稳，请班主任留意周日返校后的情绪。';

/** The text of the questionnaire as it stands in a document. */
const questions = [
  '晚上想家，睡不着',
  '宿舍里说话找不到人',
  '吃不惯食堂的饭菜',
  '作息和同学合不来',
  '洗漱、打水总是来不及',
  '担心东西被别人拿走',
  '放学后不知道做什么',
  '觉得宿舍太吵',
  '周末不想返校',
  '给家里打电话时想哭',
  '上课常常走神',
  '对原来喜欢的事没有兴趣',
  '容易为小事发脾气',
  '觉得没有人理解我',
  '身上这里那里不舒服',
  '半夜醒来后难以再睡',
  '觉得自己不如别人',
  '想一个人待着',
  '觉得日子没有意思',
  '有伤害自己的念头',
];

const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);

const openSection = (page: Page, name: string) =>
  page.getByRole('navigation', { name: '量表的各部分' }).getByRole('button', { name }).click();

/** Makes a factor of the questions from `first` to `last`. */
async function createFactor(page: Page, first: number, last: number, name: string) {
  await page.getByRole('checkbox', { name: `选择第 ${first} 题`, exact: true }).click();
  await page.getByRole('checkbox', { name: `选择第 ${last} 题`, exact: true }).click({ modifiers: ['Shift'] });
  const bar = page.getByRole('toolbar', { name: '所选题目' });
  await bar.getByRole('button', { name: '因子' }).click();
  await page.getByRole('menuitem', { name: '新建因子…' }).click();
  await page.getByLabel('因子名称').fill(name);
  await page.keyboard.press('Enter');
  await bar.getByRole('button', { name: '完成' }).click();
}

test('a psychologist types in a questionnaire, publishes it, opens a task with it, and reads a report with her comment', async ({
  page,
  browser,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, 'demo_psych');

  await test.step('量表库: a new questionnaire of 20 questions with two factors, a total with levels and an alert', async () => {
    await page.goto(url('/evaluating/evaluationScale'));
    await page.getByRole('button', { name: '新建量表' }).click();
    const dialog = page.getByRole('dialog', { name: '新建量表' });
    await dialog.getByLabel('名称').fill(formname);
    await dialog.getByRole('button', { name: '新建并编辑' }).click();
    await expect(page.getByRole('heading', { name: formname })).toBeVisible();
    await openSection(page, '题目');
    await page.getByRole('button', { name: '添加题目' }).press('Enter');
    await paste(page, questions.map((text, index) => `${index + 1}. ${text}`).join('\n'));
    await expect(page.getByRole('textbox', { name: '第 20 题', exact: true })).toHaveValue('有伤害自己的念头');
    await createFactor(page, 1, 10, '宿舍生活');
    await createFactor(page, 11, 20, '情绪困扰');
    await openSection(page, '得分与因子');
    await page.getByRole('button', { name: '添加总分' }).click();
    await expect(page.getByRole('article', { name: '总分' })).toContainText('可能的得分：0–60');
    await openSection(page, '等级');
    await page.getByRole('region', { name: '总分的等级' }).getByRole('button', { name: '4 级' }).click();
    await openSection(page, '预警与效度');
    await page.getByRole('button', { name: '添加预警' }).click();
    await page.getByLabel('给工作人员的说明').fill('第 20 题有阳性回答，请当日面谈核实');
    await page.getByLabel('等级').selectOption('3');
  });

  await test.step('the phone preview goes through the questions, and trial scoring shows scores and alert', async () => {
    const preview = page.getByRole('region', { name: '手机预览' });
    await preview.getByRole('radio', { name: '总是' }).first().check();
    await expect(page.getByText('还有 19 题未作答')).toBeVisible();
    await page.getByRole('tab', { name: '试算' }).click();
    await page.getByRole('button', { name: '随机填写' }).click();
    await page.getByRole('region', { name: '试算的答案' }).getByRole('radio', { name: '总是' }).last().check();
    const result = page.getByRole('region', { name: '试算结果' });
    for (const words of ['宿舍生活', '情绪困扰', '总分', '请当日面谈核实']) await expect(result).toContainText(words);
  });

  await test.step('she publishes it with a changelog and ticked notices', async () => {
    await expect(page.getByText(/已保存 \d\d:\d\d/)).toBeVisible();
    await page.getByRole('button', { name: '发布', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: '发布量表：版本 1.0.0' });
    await dialog.getByLabel('更新说明').fill('首次发布，用于住校新生');
    for (const notice of await dialog.getByRole('checkbox').all()) await notice.check();
    await dialog.getByRole('button', { name: '发布', exact: true }).click();
    await expectNotification(page, /已发布/);
  });

  await test.step('资料库: her own comments for the lowest level, in force', async () => {
    await page.goto(url('/evaluating/scaleComments'));
    await page.getByRole('combobox', { name: '量表' }).click();
    await page.getByRole('combobox', { name: '量表' }).fill(formname);
    await page.getByRole('option', { name: formname }).click();
    await page.getByRole('button', { name: '新建本机构分级' }).click();
    const row = page.getByRole('group', { name: /^第 \d+ 行$/ }).first();
    await row.getByRole('button', { name: '评语' }).click();
    await row.getByLabel('给本人的评语').fill(comment);
    await row.getByLabel('给工作人员的评语').fill(staffComment);
    await page.getByRole('button', { name: '保存草稿' }).click();
    const own = page.getByRole('region', { name: '本机构分级，全部人群' });
    await own.getByRole('button', { name: '启用' }).click();
    await page.getByRole('dialog', { name: '启用分级' }).getByRole('button', { name: '启用' }).click();
    await expect(own.getByText('使用中')).toBeVisible();
  });

  await test.step('方案库: a plan with the questionnaire', async () => {
    await page.goto(url('/evaluating/newInstitutionalEvaluation'));
    await page.getByRole('button', { name: '新建方案' }).first().click();
    // The list stays until the code of the editor is there, and it has a field of this name, too.
    await page.getByRole('heading', { name: '新建方案' }).waitFor();
    await page.getByLabel('方案名称').fill(planname);
    await page.getByRole('button', { name: '加入量表' }).click();
    const picker = page.getByRole('dialog', { name: '加入量表' });
    await picker.getByLabel('查找量表').fill(formname);
    await picker.getByRole('button', { name: `加入${formname}` }).click();
    await picker.getByRole('button', { name: '完成' }).click();
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await expect(page.getByRole('row').filter({ hasText: planname })).toBeVisible();
  });

  let link = '';
  await test.step('a task for a class begins at once', async () => {
    const call = await as('demo_psych');
    const appid = '000000002';
    const { teamcode } = await call(insertAssessTeam, { teamname: team, teamtype: '01', appid });
    const archive = { studentno: student.number, gradename: '初一', classname: team };
    const cuser = { appid, username: student.username, gender: '02' as const, birthday: '2012-03-18', archive, guardian: [] };
    await call(insertAssessTeamCUser, { teamcode, cuser });
    await page.goto(url('/task/administration'));
    await page.getByRole('link', { name: '新建任务' }).click();
    await page.getByRole('heading', { name: '新建任务', level: 2 }).waitFor();
    await page.getByLabel('任务名称').fill(`${team}住校筛查`);
    const next = page.getByRole('button', { name: '下一步' });
    await next.click();
    await page.getByRole('radio', { name: new RegExp(planname) }).click();
    await next.click();
    await page.getByRole('button', { name: '立即开始' }).click();
    await next.click();
    await page.getByPlaceholder('查找团体、年级、负责人').fill(team);
    await page.getByRole('checkbox', { name: team }).check();
    await next.click();
    await page.getByRole('button', { name: '创建并发布' }).click();
    await expect(page.getByRole('heading', { name: `${team}住校筛查` })).toBeVisible();
    await page.goto(page.url().replace('/administration/', '/print/'));
    const text = page.getByText(/入口码 [\w-]+/).first();
    await expect(text).toBeVisible();
    link = `/c/${/入口码 ([\w-]+)/.exec((await page.locator('body').textContent()) ?? '')?.[1] ?? ''}`;
  });

  await test.step('a student answers on a phone: calm but for the last question', async () => {
    const { context, phone, faults } = await openPhone(browser);
    await identify(phone, link, student);
    await consent(phone);
    for (let number = 1; number <= 20; number += 1) await choose(phone, number, number === 20 ? 1 : number % 5 === 0 ? 1 : 0);
    await phone.getByRole('button', { name: '交卷' }).click();
    await expect(phone.getByRole('heading', { name: '谢谢你，已经交卷' })).toBeVisible();
    expect(faults).toEqual([]);
    await context.close();
  });

  await test.step('危机预警 shows the case with the message of the alert', async () => {
    await page.goto(url('/'));
    await page.getByText('危机预警', { exact: true }).first().click();
    await page.getByLabel('姓名/编号').fill(student.username);
    await page.getByRole('button', { name: '查询' }).click();
    const row = page.getByRole('row', { name: new RegExp(student.username) });
    await expect(row).toContainText('第 20 题有阳性回答，请当日面谈核实');
  });

  await test.step('the report has the two factors and her own comment', async () => {
    const call = await as('demo_psych');
    const { rows } = await call(getCUserReportPageList, { keyword: student.username });
    await page.goto(url(`/report/${rows[0]?.reportcode}`));
    const report = page.getByRole('article');
    for (const words of [student.username, formname, '宿舍生活', '情绪困扰', staffComment])
      await expect(report).toContainText(words);
  });
});
