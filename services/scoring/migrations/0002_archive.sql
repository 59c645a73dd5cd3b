-- What was received, and what it came to: archive, ratings, and the notices still to be published. All are written in
-- the transaction that settles the result.

-- One row a unit of settlement: a result that arrives twice finds its row.
CREATE TABLE inbox (
    unit     text        PRIMARY KEY,
    -- SHA-256 of the result: the same unit with another content is an alarm.
    digest   bytea       NOT NULL,
    received timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE matches (
    match     text        PRIMARY KEY,
    -- Order of settlement, for paging.
    number    bigint      GENERATED ALWAYS AS IDENTITY UNIQUE,
    game      text        NOT NULL,
    -- tavolo.table.v1.MatchResult as the engine gave it.
    result    bytea       NOT NULL,
    nicknames text[]      NOT NULL,
    scores    bigint[]    NOT NULL,
    winner    integer,
    ended_by  text        NOT NULL,
    stake     bigint      NOT NULL,
    -- What each seat got beyond its stake, cents, in seat order.
    deltas    bigint[]    NOT NULL,
    -- victory_points.md; null for a void match.
    diff      bigint,
    vp        integer[],
    mp        integer[],
    settled   timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE match_seats (
    match   text    NOT NULL REFERENCES matches (match),
    seat    integer NOT NULL,
    account text    NOT NULL,
    -- Of the match, repeated here so that one index serves an account's list.
    number  bigint  NOT NULL,
    game    text    NOT NULL,
    PRIMARY KEY (match, seat)
);

CREATE INDEX match_seats_by_account ON match_seats (account, number DESC);
CREATE INDEX match_seats_by_account_and_game ON match_seats (account, game, number DESC);

CREATE TABLE ratings (
    game      text             NOT NULL,
    account   text             NOT NULL,
    -- As at the last match.
    nickname  text             NOT NULL,
    computer  boolean          NOT NULL,
    mean      double precision NOT NULL,
    deviation double precision NOT NULL CHECK (deviation > 0),
    -- A cautious estimate: the skill is above it with 99.9 %.
    ordinal   double precision NOT NULL GENERATED ALWAYS AS (mean - 3 * deviation) STORED,
    matches   integer          NOT NULL,
    wins      integer          NOT NULL,
    PRIMARY KEY (game, account)
);

CREATE INDEX ratings_by_ordinal ON ratings (game, ordinal DESC, account);

-- Written with what they tell, published after the commit, deleted when the stream has them.
CREATE TABLE outbox (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account    text   NOT NULL,
    -- Names the fact: it cannot be told twice.
    message_id text   NOT NULL UNIQUE,
    -- tavolo.gateway.v1.Notice without its number, which the stream gives.
    notice     bytea  NOT NULL
);

CREATE INDEX outbox_by_account ON outbox (account, id);
