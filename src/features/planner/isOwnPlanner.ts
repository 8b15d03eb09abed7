import { can, session } from '#ui/api/session.ts';
import { createCalendarFeed } from '#features/planner/planner.contract.ts';

/** Whether the signed-in account is a colleague with a calendar of its own, not an institution. */
export const isOwnPlanner = (): boolean => can(createCalendarFeed) && Boolean(session().user?.userid);
