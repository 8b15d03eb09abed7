import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/server';
import type { Leases } from '#server/nodes/leases.ts';

/** Milliseconds for which a request waits for another one of the same upload; then it is refused (423). */
const WAIT_MS = 10_000;
/** Seconds after which an upload of a server that died is free. Shorter than `WAIT_MS`, so that a client need not come again. */
const LEASE_SECONDS = 5;
/** Milliseconds between two renewals of a lease, and between two attempts to get one that somebody else has. */
const RENEW_MS = 1_000;
const RETRY_MS = 200;

interface Holder {
  askToEnd: RequestRelease;
  ended: Promise<void>;
  release: () => void;
  /** gives the lease back; absent until it is taken */
  giveBack?: () => Promise<void>;
}

/**
 * Lets one request at a time write to an upload. A later request asks the earlier one to end and waits for it: after a broken
 * connection the client is back before the server has noticed. It may be back on another server, so the lock is a lease in the
 * database; between requests of one server it is handed over here.
 */
export function uploadLocker(leases: Leases, waitMs = WAIT_MS): Locker {
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
    const own: Holder = { askToEnd, ended, release };
    holders.set(id, own);
    try {
      own.giveBack = await takeLease(`upload ${id}`, stop, askToEnd);
    } catch (error) {
      holders.delete(id);
      release();
      throw error;
    }
  }

  /** Takes the lease from other servers. Returns the function that gives it back. */
  async function takeLease(name: string, stop: AbortSignal, askToEnd: RequestRelease): Promise<() => Promise<void>> {
    let holder = await leases.take(name, LEASE_SECONDS);
    while (holder === undefined) {
      if (stop.aborted) throw ERRORS.ERR_LOCK_TIMEOUT;
      await leases.ask(name);
      await new Promise((done) => setTimeout(done, RETRY_MS));
      holder = await leases.take(name, LEASE_SECONDS);
    }
    const taken = holder;
    let hasAsked = false;
    const timer = setInterval(() => {
      leases.renew(name, taken, LEASE_SECONDS).then(
        (state) => {
          if (state === 'held' || hasAsked) return;
          hasAsked = true;
          void askToEnd();
        },
        // The database is away. The next renewal tells.
        () => undefined,
      );
    }, RENEW_MS);
    return async () => {
      clearInterval(timer);
      await leases.release(name, taken).catch(() => undefined);
    };
  }

  const newLock = (id: string): Lock => ({
    lock: (signal, askToEnd) => acquire(id, signal, askToEnd),
    async unlock() {
      const holder = holders.get(id);
      await holder?.giveBack?.();
      holders.delete(id);
      holder?.release();
    },
  });
  return { newLock };
}
