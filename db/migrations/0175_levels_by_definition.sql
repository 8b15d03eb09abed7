-- Finds the results whose bands an institution made stricter, for figures over several institutions.

create index examresult_raised_idx on examresult (examcode) where deflevel < level;
