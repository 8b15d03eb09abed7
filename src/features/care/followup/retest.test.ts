import { expect, test } from 'vitest';
import { addDays } from '#domain/base/calendar.ts';
import { deleteCUserPlan } from '#features/assesscount/authorizations/authorize.contract.ts';
import * as care from '#features/care/care.contract.ts';
import * as work from '#features/care/followup/work.contract.ts';
import { addStudent } from '#testing/exam.ts';
import { answerTask } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const retestplan = 'P900002';

/** 林小雨 with a follow-up on 16 October without a case. */
async function followed(more: { retestplan?: string } = {}) {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const pupil = await addStudent(server);
  const chen = server.as('chen');
  const { followupids } = await chen(care.insertFollowUp, { cuserid: pupil.cuserid, duetime: '2025-10-16 17:00', ...more });
  const row = async () => (await chen(care.getFollowUpPageList, {})).rows.find((r) => r.followupid === followupids[0])!;
  const frozen = async () =>
    (
      await server.sqlAsOwner<{ frozen: number }>(
        "select frozen::int from assesscount where musercode = 'M_CHENGUANG' and plancode = '*'",
      )
    )[0]?.frozen;
  return { ...server, server, chen, pupil, followupid: followupids[0]!, row, frozen };
}

test('a planned re-test freezes one count, opens three days before, and the sheet fills the result of the follow-up', async () => {
  const { server, chen, clock, pupil, followupid, row, frozen } = await followed({ retestplan });
  expect(await frozen()).toBe(1);
  expect(await row()).toMatchObject({ reteststate: 1, retest: '', retestplan });
  await expect(answerTask(server, pupil)).rejects.toThrow('测评将于 2025-10-13 开始');
  clock.now = addDays(clock.now, 4);
  await answerTask(server, pupil);
  expect(await frozen()).toBe(0);
  expect(await row()).toMatchObject({ status: '01', reteststate: 2, retest: expect.stringMatching(/PHQ-9 \d+ 分（.+）/) });
  await chen(care.finishFollowUp, { followupid, content: '情绪平稳', outcome: '02', endreason: '复测平稳' });
  const [saved] = await server.sqlAsOwner<{ examcode: string | null }>('select examcode from followup where followupid = $1', [
    followupid,
  ]);
  expect(saved?.examcode).toMatch(/^E/);
});

test('a re-test that is attached at the record fills its result after the record', async () => {
  const { server, chen, pupil, followupid, row, frozen } = await followed();
  await chen(care.finishFollowUp, { followupid, content: '请本人复测', nextduetime: '2025-10-30 17:00', retestplan });
  expect(await row()).toMatchObject({ status: '02', reteststate: 1 });
  await answerTask(server, pupil);
  expect(await row()).toMatchObject({ reteststate: 2, retest: expect.stringContaining('PHQ-9') });
  expect(await frozen()).toBe(0);
});

test('a live authorization serves the re-test without another count; sheets from before do not count as the re-test', async () => {
  const { server, chen, clock, pupil, followupid, row, frozen } = await followed();
  const first = await chen(work.insertFollowUpRetest, { followupid, plancode: retestplan });
  expect(first).toMatchObject({ isgranted: 1 });
  expect(await chen(work.insertFollowUpRetest, { followupid, plancode: retestplan })).toMatchObject({ isgranted: 0 });
  expect(await frozen()).toBe(1);
  await answerTask(server, pupil);
  clock.now = addDays(clock.now, 1);
  expect(await chen(work.insertFollowUpRetest, { followupid, plancode: retestplan })).toMatchObject({ isgranted: 1 });
  expect(await row()).toMatchObject({ reteststate: 1, retest: '' });
});

test('staff without the right to authorize cannot attach a re-test, and a deleted authorization leaves the follow-up', async () => {
  const { server, chen, as, followupid, row } = await followed();
  await expect(as('duty')(work.insertFollowUpRetest, { followupid, plancode: retestplan })).rejects.toMatchObject({
    code: 110004,
  });
  await expect(chen(work.insertFollowUpRetest, { followupid, plancode: 'P000000' })).rejects.toMatchObject({ code: 130001 });
  await chen(work.insertFollowUpRetest, { followupid, plancode: retestplan });
  const [grant] = await server.sqlAsOwner<{ cuserplanid: number }>('select cuserplanid::int from followup');
  await chen(deleteCUserPlan, { cuserplanids: [grant!.cuserplanid] });
  expect(await row()).toMatchObject({ status: '01', reteststate: 0, retestplan: '' });
});
