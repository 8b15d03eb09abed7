import pg from 'pg';
import { inject } from 'vitest';
import { asOwner } from '#server/db/roles.ts';
import type { Target } from '#server/db/roles.ts';

/** A pool on the maintenance database of this test run, as a role that may create databases; the caller ends it. */
export function adminPool(max = 2): pg.Pool {
  const pool = new pg.Pool({ ...asOwner(inject('database').admin), max });
  // Sessions that a test ends by force are no failure of the next test.
  pool.on('error', () => {});
  return pool;
}

/** A name for a database of this run; it is dropped with the run when the test does not do so itself. */
export function freshDatabaseName(): string {
  return `${inject('database').template}_${process.pid}_${(count += 1)}`;
}

/** Where the database with this name is, as its owner. */
export function targetNamed(database: string): Target {
  return { ...inject('database').admin, database };
}

let count = 0;
