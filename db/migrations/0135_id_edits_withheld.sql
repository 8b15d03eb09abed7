-- An edit of the ID number is marked like an edit of the telephone: two editors do not overwrite each other unseen.
drop trigger mark_edits on cuser;
create trigger mark_edits before update of username, gender, birthday, phonehash, idnohash, focus on cuser
  for each row execute function access.mark_edits('username,gender,birthday,phonehash,idnohash,focus', 'private');

-- The number of sheets that wait for a consent stands above the list of reports.
create index examrecord_withheld on examrecord (orgpath) where withheld = 1 and status = 2;
