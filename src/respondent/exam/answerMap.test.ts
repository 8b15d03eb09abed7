import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  markSaved,
  answersOf,
  answerMapOf,
  keyOf,
  mergeAnswers,
  pendingOf,
  setAnswer,
  markRefused,
  markUnsaved,
  type AnswerValue,
  type AnswerMap,
  type WireAnswer,
} from '#respondent/exam/answerMap.ts';

const phq9 = { examformid: 7, answers: { q1: '0', q2: '1' }, seqs: { q1: 4, q2: 9 } };

describe('answers on the respondent page', () => {
  it('a new answer gets the next sequence number after the server’s highest', () => {
    const answerMap = setAnswer(answerMapOf([phq9]), 7, 'q3', '2');
    expect(pendingOf(answerMap)).toEqual([{ examformid: 7, c: 'q3', value: '2', clientseq: 10 }]);
  });

  it('choosing the same option again sends nothing', () => {
    const answerMap = answerMapOf([phq9]);
    expect(setAnswer(answerMap, 7, 'q1', '0')).toBe(answerMap);
  });

  it('confirming an older choice leaves the newer choice pending', () => {
    const first = setAnswer({}, 7, 'q9', '0');
    const travelling = pendingOf(first);
    const second = setAnswer(first, 7, 'q9', '3');
    expect(pendingOf(markSaved(second, travelling))).toEqual([{ examformid: 7, c: 'q9', value: '3', clientseq: 2 }]);
  });

  it('a refused answer is not sent again until the respondent changes it', () => {
    const typed = setAnswer({}, 7, 'height', 999);
    const refused = markRefused(typed, pendingOf(typed), '请填写不大于 200 的数字');
    expect(pendingOf(refused)).toEqual([]);
    expect(refused[keyOf(7, 'height')]?.refused).toBe('请填写不大于 200 的数字');
    expect(pendingOf(setAnswer(refused, 7, 'height', 999))).toHaveLength(1);
  });

  it('a newer answer on the device replaces the server’s answer; an older one does not', () => {
    const answers: WireAnswer[] = [
      { examformid: 7, c: 'q1', value: '3', clientseq: 11 },
      { examformid: 7, c: 'q2', value: '3', clientseq: 8 },
    ];
    const answerMap = mergeAnswers(answerMapOf([phq9]), answers);
    expect(answersOf(answerMap, 7)).toEqual({ q1: '3', q2: '1' });
    expect(pendingOf(answerMap)).toEqual([answers[0]]);
  });

  it('an answer that the server reports missing is sent again; a blank answer is not', () => {
    const answerMap = markUnsaved(answerMapOf([phq9]), 7, 'q1');
    expect(pendingOf(answerMap)).toEqual([{ examformid: 7, c: 'q1', value: '0', clientseq: 10 }]);
    expect(markUnsaved(answerMap, 7, 'q8')).toBe(answerMap);
  });

  it('forms whose numbers begin alike keep separate answers', () => {
    const answerMap = setAnswer(setAnswer({}, 7, 'q1', '0'), 71, 'q1', '1');
    expect(answersOf(answerMap, 7)).toEqual({ q1: '0' });
  });
});

/** The server's rule: of two answers to one question it stores the one with the higher `clientseq`. */
class Server {
  readonly rows = new Map<string, { value: AnswerValue; seq: number }>();
  take(answers: readonly WireAnswer[]) {
    for (const { examformid, c, value, clientseq } of answers) {
      const key = keyOf(examformid, c);
      const row = this.rows.get(key);
      if (!row || clientseq > row.seq) this.rows.set(key, { value, seq: clientseq });
    }
  }
  form() {
    const rows = [...this.rows].map(([key, row]) => [key.slice(2), row] as const);
    return {
      examformid: 7,
      answers: Object.fromEntries(rows.map(([c, { value }]) => [c, value])),
      seqs: Object.fromEntries(rows.map(([c, { seq }]) => [c, seq])),
    };
  }
}

const question = fc.constantFrom('q1', 'q2', 'q3');
const happening = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('answers' as const), c: question, value: fc.constantFrom('0', '1', '2', '3') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('sent', 'answerLost', 'requestLost', 'delayedRepeat', 'closedAndReopened' as const),
    }),
  },
);

describe('answers under random losses and delays', () => {
  it('the server ends with the last choice of every question', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        const server = new Server();
        const meant: Record<string, AnswerValue> = {};
        const repeats: WireAnswer[][] = [];
        let answerMap: AnswerMap = {};
        for (const item of happenings) {
          if (item.kind === 'answers') {
            answerMap = setAnswer(answerMap, 7, item.c, item.value);
            meant[item.c] = item.value;
            continue;
          }
          const batch = pendingOf(answerMap);
          if (item.kind === 'delayedRepeat') server.take(repeats.shift() ?? []);
          else if (item.kind === 'closedAndReopened') answerMap = mergeAnswers(answerMapOf([server.form()]), batch);
          else if (item.kind !== 'requestLost') {
            server.take(batch);
            repeats.push(batch);
            if (item.kind === 'sent') answerMap = markSaved(answerMap, batch);
          }
        }
        server.take(pendingOf(answerMap));
        for (const batch of repeats) server.take(batch);
        expect(server.form().answers).toEqual(meant);
      }),
    );
  });

  it('merging the same draft answers twice gives the same result', () => {
    const answers = fc.array(
      fc.record({ examformid: fc.constant(7), c: question, value: fc.constantFrom('0', '1'), clientseq: fc.nat(20) }),
    );
    fc.assert(
      fc.property(answers, answers, (sent, kept) => {
        const server = new Server();
        server.take(sent);
        const once = mergeAnswers(answerMapOf([server.form()]), kept);
        expect(mergeAnswers(once, kept)).toEqual(once);
        for (const { c, clientseq } of kept) expect(once[keyOf(7, c)]?.seq ?? 0).toBeGreaterThanOrEqual(clientseq);
      }),
    );
  });
});
