import { buffer } from 'node:stream/consumers';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import { writeWorksheet } from '../src/server/workbook/write.ts';
import { expect, signIn, test, url } from './people.ts';
import { choose, consent, identify, openPhone, question, waitUntilSaved, turn } from './phone.ts';

// The package is CommonJS: its types declare a function, but Node imports the module.
const decode = ((jsqr as unknown as { default?: unknown }).default ?? jsqr) as typeof jsqr.default;

/** Returns the text of a QR code. */
function scan(png: Buffer): string {
  const { data, width, height } = PNG.sync.read(png);
  return decode(new Uint8ClampedArray(data), width, height)?.data ?? '';
}

// Every run uses a new class, so the test can run again on the same server.
// The server writes class numbers without leading zeros.
// It does not begin with a year of school, because 1144班 would be class 44 of the eleventh year.
const run = String(2_000 + (Date.now() % 8_000));
const team = `初二(${run})班`;
const student = {
  username: `江晓禾${[...run].map((digit) => '零一二三四五六七八九'[Number(digit)]).join('')}`,
  number: `29${run}0`,
};
const task = `${team}心理普测`;

/** Returns the roster of the class; one date of birth does not exist. */
const roster = () =>
  buffer(
    writeWorksheet({
      name: '名单',
      heads: ['班级名称', '团体类型', '年级', '班级', '学生姓名', '学号', '性别', '出生日期'],
      rows: [
        [team, '班级', '初二', `${run}班`, student.username, student.number, '女', '2011-03-18'],
        [team, '班级', '初二', `${run}班`, '陆一鸣', `29${run}1`, '男', '2011-02-30'],
        [team, '班级', '初二', `${run}班`, '沈知远', `29${run}2`, '男', '2011-07-02'],
        [team, '班级', '初二', `${run}班`, '方语桐', `29${run}3`, '女', '2011-09-21'],
      ],
    }),
  );

/** PHQ-9 total 16 with 好几天 at item 9, and GAD-7 total 8. Item 10 has no score and may stay empty. */
const phq9 = [2, 2, 2, 2, 2, 2, 2, 1];
const gad7 = [2, 1, 1, 1, 1, 1, 1];

test('the screening of a class opens a case for a student at risk, and staff handle it step by step', async ({
  page,
  browser,
}) => {
  let link = '';
  await test.step('the psychologist imports the class and corrects the wrong row', async () => {
    await signIn(page, 'demo_psych');
    await page.getByText('团体测评', { exact: true }).first().click();
    await page.getByText('团体管理', { exact: true }).first().click();
    await page.getByRole('button', { name: '导入名单' }).click();
    const file = { name: '初二9班.xlsx', mimeType: 'application/octet-stream', buffer: await roster() };
    await page.getByLabel('选择名单文件').setInputFiles(file);
    const wrongCell = page.getByLabel('第 3 行 出生日期');
    await expect(wrongCell).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByRole('button', { name: '全部导入' })).toBeDisabled();
    await wrongCell.fill('2011-02-20');
    await wrongCell.press('Tab');
    await expect(page.getByText('修改已保存，关闭后可继续')).toBeVisible();
    await page.getByRole('button', { name: '全部导入' }).click();
    await expect(page.getByText('已导入 4 行')).toBeVisible();
    await page.getByRole('button', { name: '完成' }).click();
    await page.getByLabel('团体名称').fill(team);
    await page.getByLabel('团体名称').press('Enter');
    const row = page.getByRole('row').filter({ hasText: team });
    await expect(row.getByRole('link', { name: '4', exact: true })).toBeVisible();
  });

  await test.step('a task with the standard plan begins at once', async () => {
    await page.getByText('任务管理', { exact: true }).first().click();
    await page.getByRole('link', { name: '新建任务' }).click();
    // The list stays until the code of the wizard is there, and it has a field of this name, too.
    await page.getByRole('heading', { name: '新建任务', level: 2 }).waitFor();
    await page.getByLabel('任务名称').fill(task);
    const next = page.getByRole('button', { name: '下一步' });
    await next.click();
    await page.getByRole('radio', { name: /学生心理健康标准方案/ }).click();
    await next.click();
    await page.getByRole('button', { name: '立即开始' }).click();
    await next.click();
    await page.getByPlaceholder('查找团体、年级、负责人').fill(team);
    await page.getByRole('checkbox', { name: team }).check();
    await expect(page.getByText('已选 1 个团体，约 4 人')).toBeVisible();
    await next.click();
    await expect(page.getByText('应测')).toBeVisible();
    await page.getByRole('button', { name: '创建并发布' }).click();
    await expect(page.getByRole('heading', { name: task })).toBeVisible();
  });

  await test.step('the QR code on the projector leads to the entry', async () => {
    await page.getByRole('link', { name: '投屏二维码' }).click();
    const code = page.getByRole('img', { name: '作答入口二维码' });
    await expect(code).toBeVisible();
    link = scan(await (await page.request.get(url((await code.getAttribute('src')) ?? ''))).body());
    expect(link).toContain('/c/');
    await expect(page.getByText('0 / 4')).toBeVisible();
  });

  const { context, phone, faults } = await openPhone(browser);
  await test.step('a student answers on a phone with item 9 last and does not submit', async () => {
    await identify(phone, link, student);
    await expect(phone.getByRole('heading', { name: '知情同意书' })).toBeVisible();
    await consent(phone);
    for (const [index, option] of phq9.entries()) await choose(phone, index + 1, option);
    await turn(phone, 9, '先跳过');
    await turn(phone, 10, '下一题');
    for (const [index, option] of gad7.entries()) await choose(phone, index + 11, option);
    await expect(phone.getByRole('heading', { name: '还有 1 题没有回答' })).toBeVisible();
    await phone.getByRole('button', { name: '去回答第 9 题' }).click();
    await expect(question(phone)).toContainText('不如死掉');
    await choose(phone, 9, 1);
    await waitUntilSaved(phone);
  });

  const row = page.getByRole('row', { name: new RegExp(student.username) });
  await test.step('before the submission the crisis list shows the case with a deadline and an owner', async () => {
    await page.getByRole('link', { name: '返回看板' }).click();
    await page.getByText('危机预警', { exact: true }).first().click();
    await page.getByLabel('姓名/编号').fill(student.username);
    await page.getByRole('button', { name: '查询' }).click();
    await expect(row).toBeVisible();
    await expect(row).toContainText(`初二 ${run}班`);
    await expect(row).toContainText(/受理\s*剩/);
    await expect(row).not.toContainText('未分派');
  });

  await test.step('the student submits and sees where to find help and no score', async () => {
    for (let number = 10; number <= 17; number++) await turn(phone, number, '下一题');
    await phone.getByRole('button', { name: '交卷' }).click();
    await expect(phone.getByRole('heading', { name: '谢谢你，已经交卷' })).toBeVisible();
    await expect(phone.getByRole('region', { name: '你不是一个人' })).toBeVisible();
    await expect(phone.getByRole('link', { name: /12356/ })).toBeVisible();
    const text = (await phone.locator('main').textContent()) ?? '';
    const withoutTime = text.replace(/\d{2}:\d{2}/, '');
    expect(withoutTime).not.toMatch(/\b16\b|\b8\b|总分|抑郁|焦虑|重度|中度/);
    expect(faults).toEqual([]);
    await context.close();
  });

  await test.step('受理: the psychologist accepts the case, and its report shows 16 and 8', async () => {
    await row.getByRole('button', { name: '受理' }).click();
    const drawer = page.getByRole('dialog', { name: /预警个案/ });
    await drawer.getByRole('link', { name: '整页打开' }).click();
    await expect(page.getByText('抑郁总分 16 分')).toBeVisible();
    await expect(page.getByText('焦虑总分 8 分')).toBeVisible();
    const address = page.url();
    await page.getByRole('main').locator('a[href^="/report/"]').first().click();
    const report = page.getByRole('article');
    await expect(report).toContainText(student.username);
    await expect(report).toContainText('16');
    await expect(report).toContainText('8');
    await page.goto(address);
    await expect(page.getByText('作答：好几天')).toBeVisible();
  });

  const steps = page.getByRole('region', { name: '下一步' });
  const drawer = (name: string | RegExp) => page.getByRole('dialog', { name });
  await test.step('核实', async () => {
    await steps.getByRole('button', { name: '核实' }).click();
    const form = drawer('核实');
    await form.getByRole('radio').first().check();
    await form.getByLabel('核实情况').fill('与本人单独谈话，确认最近两周偶有此念头，没有计划。');
    await form.getByRole('button', { name: '提交核实结果' }).click();
    await expect(form).toBeHidden();
  });
  await test.step('结构化评估, with the ASQ', async () => {
    await steps.getByRole('button', { name: '结构化评估' }).click();
    const form = drawer('结构化评估');
    await form.getByRole('radio', { name: '被动（不想活、希望消失）' }).check();
    await form.getByRole('radio', { name: '无', exact: true }).last().check();
    await form.getByRole('radio', { name: '有一些支持' }).check();
    await form.getByRole('checkbox', { name: '愿意求助' }).check();
    await form.getByRole('button', { name: /ASQ/ }).click();
    for (const number of [1, 2, 3, 4])
      await form
        .getByRole('group', { name: new RegExp(`^${number}\\. `) })
        .getByRole('radio', { name: '否' })
        .check();
    await form.getByLabel('访谈记录').fill('情绪低落，无计划、无既往尝试，愿意继续谈。');
    await form.getByRole('radio', { name: '二级预警' }).check();
    await form.getByRole('button', { name: '保存评估' }).click();
    await expect(form).toBeHidden();
  });
  await test.step('告知监护人', async () => {
    await steps.getByRole('button', { name: '告知监护人' }).click();
    const form = drawer('登记告知监护人');
    await form.getByLabel('被告知人').fill('江海平（父亲）');
    await form.getByRole('radio', { name: '电话' }).check();
    await form.getByLabel(/内容/).fill('已电话告知，家长今晚陪伴，周六带去门诊评估。');
    await form.getByRole('button', { name: '保存' }).click();
    await expect(form).toBeHidden();
    await expect(page.getByText(/已于 .* 告知/)).toBeVisible();
  });
  await test.step('安全计划, with the sheet for the person', async () => {
    await steps.getByRole('button', { name: '安全计划' }).click();
    const form = drawer('安全计划');
    await form.getByLabel('我的预警信号').fill('整夜睡不着，不想见人');
    await form.getByLabel('我自己能做的事').fill('下楼走一圈，听歌');
    await form.getByLabel('第 1 位：姓名或称呼').fill('爸爸');
    await form.getByLabel('第 1 位：电话').fill('10000008888');
    for (const kind of ['药品、农药', '锐器', '高处、门窗', '水域、交通', '本人提到的'])
      await form.getByRole('radiogroup', { name: kind }).getByRole('radio', { name: '无', exact: true }).check();
    await form.getByRole('button', { name: '保存安全计划' }).click();
    await expect(form).toBeHidden();
    const address = page.url();
    await page.getByRole('link', { name: '打印给本人' }).click();
    const sheet = page.getByRole('article').filter({ hasText: '我的安全计划' });
    await expect(sheet).toContainText('10000008888');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('body').innerText()).not.toMatch(/预警|等级|得分/);
    // One page of A5: 148 × 210 mm are 420 × 595 points.
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/MediaBox ?\[0 0 \d+/g)).toEqual(['/MediaBox [0 0 420']);
    await page.emulateMedia({ media: null });
    await page.goto(address);
  });
  await test.step('干预', async () => {
    await steps.getByRole('button', { name: '开始干预' }).click();
    const plan = drawer('开始干预');
    await plan.getByRole('button', { name: '开始干预' }).click();
    await expect(plan).toBeHidden();
    await steps.getByRole('button', { name: '记录干预' }).click();
    const form = drawer('记录干预');
    await form.getByLabel('干预内容').fill('一起填写安全计划，约定下周二再谈。');
    await form.getByRole('button', { name: '保存' }).click();
    await expect(form).toBeHidden();
  });
  await test.step('转介', async () => {
    await steps.getByRole('button', { name: '转介' }).click();
    const form = drawer('开具转介单');
    await form.getByLabel('转介医院').fill('云栖市第一人民医院');
    await form.getByLabel('科室').fill('心理门诊');
    await form.getByLabel('转介原因').fill('请评估情绪与风险。');
    await form.getByRole('button', { name: '保存' }).click();
    await expect(form).toBeHidden();
    await expect(page.getByText('云栖市第一人民医院 · 心理门诊')).toBeVisible();
  });
  await test.step('随访', async () => {
    await steps.getByRole('button', { name: '转入随访观察' }).click();
    const form = drawer('转入随访观察');
    await form.getByRole('button', { name: '转入随访观察' }).click();
    await expect(form).toBeHidden();
    await steps.getByRole('button', { name: '完成随访' }).click();
    const visit = drawer(/随访登记/);
    await visit.getByRole('radio', { name: '已联系上' }).check();
    await visit.getByLabel('随访记录').fill('状态平稳，睡眠好转。');
    await visit.getByRole('button', { name: '保存' }).click();
    await expect(visit).toBeHidden();
  });
  await test.step('结案 is refused with the missing conditions', async () => {
    await steps.getByRole('button', { name: '结案' }).click();
    const form = drawer('结案');
    await form.getByLabel('结案说明').fill('风险评估为二级，家长陪同就诊，状态平稳。');
    const conditions = form.getByRole('list', { name: '结案条件' });
    await expect(conditions.getByText('尚无有效复测')).toBeVisible();
    await form.getByRole('button', { name: '提交复核' }).click();
    await expect(page.getByRole('alert').filter({ hasText: /复测/ })).toBeVisible();
    await expect(form.getByLabel('结案说明')).toHaveValue(/家长陪同就诊/);
    await form.getByRole('button', { name: '取消' }).click();
    await page.getByRole('button', { name: '离开' }).click();
    await expect(
      page.getByRole('listitem').filter({ hasText: '随访观察' }).and(page.locator('[aria-current=step]')),
    ).toBeVisible();
  });

  await test.step('the bureau sees counts and no names', async () => {
    const bureau = await (await browser.newContext({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })).newPage();
    const answers: string[] = [];
    bureau.on('response', (response) => {
      if (response.url().includes('/api/'))
        void response.text().then(
          (text) => answers.push(text),
          () => undefined,
        );
    });
    await signIn(bureau, 'demo_jyj');
    await expect(bureau.locator('main')).toContainText(/\d/);
    await bureau.waitForLoadState('networkidle');
    expect(await bureau.locator('body').textContent()).not.toContain(student.username);
    expect(answers.join('')).not.toMatch(/江晓禾|林小雨/);
    await bureau.context().close();
  });
});
