import { problems } from '#contract/problem.ts';

/** The number of keys above which the limiter deletes what it no longer needs, and the least time between two deletions. */
const MANY_KEYS = 50_000;
const SWEEP_MS = 1_000;

/**
 * A token bucket per session, or per address before sign-in. Signed-in respondents are limited per session,
 * because a whole school answers from one address. It measures by a clock that never jumps: when the clock of the machine is put
 * back, nobody must wait for it to catch up.
 */
export class RateLimiter {
  readonly #buckets = new Map<string, { tokens: number; time: number }>();
  readonly #burst: number;
  readonly #perSecond: number;
  #sweeptime = -SWEEP_MS;

  constructor(burst = 300, perSecond = 30) {
    this.#burst = burst;
    this.#perSecond = perSecond;
  }

  /** Takes `cost` tokens; throws 190001 when there are too few. */
  take(key: string, cost: number) {
    const now = performance.now();
    const tokens = this.#tokensOf(key, now);
    this.#buckets.set(key, { tokens: tokens < cost ? tokens : tokens - cost, time: now });
    if (this.#buckets.size > MANY_KEYS) this.#deleteFull(now);
    if (tokens < cost) throw problems.tooManyRequests();
  }

  /** Whether the key has fewer than `cost` tokens left. */
  isSpent(key: string, cost: number): boolean {
    return this.#tokensOf(key, performance.now()) < cost;
  }

  /** Whether the key was used lately. */
  isKnown(key: string): boolean {
    return this.#buckets.has(key);
  }

  /** Forgets a key. */
  forget(key: string) {
    this.#buckets.delete(key);
  }

  #tokensOf(key: string, now: number): number {
    const bucket = this.#buckets.get(key);
    return bucket ? Math.min(this.#burst, bucket.tokens + ((now - bucket.time) / 1000) * this.#perSecond) : this.#burst;
  }

  /** Deletes the buckets that have refilled; a new one would be equal. */
  #deleteFull(now: number) {
    if (now - this.#sweeptime < SWEEP_MS) return;
    this.#sweeptime = now;
    const refillTime = (this.#burst / this.#perSecond) * 1000;
    for (const [key, bucket] of this.#buckets) if (now - bucket.time > refillTime) this.#buckets.delete(key);
  }
}
