import type pg from 'pg';
import type { SessionHash } from '#server/scope.ts';

/** Whose call an entry of a bundle is; the database reads it from the session, as for any other call. */
export interface Bearing {
  session: SessionHash | '';
  bound: SessionHash | undefined;
}

/** The functions of db/migrations/0023 that take many entries at once. */
const statements = {
  load: 'select * from auth.load_sittings($1::jsonb, false)',
  save: 'select * from auth.save_answers($1::jsonb, false) as n',
  handIn: 'select * from auth.hand_in($1::jsonb, false)',
} as const;

interface Waiting {
  entry: object;
  done: (row: object | undefined) => void;
}

/** More than this many wait for the next bundle, so that nobody waits for long behind a whole school. */
const most = 48;

/**
 * Carries calls of many respondents out together: whatever came while one bundle was away goes in the next, as one statement and one
 * transaction. Nothing is held back to fill a bundle, so a single call is as fast as it can be. An entry the database did not carry
 * out (its session ended, somebody else holds the row, the bundle failed) gets undefined: its caller then goes alone.
 */
export class Together {
  readonly #pool: pg.Pool;
  readonly #onError: (error: Error) => void;
  readonly #waiting: Record<keyof typeof statements, Waiting[]> = { load: [], save: [], handIn: [] };
  readonly #away = new Set<keyof typeof statements>();

  constructor(pool: pg.Pool, onError: (error: Error) => void) {
    this.#pool = pool;
    this.#onError = onError;
  }

  /** The row that came back for an entry; besides whose it is, an entry holds what its function wants. */
  ask<Row extends object>(
    which: keyof typeof statements,
    entry: Bearing & { code: string; [field: string]: unknown },
  ): Promise<Row | undefined> {
    return new Promise((done) => {
      this.#waiting[which].push({ entry, done: done as Waiting['done'] });
      void this.#send(which);
    });
  }

  async #send(which: keyof typeof statements): Promise<void> {
    if (this.#away.has(which)) return;
    this.#away.add(which);
    while (this.#waiting[which].length > 0) {
      const bundle = this.#waiting[which].splice(0, most);
      const rows = await this.#carry(which, bundle);
      bundle.forEach(({ done }, n) => done(rows.get(n)));
    }
    this.#away.delete(which);
  }

  async #carry(which: keyof typeof statements, bundle: readonly Waiting[]): Promise<ReadonlyMap<number, object>> {
    try {
      const asked = JSON.stringify(bundle.map(({ entry }, n) => ({ ...entry, n })));
      const { rows } = await this.#pool.query<{ n: number }>(statements[which], [asked]);
      return new Map(rows.map((row) => [row.n, row]));
    } catch (error) {
      this.#onError(error as Error);
      return new Map();
    }
  }
}
