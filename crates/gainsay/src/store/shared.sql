-- What campaigns of many machines need besides. Times are milliseconds since 1970 by the server's clock.
-- Files of findings, by name; on one machine they are in folders.
CREATE TABLE files (finding INTEGER NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (finding, name));
-- Seeds in their order, and their texts, each once.
CREATE TABLE seeds (place INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL);
CREATE TABLE texts (digest TEXT PRIMARY KEY, content BLOB NOT NULL);
-- Who works, or did; a note says why one takes no work.
CREATE TABLE workers (
  id INTEGER PRIMARY KEY, machine TEXT NOT NULL, process INTEGER NOT NULL, jobs INTEGER NOT NULL, began INTEGER NOT NULL,
  seen INTEGER NOT NULL, turns INTEGER NOT NULL, gone INTEGER NOT NULL, note TEXT NOT NULL);
-- Who has taken ranges, and until when. What was counted in them stays here until it is added to the counts of all.
CREATE TABLE leases (
  id INTEGER PRIMARY KEY, worker INTEGER NOT NULL, until INTEGER NOT NULL, done INTEGER NOT NULL, counts TEXT NOT NULL);
-- Ranges of turns that are to be made, in the order of the walk: of a series, from `turns` to `allotted`.
CREATE TABLE ranges (
  no INTEGER PRIMARY KEY, place INTEGER NOT NULL, allotted INTEGER NOT NULL, turns INTEGER NOT NULL, lease INTEGER,
  done INTEGER NOT NULL);
CREATE INDEX ranges_by_lease ON ranges (lease);
CREATE INDEX ranges_to_take ON ranges (place) WHERE lease IS NULL AND done = 0;
CREATE INDEX ranges_done ON ranges (no) WHERE done = 1;
CREATE INDEX leases_by_worker ON leases (worker);
