import pg from 'pg';
import { inject } from 'vitest';
import { asOwner } from '#server/db/roles.ts';
import type { Target } from '#server/db/roles.ts';

/** Returns a pool on the maintenance database of this test run, with a role that may create databases. The caller ends it. */
export function adminPool(max = 2): pg.Pool {
  const pool = new pg.Pool({ ...asOwner(inject('database').admin), max });
  // A session that a test terminates must not fail the next test.
  pool.on('error', () => {});
  return pool;
}

/** Returns a name for a database of this run. The run drops the database at its end, unless the test has done so. */
export function freshDatabaseName(): string {
  return `${inject('database').template}_${process.pid}_${(count += 1)}`;
}

/** Returns the connection of the owner to the database with this name. */
export function targetNamed(database: string): Target {
  return { ...inject('database').admin, database };
}

let count = 0;
