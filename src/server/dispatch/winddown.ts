import type { Action } from '#contract/action.ts';
import { codesOf, menu } from '#contract/menu.ts';

/**
 * The rights that remain in 收尾模式: crisis warnings and the records of their cases. Everything else is refused, so that an ended
 * contract cannot be used further while no case falls asleep.
 */
const remainingCodes: ReadonlySet<string> = new Set<string>([
  menu.warning.code ?? '',
  ...codesOf(['warning.crisis', 'warning.handle', 'warning.rules', 'care.edit', 'person.unmasked', 'exam.answers']),
]);

/** The calls without a permission code that remain: own account, messages, duty and hand-over, files of a case. */
const remainingCalls = [
  'as.m.user.',
  'as.m.notice.',
  'as.m.warning.',
  'as.m.access.updateToOSS',
  'as.m.file.startUpload',
  'as.m.file.getUpload',
  'as.m.file.finishUpload',
  'as.m.file.cancelUpload',
];

/** The codes of an account in 收尾模式. */
export const winddownCodes = (codes: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...codes].filter((code) => remainingCodes.has(code)));

/** Whether 收尾模式 leaves an action open that names no permission code. Actions with codes follow `winddownCodes`. */
export const isOpenInWinddown = (action: Pick<Action, 'name' | 'allow'>): boolean =>
  action.allow.codes !== undefined || remainingCalls.some((prefix) => action.name.startsWith(prefix));
