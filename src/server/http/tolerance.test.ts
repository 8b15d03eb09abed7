import { expect, test } from 'vitest';
import { aBarePerson, aRespondentSession, setPermission } from '#testing/factories.ts';
import { sharedHttp } from '#testing/http.ts';

const shared = sharedHttp();
const persons = 'as.m.cuser.getCUserPageList';

test('a name that no action has answers 130001 to every live session, also one that sounds like a respondent’s call', async () => {
  const { call, sqlAsOwner } = shared();
  await aBarePerson({ sqlAsOwner }, 'C_SELF');
  await aRespondentSession({ sqlAsOwner }, 'C_SELF', 'pupil');
  for (const token of ['chen', 'pupil'])
    for (const name of ['as.m.order.getOrderList', 'as.c.user.nothing', 'nothing'])
      expect([token, name, (await call(name, {}, { token })).json.errorCode]).toEqual([token, name, 130001]);
  for (const headers of [{}, { token: 'unknown' }])
    expect((await call('as.m.order.getOrderList', {}, headers as Record<string, string>)).json.errorCode).toBe(110000);
});

test('`limit` is the page size of a client that sends no `pageSize`', async () => {
  const { call } = shared();
  const rowsOf = async (request: object) => {
    const { json } = await call('as.m.system.user.selectUserList', request, { token: 'ma' });
    expect(json).toMatchObject({ errorCode: 0 });
    return (json.data as { rows: unknown[] }).rows.length;
  };
  expect([await rowsOf({ limit: 1 }), await rowsOf({ limit: 1, pageSize: 2 })]).toEqual([1, 2]);
});

test("'' and null in JSON mean an absent field", async () => {
  const { call } = shared();
  const empty = { page: '', pageSize: null, keyword: null, gender: '', isasc: '', orderby: null };
  const found = async (request: object) => (await call(persons, request, { token: 'chen' })).json;
  expect(await found(empty)).toEqual(await found({}));
  const apps = async (request: object) => (await call('as.m.app.getAppList', request, { token: 'chen' })).json;
  expect(await apps({ appid: '' })).toEqual(await apps({}));
  expect((await apps({ appid: null })).data).toHaveLength(4);
  expect((await call('as.m.user.login', { username: 'chen', pwd: null })).json).toMatchObject({
    errorCode: 120001,
    errorMsg: '密码不能为空',
  });
});

test('in a write, null still clears a field that may be empty, and an empty number is absent', async () => {
  const { call, sqlAsOwner } = shared();
  const root = { token: 'super' };
  const write = (request: object) => call('as.m.system.menu.updateMenu', { menuid: 601, ...request }, root);
  expect((await write({ title: '档案库', ordernum: 7, remark: '试用' })).json.errorCode).toBe(0);
  expect((await write({ title: null, ordernum: '', icon: null, remark: '' })).json.errorCode).toBe(0);
  expect(await sqlAsOwner('select title, ordernum, remark from menuoverride where menuid = 601')).toEqual([
    { title: '档案库', ordernum: 7, remark: '' },
  ]);
  await call('as.m.system.menu.deleteMenuById', { menuid: 601 }, root);
});

test('an unknown field of another client is ignored with a warning; our console is refused', async () => {
  const { call } = shared();
  const request = { page: 1, appVersion: '1.0', 地区: '云栖' };
  const foreign = await call(persons, request, { token: 'chen' });
  expect(foreign.json.errorCode).toBe(0);
  expect(foreign.headers.get('warning')).toBe('299 - "ignored fields: appVersion, %E5%9C%B0%E5%8C%BA"');
  const own = await call(persons, request, { token: 'chen', 'x-strict': '1' });
  expect(own.json).toMatchObject({ errorCode: 120002, errorMsg: '不支持的字段：appVersion、地区' });
  expect((await call(persons, { page: 1 }, { token: 'chen' })).headers.get('warning')).toBeNull();
});

test('unknown fields in the items of a list are ignored too, and named with their place', async () => {
  const { call } = shared();
  const { headers, json } = await call(
    'as.m.muser.addAppsAndStages',
    { musercode: 'M_CHENGUANG', items: [{ appid: '000000002', stagecodes: ['XS01'], checked: true }] },
    { token: 'fang' },
  );
  expect([json.errorCode, headers.get('warning')]).toEqual([0, '299 - "ignored fields: items.0.checked"']);
});

test('updateToOSS takes the file and its fields in any order', async () => {
  const http = shared();
  await setPermission(http, 'U_MA', '00030', 'grant');
  const song = new File(
    [
      Buffer.concat([
        Buffer.from('ID3'),
        Buffer.from([4, 0, 0, 0, 0, 0, 10]),
        Buffer.alloc(10),
        Buffer.from([0xff, 0xfb, 0x90, 0x64]),
        Buffer.alloc(50_000),
      ]),
    ],
    '雨声.mp3',
  );
  const send = async (token: string, ...order: string[]) => {
    const body = new FormData();
    for (const name of order) body.append(name, name === 'file' ? song : name === 'biztype' ? 'music' : '1');
    return (await (await http.post('as.m.access.updateToOSS', body, { token })).response.json()) as { errorCode: number };
  };
  for (const order of [
    ['biztype', 'ispublic', 'file'],
    ['file', 'biztype', 'ispublic'],
    ['ispublic', 'file', 'biztype'],
  ])
    expect(await send('ma', ...order)).toMatchObject({ errorCode: 0, data: { filename: '雨声.mp3', size: song.size } });
  expect(await send('ma', 'file', 'ispublic')).toMatchObject({ errorCode: 120002, data: { field: 'biztype' } });
  expect(await send('unknown', 'file', 'biztype')).toMatchObject({ errorCode: 110000 });
});
