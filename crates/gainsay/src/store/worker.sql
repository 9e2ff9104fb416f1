-- For how many milliseconds a worker takes work: who is silent for longer does not count as working.
ALTER TABLE workers ADD COLUMN lease INTEGER NOT NULL DEFAULT 60000;
