-- The server lists erased persons outside of the database (src/features/anonymize/keepErasures.ts).
create index cuser_anonymizedtime_idx on cuser (anonymizedtime) where anonymizedtime is not null;
