import { expect, test } from 'vitest';
import { crashRun, judge, isPromiseKept } from '#testing/process/crash.ts';
import type { TestRespondent } from '#testing/load/respondents.ts';

test('R-01: every acknowledged submission survives four kills exactly once, with its answers, its count and its case', async () => {
  const verdict = await crashRun(60, 4);
  expect(verdict).toEqual({
    acked: 60,
    kills: 4,
    lost: 0,
    wrong: 0,
    duplicate: 0,
    wallet: 0,
    crisismissing: 0,
    unexpected: [],
    sound: true,
  });
  expect(isPromiseKept(verdict)).toBe(true);
});

test('R-01: the check detects a submission that is lost, changed, duplicated, not deducted or without its case', () => {
  const respondent: TestRespondent = { token: 'sit-3', cuserid: 'S3', cuserplanid: 1, red: true, submitkey: '' };
  const row = {
    cuserid: 'S3',
    records: 1,
    reports: 1,
    answers: { 'PHQ9.q9': '2', 'PHQ9.q1': '0', 'GAD7.q7': '0' },
    warnings: 1,
    used: 1,
  };
  const sound = { acked: 1, lost: 0, wrong: 0, duplicate: 0, wallet: 0, crisismissing: 0 };
  expect(judge([row], [respondent])).toEqual(sound);
  expect(judge([{ ...row, records: 0, reports: 0, used: 0 }], [respondent])).toMatchObject({ lost: 1 });
  expect(judge([{ ...row, answers: { ...row.answers, 'PHQ9.q9': '0' } }], [respondent])).toMatchObject({ wrong: 1 });
  expect(judge([{ ...row, reports: 2 }], [respondent])).toMatchObject({ duplicate: 1 });
  expect(judge([{ ...row, used: 2 }], [respondent])).toMatchObject({ wallet: 1 });
  expect(judge([{ ...row, warnings: 0 }], [respondent])).toMatchObject({ crisismissing: 1 });
});
