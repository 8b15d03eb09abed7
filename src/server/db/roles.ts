import { createHmac } from 'node:crypto';
import type pg from 'pg';

/** Cluster-wide roles of the server; db/schema/00_roles.sql says what each may do. */
export const serverRoles = ['xinli_app', 'xinli_respondent', 'xinli_authn', 'xinli_stats', 'xinli_sealer'] as const;
/** Roles nobody signs in as: each owns functions that do one job, and may do no more than that job. */
export const definerRoles = ['xinli_submission', 'xinli_identity'] as const;
export type ServerRole = (typeof serverRoles)[number];

/**
 * Where a database is and how to reach it. `host` is a directory for a socket. Without `password` the cluster is ours and
 * trusts its private socket; with one, the server roles get passwords derived from it, so that every node knows them.
 */
export interface Target {
  host: string;
  port: number;
  database: string;
  user: string;
  password?: string | undefined;
  ssl?: boolean | undefined;
}

/** The password of a server role on a database whose owner signs in with `password`. */
const derived = (password: string, role: ServerRole) => createHmac('sha256', password).update(role).digest('base64url');

/** Connection settings of a role on a target. */
export function asRole(target: Target, role: ServerRole): pg.ClientConfig {
  const { password, ssl, ...rest } = target;
  return { ...rest, user: role, ...(password ? { password: derived(password, role) } : {}), ...(ssl ? { ssl: true } : {}) };
}

/** Connection settings of the owner, who migrates and is never used to serve. */
export function asOwner(target: Target): pg.ClientConfig {
  const { password, ssl, ...rest } = target;
  return { ...rest, ...(password ? { password } : {}), ...(ssl ? { ssl: true } : {}) };
}

/** Makes the server roles, or brings them back to what they must be. Needs CREATEROLE once. */
export async function ensureRoles(client: pg.ClientBase, target: Target) {
  await client.query('begin');
  await client.query("select pg_advisory_xact_lock(hashtext('xinli roles'))");
  for (const role of serverRoles) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
    const password = target.password ? ` password '${derived(target.password, role)}'` : '';
    if (!rowCount) {
      await client.query(`create role ${role} login noinherit nocreatedb nocreaterole${password}`);
      // Nothing a request does may hold the database longer than this (security.md C45).
      await client.query(`alter role ${role} set statement_timeout = '15s'`);
      await client.query(`alter role ${role} set lock_timeout = '3s'`);
      await client.query(`alter role ${role} set idle_in_transaction_session_timeout = '10s'`);
      // Respondents ask by key and nothing else: one plan serves every value, from the first call of a connection on.
      if (role === 'xinli_respondent') await client.query(`alter role ${role} set plan_cache_mode = 'force_generic_plan'`);
    } else if (password) {
      await client.query(`alter role ${role}${password}`);
    }
  }
  for (const role of definerRoles) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
    if (!rowCount) await client.query(`create role ${role} nologin noinherit nocreatedb nocreaterole`);
  }
  await client.query('commit');
}
