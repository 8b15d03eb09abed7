-- A value that only the key of the data folder gives. The server refuses to start with another key.
create table auth.keycheck (
  isonly boolean primary key default true check (isonly),
  value text not null
);
