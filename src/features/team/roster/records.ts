import type { ArchiveValue } from '#domain/person/archive.ts';
import type { OwnColumn } from '#contract/workbook/own/own.columns.ts';
import type { PersonKind } from '#contract/workbook/importJob.ts';

/** What a plan compares the rows of an import with, and its options. */

/** A person of the institution that a row may match. */
export interface KnownPerson {
  cuserid: string;
  username: string;
  gender: string;
  birthday: string | null;
  phonehash: string | null;
  idnohash: string | null;
  owneruserid: string | null;
  appid: string;
  /** of the current archive: 1 open, 2 closed */
  archivestatus: number;
  /** student or staff number, or 建册号 */
  number: string | null;
  /** codes and numbers of records that were merged into the person's; they stay keys of imports */
  merged: { codes: readonly string[]; idnos: readonly string[]; numbers: readonly string[] };
  /** archive values from columns and detail, without the number */
  archive: Record<string, ArchiveValue>;
  guardians: string[];
  /** the person's present teams */
  teams: { teamcode: string; teamname: string; teamtype: string; year: string }[];
}
export interface KnownTeam {
  teamcode: string;
  teamname: string;
  teamtype: string;
  year: string;
  gradecode: string;
  gradename: string;
  classname: string;
  /** cuserids of the present members */
  members: string[];
  /** cuserids of former members */
  former: string[];
}
/** The records of the database that a plan compares the rows with. */
export interface Records {
  persons: readonly KnownPerson[];
  teams: readonly KnownTeam[];
  /** userids by lower-case account name */
  staff: ReadonlyMap<string, string>;
}

export interface PlanOptions {
  kind: PersonKind;
  /** columns of the institution's own archive fields */
  own: readonly OwnColumn[];
  /** the persons are pupils or students, who sign in with a student number */
  isStudents: boolean;
  createteam: boolean;
  /** the team that every person joins, when the worksheet has no teams */
  targetTeam?: KnownTeam | undefined;
  hashPhone: (phone: string) => string;
  hashIdno: (idno: string) => string;
  /** the populations that the caller sees; null means all */
  permitted: readonly string[] | null;
  /** returns a name in the form that the caller may read */
  formatName: (username: string) => string;
}
