import type { ReactNode } from 'react';
import type { Action } from '#contract/action.ts';
import type { Guard } from '#contract/menu.ts';
import { hasPermission, can } from '#ui/api/session.ts';

/** Shows its children if the account may call the action, or holds the right of `menu.ts`. */
export function Can({ call, hold, children }: { call?: Action; hold?: Guard; children: ReactNode }) {
  const allowed = (!call || can(call)) && (!hold || hasPermission(hold));
  return allowed ? children : null;
}
