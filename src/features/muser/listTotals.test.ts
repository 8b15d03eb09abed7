import { expect, test } from 'vitest';
import { open } from '#testing/institution.ts';
import { startServer } from '#testing/server.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';

test('the list of institutions tells how many there are, for every filter and for a search', async () => {
  const server = await startServer();
  const { as } = server;
  await Promise.all(['yucai', 'mingde'].map((name) => open(server, 'fang', name, { insname: `${name} 中学` })));
  await open(server, 'fang', 'renhe', { musertype: '004', sector: 'health', insname: '仁和医院' });
  for (const who of ['super', 'fang'] as const)
    for (const filters of [
      {},
      { musertypes: ['005'] },
      { musertype: '004', sector: 'health' },
      { enabled: 1 },
      { musertypes: ['002'] },
    ] as const) {
      const request = { ...filters, pageSize: 100 } as never;
      const all = await as(who)(getMUserPageList, request);
      expect([who, filters, all.total]).toEqual([who, filters, all.rows.length]);
      const searched = await as(who)(getMUserPageList, { ...(request as object), keyword: '中学' });
      expect([who, filters, searched.total]).toEqual([
        who,
        filters,
        all.rows.filter((row) => row.insname.includes('中学')).length,
      ]);
    }
  expect(await as('fang')(getMUserPageList, { page: 7 })).toMatchObject({
    total: (await as('fang')(getMUserPageList, {})).total,
    rows: [],
  });
});
