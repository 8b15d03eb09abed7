import { expect, test } from 'vitest';
import { previewTask } from '#features/respond/preview/preview.contract.ts';
import { sharedServer } from '#testing/server.ts';

const server = sharedServer();

test('staff read the questionnaires of a plan as a student sees them, without scores, and nothing is spent or stored', async () => {
  const rows = () =>
    server().sqlAsOwner(
      'select (select count(*) from examrecord) as exams, sum(frozen) as frozen, sum(used) as used from assesscount',
    );
  const before = await rows();
  const preview = await server().as('chen')(previewTask, { plancode: 'P900002' });
  expect(preview).toMatchObject({ clientcode: 'entry_chenguang', sheets: [{ formcode: 'PHQ9' }, { formcode: 'GAD7' }] });
  const [phq] = preview.sheets;
  expect(phq?.items[0]?.options?.[0]).toHaveLength(2);
  expect(JSON.stringify(preview)).not.toMatch(/"(score|scores|levels|alerts|bands)"/);
  expect(await rows()).toEqual(before);
});

test('a class teacher previews no task, and nobody previews with the entry of another school', async () => {
  await expect(server().as('wang')(previewTask, { plancode: 'P900002' })).rejects.toMatchObject({ code: 110004 });
  await expect(server().as('chen')(previewTask, { plancode: 'P900002', musercode: 'M_DONGSHAN' })).rejects.toMatchObject({
    code: 130001,
  });
});
