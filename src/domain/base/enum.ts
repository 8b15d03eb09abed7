/**
 * A closed set of wire codes with their Chinese labels, declared once for server, console and database.
 * `Gender.male` is the code, `Gender.label('01')` the word a user reads, `Gender.options` what a select shows.
 */
export function defineEnum<const T extends Record<string, readonly [code: string | number, label: string]>>(members: T) {
  type Code = T[keyof T][0];
  const list = Object.values(members) as ReadonlyArray<readonly [Code, string]>;
  const labels = new Map<string | number, string>(list);
  return {
    ...(Object.fromEntries(Object.entries(members).map(([key, [code]]) => [key, code])) as { readonly [K in keyof T]: T[K][0] }),
    codes: list.map(([code]) => code) as [Code, ...Code[]],
    options: list.map(([value, label]) => ({ value, label })),
    /** The label of a code; an unknown code reads as itself, so that new data never breaks an old screen. */
    label: (code: string | number | null | undefined): string => (code == null ? '' : (labels.get(code) ?? String(code))),
  };
}

/** The union of an enum's codes: `CodeOf<typeof Gender>` is `'01' | '02'`. */
export type CodeOf<E extends { codes: readonly unknown[] }> = E['codes'][number];
