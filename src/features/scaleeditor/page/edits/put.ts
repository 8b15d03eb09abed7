/** Returns the object with the changes. A change to undefined removes the key, so that a definition holds no empty keys. */
export function put<T extends object>(object: T, changes: { [K in keyof T]?: T[K] | undefined }): T {
  const merged = Object.entries({ ...object, ...changes }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(merged) as T;
}

/** Returns the list with another value at one place. */
export const replaceAt = <T>(list: readonly T[], index: number, value: T): T[] =>
  list.map((old, at) => (at === index ? value : old));

/** Returns the list without one place. */
export const removeAt = <T>(list: readonly T[], index: number): T[] => list.filter((_, at) => at !== index);

/** Returns the list, or undefined when it is empty. */
export const listOrNothing = <T>(list: readonly T[]): readonly T[] | undefined => (list.length ? list : undefined);

/** Returns the first free code: the prefix and a number. */
export function nextCode(prefix: string, usedCodes: readonly string[]): string {
  let number = 1;
  while (usedCodes.includes(`${prefix}${number}`)) number++;
  return `${prefix}${number}`;
}

/** Whether two definitions say the same. The server stores the keys of an object in another order. */
export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return keys.length === others.length && keys.every((key) => isSame(a[key as keyof typeof a], b[key as keyof typeof b]));
}
