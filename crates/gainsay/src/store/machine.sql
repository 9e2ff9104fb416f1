-- The machine that a run was made on: times are only compared within one.
ALTER TABLE runs ADD COLUMN machine TEXT NOT NULL DEFAULT '';
