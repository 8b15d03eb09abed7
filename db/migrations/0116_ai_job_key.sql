-- A unique index without the path would tell one institution about the jobs of another (security.md 2.5).
drop index aijob_reportcode_key;
create unique index aijob_reportcode_key on aijob (orgpath, reportcode) where status in (0, 1);
