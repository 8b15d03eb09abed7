-- An edit of the ID number is marked like an edit of the telephone: two editors do not overwrite each other unseen.
drop trigger mark_edits on cuser;
create trigger mark_edits before update of username, gender, birthday, phonehash, idnohash, focus on cuser
  for each row execute function access.mark_edits('username,gender,birthday,phonehash,idnohash,focus', 'private');
