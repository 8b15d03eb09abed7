import type { SessionHash } from '#server/db/scope.ts';

/** Lets `write` happen at most once a minute per session: a sheet of forty answers is forty calls and one mark of use. */
export function throttleByKey(write: (session: SessionHash) => void): (session: SessionHash) => void {
  const last = new Map<SessionHash, number>();
  return (session) => {
    const now = Date.now();
    if (now - (last.get(session) ?? 0) < 60_000) return;
    last.set(session, now);
    if (last.size > 50_000) for (const [each, at] of last) if (now - at > 60_000) last.delete(each);
    write(session);
  };
}
