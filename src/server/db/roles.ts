import { createHmac } from 'node:crypto';
import type pg from 'pg';

/** Cluster-wide roles of the server; db/schema/00_roles.sql says what each may do. */
export const serverRoles = ['xinli_app', 'xinli_respondent', 'xinli_authn', 'xinli_stats', 'xinli_sealer'] as const;
/** Roles without a sign-in. Each owns the functions of one task and has the rights of this task only. */
export const definerRoles = ['xinli_submission', 'xinli_identity'] as const;
/** The name of a server role. */
export type ServerRole = (typeof serverRoles)[number];

/**
 * The address of a database and its owner. `host` may be the directory of a socket.
 * Without `password` the cluster is embedded and trusts its private socket.
 * With one, the passwords of the server roles are derived from it, so every node knows them.
 */
export interface Target {
  host: string;
  port: number;
  database: string;
  user: string;
  password?: string | undefined;
  ssl?: boolean | undefined;
  /** A pooler in transaction mode lies in between (`DATABASE_POOLER`): no statement may rely on an earlier one outside its transaction. */
  isPooled?: boolean | undefined;
}

/** The password of a server role, derived from the owner's password. */
const rolePassword = (password: string, role: ServerRole) => createHmac('sha256', password).update(role).digest('base64url');

/** Returns the connection settings of a server role. */
export function asRole(target: Target, role: ServerRole): pg.ClientConfig {
  const { password, ssl, host, port, database } = target;
  return {
    ...{ host, port, database },
    user: role,
    ...(password ? { password: rolePassword(password, role) } : {}),
    ...(ssl ? { ssl: true } : {}),
  };
}

/** Returns the connection settings of the owner. The owner migrates; requests never run as the owner. */
export function asOwner(target: Target): pg.ClientConfig {
  const { password, ssl, host, port, database, user } = target;
  return { host, port, database, user, ...(password ? { password } : {}), ...(ssl ? { ssl: true } : {}) };
}

/** Creates the missing server roles and sets their passwords. The owner needs CREATEROLE for it. */
export async function ensureRoles(client: pg.ClientBase, target: Target) {
  await client.query('begin');
  await client.query("select pg_advisory_xact_lock(hashtext('xinli roles'))");
  for (const role of serverRoles) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
    const password = target.password ? ` password '${rolePassword(target.password, role)}'` : '';
    if (!rowCount) {
      await client.query(`create role ${role} login noinherit nocreatedb nocreaterole${password}`);
      // No request may block the database longer than this (security.md C45).
      await client.query(`alter role ${role} set statement_timeout = '15s'`);
      await client.query(`alter role ${role} set lock_timeout = '3s'`);
      await client.query(`alter role ${role} set idle_in_transaction_session_timeout = '10s'`);
      // Respondents read by key only, so one plan serves every value from the first call of a connection.
      // PostgreSQL may make this plan while the tables are empty, so it must not scan them.
      if (role === 'xinli_respondent') {
        await client.query(`alter role ${role} set plan_cache_mode = 'force_generic_plan'`);
        await client.query(`alter role ${role} set enable_seqscan = off`);
      }
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
