import { sql } from 'kysely';
import type pg from 'pg';
import { createPool, type Db } from '#server/db/pools.ts';
import type { Target } from '#server/db/roles.ts';
import { withScope, withStatsScope, type Scope, type SessionCredentials, type StatsScope } from '#server/db/scope.ts';
import type { TextSealer } from '#server/sealing/textSealer.ts';

/** A figure may be an hour old, like the figures that are kept for several institutions (decision 0068). */
export const FIGURES_LAG_MS = 3_600_000;
/** An export names persons, so it must know who was erased or withdrew a moment ago. */
export const EXPORT_LAG_MS = 60_000;
/** After a failure the replica is left alone for this time. */
const PAUSE_MS = 15_000;

/** What the primary and the replica must agree on before a session may read on the replica. */
interface Position {
  /** the end of the primary's log at this time */
  lsn: string;
  time: Date;
  /** a mark of the caller and its rights; null without a live session */
  caller: string | null;
}

/** The replica may not answer this read; the primary does. */
class Unusable extends Error {}

/** A replica that does not answer within this time counts as gone. */
const CONNECT_MS = 3_000;

/**
 * A streaming replica of the database (`DATABASE_REPLICA_URL`, decision 0113). Row-level security holds there as on the primary, by the
 * session that is copied with everything else. A read that the replica cannot answer is answered by the primary.
 */
export class Replica {
  readonly #app: pg.Pool;
  readonly #stats: pg.Pool;
  readonly #report: (error: Error) => void;
  #pausedUntil = 0;
  #isGone = false;

  /** @param size connections for exports, and as many for figures */
  constructor(target: Target, report: (error: Error) => void, size: number, texts: TextSealer) {
    // A connection that breaks while nobody uses it is told by the next read.
    const create = (role: 'xinli_app' | 'xinli_stats') =>
      createPool(target, role, size, () => undefined, { texts, connectMs: CONNECT_MS });
    this.#app = create('xinli_app');
    this.#stats = create('xinli_stats');
    this.#report = report;
  }

  async end() {
    await Promise.all([this.#app.end(), this.#stats.end()]);
  }

  /** Runs statistics on the replica. `asof`: all that was committed until then is counted. Undefined: the primary must answer. */
  readFigures<T>(
    primary: Pick<Scope, 'db'>,
    credentials: SessionCredentials,
    work: (scope: StatsScope, asof: Date) => Promise<T>,
  ): Promise<{ result: T } | undefined> {
    return this.#read(primary, FIGURES_LAG_MS, (check) =>
      withStatsScope(this.#stats, credentials, async (scope) => work(scope, await check(scope.db))),
    );
  }

  /** Runs an export on the replica, as `readFigures`. Whatever it refuses is asked of the primary too. */
  readExport<T>(
    primary: Pick<Scope, 'db'>,
    credentials: SessionCredentials,
    work: (scope: Scope, asof: Date) => Promise<T>,
  ): Promise<{ result: T } | undefined> {
    return this.#read(primary, EXPORT_LAG_MS, (check) =>
      withScope(this.#app, credentials, async (scope) => work(scope, await check(scope.db))),
    );
  }

  async #read<T>(
    primary: Pick<Scope, 'db'>,
    mostLag: number,
    run: (check: (db: Db) => Promise<Date>) => Promise<T>,
  ): Promise<{ result: T } | undefined> {
    if (performance.now() < this.#pausedUntil) return undefined;
    const position = await findPosition(primary.db);
    let hasAnswered = false;
    try {
      const result = await run(async (db) => {
        const asof = await findTime(db, position, mostLag);
        hasAnswered = true;
        this.#tellBack();
        return asof;
      });
      return { result };
    } catch (error) {
      // A replica that answered and then failed has cancelled the read, or the read writes. The primary says what is true.
      if (!hasAnswered && !(error instanceof Unusable)) this.#tellGone(error);
      return undefined;
    }
  }

  #tellGone(error: unknown) {
    this.#pausedUntil = performance.now() + PAUSE_MS;
    if (!this.#isGone) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#report(new Error(`the replica does not answer, so figures and exports read the primary: ${reason}`));
    }
    this.#isGone = true;
  }

  #tellBack() {
    if (this.#isGone) this.#report(new Error('the replica answers again'));
    this.#isGone = false;
  }
}

/** The end of the primary's log, and the caller as the primary knows it. */
async function findPosition(db: Db): Promise<Position> {
  const { rows } = await sql<Position>`
    select pg_current_wal_lsn()::text as lsn, statement_timestamp() as time, auth.caller_mark() as caller`.execute(db);
  return rows[0] as Position;
}

/**
 * Returns up to when the replica is complete: the time of the primary's position, when it has replayed all until there, otherwise the time
 * of the last transaction that it has replayed.
 * @throws Unusable when it is no replica, lags too much, or knows other rights of the caller
 */
async function findTime(db: Db, { lsn, time, caller }: Position, mostLag: number): Promise<Date> {
  const { rows } = await sql<{ asof: Date | null; caller: string | null }>`
    select case when pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn then ${time}::timestamptz else pg_last_xact_replay_timestamp() end as asof,
      auth.caller_mark() as caller
    where pg_is_in_recovery()`.execute(db);
  const { asof = null, caller: known = null } = rows[0] ?? {};
  if (asof === null || known === null || known !== caller || Date.now() - asof.getTime() > mostLag) throw new Unusable();
  return asof;
}
