-- The oldest notice of each account is looked for.
CREATE INDEX outbox_by_account ON outbox (account, id);
