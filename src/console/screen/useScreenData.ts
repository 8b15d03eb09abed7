import { useEffect, useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { getBigScreenData } from '#features/bigscreen/wall.contract.ts';
import { callAsScreen, hasNewBuild } from '#console/screen/screenCall.ts';

export type ScreenData = ResponseOf<typeof getBigScreenData>;

/** A screen asks once a minute. */
const PERIOD = 60_000;
/** While the server is away, it asks sooner at first: after these times, in milliseconds. */
const RETRIES = [5_000, 10_000, 20_000, 30_000];
/** After this many updates the screen looks for a new build of its page. */
const UPDATES_BETWEEN_BUILDS = 10;

/**
 * Reads the figures again and again. The last ones stay while the server is away. `onEnd` runs when the session of the screen is over.
 * After a new build of the product the page loads itself anew.
 */
export function useScreenData(token: string, onEnd: () => void): { data: ScreenData | undefined; isAway: boolean } {
  const [data, setData] = useState<ScreenData>();
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    let failures = 0;
    let updates = 0;
    const wait = (time: number) => {
      if (!isGone) timer = setTimeout(() => void update(), time);
    };
    const update = async () => {
      try {
        const next = await callAsScreen(getBigScreenData, {}, token);
        if (isGone) return;
        const hasReturned = failures > 0;
        failures = 0;
        updates += 1;
        setData(next);
        setIsAway(false);
        if ((hasReturned || updates % UPDATES_BETWEEN_BUILDS === 0) && (await hasNewBuild())) return location.reload();
        wait(PERIOD);
      } catch (error) {
        if (isGone) return;
        if (error instanceof ApiError && error.code === 110000) return onEnd();
        setIsAway(true);
        wait(RETRIES[failures] ?? PERIOD);
        failures += 1;
      }
    };
    void update();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [token, onEnd]);
  return { data, isAway };
}
