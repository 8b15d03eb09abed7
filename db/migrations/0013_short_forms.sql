-- A job looks every minute for positive short forms of the last week.
create index examform_short on examform (submittime) where status = 2 and formcode in ('PHQ2', 'GAD2');
