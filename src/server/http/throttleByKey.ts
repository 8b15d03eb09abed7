import type { SessionHash } from '#server/db/scope.ts';

/**
 * Returns a function that calls `write` at most once a minute per session. Forty answers are forty calls but one write. The clock of the
 * machine may jump, so it is not used: put back by an hour, it would stop the writes, and sessions in use would end.
 */
export function throttleByKey(write: (session: SessionHash) => void): (session: SessionHash) => void {
  const lastTimes = new Map<SessionHash, number>();
  return (session) => {
    const now = performance.now();
    if (now - (lastTimes.get(session) ?? -Infinity) < 60_000) return;
    lastTimes.set(session, now);
    if (lastTimes.size > 50_000) for (const [key, time] of lastTimes) if (now - time > 60_000) lastTimes.delete(key);
    write(session);
  };
}
