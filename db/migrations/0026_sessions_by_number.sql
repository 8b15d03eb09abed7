-- A session is told by a number of its own: its token, and with it the hash it is found by, changes whenever its holder proves themselves,
-- and whoever has a list of sessions open must still be able to end the one that is meant.
alter table auth.session add column sessionid text not null default left(replace(gen_random_uuid()::text, '-', ''), 16);
comment on column auth.session.sessionid is 'Names the session to its holder and to whoever may end it; survives a new token, opens nothing';
