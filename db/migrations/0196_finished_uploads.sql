-- A finished upload remembers its file until it expires, so that a repeated finish has the same answer.

alter table upload add column fileid uuid references fileobj;
create index upload_fileid_idx on upload (fileid) where fileid is not null;
