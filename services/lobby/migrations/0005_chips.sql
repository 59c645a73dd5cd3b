-- What a chip is worth at the table; 0 in games without chips.
ALTER TABLE tables ADD COLUMN chip_cents bigint NOT NULL DEFAULT 0 CHECK (chip_cents >= 0);
