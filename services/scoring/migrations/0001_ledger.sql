-- The ledger: double entry, whole cents. What the code must never do is refused here, whatever the code does:
-- a transaction that does not sum to zero, a wallet below zero, a change of what was booked.

CREATE TABLE accounts (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind     text   NOT NULL CHECK (kind IN ('house', 'wallet', 'escrow')),
    -- A player's account id, or the unit of settlement whose stakes an escrow holds.
    owner    text   NOT NULL,
    currency text   NOT NULL DEFAULT 'PLAY',
    -- The sum of the account's entries, kept by a trigger. Not kept for the house, which issues the play money and may owe
    -- any of it: all transactions with the house would wait for its row.
    balance  bigint NOT NULL DEFAULT 0,
    UNIQUE (kind, owner, currency),
    CONSTRAINT accounts_never_negative CHECK (balance >= 0)
);

INSERT INTO accounts (id, kind, owner) OVERRIDING SYSTEM VALUE VALUES (0, 'house', 'house');

CREATE TABLE transactions (
    id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    purpose       text        NOT NULL CHECK (purpose IN ('welcome', 'stake', 'settlement', 'refund')),
    -- What is booked: an account's first sight, or a unit of settlement (`<match>` or `<match>/<hand>`).
    fact          text        NOT NULL,
    match         text,
    rules_version integer,
    -- The service on whose word it was booked.
    actor         text        NOT NULL,
    created       timestamptz NOT NULL DEFAULT now(),
    UNIQUE (purpose, fact)
);

-- An escrow is closed once: settled or given back, never both.
CREATE UNIQUE INDEX transactions_one_closing ON transactions (fact) WHERE purpose IN ('settlement', 'refund');
CREATE INDEX transactions_by_match ON transactions (match);

CREATE TABLE entries (
    transaction bigint NOT NULL REFERENCES transactions (id),
    account     bigint NOT NULL REFERENCES accounts (id),
    amount      bigint NOT NULL CHECK (amount <> 0),
    PRIMARY KEY (transaction, account)
);

CREATE INDEX entries_by_account ON entries (account, transaction DESC);

CREATE FUNCTION keep_balances() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE accounts SET balance = balance + booked.amount
    FROM (SELECT account, sum(amount) AS amount FROM fresh GROUP BY account) AS booked
    WHERE accounts.id = booked.account AND accounts.kind <> 'house';
    RETURN NULL;
END $$;

CREATE TRIGGER entries_keep_balances AFTER INSERT ON entries
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION keep_balances();

CREATE FUNCTION check_transaction() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    booked transactions;
BEGIN
    IF TG_TABLE_NAME = 'transactions' THEN
        SELECT * INTO booked FROM transactions WHERE id = NEW.id;
    ELSE
        SELECT * INTO booked FROM transactions WHERE id = NEW.transaction;
    END IF;
    IF booked.created <> transaction_timestamp() THEN
        RAISE EXCEPTION 'transaction % is booked; a correction is a new transaction', booked.id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'transactions_are_closed';
    END IF;
    IF NOT EXISTS (SELECT FROM entries WHERE transaction = booked.id) OR EXISTS (
        SELECT FROM entries JOIN accounts ON accounts.id = entries.account
        WHERE entries.transaction = booked.id GROUP BY accounts.currency HAVING sum(entries.amount) <> 0
    ) THEN
        RAISE EXCEPTION 'transaction % does not sum to zero', booked.id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'transactions_sum_to_zero';
    END IF;
    RETURN NULL;
END $$;

-- Deferred to the commit, when all entries are there.
CREATE CONSTRAINT TRIGGER transactions_sum_to_zero AFTER INSERT ON transactions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_transaction();
CREATE CONSTRAINT TRIGGER entries_sum_to_zero AFTER INSERT ON entries
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_transaction();

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is never changed (% on %); a correction is a new transaction', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_is_immutable';
END $$;

CREATE TRIGGER transactions_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON transactions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entries_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER accounts_immutable BEFORE DELETE OR TRUNCATE ON accounts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A balance moves by entries only: the trigger above updates it at depth 2.
CREATE FUNCTION guard_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' AND NEW.balance <> 0 THEN
        RAISE EXCEPTION 'an account begins empty'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'accounts_begin_empty';
    END IF;
    IF TG_OP = 'UPDATE' AND (pg_trigger_depth() < 2 OR ROW (NEW.id, NEW.kind, NEW.owner, NEW.currency)
                             IS DISTINCT FROM ROW (OLD.id, OLD.kind, OLD.owner, OLD.currency)) THEN
        RAISE EXCEPTION 'an account changes by entries only'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_is_immutable';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER accounts_guarded BEFORE INSERT OR UPDATE ON accounts
    FOR EACH ROW EXECUTE FUNCTION guard_account();

-- The triggers say why; the privileges hold even where somebody has switched them off.
REVOKE UPDATE, DELETE, TRUNCATE ON entries FROM CURRENT_USER, PUBLIC;
REVOKE DELETE, TRUNCATE ON transactions, accounts FROM CURRENT_USER, PUBLIC;

-- What was asked to be held for a unit of settlement, and what became of it.
CREATE TABLE holds (
    unit     text        PRIMARY KEY,
    match    text        NOT NULL,
    -- In seat order; empty if the release came before the hold, which then comes too late.
    accounts text[]      NOT NULL,
    stake    bigint      NOT NULL CHECK (stake >= 0),
    state    text        NOT NULL CHECK (state IN ('held', 'settled', 'released')),
    changed  timestamptz NOT NULL DEFAULT now()
);

-- What an account has in running matches.
CREATE INDEX holds_held ON holds USING gin (accounts) WHERE state = 'held';
