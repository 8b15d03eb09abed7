import { insertForm } from '../src/features/scaleeditor/scaleeditor.contract.ts';
import { smallScale } from '../src/features/scaleeditor/small.fixture.ts';
import { accessibilityFaults, expect, signIn, test, url } from './people.ts';
import { openPhone } from './phone.ts';
import { as } from './school.ts';

test('a psychologist opens her draft on a phone and walks to the end; nothing is sent and nothing is stored', async ({
  page,
  browser,
}) => {
  const call = await as('demo_psych');
  const { formcode } = await call(insertForm, { formname: '手机预览问卷', definition: smallScale() });
  await signIn(page, 'demo_psych');
  await page.goto(url(`/evaluating/evaluationScale/edit?formcode=${formcode}`));
  await page.getByRole('button', { name: '手机预览' }).click();
  const dialog = page.getByRole('dialog', { name: '手机预览' });
  await expect(dialog.getByRole('img', { name: '手机预览二维码' })).toBeVisible();
  await expect(dialog).toContainText('前有效');
  expect(await accessibilityFaults(page)).toEqual([]);
  const link = await dialog.getByLabel('预览链接').inputValue();
  const { pathname, hash } = new URL(link);

  const { context, phone, faults } = await openPhone(browser);
  await phone.goto(url(pathname + hash));
  await expect(phone.getByRole('note')).toHaveText('预览，不会保存');
  await expect(phone.getByText('我难以融入班级')).toBeVisible();
  expect(await accessibilityFaults(phone)).toEqual([]);
  const sent: string[] = [];
  phone.on('request', (request) => request.url().includes('/api/') && sent.push(request.url()));
  for (const text of ['我难以融入班级', '我对上学提不起劲', '我觉得活着很累']) {
    await expect(phone.getByText(text)).toBeVisible();
    // The page ignores taps in its first moments: a double tap must not answer the next question.
    await phone.waitForTimeout(400);
    await phone.getByText('经常', { exact: true }).click();
  }
  await phone.getByRole('button', { name: '交卷' }).click();
  await expect(phone.getByRole('heading', { name: '预览结束' })).toBeVisible();
  expect(sent).toEqual([]);
  expect(await phone.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])).toEqual([]);

  await phone.goto('about:blank');
  await phone.goto(url(`${pathname}${hash.slice(0, -1)}`));
  await expect(phone.getByRole('alert')).toContainText('预览链接已失效');
  expect(faults).toEqual([]);
  await context.close();
});
