-- Games that are settled by the hand: a hold lives through all hands of its match. Money in its escrow is what is held of
-- each seat for the hand, or match, that is played, and what lies in the pot.

ALTER TABLE holds
    -- In seat order, as `accounts`: for whom the house pays what the wallet lacks,
    ADD COLUMN computers  boolean[] NOT NULL DEFAULT '{}',
    -- cents that are held of each seat now,
    ADD COLUMN held       bigint[]  NOT NULL DEFAULT '{}',
    -- cents that were put in for each seat, one hand after the other,
    ADD COLUMN put        bigint[]  NOT NULL DEFAULT '{}',
    -- and cents that each has won by the hands that are settled.
    ADD COLUMN gains      bigint[]  NOT NULL DEFAULT '{}',
    -- What the house got of these hands.
    ADD COLUMN commission bigint    NOT NULL DEFAULT 0,
    -- How many are settled.
    ADD COLUMN hands      integer   NOT NULL DEFAULT 0,
    -- The seats that could not cover the hand after them.
    ADD COLUMN missing    integer[] NOT NULL DEFAULT '{}';

UPDATE holds SET
    computers = array_fill(false, ARRAY[cardinality(accounts)]),
    held = array_fill(CASE state WHEN 'held' THEN stake ELSE 0 END, ARRAY[cardinality(accounts)]),
    put = array_fill(stake, ARRAY[cardinality(accounts)]),
    gains = array_fill(0, ARRAY[cardinality(accounts)])
WHERE cardinality(accounts) > 0;

ALTER TABLE matches
    -- Cents that were put in for each seat, and how many transactions settled them: what reconciliation expects.
    ADD COLUMN put         bigint[],
    ADD COLUMN settlements integer;

UPDATE matches SET
    put = array_fill(stake, ARRAY[cardinality(deltas)]),
    settlements = CASE WHEN stake > 0 THEN 1 ELSE 0 END;

ALTER TABLE matches
    ALTER COLUMN put SET NOT NULL,
    ALTER COLUMN settlements SET NOT NULL;
