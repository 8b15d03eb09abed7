import type { Action } from '#contract/action.ts';
import { accounts } from '#server/actions/accounts.ts';
import { approvals } from '#server/actions/approvals.ts';
import { casework } from '#server/actions/casework.ts';
import { people } from '#server/actions/people.ts';
import { results } from '#server/actions/results.ts';
import { screening } from '#server/actions/screening.ts';
import { shelf } from '#server/actions/shelf.ts';
import type { Bound } from '#server/actions/bound.ts';
import type { Handler } from '#server/dispatch/handle.ts';

/** Each contract of the product with its handlers. A new contract adds a line to the file of its subject. */
const contracts: readonly Bound[] = [...accounts, ...approvals, ...casework, ...people, ...results, ...screening, ...shelf];

/** The handlers of all actions. */
export const handlers: readonly Handler[] = contracts.flatMap(([, bound]) => bound);

const isAction = (value: unknown): value is Action =>
  typeof value === 'object' && value !== null && 'allow' in value && 'request' in value;

/** The declared actions of all contracts. */
export const actions: readonly Action[] = contracts.flatMap(([contract]) => Object.values(contract).filter(isAction));

/**
 * Returns the faults of the registry; the server refuses to start unless the list is empty.
 * Each action has one handler and a unique name. A reveal names its person. A request refuses unknown keys.
 */
export function registryFaults(declared: readonly Action[] = actions, bound: readonly Handler[] = handlers): string[] {
  const faults: string[] = [];
  const names = declared.map((action) => action.name);
  for (const name of new Set(names))
    if (names.filter((other) => other === name).length > 1) faults.push(`${name} is declared twice`);
  for (const action of declared) {
    const count = bound.filter((handler) => handler.action === action).length;
    if (count !== 1) faults.push(`${action.name} has ${count} handlers`);
    if (action.kind === 'reveal' && !action.person) faults.push(`${action.name} reveals a person and does not say whom`);
    if (!action.request.safeParse({ __unknown: 1 }).error?.issues.some((issue) => issue.code === 'unrecognized_keys'))
      faults.push(`${action.name} does not refuse unknown keys`);
  }
  for (const handler of bound)
    if (!declared.includes(handler.action)) faults.push(`${handler.action.name} is handled but not declared`);
  return faults;
}
