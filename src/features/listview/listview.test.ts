import { expect, test } from 'vitest';
import { deleteListView, getListViews, saveListView, setDefaultListView, type ListViewState } from '#contract/listView.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const list = 'as.m.cuser.getCUserPageList';
const state: ListViewState = {
  filters: { keyword: '王小明', gradecode: ['07', '08'] },
  orderby: 'createtime',
  isasc: '0',
  columns: { phonenumber: false },
  density: 'compact',
  widths: { username: 180 },
};
const save = ({ as }: TestServer, person: 'chen' | 'lu', more: object = {}) =>
  as(person)(saveListView, { list, name: '七八年级', isshared: 0, state, ...more });
const names = async ({ as }: TestServer, person: Parameters<TestServer['as']>[0]) =>
  (await as(person)(getListViews, {})).views.map(({ name }) => name);

test('a view gives its filters, order, columns, density and widths back, and its words are sealed', async () => {
  const server = await startServer();
  const { viewid } = await save(server, 'chen');
  expect((await server.as('chen')(getListViews, {})).views).toEqual([
    { viewid, list, name: '七八年级', state, isshared: 0, isown: 1, ownername: '陈静怡', isdefault: 0 },
  ]);
  // As hexadecimal digits the reader of the test does not open the seals.
  const [row] = await server.sqlAsOwner<{ stored: string }>(
    "select encode(convert_to(name || state::text, 'UTF8'), 'hex') as stored from listview",
  );
  const stored = Buffer.from(row?.stored ?? '', 'hex').toString();
  expect(stored).toContain('phonenumber');
  expect(stored).not.toMatch(/七八年级|王小明/);
});

test('a colleague opens a shared view, changes nothing of it, and opens the list with it until it is not shared any more', async () => {
  const server = await startServer();
  const { as } = server;
  const { viewid } = await save(server, 'chen');
  expect(await names(server, 'lu')).toEqual([]);
  await expect(as('lu')(setDefaultListView, { list, viewid })).rejects.toMatchObject({ code: 130001 });
  await save(server, 'chen', { viewid, isshared: 1 });
  await as('lu')(setDefaultListView, { list, viewid });
  expect((await as('lu')(getListViews, {})).views).toMatchObject([{ viewid, isown: 0, isshared: 1, isdefault: 1 }]);
  expect((await as('chen')(getListViews, {})).views).toMatchObject([{ viewid, isown: 1, isdefault: 0 }]);
  await expect(save(server, 'lu', { viewid, name: '改名' })).rejects.toMatchObject({ code: 130001 });
  await expect(as('lu')(deleteListView, { viewid })).rejects.toMatchObject({ code: 130001 });
  // Another school never sees it.
  expect(await names(server, 'qiao')).toEqual([]);
  await save(server, 'chen', { viewid, isshared: 0 });
  await save(server, 'chen', { viewid, isshared: 1 });
  expect((await as('lu')(getListViews, {})).views).toMatchObject([{ isdefault: 0 }]);
});

test('one list has one default for each account, and a deleted view is nobody’s default', async () => {
  const server = await startServer();
  const { as } = server;
  const { viewid: first } = await save(server, 'chen', { isshared: 1 });
  const { viewid: second } = await save(server, 'chen', { name: '九年级' });
  await as('chen')(setDefaultListView, { list, viewid: first });
  await as('chen')(setDefaultListView, { list, viewid: second });
  const defaults = async () => (await as('chen')(getListViews, {})).views.filter(({ isdefault }) => isdefault === 1);
  expect((await defaults()).map(({ viewid }) => viewid)).toEqual([second]);
  await as('chen')(setDefaultListView, { list, viewid: null });
  expect(await defaults()).toEqual([]);
  await as('lu')(setDefaultListView, { list, viewid: first });
  await as('chen')(deleteListView, { viewid: first });
  expect(await names(server, 'lu')).toEqual([]);
});

test('two views of a list have two names, an account has at most 50 views, and a view of another list is not changed', async () => {
  const server = await startServer();
  const { viewid } = await save(server, 'chen');
  await expect(save(server, 'chen')).rejects.toMatchObject({ code: 120002, data: { field: 'name' } });
  // The same name for another list, or by a colleague, is another view.
  await save(server, 'chen', { list: 'as.m.warning.getWarningPageList' });
  await save(server, 'lu');
  await expect(save(server, 'chen', { viewid, list: 'as.m.warning.getWarningPageList', name: '换列表' })).rejects.toMatchObject({
    code: 130001,
  });
  for (let number = 3; number <= 50; number++) await save(server, 'chen', { name: `视图${number}` });
  await expect(save(server, 'chen', { name: '第五十一个' })).rejects.toMatchObject({ code: 140001 });
});
