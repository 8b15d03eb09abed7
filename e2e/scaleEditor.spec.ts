import type { Page } from '@playwright/test';
import { insertForm } from '../src/features/scaleeditor/scaleeditor.contract.ts';
import { accessibilityFaults, expect, expectFitsWindow, signIn, test, url, waitUntilSettled } from './people.ts';
import { as } from './school.ts';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

const questions = [
  '作业多得做不完',
  '考试前睡不好',
  '担心成绩让父母失望',
  '上课很难集中注意力',
  '一想到上学就紧张',
  '觉得时间不够用',
  '和同学比较成绩后心里难受',
  '放学后仍然放松不下来',
  '因为学习和家人争吵',
  '觉得努力没有用',
  '容易发脾气',
  '没有胃口',
  '不想和人说话',
  '对原来喜欢的事没有兴趣',
  '觉得自己不如别人',
  '半夜醒来后难以再睡',
  '身上这里那里不舒服',
  '想一个人待着',
  '觉得没有人理解我',
  '有伤害自己的念头',
];

/** Pastes a text into the field that has the focus. */
const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);

const openSection = (page: Page, name: string) =>
  page.getByRole('navigation', { name: '量表的各部分' }).getByRole('button', { name }).click();
const question = (page: Page, number: number) => page.getByRole('textbox', { name: `第 ${number} 题`, exact: true });

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

test('a psychologist types in a questionnaire of 20 questions with two factors and an alert, and tries it', async ({ page }) => {
  const call = await as('demo_psych');
  const { formcode } = await call(insertForm, { formname: '学习压力问卷' });
  await page.setViewportSize(desktop);
  await signIn(page, 'demo_psych');
  await page.goto(url(`/evaluating/evaluationScale/edit?formcode=${formcode}&section=items`));

  await test.step('by the keyboard: Enter adds, a pasted text becomes many, Alt and an arrow moves, Ctrl+Z takes back', async () => {
    await page.getByRole('button', { name: '添加题目' }).press('Enter');
    await page.keyboard.type('作业多得做不完');
    await page.keyboard.press('Enter');
    await expect(question(page, 2)).toBeFocused();
    await paste(
      page,
      questions
        .slice(1)
        .map((text, index) => `${index + 2}. ${text}`)
        .join('\n'),
    );
    await expect(question(page, 20)).toHaveValue('有伤害自己的念头');
    await expect(question(page, 20)).toBeFocused();
    await page.keyboard.press('Alt+ArrowUp');
    await expect(question(page, 19)).toHaveValue('有伤害自己的念头');
    await expect(question(page, 19)).toBeFocused();
    await page.keyboard.press('Control+z');
    await expect(question(page, 20)).toHaveValue('有伤害自己的念头');
  });

  await test.step('two factors from chosen questions, the total, bands', async () => {
    await createFactor(page, 1, 10, '学业负担');
    await createFactor(page, 11, 20, '情绪困扰');
    await openSection(page, '得分与因子');
    await page.getByRole('button', { name: '添加总分' }).click();
    const total = page.getByRole('article', { name: '总分' });
    await expect(total).toContainText('可能的得分：0–60');
    await expect(page.getByRole('article', { name: '情绪困扰' })).toContainText('可能的得分：0–30');
    await openSection(page, '等级');
    await page.getByRole('region', { name: '总分的等级' }).getByRole('button', { name: '4 级' }).click();
    await page.getByLabel('总分第 1 级的上限').fill('19');
    await expect(page.getByLabel('总分第 2 级的下限')).toHaveValue('20');
  });

  await test.step('an alert without a message is a fault, and the list of faults leads to its field', async () => {
    await openSection(page, '预警与效度');
    await page.getByRole('button', { name: '添加预警' }).click();
    await openSection(page, '基本信息');
    await page.getByRole('tab', { name: '检查（1）' }).click();
    await page.getByRole('button', { name: /请填写预警说明/ }).click();
    const message = page.getByLabel('给工作人员的说明');
    await expect(message).toBeFocused();
    await message.fill('第 20 题有阳性回答，请当日面谈核实');
    await expect(page.getByRole('tab', { name: '检查', exact: true })).toBeVisible();
  });

  await test.step('trial scoring shows the alert with its reason', async () => {
    await page.getByRole('tab', { name: '试算' }).click();
    await page.getByRole('region', { name: '试算的答案' }).getByRole('radio', { name: '总是' }).last().click();
    await expect(page.getByRole('region', { name: '试算结果' })).toContainText('请当日面谈核实');
  });

  await test.step('everything is saved by itself', async () => {
    await expect(page.getByText(/已保存 \d\d:\d\d/)).toBeVisible();
    await page.reload();
    await openSection(page, '题目');
    await expect(question(page, 20)).toHaveValue('有伤害自己的念头');
  });

  await test.step('the pages are accessible at both widths, and the phone shows the questionnaire', async () => {
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size);
      for (const section of ['form', 'items', 'optionsets', 'scores', 'bands', 'alerts', 'derive', 'norms', 'licence']) {
        await page.goto(url(`/evaluating/evaluationScale/edit?formcode=${formcode}&section=${section}`));
        await expect(page.getByRole('heading', { name: '学习压力问卷' })).toBeVisible();
        await waitUntilSettled(page);
        expect(await accessibilityFaults(page), `${section} ${size.width}`).toEqual([]);
        await expectFitsWindow(page, `${section} ${size.width}`);
      }
    }
    await page.getByRole('button', { name: '预览与检查' }).click();
    const preview = page.getByRole('region', { name: '手机预览' });
    await preview.getByRole('radio', { name: '总是' }).first().check();
    await expect(page.getByText('还有 19 题未作答')).toBeVisible();
  });
});

test('two windows that edit one draft: the second chooses between both versions', async ({ page, browser }) => {
  const call = await as('demo_psych');
  const { formcode } = await call(insertForm, { formname: '两个窗口的问卷' });
  const address = url(`/evaluating/evaluationScale/edit?formcode=${formcode}&section=form`);
  await signIn(page, 'demo_psych');
  const other = await (await browser.newContext({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })).newPage();
  await signIn(other, 'demo_psych');
  await page.goto(address);
  await other.goto(address);
  await other.getByLabel('指导语').fill('请按最近一周的感受作答。');
  await expect(other.getByText(/已保存 \d\d:\d\d/)).toBeVisible();
  await page.getByLabel('指导语').fill('请按最近两周的感受作答。');
  const dialog = page.getByRole('dialog', { name: '草稿已被他人修改' });
  await dialog.getByRole('button', { name: '以我的为准' }).click();
  await expect(page.getByText(/已保存 \d\d:\d\d/)).toBeVisible();
  await other.getByLabel('时间范围').fill('最近一周');
  await other.getByRole('dialog', { name: '草稿已被他人修改' }).getByRole('button', { name: '载入对方的版本' }).click();
  await expect(other.getByLabel('指导语')).toHaveValue('请按最近两周的感受作答。');
  await expect(other.getByLabel('时间范围')).toHaveValue('');
});
