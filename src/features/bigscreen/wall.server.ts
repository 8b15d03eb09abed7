import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { readOwnFigures } from '#features/bigscreen/ownFigures.ts';
import * as contract from '#features/bigscreen/wall.contract.ts';
import { findOwnName, findRegionNames } from '#features/bigscreen/wall.queries.ts';

const getBigScreenData = handle(contract.getBigScreenData, async ({ regioncode }, ctx) => {
  const { scope, caller, now } = ctx;
  // Authorities read the nightly release only.
  if (caller.musertype === '003') throw problems.notAllowed();
  const regionname = regioncode ? ((await findRegionNames(scope, [regioncode])).get(regioncode) ?? '') : '';
  return {
    insname: await findOwnName(scope, caller.musercode),
    regionname,
    now: shanghaiTime(now),
    ...(await readOwnFigures(ctx, regioncode)),
  };
});

export const wallHandlers = [getBigScreenData];
