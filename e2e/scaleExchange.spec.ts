import { readFileSync } from 'node:fs';
import { expect, signIn, test, url } from './people.ts';

// Every run uses a new name, so the test can run again on the same server.
const run = String(Date.now() % 100_000).padStart(5, '0');
const title = `粘贴的问卷${run}`;
const text = `${title}
选项：从不=0；偶尔=1；经常=2
1. 作业太多，做不完
2. 我喜欢上学（反向）
计分方法：各题相加`;

test('a psychologist pastes a questionnaire, sees how it was understood and gets a draft; a form leaves as Excel and on paper', async ({
  page,
}) => {
  await signIn(page, 'demo_psych');

  await test.step('pasted text: the source beside the questions, with what to look at', async () => {
    await page.goto(url('/evaluating/evaluationScale'));
    await page.getByRole('button', { name: '导入', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: '导入量表' });
    await dialog.getByText('粘贴文字').click();
    await dialog.getByLabel('题目文字').fill(text);
    await dialog.getByRole('button', { name: '识别题目' }).click();
    await expect(dialog.getByRole('region', { name: '识别结果' })).toContainText('反向计分：第2题');
    await expect(dialog.getByRole('list', { name: '需要核对的地方' })).toContainText('第 5 行');
    await dialog.getByRole('button', { name: '返回修改' }).click();
    await expect(dialog.getByLabel('题目文字')).toHaveValue(text);
    await dialog.getByRole('button', { name: '识别题目' }).click();
    await dialog.getByRole('button', { name: '新建量表' }).click();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
  });

  await test.step('the blank form on paper and the Excel workbook of a form', async () => {
    await page.goto(url('/evaluating/scale/PHQ9'));
    for (const [item, head] of [
      ['空白纸质卷 PDF', '%PDF'],
      ['Excel 表格', 'PK'],
    ] as const) {
      const waiting = page.waitForEvent('download');
      await page.getByRole('button', { name: '导出', exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
      const path = await (await waiting).path();
      expect(readFileSync(path).subarray(0, head.length).toString()).toBe(head);
    }
  });
});
