import { expect, test } from 'vitest';
import { faultKey } from '#domain/scoring/editor/fault.ts';
import * as form from '#features/form/form.contract.ts';
import * as editor from '#features/scaleeditor/scaleeditor.contract.ts';
import { insertAssessTask } from '#features/task/task.contract.ts';
import { replayChange } from '#features/warning/replay/replay.contract.ts';
import { adaptation, aPlanOf, beginTask } from '#testing/forms/ownForm.ts';
import { addClass, screening } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

test('stricter bands of a questionnaire in use are published after a replay of this draft, not more than a day old', async () => {
  const server = await startServer();
  const { as, clock } = server;
  const chen = as('chen');
  const scale = adaptation();
  const { formcode } = await chen(editor.insertForm, { formname: scale.title, definition: scale });
  const publish = async () => {
    const { rowversion } = await chen(form.getFormDetail, { formcode, version: 'draft' });
    const { faults } = await chen(editor.checkForm, { formcode });
    const notices = faults.map(faultKey);
    return (await chen(editor.publishForm, { formcode, rowversion, changelog: '按试用意见修改', notices })).version;
  };
  expect(await publish()).toBe('1.0.0');

  const { teamcode, pupil } = await addClass(server, { teamname: '初二1班', names: ['林晓晨'] });
  const plancode = await aPlanOf(server, formcode);
  await chen(insertAssessTask, screening([teamcode], { plancode, taskname: '适应筛查' }));
  await (await beginTask(server, pupil('林晓晨'))).submit('1', { q20: '0' });

  // Other words need no replay.
  const reworded = { ...scale, instruction: '请按最近两周的实际情况选择。' };
  await chen(editor.updateForm, { formcode, rowversion: 0, definition: reworded });
  expect(await publish()).toBe('1.0.1');

  const total = [[0, 14, 0, '平稳'] as const, [15, 17, 1, '轻度困扰'] as const, [18, 60, 3, '需要尽快关心'] as const];
  await chen(editor.updateForm, { formcode, rowversion: 0, definition: { ...reworded, bands: { total } } });
  await expect(publish()).rejects.toMatchObject({ code: 140001, data: { trial: 'version' } });
  const replay = () => chen(replayChange, { kind: 'version', content: { formcode } });
  expect(await replay()).toMatchObject({ sittings: 1, unjudged: 0, before: 0, after: 1, added: 1 });

  // Another change of the draft, or a day later: the figures no longer hold.
  const { rowversion } = await chen(form.getFormDetail, { formcode, version: 'draft' });
  const other = [[0, 14, 0, '平稳'] as const, [15, 15, 1, '轻度困扰'] as const, [16, 60, 3, '需要尽快关心'] as const];
  await chen(editor.updateForm, { formcode, rowversion, definition: { ...reworded, bands: { total: other } } });
  await expect(publish()).rejects.toMatchObject({ code: 140001 });
  await replay();
  clock.now = new Date(clock.now.getTime() + 25 * 3_600_000);
  await expect(publish()).rejects.toMatchObject({ code: 140001 });
  await replay();
  expect(await publish()).toBe('2.0.0');
});
