import type { PinKind } from '#features/pin/pin.contract.ts';

/** What can be pinned on a page. */
export interface PinTarget {
  kind: PinKind;
  refcode: string;
}

const PAGES: readonly (readonly [PinKind, RegExp])[] = [
  ['case', /^\/earlyWarning\/case\/([^/?]+)$/],
  ['task', /^\/task\/administration\/([^/?]+)(?:\/[^/?]*)?$/],
  ['team', /^\/task\/team\/([^/?]+)$/],
];

/** The case, person, task or team of a page; undefined for other pages. */
export function pinOf(pathname: string, search: string): PinTarget | undefined {
  if (pathname.startsWith('/archives/archivesyh')) {
    const cuserid = new URLSearchParams(search).get('cuserid');
    return cuserid ? { kind: 'person', refcode: cuserid } : undefined;
  }
  for (const [kind, page] of PAGES) {
    const refcode = page.exec(pathname)?.[1];
    if (refcode && refcode !== 'new') return { kind, refcode: decodeURIComponent(refcode) };
  }
  return undefined;
}
