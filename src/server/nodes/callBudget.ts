import type pg from 'pg';
import { problems } from '#contract/problem.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** Tokens of a fresh key, and tokens that come back per second: those of `RateLimiter`. */
const [BURST, PER_SECOND] = [300, 30];
const SWEEP_MS = 600_000;

/**
 * The token bucket of calls that prove something before a sign-in: a password, a code, a link. It lies in the database, so that an
 * attacker has the same number of attempts however many servers there are.
 * The limits of sessions (`RateLimiter`) protect one process from too much work. So each process has its own.
 */
export class CallBudget {
  readonly #authn: Pick<pg.Pool, 'query'>;
  readonly #cipher: FieldCipher;
  #sweeptime = Date.now();

  constructor(authn: Pick<pg.Pool, 'query'>, cipher: FieldCipher) {
    this.#authn = authn;
    this.#cipher = cipher;
  }

  /** Takes `cost` tokens of an address or of an address and a name; throws 190001 when there are too few. */
  async take(key: string, cost: number): Promise<void> {
    const { rowCount } = await this.#authn.query(
      `insert into auth.callbudget as b (key, tokens, time) values ($1, $3::float8 - $2::float8, now())
       on conflict (key) do update set time = now(),
         tokens = least($3::float8, b.tokens + greatest(0, extract(epoch from now() - b.time))::float8 * $4::float8) - $2::float8
       where least($3::float8, b.tokens + greatest(0, extract(epoch from now() - b.time))::float8 * $4::float8) >= $2::float8`,
      [this.#cipher.hmac('budget', key), cost, BURST, PER_SECOND],
    );
    if (Date.now() - this.#sweeptime > SWEEP_MS) void this.#deleteFull();
    if (rowCount !== 1) throw problems.tooManyRequests();
  }

  /** Deletes the keys that have refilled; a new one would be equal. */
  async #deleteFull(): Promise<void> {
    this.#sweeptime = Date.now();
    await this.#authn.query("delete from auth.callbudget where time < now() - interval '1 hour'").catch(() => undefined);
  }
}
