import { sql } from 'kysely';
import type { Scope } from '#server/scope.ts';

/**
 * From here to the end of the transaction lists are walked along an index in their order. The planner does not know whose session it
 * is and takes the caller's reach for half a percent of a table: of whoever reaches everything it would fetch all and sort it. For
 * the same reason a plan made for any page (`force_generic_plan`) is no help: it reads all institutions to name those of twenty rows.
 */
export const alongIndex = (scope: Scope) => sql`set local enable_sort = off`.execute(scope.db);
