import { expect, test } from 'vitest';
import { accessOf, landingPathOf, accountName } from '#domain/tenant/access.ts';

const specialAccount = (more: Partial<{ issuper: 0 | 1; loginas: string; appexempt: 0 | 1; navextra: 0 | 1 }>) => ({
  issuper: 0 as const,
  loginas: '',
  appexempt: 0 as const,
  navextra: 0 as const,
  ...more,
});

test.each([
  ['001', { extra: [], exempt: true, without: 'statisticsN' }],
  ['002', { extra: [], exempt: true, without: 'statisticsN' }],
  ['003', { extra: [], exempt: true, without: 'statisticsN' }],
  ['004', { extra: [], exempt: false, without: 'statistics1' }],
  ['005', { extra: ['0000901'], exempt: false, without: 'statisticsN' }],
  ['009', { extra: [], exempt: false, without: 'statisticsN' }],
])('an account of type %s', (musertype, { extra, exempt, without }) => {
  expect(accessOf({ musercode: 'M1', musertype, userid: null, rolekeys: [] })).toEqual({
    roles: [],
    extracodes: extra,
    issuper: false,
    loginas: '',
    appexempt: exempt,
    navextra: false,
    without,
  });
});

test('the super account has every permission only when it signs in without a userid', () => {
  const facts = { musercode: 'AS000001', musertype: '001', special: specialAccount({ issuper: 1 }), rolekeys: [] };
  expect(accessOf({ ...facts, userid: null })).toMatchObject({ issuper: true, roles: ['admin'] });
  expect(accessOf({ ...facts, userid: 'U00000001' }).issuper).toBe(false);
});

test('the education bureau lands on statistics, a duty officer on the crisis list, others on their first menu', () => {
  const bureau = accessOf({
    musercode: 'JYJ00001',
    musertype: '003',
    userid: null,
    special: specialAccount({ loginas: 'JYJ' }),
    rolekeys: [],
  });
  const duty = accessOf({ musercode: 'M2', musertype: '002', userid: 'U1', rolekeys: ['warningduty'] });
  expect(landingPathOf(bureau.loginas, '/a/b')).toBe('/statistics/statistics');
  expect(landingPathOf(duty.loginas, '/a/b')).toBe('/earlyWarning/earlyWarning');
  expect(landingPathOf('', '/a/b')).toBe('/a/b');
  expect(landingPathOf('', undefined)).toBe('/404');
});

test('an account with special settings skips the app dialog and gets the two extra buttons', () => {
  expect(
    accessOf({
      musercode: 'ZS000001',
      musertype: '005',
      userid: null,
      special: specialAccount({ appexempt: 1, navextra: 1 }),
      rolekeys: [],
    }),
  ).toMatchObject({ appexempt: true, navextra: true });
});

test('a member of staff has sysusername as name, an institution has username', () => {
  expect(accountName({ userid: 'U1', sysusername: 'chen', username: 'school' })).toBe('chen');
  expect(accountName({ userid: null, sysusername: '', username: 'school' })).toBe('school');
});
