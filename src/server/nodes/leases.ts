import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** What the holder of a lease learns when it renews it: still its own; its own, and somebody waits; lost. */
export type LeaseState = 'held' | 'asked' | 'lost';

/**
 * Work that one of several servers does at a time. A lease is a row with an end, not a lock of a connection: it costs no connection,
 * works through a pool of transactions, and ends by itself when its server dies.
 * A server that stood still for longer than its lease may still be at work when another one begins. So what must never happen twice
 * also has its own guard in its rows.
 */
export class Leases {
  readonly #authn: Pick<pg.Pool, 'query'>;

  constructor(authn: Pick<pg.Pool, 'query'>) {
    this.#authn = authn;
  }

  /**
   * Takes the lease for `seconds` and returns its holder; undefined while somebody else has it. An end that is further away was written
   * while the clock was ahead: it does not count, or the work would stand still until the clock is there. A minute is no jump: of two
   * attempts at once, the later one may have begun before the earlier one.
   */
  async take(name: string, seconds: number): Promise<string | undefined> {
    const holder = randomUUID();
    const { rowCount } = await this.#authn.query(
      `insert into auth.lease as l (name, holder, expiretime) values ($1, $2, now() + $3::int * interval '1 second')
       on conflict (name) do update set holder = excluded.holder, expiretime = excluded.expiretime, isasked = false
       where l.expiretime <= now() or l.expiretime > now() + ($3::int + 60) * interval '1 second'`,
      [name, holder, seconds],
    );
    return rowCount === 1 ? holder : undefined;
  }

  /** Renews a lease for `seconds`, also one that has ended but that nobody took. */
  async renew(name: string, holder: string, seconds: number): Promise<LeaseState> {
    const { rows } = await this.#authn.query<{ isasked: boolean }>(
      `update auth.lease set expiretime = now() + $3::int * interval '1 second' where name = $1 and holder = $2 returning isasked`,
      [name, holder, seconds],
    );
    return rows[0] ? (rows[0].isasked ? 'asked' : 'held') : 'lost';
  }

  /** Asks the holder to end. It learns it when it renews its lease. */
  async ask(name: string): Promise<void> {
    await this.#authn.query('update auth.lease set isasked = true where name = $1', [name]);
  }

  /** Gives the lease back. */
  async release(name: string, holder: string): Promise<void> {
    await this.#authn.query('delete from auth.lease where name = $1 and holder = $2', [name, holder]);
  }
}

/** Seconds after which another server takes over the work of one that died, and milliseconds between two renewals. */
const WORK_SECONDS = 30;
const RENEW_MS = 8_000;

/** Runs `work` unless another server does it. Returns whether it ran. */
export async function runAlone(leases: Leases, name: string, work: () => Promise<unknown>): Promise<boolean> {
  const holder = await leases.take(name, WORK_SECONDS);
  if (holder === undefined) return false;
  // A renewal that fails is tried again. Without a database the work cannot go on either.
  const timer = setInterval(() => void leases.renew(name, holder, WORK_SECONDS).catch(() => undefined), RENEW_MS);
  try {
    await work();
    return true;
  } finally {
    clearInterval(timer);
    // Without the database the lease ends by itself.
    await leases.release(name, holder).catch(() => undefined);
  }
}
