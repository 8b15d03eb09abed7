import { expect, test } from 'vitest';
import { updateToOSS } from '#features/file/file.contract.ts';
import * as form from '#features/form/form.contract.ts';
import { insertMUserExamPlan, updateMUserExamPlan } from '#features/plan/plan.contract.ts';
import { sharedServer } from '#testing/server.ts';

const shared = sharedServer();
const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n');

/** Uploads a licence as 马主任 and returns the number of the file. */
const uploadProof = async () =>
  (
    await shared().as('ma')(updateToOSS, { biztype: 'licence' }, {
      filename: '授权书.pdf',
      mime: 'application/pdf',
      content: pdf,
    } as never)
  ).fileid;

test('an administrator records the licence of a copyrighted form; after its last day nothing new begins', async () => {
  const { as, clock, sqlAsOwner } = shared();
  const request = { formcode: 'EPDS', accepted: 1 as const, note: '已获书面许可' };
  await expect(as('ma')(form.acceptFormLicence, request)).rejects.toMatchObject({ code: 120001, message: '授权证明不能为空' });
  const prooffileid = await uploadProof();
  await expect(as('ma')(form.acceptFormLicence, { ...request, prooffileid })).rejects.toMatchObject({ code: 120001 });
  await expect(as('ma')(form.acceptFormLicence, { ...request, prooffileid, expiredate: '2025-10-07' })).rejects.toMatchObject({
    code: 120002,
    message: '授权到期日已过',
  });
  const { missing } = await as('ma')(form.acceptFormLicence, { ...request, prooffileid, expiredate: '2026-03-31' });
  expect(missing.join()).not.toContain('授权证明');
  await sqlAsOwner(
    `update formlicence set wording = (
       select jsonb_object_agg('q' || n, jsonb_build_object('text', '题目' || n, 'options', '["甲", "乙", "丙", "丁"]'::jsonb))
       from generate_series(1, 10) n)
     where formcode = 'EPDS' and musercode = 'M_CHENGUANG'`,
  );
  expect(await as('chen')(form.getFormDetail, { formcode: 'EPDS' })).toMatchObject({
    usable: 1,
    licence: { expiredate: '2026-03-31', acceptname: '马主任' },
  });
  clock.now = new Date('2026-03-31T10:00:00Z');
  expect((await as('chen')(form.getFormDetail, { formcode: 'EPDS' })).usable).toBe(1);
  clock.now = new Date('2026-03-31T16:00:00Z');
  expect((await as('chen')(form.getFormDetail, { formcode: 'EPDS' })).blockers).toEqual([
    '授权已于 2026-03-31 到期，须续期后才能开始新的测评',
  ]);
  await as('ma')(form.acceptFormLicence, { ...request, expiredate: '2027-03-31' });
  expect((await as('chen')(form.getFormDetail, { formcode: 'EPDS' })).usable).toBe(1);
});

test('a file of somebody else is no proof of a licence', async () => {
  const { as } = shared();
  const prooffileid = await uploadProof();
  await expect(
    as('fang')(form.acceptFormLicence, {
      formcode: 'EPDS',
      accepted: 1,
      note: '许可',
      prooffileid,
      expiredate: '2026-03-31',
    }),
  ).rejects.toMatchObject({ code: 130001 });
});

test('a plan with a price never has a form whose conditions forbid to charge for it', async () => {
  const { as } = shared();
  await as('fang')(form.acceptFormLicence, { formcode: 'DASS21', accepted: 1, note: '公益筛查' });
  const plan = {
    planname: '压力筛查',
    appid: '000000003',
    forms: [{ formcode: 'PHQ9' }, { formcode: 'DASS21' }],
    acknowledgement: '公益筛查使用，由心理咨询师逐份查看',
  };
  await expect(as('fang')(insertMUserExamPlan, { ...plan, price: 990 })).rejects.toMatchObject({
    code: 150002,
    message: expect.stringContaining('不得收费'),
  });
  const { plancode } = await as('fang')(insertMUserExamPlan, plan);
  await expect(as('fang')(updateMUserExamPlan, { plancode, price: 1 })).rejects.toMatchObject({ code: 150002 });
});
