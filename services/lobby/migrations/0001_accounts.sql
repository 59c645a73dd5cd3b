-- Who somebody is. Guests and computers have no password; a guest lives as long as its session.
CREATE TABLE accounts (
    id            text PRIMARY KEY,
    nickname      text NOT NULL,
    kind          text NOT NULL CHECK (kind IN ('person', 'guest', 'computer')),
    password_hash text,
    roles         text[] NOT NULL DEFAULT '{}',
    created       timestamptz NOT NULL DEFAULT now(),
    CHECK ((kind = 'person') = (password_hash IS NOT NULL))
);

-- What a nickname looks like (nicknames.py): no two accounts may share one of these.
CREATE TABLE nickname_keys (
    key     text PRIMARY KEY,
    account text NOT NULL REFERENCES accounts ON DELETE CASCADE
);
CREATE INDEX nickname_keys_of_account ON nickname_keys (account);

-- A sign-in that is kept alive by refresh tokens; only the hash of the newest one's secret is stored.
CREATE TABLE sessions (
    id      text PRIMARY KEY,
    account text NOT NULL REFERENCES accounts ON DELETE CASCADE,
    secret  bytea NOT NULL,
    expires timestamptz NOT NULL
);
CREATE INDEX sessions_of_account ON sessions (account);

-- Rate limits (limits.py): when the bucket of `key` is full again. No row = full.
CREATE TABLE limits (
    key     text PRIMARY KEY,
    full_at timestamptz NOT NULL
);
CREATE INDEX limits_full_at ON limits (full_at);
