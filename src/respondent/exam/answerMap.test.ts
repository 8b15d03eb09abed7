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

describe('the answers a page holds', () => {
  it('counts on from the highest answer the server has', () => {
    const book = setAnswer(answerMapOf([phq9]), 7, 'q3', '2');
    expect(pendingOf(book)).toEqual([{ examformid: 7, c: 'q3', value: '2', clientseq: 10 }]);
  });

  it('choosing the same option again sends nothing', () => {
    const book = answerMapOf([phq9]);
    expect(setAnswer(book, 7, 'q1', '0')).toBe(book);
  });

  it('a confirmation of an older choice leaves the newer one to be sent', () => {
    const first = setAnswer({}, 7, 'q9', '0');
    const travelling = pendingOf(first);
    const second = setAnswer(first, 7, 'q9', '3');
    expect(pendingOf(markSaved(second, travelling))).toEqual([{ examformid: 7, c: 'q9', value: '3', clientseq: 2 }]);
  });

  it('a refused answer is not sent again until it is answered anew', () => {
    const typed = setAnswer({}, 7, 'height', 999);
    const refused = markRefused(typed, pendingOf(typed), '请填写不大于 200 的数字');
    expect(pendingOf(refused)).toEqual([]);
    expect(refused[keyOf(7, 'height')]?.refused).toBe('请填写不大于 200 的数字');
    expect(pendingOf(setAnswer(refused, 7, 'height', 999))).toHaveLength(1);
  });

  it('a newer answer kept on the device wins over the server, an older one does not', () => {
    const answers: WireAnswer[] = [
      { examformid: 7, c: 'q1', value: '3', clientseq: 11 },
      { examformid: 7, c: 'q2', value: '3', clientseq: 8 },
    ];
    const book = mergeAnswers(answerMapOf([phq9]), answers);
    expect(answersOf(book, 7)).toEqual({ q1: '3', q2: '1' });
    expect(pendingOf(book)).toEqual([answers[0]]);
  });

  it('an answer the server turns out not to have is sent once more; a blank one is not', () => {
    const book = markUnsaved(answerMapOf([phq9]), 7, 'q1');
    expect(pendingOf(book)).toEqual([{ examformid: 7, c: 'q1', value: '0', clientseq: 10 }]);
    expect(markUnsaved(book, 7, 'q8')).toBe(book);
  });

  it('answers of one form are told apart from those of another whose number begins alike', () => {
    const book = setAnswer(setAnswer({}, 7, 'q1', '0'), 71, 'q1', '1');
    expect(answersOf(book, 7)).toEqual({ q1: '0' });
  });
});

/** The server's rule: of two answers to one question the one with the higher `clientseq` stays. */
class Server {
  readonly rows = new Map<string, { value: AnswerValue; seq: number }>();
  take(answers: readonly WireAnswer[]) {
    for (const { examformid, c, value, clientseq } of answers) {
      const key = keyOf(examformid, c);
      const row = this.rows.get(key);
      if (!row || clientseq > row.seq) this.rows.set(key, { value, seq: clientseq });
    }
  }
  sheet() {
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

describe('whatever happens on the way', () => {
  it('the server ends with the last choice of every question', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        const server = new Server();
        const meant: Record<string, AnswerValue> = {};
        const repeats: WireAnswer[][] = [];
        let book: AnswerMap = {};
        for (const item of happenings) {
          if (item.kind === 'answers') {
            book = setAnswer(book, 7, item.c, item.value);
            meant[item.c] = item.value;
            continue;
          }
          const batch = pendingOf(book);
          if (item.kind === 'delayedRepeat') server.take(repeats.shift() ?? []);
          else if (item.kind === 'closedAndReopened') book = mergeAnswers(answerMapOf([server.sheet()]), batch);
          else if (item.kind !== 'requestLost') {
            server.take(batch);
            repeats.push(batch);
            if (item.kind === 'sent') book = markSaved(book, batch);
          }
        }
        server.take(pendingOf(book));
        for (const batch of repeats) server.take(batch);
        expect(server.sheet().answers).toEqual(meant);
      }),
    );
  });

  it('merging the same kept answers twice is merging them once', () => {
    const answers = fc.array(
      fc.record({ examformid: fc.constant(7), c: question, value: fc.constantFrom('0', '1'), clientseq: fc.nat(20) }),
    );
    fc.assert(
      fc.property(answers, answers, (sent, kept) => {
        const server = new Server();
        server.take(sent);
        const once = mergeAnswers(answerMapOf([server.sheet()]), kept);
        expect(mergeAnswers(once, kept)).toEqual(once);
        for (const { c, clientseq } of kept) expect(once[keyOf(7, c)]?.seq ?? 0).toBeGreaterThanOrEqual(clientseq);
      }),
    );
  });
});
