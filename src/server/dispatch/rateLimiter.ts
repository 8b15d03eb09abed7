import { problems } from '#contract/problem.ts';

/**
 * A token bucket per session (or address, before sign-in). Respondents are limited per session and never per address:
 * a whole school answers from behind one.
 */
export class RateLimiter {
  readonly #buckets = new Map<string, { tokens: number; at: number }>();
  readonly #burst: number;
  readonly #perSecond: number;

  constructor(burst = 300, perSecond = 30) {
    this.#burst = burst;
    this.#perSecond = perSecond;
  }

  /** Takes `cost` tokens or refuses with 190001. */
  take(key: string, cost: number) {
    const now = Date.now();
    const bucket = this.#buckets.get(key) ?? { tokens: this.#burst, at: now };
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#perSecond);
    bucket.at = now;
    if (bucket.tokens < cost) throw problems.tooManyRequests();
    bucket.tokens -= cost;
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > 50_000) this.#forget(now);
  }

  #forget(now: number) {
    const full = (this.#burst / this.#perSecond) * 1000;
    for (const [key, bucket] of this.#buckets) if (now - bucket.at > full) this.#buckets.delete(key);
  }
}
