-- News of a case has a number: a record of the same millisecond as the news is older when its number is smaller.
alter table warning
  add column newsno int not null default 1,
  add column acceptno int not null default 0,
  add column receiptno int not null default 0,
  add column islinkedtransfer smallint not null default 0;
alter table warningconfirm add column newsno int not null default 0;
alter table riskassess add column newsno int not null default 0;
alter table warning no force row level security;
alter table warningconfirm no force row level security;
alter table riskassess no force row level security;
update warning set acceptno = 1 where accepttime >= newstime;
update warning set receiptno = 1 where receipttime >= newstime;
update warningconfirm c set newsno = 1 from warning w where w.warningcode = c.warningcode and c.time >= w.newstime;
update riskassess r set newsno = 1 from warning w where w.warningcode = r.warningcode and r.time >= w.newstime;
alter table warning force row level security;
alter table warningconfirm force row level security;
alter table riskassess force row level security;

alter table warningduty drop constraint warningduty_kind_check;
alter table warningduty
  add constraint warningduty_kind_check
    check (kind in ('authority', 'abuse', 'injury', 'discharge', 'return', 'postvention', 'means', 'danger')),
  add column companion text not null default '',
  add column companionrole text not null default '',
  add column companionfrom timestamptz,
  add column companionuntil timestamptz;

-- Returns the accounts of the human behind the session: the account itself, the account that acts in it (代登录), and those with the
-- same telephone (its last 11 digits) or certificate. A case that suspects one of them shows them nothing. Runs as xinli_identity:
-- without policies.
create function access.own_accounts() returns text[] language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select other.userid from auth.active_session s
      join public.sysuser me on me.userid in (s.userid, s.loginasby)
      join public.sysuser other on other.userid = me.userid
        or right(regexp_replace(other.phonenumber, '\D', '', 'g'), 11)
          = nullif(right(regexp_replace(me.phonenumber, '\D', '', 'g'), 11), '')
        or upper(other.certno) = nullif(upper(me.certno), ''));
end $$;

create table casetransfer (
  transferid bigint generated always as identity primary key,
  warningcode text not null references warning,  -- the sender's case
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  receivercode text not null,
  receiverpath text collate "C" not null,
  sendername text not null,  -- the institution of the sender
  contact text not null,  -- who to ask at the sender, with the telephone
  level smallint not null check (level between 1 and 4),
  -- name, birthday, contacts, reason and summary as JSON, encrypted with the receiver's key
  personsealed text not null,
  createtime timestamptz not null,
  linkedcode text,  -- the receiver's case
  accepttime timestamptz,
  acceptname text not null default '',
  receipttime timestamptz,  -- when the sender's case took the receipt
  foreign key (receivercode, receiverpath) references muser (musercode, orgpath) on update cascade
);
create index casetransfer_warningcode_idx on casetransfer (warningcode);
create index casetransfer_receivercode_idx on casetransfer (receivercode, linkedcode);
create index casetransfer_open on casetransfer (transferid) where receipttime is null;
select access.follow_tenant('casetransfer');

-- Returns the institutions of the platform that can take over a case: enabled, under contract, with 预警处置, and not the caller's own.
-- The name must contain the keyword. `code` asks for one institution instead. Runs as xinli_identity: without policies.
create function access.transfer_targets(keyword text, code text)
returns table (musercode text, insname text, regionname text, orgpath text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select m.musercode, m.insname, coalesce(m.regionname, ''), m.orgpath
  from auth.active_session s, public.muser m
  where m.musertype in ('004', '005') and m.enabled = 1 and m.isdeleted = 0 and '00014' = any (m.codes)
    and (m.expiredate is null or m.expiredate >= (now() at time zone 'Asia/Shanghai')::date)
    and m.musercode <> s.musercode
    and case when code is null then strpos(m.insname, keyword) > 0 else m.musercode = code end
  order by m.insname
  limit 10;
end $$;

select access.protect('casetransfer', person => true);
-- The receiver of a transfer sees and accepts it.
create policy receiver on casetransfer to xinli_app
  using (receiverpath >= (select access.path_from()) and receiverpath < (select access.path_to()))
  with check (receiverpath >= (select access.path_from()) and receiverpath < (select access.path_to()));
-- The sums that a suspected colleague reads leave the case out. Its own handlers read it under the role xinli_app, whose queries ask
-- access.own_accounts() themselves: a report by the suspect must still find the case that it joins.
create policy suspect_stats on warning as restrictive for select to xinli_stats
  using (not (suspectuserids && (select access.own_accounts())));

grant select, insert, update on casetransfer to xinli_app;
grant usage on sequence casetransfer_transferid_seq to xinli_app;
grant select (newsno, acceptno, suspectuserids) on warning to xinli_stats;
grant select (regionname, enabled, expiredate) on muser to xinli_identity;
grant select (phonenumber, certno) on sysuser to xinli_identity;
grant execute on function access.own_accounts() to xinli_app, xinli_stats;
grant execute on function access.transfer_targets(text, text) to xinli_app;
grant xinli_identity to current_user;
grant create on schema auth, access to xinli_identity;
alter function access.own_accounts() owner to xinli_identity;
alter function access.transfer_targets(text, text) owner to xinli_identity;
revoke create on schema auth, access from xinli_identity;
revoke xinli_identity from current_user;

-- The older single number of an entry becomes a line of the institution's own hotlines.
alter table muserclient no force row level security;
alter table muser no force row level security;
update muserclient k
set
  hotlines = k.hotlines || (
    select coalesce(jsonb_agg(jsonb_build_object('number', n, 'name', '本单位求助电话', 'hours', '', 'checkedon', '')), '[]')
    from (select distinct btrim(x) as n from regexp_split_to_table(k.hotline, '[、,，]') x) numbers
    where n not in ('', '12356') and not exists (select from jsonb_array_elements(k.hotlines) h where h->>'number' = n)),
  hotline = '12356'
where k.hotline <> '12356';
alter table muserclient force row level security;
alter table muser force row level security;
