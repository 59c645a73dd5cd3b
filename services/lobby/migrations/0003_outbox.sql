-- Notices that are to be published: written with the change that they tell of, deleted when the stream has them.
CREATE TABLE outbox (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account text NOT NULL,
    notice  bytea NOT NULL
);
