import { expect, test } from 'vitest';
import { openInstitution } from '#testing/institution.ts';
import { startServer } from '#testing/server.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';

test('the list of institutions returns the correct total for every filter and for a search', async () => {
  const server = await startServer();
  const { as } = server;
  await Promise.all(['yucai', 'mingde'].map((name) => openInstitution(server, 'fang', name, { insname: `${name} 中学` })));
  await openInstitution(server, 'fang', 'renhe', { musertype: '004', sector: 'health', insname: '仁和医院' });
  for (const person of ['super', 'fang'] as const)
    for (const filters of [
      {},
      { musertypes: ['005'] },
      { musertype: '004', sector: 'health' },
      { enabled: 1 },
      { musertypes: ['002'] },
    ] as const) {
      const request = { ...filters, pageSize: 100 } as never;
      const allRows = await as(person)(getMUserPageList, request);
      expect([person, filters, allRows.total]).toEqual([person, filters, allRows.rows.length]);
      const searchRows = await as(person)(getMUserPageList, { ...(request as object), keyword: '中学' });
      expect([person, filters, searchRows.total]).toEqual([
        person,
        filters,
        allRows.rows.filter((row) => row.insname.includes('中学')).length,
      ]);
    }
  expect(await as('fang')(getMUserPageList, { page: 7 })).toMatchObject({
    total: (await as('fang')(getMUserPageList, {})).total,
    rows: [],
  });
});
