-- A room that somebody has spoken in; `last` is the number of its newest message.
CREATE TABLE rooms (
    room text PRIMARY KEY,
    last bigint NOT NULL DEFAULT 0
);

-- Everything that was said. What was refused is recorded too, without a number; nobody is shown it.
CREATE TABLE messages (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    room       text NOT NULL,
    number     bigint,
    account    text NOT NULL,
    nickname   text NOT NULL,
    message_id text NOT NULL,
    said       text NOT NULL,
    shown      text NOT NULL,
    verdict    text NOT NULL CHECK (verdict IN ('shown', 'masked', 'link', 'language')),
    time       timestamptz NOT NULL DEFAULT clock_timestamp(),
    published  boolean NOT NULL DEFAULT false,
    UNIQUE (account, message_id),
    UNIQUE (room, number),
    CHECK ((number IS NULL) = (verdict IN ('link', 'language')))
);
CREATE INDEX messages_of_account ON messages (room, account, id);
CREATE INDEX messages_to_publish ON messages (room, number) WHERE NOT published AND number IS NOT NULL;
