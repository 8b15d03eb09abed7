import type { Handler } from '#server/dispatch/handle.ts';

/** A contract of a feature with the handlers of its actions. */
export type Bound = readonly [contract: Readonly<Record<string, unknown>>, handlers: readonly Handler[]];
