import { MUserType, Sector } from '#domain/base/enums.ts';

/** The two lists of institutions: schools and hospitals, or providers and authorities. */
export type Kind = 'institutions' | 'providers';
/** The types in each list. */
export const typesOf: Readonly<Record<Kind, readonly ['004' | '002', '005' | '003']>> = {
  institutions: ['004', '005'],
  providers: ['002', '003'],
};
/** The Chinese name of each list. */
export const kindName: Readonly<Record<Kind, string>> = { institutions: '机构', providers: '服务商' };
/** Returns the options of the type field in a list. */
export const typeOptions = (kind: Kind) =>
  MUserType.options.filter(({ value }) => (typesOf[kind] as readonly string[]).includes(value));
/** Returns the options of the sector field for a type. */
export const sectorOptions = (musertype: string | undefined) =>
  Sector.options.filter(({ value }) =>
    musertype === '002' ? value === 'platform' : musertype === '004' ? value === 'health' : value !== 'platform',
  );
