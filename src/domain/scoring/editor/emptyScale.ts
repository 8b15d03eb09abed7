import type { Scale } from '#domain/scoring/scale.ts';

/** A new definition without questions. An own form carries the line that it is not standardised. */
export function emptyScale(formtype: Scale['formtype'], title: string, appids: readonly string[] = []): Scale {
  return {
    schema: 'asds/1',
    formcode: '',
    version: 'draft',
    formtype,
    title,
    tier: 'S',
    licencetext: '自编，未经标准化，不作诊断依据。',
    ...(appids.length > 0 && { appids }),
    optionsets: {},
    items: [],
    scores: [],
    bands: {},
  };
}
