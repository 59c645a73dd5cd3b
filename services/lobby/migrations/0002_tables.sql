-- A table as a room. `number` orders the list, newest first.
CREATE TABLE tables (
    id             text PRIMARY KEY,
    number         bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    game           text NOT NULL,
    options        text NOT NULL,
    seats          integer NOT NULL CHECK (seats > 0),
    stake_cents    bigint NOT NULL CHECK (stake_cents >= 0),
    speed          text NOT NULL,
    state          text NOT NULL CHECK (state IN ('OPEN', 'STARTING', 'PLAYING', 'CLOSED')),
    match          text UNIQUE,
    opened         timestamptz NOT NULL DEFAULT now(),
    opened_by      text NOT NULL REFERENCES accounts,
    request_id     text NOT NULL,
    request_digest bytea NOT NULL,
    UNIQUE (opened_by, request_id),
    CHECK (state NOT IN ('STARTING', 'PLAYING') OR match IS NOT NULL)
);
CREATE INDEX tables_live ON tables (number DESC) WHERE state <> 'CLOSED';
CREATE INDEX tables_starting ON tables (number) WHERE state = 'STARTING';

-- Who sits where: a row for a taken seat. `live` is false once the table is closed; the rows stay as its record.
CREATE TABLE seats (
    table_id text NOT NULL REFERENCES tables,
    seat     integer NOT NULL CHECK (seat >= 0),
    account  text NOT NULL REFERENCES accounts,
    computer boolean NOT NULL,
    live     boolean NOT NULL DEFAULT true,
    PRIMARY KEY (table_id, seat),
    CONSTRAINT seats_account_once_a_table UNIQUE (table_id, account)
);
-- An account sits in one seat at a time. Computer players sit at as many tables as are wanted.
CREATE UNIQUE INDEX seats_one_an_account ON seats (account) WHERE live AND NOT computer;
CREATE INDEX seats_of_computers ON seats (account) WHERE live AND computer;
