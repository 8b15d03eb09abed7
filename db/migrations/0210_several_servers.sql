-- What several servers of one database share: the budget of calls before a sign-in, and work that one of them does at a time.

create table auth.callbudget (
  key text primary key,
  tokens double precision not null,
  time timestamptz not null
);

create table auth.lease (
  name text primary key,
  holder uuid not null,
  expiretime timestamptz not null,
  isasked boolean not null default false
);

grant select, insert, update, delete on auth.callbudget, auth.lease to xinli_authn;
