-- Roles, schemas, and the schemas that a role may use.
--
-- The migration creates the roles (src/server/db/roles.ts), because they belong to the cluster and not to one database.
--
--   role              signs in  task
--   xinli_app         yes       runs every action of the console; owns no table, bypasses no policy
--   xinli_respondent  yes       runs the actions of respondents; sees one person's rows
--   xinli_authn       yes       finds accounts and sessions before the caller is known; sees no tenant data
--   xinli_stats       yes       computes statistics; may read no column that could name a person
--   xinli_sealer      yes       reads and chains the audit log, and updates the rollups
--   xinli_identity    no        owns auth.current_caller(text[]): reads accounts, rights and questionnaires, no person
--   xinli_submission  no        owns the functions of schema submission: reads and writes one person's exam
--
-- The role that migrates owns every table. Row-level security is forced, so the policies bind it too.

create schema auth;        -- accounts, sessions, second factors
create schema access;      -- who sees which row
create schema audit;       -- the audit log and its chain
create schema rollup;      -- sums of the audit log and of the ledger
create schema submission;  -- saving answers and submitting an exam
create schema if not exists ref;
revoke all on schema public from public;
grant usage on schema public to xinli_app, xinli_stats, xinli_respondent, xinli_submission, xinli_identity, xinli_sealer;
grant usage on schema auth to xinli_app, xinli_stats, xinli_authn, xinli_respondent, xinli_submission, xinli_identity;
grant usage on schema access to xinli_app, xinli_stats, xinli_respondent;
grant usage on schema audit to xinli_app, xinli_sealer, xinli_respondent;
grant usage on schema rollup to xinli_app, xinli_sealer, xinli_stats;
grant usage on schema submission to xinli_respondent, xinli_submission;
grant usage on schema ref to xinli_app, xinli_stats, xinli_authn, xinli_respondent;
alter default privileges revoke execute on functions from public;

-- JIT compilation of a statement takes a second and saves nothing on pages of twenty rows. It is off on the embedded server
-- but may be on at an operator's own one. Before version 18 that one compiles every statement under `enable_sort = off`,
-- because its cost looks high.
alter role xinli_app set jit = off;
alter role xinli_respondent set jit = off;
alter role xinli_authn set jit = off;
alter role xinli_stats set jit = off;
alter role xinli_sealer set jit = off;

-- Some functions read tables of later files.
set local check_function_bodies = off;
