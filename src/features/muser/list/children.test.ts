import { expect, test } from 'vitest';
import { openInstitution } from '#testing/institution.ts';
import { startServer } from '#testing/server.ts';
import { deleteMUser, getMUserTree, updateMUserCategory } from '#features/muser/muser.contract.ts';

test('the tree counts a provider’s schools after concurrent creations, moves and deletions', async () => {
  const server = await startServer();
  const childCount = async (insname: string) =>
    (await server.as('super')(getMUserTree, {})).children.find((child) => child.insname === insname)?.childcount;
  const provider = await openInstitution(server, 'super', 'yuanhang', {
    musertype: '002',
    sector: 'platform',
    insname: '远航服务商',
  });
  expect(await childCount('远航服务商')).toBe(0);
  const schools = await Promise.all(
    ['yucai', 'mingde', 'bowen', 'hongyi'].map((name) =>
      openInstitution(server, 'super', name, { parentmusercode: provider.musercode, insname: `${name} 中学` }),
    ),
  );
  expect(await childCount('远航服务商')).toBe(4);
  const [yucai, mingde, bowen, hongyi] = schools.map((school) => school.musercode) as [string, string, string, string];
  await Promise.all(
    [yucai, mingde].map((musercode) => server.as('super')(updateMUserCategory, { musercode, parentmusercode: 'M_ANLAN' })),
  );
  await Promise.all([bowen, hongyi].map((musercode) => server.as('super')(deleteMUser, { musercode })));
  expect(await childCount('远航服务商')).toBe(0);
  await server.as('super')(updateMUserCategory, { musercode: yucai, parentmusercode: provider.musercode });
  expect(await childCount('远航服务商')).toBe(1);
});
