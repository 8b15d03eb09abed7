import { Appid } from '#domain/base/enums.ts';

/** The page of a person by population: archivesyh1–4 of the specification, and one for the custom population. */
export const archivePathOf = (appid: string, cuserid: string): string =>
  `/archives/archivesyh${appid === Appid.custom ? 'Custom' : appid.slice(-1)}?cuserid=${encodeURIComponent(cuserid)}`;

/** The paths of these pages. */
export const archivePaths: readonly string[] = ['1', '2', '3', '4', 'Custom'].map((n) => `/archives/archivesyh${n}`);
