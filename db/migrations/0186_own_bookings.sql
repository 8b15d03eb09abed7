-- A person who books or moves an own consultation begins the reminders anew.
grant update (remindedday, remindedhour) on consult to xinli_respondent;
