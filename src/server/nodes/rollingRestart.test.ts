import { expect, test } from 'vitest';
import { stateQuery, judge, type StateRow } from '#testing/process/crash.ts';
import {
  answersOf,
  asPlatformOwner,
  enrolRespondents,
  tryCall,
  type OpenSheet,
  type TestRespondent,
} from '#testing/load/respondents.ts';
import { startMany, type ManyServers } from '#testing/process/manyServers.ts';
import { sizeOf } from '#testing/size.ts';

const [students, totalKills] = sizeOf([60, 6], [900, 36]);
/** Codes after which the page tries again: no answer, too many requests, busy. */
const retryCodes = new Set([-1, 190001, 190003]);
const list = 'as.m.cuser.getCUserPageList';
const whoAmI = 'as.m.user.getUserInfo';
const board = 'as.m.assess.getTaskBoard';

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Three servers, and a school whose students have a task this week. */
async function startSchool(count: number) {
  let respondents: TestRespondent[] = [];
  const many = await startMany({ prepare: async (target) => (respondents = await enrolRespondents(target, count)) });
  return { many, respondents };
}

/** Lets a student open and hand in the exam by way of the balancer. `again`: the page repeats what got no answer. */
async function handIn({ callAny }: ManyServers, respondent: TestRespondent, again: boolean) {
  const callUntilAnswered = async (name: string, request: unknown) => {
    for (;;) {
      const answer = await callAny(respondent.token, name, request);
      if (!again || !retryCodes.has(answer.errorCode)) return answer;
      await pause(50);
    }
  };
  const opened = await callUntilAnswered('as.c.exam.startExam', { cuserplanid: respondent.cuserplanid });
  if (opened.errorCode !== 0) return opened;
  const sheet = opened.data as OpenSheet;
  const request = { examcode: sheet.examcode, submitkey: respondent.submitkey, answers: answersOf(respondent, sheet) };
  return callUntilAnswered('as.c.exam.submitExam', request);
}

/** Compares the hand-ins with the rows, and returns what stands twice: reminders, calls, notices. */
async function readState({ target }: ManyServers, acked: readonly TestRespondent[]) {
  return asPlatformOwner(target, async (owner) => {
    const countOf = async (query: string) => (await owner.query<{ n: number }>(query)).rows[0]?.n;
    return {
      ...judge((await owner.query<StateRow>(stateQuery)).rows, acked),
      callsTwice: await countOf(
        `select count(*)::int as n from (select 1 from calllist group by warningcode, userid, kind having count(*) > 1) t`,
      ),
      noticesTwice: await countOf(
        `select count(*)::int as n from (select 1 from notification where warningcode is not null
           group by warningcode, userid, kind, title, content having count(*) > 1) t`,
      ),
      waiting: await countOf('select count(*)::int as n from outbox where donetime is null'),
    };
  });
}

const intact = { lost: 0, wrong: 0, duplicate: 0, wallet: 0, crisismissing: 0, callsTwice: 0, noticesTwice: 0 };

test('any of three servers may be killed at any time: no answer is lost, and no hand-in, case or call stands twice', async () => {
  const { many, respondents } = await startSchool(students);
  const failures: unknown[] = [];
  const acked: TestRespondent[] = [];
  const queue = [...respondents];
  let kills = 0;
  let isOver = false;
  const share = students / (totalKills + 1);
  const killer = (async () => {
    while (kills < totalKills) {
      // Students are at work when a server dies: some have handed in since the last kill, others wait for their answers.
      while (acked.length + failures.length < (kills + 0.5) * share) await pause(5);
      const index = kills % 3;
      await many.stop(index, 'SIGKILL');
      kills += 1;
      await many.restart(index);
    }
  })();
  // A server that does not start again fails the test at once; the students go on.
  void killer.catch(() => undefined).then(() => (isOver = true));
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      for (let respondent = queue.shift(); respondent; respondent = queue.shift()) {
        while (!isOver && students - queue.length > (kills + 1) * share + 12) await pause(5);
        const answer = await handIn(many, respondent, true);
        if (answer.errorCode === 0) acked.push(respondent);
        else failures.push(answer);
      }
    }),
  );
  await killer;
  expect([failures, kills]).toEqual([[], totalKills]);
  // The job that makes calls of cases ran on three servers, some of which died.
  await expect.poll(async () => (await readState(many, acked)).waiting, { timeout: 300_000, interval: 1_000 }).toBe(0);
  expect(await readState(many, acked)).toEqual({ acked: students, ...intact, waiting: 0 });
  // The board says the same wherever it is read.
  for (const index of [0, 1, 2])
    expect(await many.call(index, 'chen', board, { taskcode: 'T_SIT' })).toMatchObject({
      errorCode: 0,
      data: { totals: { finished: students } },
    });
  console.log(JSON.stringify({ servers: 3, students, kills, ...(await readState(many, acked)) }));
});

test('a rolling restart fails no request: a server says no at /readyz first, answers what it has, and then ends', async () => {
  const { many, respondents } = await startSchool(students);
  const failures: unknown[] = [];
  const acked: TestRespondent[] = [];
  const queue = [...respondents];
  let isOver = false;
  let reads = 0;
  let restartCount = 0;
  // Slower than the limit of a session.
  const readers = (['super', 'ma', 'chen', 'lu', 'wang', 'qiao'] as const).map(async (person) => {
    for (; !isOver; await pause(60)) {
      const answer = await many.callAny(person, whoAmI);
      reads += 1;
      if (answer.errorCode !== 0) failures.push(answer);
    }
  });
  const writers = Array.from({ length: 3 }, async () => {
    for (let respondent = queue.shift(); respondent; respondent = queue.shift()) {
      // A third of the students hand in during each restart.
      while (!isOver && students - queue.length > ((restartCount + 1) * students) / 3) await pause(20);
      const answer = await handIn(many, respondent, false);
      if (answer.errorCode === 0) acked.push(respondent);
      else failures.push(answer);
    }
  });
  const codes: unknown[] = [];
  const restarts = (async () => {
    for (const index of [0, 1, 2]) {
      codes.push(await many.stop(index, 'SIGTERM'));
      await many.restart(index);
      restartCount += 1;
    }
  })();
  await restarts;
  isOver = true;
  await Promise.all([...readers, ...writers]);
  expect(failures).toEqual([]);
  expect(codes).toEqual([0, 0, 0]);
  expect(acked).toHaveLength(students);
  const { waiting, ...state } = await readState(many, acked);
  expect([state, waiting !== undefined]).toEqual([{ acked: students, ...intact }, true]);
  console.log(JSON.stringify({ servers: 3, restarts: 3, reads, handins: acked.length, failed: failures.length }));
});

test('after SIGTERM a server is not ready, still answers calls, and then ends with 0', async () => {
  const many = await startMany({ count: 1 });
  const { port } = many.servers[0] as (typeof many.servers)[number];
  const readyz = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status);
  expect(await readyz()).toBe(200);
  const ended = many.stop(0, 'SIGTERM');
  await expect.poll(readyz, { timeout: 60_000, interval: 5 }).toBe(503);
  expect(await tryCall(port, 'chen', list, {})).toMatchObject({ errorCode: 0 });
  expect(await ended).toBe(0);
});
