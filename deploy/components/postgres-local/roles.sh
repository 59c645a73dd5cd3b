#!/bin/sh
# Runs once, on an empty data folder: a role and a schema of its own for each service, nothing shared.
set -eu
for part in lobby chat scoring; do
    password=$(printenv "$(echo "$part" | tr '[:lower:]' '[:upper:]')_PASSWORD")
    psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname tavolo \
        --set schema="$part" --set role="tavolo_$part" --set password="$password" <<'SQL'
CREATE ROLE :"role" LOGIN PASSWORD :'password';
CREATE SCHEMA :"schema" AUTHORIZATION :"role";
SQL
done
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname tavolo --command 'REVOKE ALL ON SCHEMA public FROM PUBLIC'
