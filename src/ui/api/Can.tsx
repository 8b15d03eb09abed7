import type { ReactNode } from 'react';
import type { Action } from '#contract/action.ts';
import type { Guard } from '#contract/menu.ts';
import { holds, may } from '#ui/api/session.ts';

/** Shows its children to those who may call the action, or who hold a right of `menu.ts`. */
export function May({ call, hold, children }: { call?: Action; hold?: Guard; children: ReactNode }) {
  const allowed = (!call || may(call)) && (!hold || holds(hold));
  return allowed ? children : null;
}
