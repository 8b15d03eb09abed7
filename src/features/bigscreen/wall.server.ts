import { shanghaiTime } from '#domain/base/calendar.ts';
import { handle } from '#server/dispatch/handle.ts';
import { readOwnFigures } from '#features/bigscreen/ownFigures.ts';
import { readReleasedFigures } from '#features/bigscreen/releasedFigures.ts';
import * as contract from '#features/bigscreen/wall.contract.ts';
import { findOwnName, findRegionNames } from '#features/bigscreen/wall.queries.ts';

const getBigScreenData = handle(contract.getBigScreenData, async ({ regioncode }, ctx) => {
  const { scope, caller, now } = ctx;
  const regionname = regioncode ? ((await findRegionNames(scope, [regioncode])).get(regioncode) ?? '') : '';
  return {
    insname: await findOwnName(scope, caller.musercode),
    regionname,
    now: shanghaiTime(now),
    ...(caller.musertype === '003' ? await readReleasedFigures(ctx, regioncode) : await readOwnFigures(ctx, regioncode)),
  };
});

export const wallHandlers = [getBigScreenData];
