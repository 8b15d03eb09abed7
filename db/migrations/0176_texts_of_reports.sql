-- A report reads all paragraphs of its institution and of those above, also those that were replaced after its hand-in.
create index commentary_orgpath_idx on commentary (orgpath);
