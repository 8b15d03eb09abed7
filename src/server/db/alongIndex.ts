import { sql } from 'kysely';
import type { Scope } from '#server/scope.ts';

/**
 * From here to the end of the transaction lists are walked along an index in their order, by plans made once per connection. The
 * planner does not know whose session it is and takes the caller's reach for half a percent of a table: of whoever reaches
 * everything it would fetch all and sort it, and it would plan every page anew (docs/decisions/0017).
 */
export const alongIndex = (scope: Scope) =>
  sql`select set_config('enable_sort', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(scope.db);
