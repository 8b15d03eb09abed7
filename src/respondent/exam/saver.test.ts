import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WireAnswer } from '#respondent/exam/answerMap.ts';
import type { Draft } from '#respondent/exam/draft.ts';
import { submitExam as submitRun } from '#respondent/exam/examRun.ts';
import { Saver, type SubmitResult, type SaverPorts } from '#respondent/exam/saver.ts';
import { CallRefused, Unreachable, type Exam } from '#respondent/api/api.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const thanks: SubmitResult = {
  missing: [],
  sheets: [],
  done: true,
  showreport: false,
  reportcode: null,
  support: { show: false, hotline: '12356', text: '' },
};

/** A network between the page and a server that stores the highest `clientseq`. `weather` decides the fate of each request. */
function journey(
  weather: { save?: (answers: WireAnswer[]) => void; submit?: (key: string, answers: WireAnswer[]) => SubmitResult } = {},
) {
  const saved = new Map<string, WireAnswer>();
  const submits: { key: string; answers: WireAnswer[] }[] = [];
  const drafts: Draft[] = [];
  const left: WireAnswer[][] = [];
  let keys = 0;
  const take = (answers: WireAnswer[]) => {
    for (const answer of answers) if ((saved.get(answer.c)?.clientseq ?? -1) < answer.clientseq) saved.set(answer.c, answer);
  };
  const ports: SaverPorts = {
    save: async (answers) => {
      await Promise.resolve();
      weather.save?.(answers);
      take(answers);
    },
    saveLeaving: (answers) => void left.push(answers),
    submit: async (key, answers) => {
      submits.push({ key, answers });
      await Promise.resolve();
      const result = weather.submit?.(key, answers) ?? thanks;
      take(answers);
      return result;
    },
    writeDraft: async (draft) => {
      drafts.push(draft);
      return Promise.resolve(true);
    },
    newKey: () => `key-${++keys}`,
  };
  const open = (draft?: Draft) => new Saver(ports, {}, draft);
  return { saved, submits, drafts, left, open, last: () => drafts[drafts.length - 1] };
}
const soon = () => vi.advanceTimersByTimeAsync(10);

/** Submits the exam of a page that shows the forms with these ids. */
const submitExam = (saver: Saver, examformids: number[] = [7]) =>
  submitRun({ saver, exam: { sheets: examformids.map((examformid) => ({ examformid })) } as Exam });

const support = { show: true, hotline: '12356', text: '' };
const lateRefusal = () => new CallRefused(150003, '本次测评已结束。刚才的作答已经保存', undefined, { saved: 1, support });

describe('answers that come late', () => {
  it('end the exam with the support card, after the server has kept all of them', async () => {
    let calls = 0;
    const { open, last } = journey({
      save: () => {
        calls += 1;
        throw lateRefusal();
      },
    });
    const saver = open();
    saver.answer(7, 'q1', '2');
    saver.answer(7, 'q2', '1');
    await soon();
    expect(calls).toBe(2);
    expect(saver.state).toMatchObject({
      status: 'stopped',
      end: { done: true, support, late: expect.stringContaining('已经保存') },
    });
    expect(last()?.pending).toEqual([]);
  });

  it('a late submission ends like a submission, but says that it was late', async () => {
    const { open } = journey({
      submit: () => {
        throw lateRefusal();
      },
    });
    expect(await submitExam(open())).toMatchObject({ done: true, support, late: expect.stringContaining('测评已结束') });
  });

  it('a refusal that keeps nothing is no end of the exam', async () => {
    const { open } = journey({
      submit: () => {
        throw new CallRefused(150003, '测评将于明天开始');
      },
    });
    await expect(submitExam(open())).rejects.toThrow('测评将于明天开始');
  });
});

describe('forms that follow a positive short form', () => {
  it('come back from the submission, and the next submission sends only their answers', async () => {
    const more = [{ examformid: 9, formcode: 'PHQ9' }] as SubmitResult['sheets'];
    let isExtended = false;
    const { open, submits } = journey({
      submit: () => {
        if (isExtended) return thanks;
        isExtended = true;
        return { ...thanks, done: false, sheets: more };
      },
    });
    const saver = open();
    saver.answer(7, 'q1', '3');
    expect(await submitExam(saver)).toMatchObject({ done: false, sheets: more });
    saver.answer(9, 'q1', '2');
    expect(await submitExam(saver, [7, 9])).toMatchObject({ done: true });
    expect(submits.at(-1)?.answers.map((answer) => answer.examformid)).toEqual(expect.not.arrayContaining([7]));
  });
});

describe('a lost response with following forms', () => {
  it('comes again with the missing answers, and forms that the page has are no following forms', async () => {
    const sheets = [{ examformid: 7 }, { examformid: 9 }] as SubmitResult['sheets'];
    const { open } = journey({
      submit: () => ({ ...thanks, done: false, missing: [{ examformid: 9, c: 'q1' }], sheets }),
    });
    expect((await submitExam(open()))?.sheets).toEqual([{ examformid: 9 }]);
    expect(await submitExam(open(), [7, 9])).toBeUndefined();
  });
});

describe('saving answers', () => {
  it('every choice is sent at once, and the status shows when it is saved', async () => {
    const { open, saved } = journey();
    const saver = open();
    saver.answer(7, 'q1', '2');
    expect(saver.state.status).toBe('saving');
    await soon();
    expect(saver.state.status).toBe('saved');
    expect(saved.get('q1')?.value).toBe('2');
  });

  it('answers given without a network stay on the device and are sent together when it returns', async () => {
    let away = true;
    const batches: number[] = [];
    const { open, saved, last } = journey({
      save: (answers) => {
        if (away) throw new Unreachable();
        batches.push(answers.length);
      },
    });
    const saver = open();
    for (const c of ['q1', 'q2', 'q3']) saver.answer(7, c, '1');
    await soon();
    expect(saver.state.status).toBe('waiting');
    expect(last()?.pending.map((answer) => answer.c)).toEqual(['q1', 'q2', 'q3']);
    away = false;
    saver.retry();
    await soon();
    expect(saver.state.status).toBe('saved');
    expect([...saved.keys()]).toEqual(['q1', 'q2', 'q3']);
    expect(batches).toEqual([3]);
    expect(last()?.pending).toEqual([]);
  });

  it('a failed save is repeated automatically', async () => {
    let failures = 3;
    const { open, saved } = journey({
      save: () => {
        if (failures-- > 0) throw new CallRefused(190003, '系统繁忙，请稍后重试');
      },
    });
    const saver = open();
    saver.answer(7, 'q1', '1');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(saver.state.status).toBe('saved');
    expect(saved.has('q1')).toBe(true);
  });

  it('an answer that the server refuses does not block the others', async () => {
    const { open, saved } = journey({
      save: (answers) => {
        if (answers.some((answer) => answer.c === 'height')) throw new CallRefused(120002, '身高不正确');
      },
    });
    const saver = open({
      submitkey: 'k',
      pending: ['q1', 'height', 'q2', 'q3'].map((c, index) => ({ examformid: 7, c, value: '1', clientseq: index + 1 })),
    });
    await soon();
    expect([...saved.keys()].sort()).toEqual(['q1', 'q2', 'q3']);
    expect(saver.state.answerMap['7/height']?.refused).toBe('身高不正确');
  });

  it('saving stops with a reason when the task has ended', async () => {
    const { open, last } = journey({
      save: () => {
        throw new CallRefused(150003, '测评已结束');
      },
    });
    const saver = open();
    saver.answer(7, 'q1', '1');
    await soon();
    expect([saver.state.status, saver.state.reason]).toEqual(['stopped', '测评已结束']);
    expect(last()?.pending).toHaveLength(1);
  });

  it('typed text is sent after a pause, and at once when the page closes', async () => {
    const { open, saved, left } = journey();
    const saver = open();
    for (const text of ['张', '张家', '张家港']) saver.answer(7, 'area', text, true);
    expect(saved.size).toBe(0);
    saver.leave();
    expect(left[0]?.map((answer) => answer.value)).toEqual(['张家港']);
    await vi.advanceTimersByTimeAsync(700);
    expect(saved.get('area')?.value).toBe('张家港');
  });
});

describe('submitting an exam', () => {
  it('a double tap submits once', async () => {
    const { open, submits } = journey();
    const saver = open();
    saver.answer(7, 'q1', '1');
    const [first, second] = await Promise.all([saver.submit(), saver.submit()]);
    expect([first, second]).toEqual([thanks, undefined]);
    expect(submits).toHaveLength(1);
  });

  it('after a lost response the same key and answers are sent again, also by a new page', async () => {
    let lost = true;
    const { open, submits, last } = journey({
      save: () => {
        throw new Unreachable();
      },
      submit: () => {
        if (lost) throw new Unreachable();
        return thanks;
      },
    });
    const before = open();
    before.answer(7, 'q9', '1');
    void before.submit();
    await soon();
    expect(before.state.submission).toBe('waiting');
    before.answer(7, 'q9', '0');
    before.close();
    lost = false;
    const after = open(last());
    expect(after.unfinished).toBe(true);
    expect(await after.submit()).toEqual(thanks);
    expect(submits[submits.length - 1]).toEqual(submits[0]);
    expect(submits[0]?.answers.map((answer) => answer.value)).toEqual(['1']);
  });

  it('an answer that the server reports missing is sent with the second try', async () => {
    let first = true;
    const { open, submits } = journey({
      submit: () => {
        if (!first) return thanks;
        first = false;
        return { ...thanks, done: false, missing: [{ examformid: 7, c: 'q1' }] };
      },
    });
    const saver = open();
    saver.answer(7, 'q1', '1');
    await soon();
    expect(await submitExam(saver)).toEqual(thanks);
    expect(submits[1]?.answers.map((answer) => answer.c)).toEqual(['q1']);
  });

  it('an unanswered question stops the submission', async () => {
    const { open, submits } = journey({ submit: () => ({ ...thanks, done: false, missing: [{ examformid: 7, c: 'q2' }] }) });
    const saver = open();
    saver.answer(7, 'q1', '1');
    expect(await submitExam(saver)).toBeUndefined();
    expect(submits).toHaveLength(1);
    expect(saver.state.submission).toBe('no');
  });

  it('150006 (this key was used with other answers) retries with a new key; 150004 counts as submitted', async () => {
    const codes = [150006, 150004];
    const { open, submits } = journey({
      submit: () => {
        throw new CallRefused(codes.shift() ?? 0, '');
      },
    });
    const result = await submitExam(open());
    expect(submits.map((item) => item.key)).toEqual(['key-1', 'key-2']);
    expect([result?.done, result?.support.show]).toEqual([true, true]);
  });
});
