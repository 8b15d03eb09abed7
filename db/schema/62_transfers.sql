-- Transfers of a case to another institution of the platform (docs/decisions/0032). The row belongs to the sender. The receiver sees
-- it too; a job opens the linked case there, and takes the receiver's acceptance to the sender's case as the receipt.

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
