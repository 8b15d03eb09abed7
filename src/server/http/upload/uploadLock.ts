import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/server';

/** Milliseconds for which a request waits for another one of the same upload; then it is refused (423). */
const WAIT_MS = 10_000;

interface Holder {
  askToEnd: RequestRelease;
  ended: Promise<void>;
  release: () => void;
}

/**
 * Lets one request at a time write to an upload. A later request asks the earlier one to end and waits for it: after a broken
 * connection the client is back before the server has noticed. The locks are those of this process.
 */
export function uploadLocker(waitMs = WAIT_MS): Locker {
  const holders = new Map<string, Holder>();

  async function acquire(id: string, signal: AbortSignal, askToEnd: RequestRelease) {
    const stop = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    const stopped = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
    for (let holder = holders.get(id); holder; holder = holders.get(id)) {
      await holder.askToEnd();
      await Promise.race([holder.ended, stopped]);
      if (stop.aborted) throw ERRORS.ERR_LOCK_TIMEOUT;
    }
    let release = () => undefined as void;
    const ended = new Promise<void>((resolve) => (release = resolve));
    holders.set(id, { askToEnd, ended, release });
  }

  const newLock = (id: string): Lock => ({
    lock: (signal, askToEnd) => acquire(id, signal, askToEnd),
    async unlock() {
      const holder = holders.get(id);
      holders.delete(id);
      holder?.release();
    },
  });
  return { newLock };
}
