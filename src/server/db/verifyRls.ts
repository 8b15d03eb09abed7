import type pg from 'pg';

/** A query of the system catalogue. Each row is a hole in tenant isolation (security.md 2.5). Start-up and tests run it. */
const faultsQuery = `
with r as (select c.oid, c.relname, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.relowner, c.reloptions
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'audit', 'rollup')),
 server as (select oid, rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles
 where rolname in ('xinli_app', 'xinli_respondent', 'xinli_authn', 'xinli_stats', 'xinli_sealer', 'xinli_submission', 'xinli_identity'))
select 'table without forced row security' as fault, relname::text as object from r
  where relkind in ('r', 'p') and relname not in ('seal', 'unsealed', 'chainstart', 'watermark')
  and not (relrowsecurity and relforcerowsecurity)
union all select 'row security without a policy', relname::text from r
where relkind in ('r', 'p') and relrowsecurity and not exists (select from pg_policy p where p.polrelid = r.oid)
union all select 'tenant table without an orgpath', relname::text from r
where relkind = 'r' and relname not in ('seal', 'unsealed', 'chainstart', 'watermark')
  and not exists (select from pg_attribute a
  where a.attrelid = r.oid and a.attname = 'orgpath')
union all select 'view that does not run as its caller', relname::text from r
where relkind = 'v' and not coalesce('security_invoker=true' = any (reloptions), false)
union all select 'materialised view readable by the server', relname::text from r
where relkind = 'm' and has_table_privilege('xinli_app', oid, 'select')
union all select 'definer function callable in public', p.oid::regprocedure::text from pg_proc p
join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public' and p.prosecdef
union all select 'definer function without a fixed search_path', p.oid::regprocedure::text from pg_proc p
join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('auth', 'access', 'audit', 'rollup', 'submission')
and p.prosecdef and not exists (select from unnest(p.proconfig) c where c like 'search_path=%')
union all select 'server may truncate, reference or trigger', r.relname || ' / ' || s.rolname from r, server s
where relkind in ('r', 'p') and (has_table_privilege(s.oid, r.oid, 'truncate')
  or has_table_privilege(s.oid, r.oid, 'trigger') or has_table_privilege(s.oid, r.oid, 'references'))
union all select 'server role owns a relation', r.relname || ' / ' || s.rolname from r join server s on s.oid = r.relowner
union all select 'server role with administrator rights', rolname::text from server
where rolsuper or rolbypassrls or rolcreaterole or rolcreatedb
union all select 'server role is a member of another', s.rolname || ' in ' || m.roleid::regrole::text
from pg_auth_members m join server s on s.oid = m.member
union all select 'policy that calls its function once per row', polrelid::regclass::text || '.' || polname from pg_policy
where pg_get_expr(polqual, polrelid) ~ 'access\\.(path|current|is)_\\w+\\(' and pg_get_expr(polqual, polrelid) !~* 'select access\\.'
union all select 'unique index that reveals rows of other tenants', i.indexrelid::regclass::text
from pg_index i join r on r.oid = i.indrelid
  where i.indisunique and not i.indisprimary and r.relname not in ('seal', 'unsealed', 'chainstart', 'watermark')
  and not exists (select
    from pg_attribute a where a.attrelid = r.oid and a.attnum = any (i.indkey) and a.attname = 'orgpath')
union all select 'function of a definer role for others than respondents',
p.oid::regprocedure::text || ' / ' || s.rolname from pg_proc p cross join server s
  where p.proowner = 'xinli_submission'::regrole and s.rolname not in ('xinli_respondent', 'xinli_submission')
    and has_function_privilege(s.oid, p.oid, 'execute')
    -- Staff type in sheets of persons within their reach, which these three check (docs/decisions/0056).
    and not (s.rolname = 'xinli_app' and p.proname in ('load_exam', 'submit_exam', 'finish_entry'))
union all select 'definer role that can sign in', rolname::text from pg_roles
where rolname in ('xinli_submission', 'xinli_identity') and rolcanlogin
union all select 'function of the identity role besides its own', p.oid::regprocedure::text from pg_proc p
where p.proowner = 'xinli_identity'::regrole and p.oid not in ('auth.current_caller(text[])'::regprocedure,
  'auth.caller_mark()'::regprocedure, 'access.is_restricted()'::regprocedure, 'auth.consent_facts(text)'::regprocedure,
  'access.own_accounts()'::regprocedure, 'access.transfer_targets(text, text)'::regprocedure,
  'access.supervised_accounts(text)'::regprocedure,
  -- The questionnaire of a preview link, without a person (docs/decisions/0084).
  'auth.form_of_link(text, text, text)'::regprocedure)
union all select 'identity role reads more than accounts and questionnaires', r.relname::text from r
where has_any_column_privilege('xinli_identity', r.oid, 'select')
  and r.relname not in ('muser', 'sysuser', 'sysuserrole', 'role', 'sysuserpermission', 'menuoverride',
    'form', 'formversion', 'formlicence')
union all select 'role that can write sessions', s.rolname::text from server s
where s.rolname <> 'xinli_authn' and (has_any_column_privilege(s.oid, 'auth.session', 'insert')
  or has_any_column_privilege(s.oid, 'auth.session', 'update'))
union all select 'role that can change the audit log', s.rolname::text from server s
where has_table_privilege(s.oid, 'audit.log', 'update') or has_table_privilege(s.oid, 'audit.log', 'delete')
union all select 'name column readable by the statistics role', 'cuser.' || a.attname from pg_attribute a
where a.attrelid = 'public.cuser'::regclass and a.attname in ('username', 'pinyin', 'initials', 'phonesealed',
  'phonehash', 'idnosealed', 'idnohash', 'address') and has_column_privilege('xinli_stats', a.attrelid, a.attnum, 'select')
order by 1, 2`;

/** Returns the holes in tenant isolation as texts; empty when there are none. */
export async function rlsFaults(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ fault: string; object: string }>(faultsQuery);
  return rows.map(({ fault, object }) => `${fault}: ${object}`);
}
