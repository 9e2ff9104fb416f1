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
-- Who has taken which ranges, when, and until when: of each the series, how many turns it may have and how many it has. What
-- was counted in them stays here until it is added to the counts of all.
CREATE TABLE leases (
  id INTEGER PRIMARY KEY, worker INTEGER NOT NULL, began INTEGER NOT NULL, until INTEGER NOT NULL, done INTEGER NOT NULL,
  ranges TEXT NOT NULL, counts TEXT NOT NULL);
-- Ranges that wait to be taken, many to a row, in the order of the walk. Whoever takes some of a row that is marked plans what
-- comes after those that wait.
CREATE TABLE waiting (id INTEGER PRIMARY KEY, ranges TEXT NOT NULL, marked INTEGER NOT NULL);
