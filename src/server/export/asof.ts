import { shanghaiTime } from '#domain/base/calendar.ts';
import type { Context } from '#server/dispatch/handle.ts';

/** The words of an export that read the replica: up to when its data are complete. Empty when they are of the moment of the export. */
export function asofWords({ asof, now }: Pick<Context, 'asof' | 'now'>): string {
  const time = shanghaiTime(asof);
  return time < shanghaiTime(now) ? `，数据截至 ${time}` : '';
}
