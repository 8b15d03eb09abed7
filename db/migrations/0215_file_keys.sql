-- Stored files are sealed, each under a key of its own (docs/decisions/0111).

-- The keys of stored files and of unfinished uploads, encrypted (src/server/storage/fileKeys.ts). Without its row a file is unreadable.
create table auth.filekey (
  path text primary key,  -- the key of the file in the store
  sealed text not null,  -- the path and the key of the file
  createtime timestamptz not null default now()
);
grant select, insert, update, delete on auth.filekey to xinli_authn;
