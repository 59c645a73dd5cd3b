-- Notices that are to be published: written with the change that they tell of, deleted when the stream has them.
CREATE TABLE outbox (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id uuid NOT NULL DEFAULT gen_random_uuid(),
    account    text NOT NULL,
    notice     bytea NOT NULL
);
