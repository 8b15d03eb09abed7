import pg from 'pg';
import { asOwner, type Target } from '#server/db/roles.ts';

/** The ordinary role that owns our tables inside an embedded cluster. A superuser would bypass every policy. */
export const ownerRole = 'xinli_owner';

/** Creates the owner role and its database inside the embedded cluster. Returns the connection of the owner. */
export async function createOwned(maintenance: Target, database: string): Promise<Target> {
  const client = new pg.Client(asOwner(maintenance));
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtext('xinli owner'))");
    const role = await client.query('select from pg_roles where rolname = $1', [ownerRole]);
    if (!role.rowCount) await client.query(`create role ${ownerRole} login createdb createrole`);
    const existing = await client.query('select from pg_database where datname = $1', [database]);
    if (!existing.rowCount)
      await client.query(
        `create database ${client.escapeIdentifier(database)} owner ${ownerRole} template template0 encoding 'UTF8'`,
      );
    return { ...maintenance, database, user: ownerRole };
  } finally {
    await client.end();
  }
}
