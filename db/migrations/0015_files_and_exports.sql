-- Files that accounts upload, and exports that run after the request that asked for them.

-- What a file is attached to (a case, an institution); null: uploaded and not used yet, removed after a day.
alter table fileobj add column refcode text;
create index on fileobj (musercode, biztype, createtime desc) where isdeleted = 0;
create index on fileobj (refcode) where refcode is not null;
-- A file without a person is seen by a narrowed account only when it is its own.
drop policy entrusted on fileobj;
create policy entrusted on fileobj as restrictive for select to xinli_app
  using (not (select auth.narrowed()) or cuserid in (select auth.own_cusers()) or (cuserid is null and createby = (select auth.userid())));

-- A finished export lies in the file store until `expiretime`; `filekey` is its place there.
alter table job drop column fileid;
alter table job add column filename text, add column mime text, add column bytes bigint, add column filekey text, add column expiretime timestamptz;

-- What waits to be carried out, for workers that belong to no institution: identifiers and nothing else. Its row is made in the
-- transaction that makes the job's, and goes when the job has ended or is cancelled.
create table auth.jobqueue (
  jobid uuid primary key,
  musercode text not null references auth.tenant on delete cascade,
  accountid text not null references auth.account on delete cascade,
  createtime timestamptz not null default now(),
  attempts smallint not null default 0,
  -- absent: nobody is at it; old: whoever was at it is gone
  heartbeat timestamptz,
  worker text
);
create index on auth.jobqueue (createtime);
create index on auth.jobqueue (accountid);
grant select, update, delete on auth.jobqueue to xinli_authn;

-- Puts a job of the caller into the queue, at most `most` at a time; false when that many wait already.
create function auth.queue_job(job uuid, most int) returns boolean language plpgsql security definer set search_path = '' as $$
declare
  me auth.session;
begin
  select * into me from auth.live() s where s.kind = 'staff' and s.loginasby is null;
  if not found then raise exception 'nobody is signed in as themselves'; end if;
  perform pg_advisory_xact_lock(hashtext('jobqueue ' || me.accountid));
  if (select count(*) from auth.jobqueue q where q.accountid = me.accountid) >= most then return false; end if;
  insert into auth.jobqueue (jobid, musercode, accountid) values (job, me.musercode, me.accountid);
  return true;
end $$;
-- Takes a job of the caller out again; whoever is at it notices with the next heartbeat.
create function auth.unqueue_job(job uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.jobqueue q using auth.live() s where q.jobid = job and s.kind = 'staff' and s.accountid = q.accountid;
end $$;
grant execute on function auth.queue_job(uuid, int), auth.unqueue_job(uuid) to xinli_app;
