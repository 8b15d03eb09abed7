import { expect, test } from 'vitest';
import { getUserInfo } from '#features/session/session.contract.ts';
import { getMyDay } from '#features/workbench/workbench.contract.ts';
import { matchPath } from '#ui/router/path.ts';
import { buildNavigation } from '#console/navigation.ts';
import { people, type Person } from '#testing/people.ts';
import { startServer } from '#testing/server.ts';

/** The pages that a person may open. */
async function navigationOf({ as }: Awaited<ReturnType<typeof startServer>>, who: Person) {
  const user = await as(who)(getUserInfo, {});
  return buildNavigation(user, new Set(user.permissions.map(({ component }) => component)));
}

test('every tile of the workbench leads to a page that the account may open', async () => {
  const server = await startServer();
  for (const who of Object.keys(people) as Person[]) {
    const { blocks } = await server.as(who)(getMyDay, {});
    const { routes } = await navigationOf(server, who);
    const paths = blocks.flatMap((block) => [block.path, ...block.rows.map((row) => row.path)]).filter(Boolean);
    const closed = paths.filter((path) => !routes.some((route) => matchPath(route.path, path.split('?')[0] as string)));
    expect([who, closed]).toEqual([who, []]);
  }
});

test('a bureau lands on 数据分析, and so does a school whose menu begins there', async () => {
  const server = await startServer();
  expect((await navigationOf(server, 'zhou')).home).toBe('/statistics/statistics');
  expect((await navigationOf(server, 'chen')).home).toBe('/statistics/statistics');
});
