import { problems } from '#contract/problem.ts';

/**
 * A token bucket per session, or per address before sign-in. Signed-in respondents are limited per session,
 * because a whole school answers from one address.
 */
export class RateLimiter {
  readonly #buckets = new Map<string, { tokens: number; time: number }>();
  readonly #burst: number;
  readonly #perSecond: number;

  constructor(burst = 300, perSecond = 30) {
    this.#burst = burst;
    this.#perSecond = perSecond;
  }

  /** Takes `cost` tokens; throws 190001 when there are too few. */
  take(key: string, cost: number) {
    const now = Date.now();
    const bucket = this.#buckets.get(key) ?? { tokens: this.#burst, time: now };
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.time) / 1000) * this.#perSecond);
    bucket.time = now;
    if (bucket.tokens < cost) throw problems.tooManyRequests();
    bucket.tokens -= cost;
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > 50_000) this.#deleteFull(now);
  }

  /** Deletes the buckets that have refilled; a new one would be equal. */
  #deleteFull(now: number) {
    const refillTime = (this.#burst / this.#perSecond) * 1000;
    for (const [key, bucket] of this.#buckets) if (now - bucket.time > refillTime) this.#buckets.delete(key);
  }
}
