#!/bin/sh
# Creates the database and its owner in a new PostgreSQL container. The owner is an ordinary role: a superuser would bypass every policy.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$XINLI_PASSWORD" -U postgres <<'SQL'
create role xinli login createrole password :'password';
create database xinli owner xinli template template0 encoding 'UTF8';
SQL
