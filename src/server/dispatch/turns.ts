import { problems } from '#contract/problem.ts';

/**
 * Lets each key do a few things at once; the others wait for their turn in the order of their arrival. A waiting call holds no
 * connection to the database, so one session cannot take the connections of all others.
 */
export class Turns {
  readonly #states = new Map<string, { running: number; waiting: (() => void)[] }>();
  readonly #atOnce: number;
  readonly #mostWaiting: number;

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** Runs `work` when it is its turn. Throws 190001 when too many wait already. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const state = this.#states.get(key) ?? { running: 0, waiting: [] };
    this.#states.set(key, state);
    if (state.running < this.#atOnce) state.running += 1;
    else {
      if (state.waiting.length >= this.#mostWaiting) throw problems.tooManyRequests();
      // The call that ends gives its place to this one.
      await new Promise<void>((resolve) => state.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = state.waiting.shift();
      if (next) next();
      else if ((state.running -= 1) === 0) this.#states.delete(key);
    }
  }
}
