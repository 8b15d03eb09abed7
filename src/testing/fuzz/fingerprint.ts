import type { TestServer } from '#testing/server.ts';

/** Returns a hash of all rows of an institution for each table. */
export async function fingerprint(
  { sqlAsOwner }: Pick<TestServer, 'sqlAsOwner'>,
  musercode: string,
): Promise<Record<string, string>> {
  const tables = await sqlAsOwner<{ name: string }>(
    `select table_name as name
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and column_name = 'musercode' and table_type = 'BASE TABLE'`,
  );
  const hashQuery = ({ name }: { name: string }) =>
    `select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash
      from "${name}" t where musercode = '${musercode}'`;
  const rows = await sqlAsOwner<{ name: string; hash: string }>(tables.map(hashQuery).join(' union all '));
  return Object.fromEntries(rows.map((row) => [row.name, row.hash]));
}

/** Returns the names of the tables whose hash differs. */
export const differences = (before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] =>
  Object.keys(before).filter((name) => before[name] !== after[name]);
