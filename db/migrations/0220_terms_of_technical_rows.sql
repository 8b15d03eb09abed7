-- The job of terms deletes calls that were made, and lines of sign-ins, when their terms are over.
grant delete on calllist to xinli_app;
grant delete on auth.loginlog to xinli_authn;
