import { expect, test } from 'vitest';
import { insertCUser } from '#features/cuser/cuser.contract.ts';
import { getDuplicatePageList, keepDistinct } from '#features/identity/duplicates.contract.ts';
import type { Person } from '#testing/people.ts';
import { startServer } from '#testing/server.ts';

const student = { appid: '000000002', gender: '02' as const };

test('equal names with one birthday or telephone and equally sounding names of one class wait in the queue, others do not', async () => {
  const { as } = await startServer();
  const add = async (username: string, more: object, who: Person = 'chen') =>
    (await as(who)(insertCUser, { ...student, username, ...more })).cuserid;
  const one = await add('林小雨', { birthday: '2011-07-08', phonenumber: '10000001234', archive: { studentno: '1' } });
  const two = await add('林小雨', { birthday: '2011-07-08', archive: { studentno: '2' } });
  const three = await add('周明', { archive: { studentno: '3', gradename: '初三', classname: '3班' } });
  const four = await add('周鸣', { archive: { studentno: '4', gradename: '初三', classname: '3班' } });
  // The same sound in another class, the same name without another sign, and another school.
  await add('周铭', { archive: { studentno: '5', gradename: '初三', classname: '4班' } });
  await add('林小雨', { birthday: '2012-01-01', archive: { studentno: '6' } });
  await add('林小雨', { birthday: '2011-07-08' }, 'qiao');
  const queue = async () =>
    (await as('chen')(getDuplicatePageList, {})).rows.map(({ persons }) => persons.map(({ cuserid }) => cuserid));
  expect(new Set((await queue()).map((pair) => pair.join()))).toEqual(new Set([`${one},${two}`, `${three},${four}`]));
  const { rows, total } = await as('chen')(getDuplicatePageList, {});
  expect(total).toBe(2);
  expect(rows.find(({ samebirthday }) => samebirthday === 1)?.persons[0]).toMatchObject({
    username: '林小雨',
    phonenumber: '100****1234',
    studentno: '1',
  });
  await as('chen')(keepDistinct, { cuserids: [four, three] });
  await as('chen')(keepDistinct, { cuserids: [three, four] });
  expect(await queue()).toEqual([[one, two]]);
  await expect(as('qiao')(keepDistinct, { cuserids: [one, two] })).rejects.toMatchObject({ code: 130001 });
});
