import pg from 'pg';
import type { TextSealer } from '#server/sealing/textSealer.ts';

const { builtins } = pg.types;
type Parser = (text: string) => unknown;
const getTypeParser = pg.types.getTypeParser as (oid: number, format?: string) => Parser;
const TEXT_LIST = 1009;

/** Returns the type parsers of a connection that opens sealed texts wherever they stand in a result: a text, a list, JSON. */
export function openingTypes(sealer: TextSealer): pg.CustomTypesConfig {
  const parseList = getTypeParser(TEXT_LIST);
  const parsers = new Map<number, Parser>([
    [builtins.TEXT, (text) => sealer.open(text)],
    [builtins.VARCHAR, (text) => sealer.open(text)],
    [TEXT_LIST, (text) => (parseList(text) as (string | null)[]).map((item) => (item === null ? null : sealer.open(item)))],
    [builtins.JSON, (text) => sealer.openJson(text)],
    [builtins.JSONB, (text) => sealer.openJson(text)],
  ]);
  return {
    getTypeParser: ((oid: number, format?: string) =>
      (format === 'binary' ? undefined : parsers.get(oid)) ??
      getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
  };
}
