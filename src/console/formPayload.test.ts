import { expect, test } from 'vitest';
import { updateCUser } from '#features/cuser/cuser.contract.ts';
import { updateExamStage } from '#features/app/app.contract.ts';
import { updateMusic } from '#features/music/music.contract.ts';
import { updateMUserClient } from '#features/muser/entry/entry.contract.ts';
import { insertUser, updateUser } from '#features/org/user/user.contract.ts';
import { updateMUserExamPlan } from '#features/plan/plan.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { isUnchanged, validatePayload, toPayload } from '#ui/form/formPayload.ts';

const xiaoyu = { cuserid: 'C0000000001', version: 3, username: '林晓雨', birthday: '2011-05-02', phonenumber: '13800000001' };

test('emptying a telephone or birthday clears it, and a field that was always empty is left out', () => {
  const row = { cuserid: xiaoyu.cuserid, version: 3 };
  expect(toPayload(updateCUser, { ...xiaoyu, birthday: undefined, phonenumber: '' }, xiaoyu)).toEqual({
    ...row,
    birthday: '',
    phonenumber: '',
  });
  const { birthday: _, phonenumber: __, ...bare } = xiaoyu;
  expect(toPayload(updateCUser, { ...bare, birthday: undefined, phonenumber: '' }, { ...bare, phonenumber: '' })).toEqual(row);
});

test('an edit sends the version and only what changed; in an archive, only the changed members', () => {
  const saved = { ...xiaoyu, archive: { dorm: '3-201', studentno: '20230301' } };
  expect(toPayload(updateCUser, { ...saved, username: '林小雨', archive: { ...saved.archive, dorm: '3-202' } }, saved)).toEqual({
    cuserid: xiaoyu.cuserid,
    version: 3,
    username: '林小雨',
    archive: { dorm: '3-202' },
  });
  const wu = { userid: 'U00000002', version: 7, realname: '吴敏', roleids: [4, 5], duty: 1 };
  expect(toPayload(updateUser, { ...wu, duty: 0 }, wu)).toEqual({ userid: wu.userid, version: 7, duty: 0 });
  expect(toPayload(updateUser, { ...wu, roleids: [4] }, wu)).toEqual({ userid: wu.userid, version: 7, roleids: [4] });
  expect(isUnchanged(updateUser, { ...wu }, wu)).toBe(true);
});

test('every form clears a field with the value that its action accepts', () => {
  const wu = { userid: 'U00000002', phonenumber: '13800000002', email: 'wu@example.com', gender: '02', deptid: 4, remark: '兼' };
  const emptied = { userid: wu.userid, phonenumber: '', email: '', gender: undefined, deptid: undefined, remark: '' };
  expect(toPayload(updateUser, emptied, wu)).toEqual({
    userid: wu.userid,
    phonenumber: '',
    email: '',
    gender: null,
    deptid: null,
    remark: '',
  });
  const school = {
    musercode: 'M00000004',
    phonenumber: '13800000003',
    districtcode: '310104',
    shortname: '一中',
    expiredate: '2027-07-31',
  };
  const less = { musercode: school.musercode, phonenumber: '', districtcode: undefined, shortname: '', expiredate: undefined };
  expect(toPayload(updateMUser, less, school)).toEqual({
    musercode: school.musercode,
    phonenumber: null,
    districtcode: null,
    shortname: '',
    expiredate: null,
  });
  const plan = { plancode: 'P000001', version: 1, retestdays: 30, validend: '2027-01-31' };
  expect(toPayload(updateMUserExamPlan, { ...plan, retestdays: undefined, validend: undefined }, plan)).toEqual({
    ...plan,
    retestdays: null,
    validend: null,
  });
  expect(toPayload(updateMUserClient, { clientcode: 'x', hotline: '' }, { clientcode: 'x', hotline: '12356' })).toEqual({
    clientcode: 'x',
    hotline: '',
  });
});

test('emptying a required field is an error, and the old value is not sent', () => {
  expect(validatePayload(updateCUser, { ...xiaoyu, username: '' }, xiaoyu)).toEqual({ username: '姓名不能为空' });
  const stage = { stageid: 1, stagename: '秋季', ordernum: 10 };
  expect(validatePayload(updateExamStage, { ...stage, ordernum: undefined }, stage)).toEqual({ ordernum: '顺序不能为空' });
});

test('a new user without a telephone is sent without the field', () => {
  expect(
    toPayload(insertUser, { realname: '吴敏', sysusername: 'wumin', phonenumber: '', roleids: [] }, { roleids: [] }),
  ).toEqual({ realname: '吴敏', sysusername: 'wumin', roleids: [] });
});

test('another recording of the same length is sent with its length, and an unchanged one not at all', () => {
  const saved = { musicid: 3, version: 2, title: '雨声', fileid: 'a', duration: 20 };
  expect(toPayload(updateMusic, { ...saved, fileid: 'b' }, saved)).toEqual({ musicid: 3, version: 2, fileid: 'b', duration: 20 });
  expect(toPayload(updateMusic, { ...saved, title: '小雨' }, saved)).toEqual({ musicid: 3, version: 2, title: '小雨' });
});
