/**
 * Creates a closed set of wire codes with their Chinese labels, for the server, the console and the database.
 * `Gender.male` is the code, `Gender.label('01')` is the label, `Gender.options` are the options of a select.
 */
export function defineEnum<const T extends Record<string, readonly [code: string | number, label: string]>>(members: T) {
  type Code = T[keyof T][0];
  const list = Object.values(members) as ReadonlyArray<readonly [Code, string]>;
  const labels = new Map<string | number, string>(list);
  return {
    ...(Object.fromEntries(Object.entries(members).map(([key, [code]]) => [key, code])) as { readonly [K in keyof T]: T[K][0] }),
    codes: list.map(([code]) => code) as [Code, ...Code[]],
    options: list.map(([value, label]) => ({ value, label })),
    /** The label of a code; an unknown code is its own label, so new data does not break an old screen. */
    label: (code: string | number | null | undefined): string => (code == null ? '' : (labels.get(code) ?? String(code))),
  };
}

/** The union of an enum's codes: `CodeOf<typeof Gender>` is `'01' | '02'`. */
export type CodeOf<E extends { codes: readonly unknown[] }> = E['codes'][number];
