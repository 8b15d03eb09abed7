/** The conditions of 指标筛选 in the address bar: `PHQ9.total:2,3` is an indicator with its alternative levels. */

/** One `indicator:level` for each chosen level. */
export const splitConditions = (conditions: readonly string[]): string[] =>
  conditions.flatMap((condition) => {
    const [quotacode = '', levels = ''] = condition.split(':');
    return levels.split(',').map((level) => `${quotacode}:${level}`);
  });

/** One condition for each indicator, with all its chosen levels. */
export function joinConditions(choices: readonly string[]): string[] {
  const levels = new Map<string, string[]>();
  for (const choice of choices) {
    const [quotacode = '', level = ''] = choice.split(':');
    levels.set(quotacode, [...(levels.get(quotacode) ?? []), level]);
  }
  return [...levels].map(([quotacode, chosen]) => `${quotacode}:${chosen.sort().join(',')}`);
}
