-- The comparison of answers and cases notifies the same accounts above an institution as every other notice.

grant execute on function access.receivers_above(text, text, timestamptz) to xinli_app;
