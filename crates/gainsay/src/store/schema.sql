-- The schema of a campaign. Every database that holds one has it.
-- What the campaign says of itself: `spec` and `identity` are its definition.
CREATE TABLE campaign (key TEXT PRIMARY KEY, value TEXT NOT NULL);
-- One row for each series: how many turns it was given, how many are done, whether it is over, and as JSON what happened to it.
CREATE TABLE series (
  no INTEGER PRIMARY KEY, strategy TEXT NOT NULL, allotted INTEGER NOT NULL, turns INTEGER NOT NULL,
  ended INTEGER NOT NULL, why TEXT NOT NULL);
-- Turns one after another, from this step of a series: for each a letter for the outcome of each solver, and blanks between.
CREATE TABLE turns (series INTEGER, step INTEGER, outcomes TEXT NOT NULL, PRIMARY KEY (series, step)) WITHOUT ROWID;
-- Counts. What is counted is JSON.
CREATE TABLE tally (
  strategy TEXT NOT NULL, solver TEXT NOT NULL, what TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (strategy, solver, what)) WITHOUT ROWID;
-- What each solver answered to a seed, asked once, as JSON.
CREATE TABLE answers (
  seed TEXT NOT NULL, solver TEXT NOT NULL, answers TEXT NOT NULL, PRIMARY KEY (seed, solver)) WITHOUT ROWID;
-- What each solver did with a seed as it is, when it was asked first, as JSON.
CREATE TABLE first_runs (
  seed TEXT NOT NULL, solver TEXT NOT NULL, run TEXT NOT NULL, PRIMARY KEY (seed, solver)) WITHOUT ROWID;
-- Findings as JSON, with what is needed to find them again and to keep the smallest.
CREATE TABLE findings (
  id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL, folder TEXT NOT NULL,
  size INTEGER NOT NULL, extra INTEGER NOT NULL, warm INTEGER NOT NULL, json TEXT NOT NULL);
CREATE INDEX findings_by_fingerprint ON findings (fingerprint);
-- How often a fingerprint was triggered, recorded or not.
CREATE TABLE triggers (fingerprint TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
-- Turns and kept findings of each minute since 1970 in which there were any.
CREATE TABLE course (minute INTEGER PRIMARY KEY, turns INTEGER NOT NULL, findings INTEGER NOT NULL);

-- What releases did with numbered formulas (`gainsay evolve`, `gainsay ci`).
CREATE TABLE formulas (
  id INTEGER PRIMARY KEY, grammar TEXT NOT NULL, number TEXT NOT NULL, size INTEGER NOT NULL, text TEXT NOT NULL,
  UNIQUE (grammar, number));
CREATE TABLE releases (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
-- One row for each formula and release. Times are in microseconds, and comparable only between runs of one machine; a clock
-- that was not read has none. The ending is JSON. The model is kept for releases that others are compared with.
CREATE TABLE runs (
  formula INTEGER NOT NULL, release INTEGER NOT NULL, way TEXT NOT NULL, outcome TEXT NOT NULL, ending TEXT NOT NULL,
  cpu INTEGER, wall INTEGER NOT NULL, answer TEXT, model TEXT, machine TEXT NOT NULL,
  PRIMARY KEY (formula, release)) WITHOUT ROWID;
-- What is wrong with a run: how surely that is known, the operators of the formula and the fault as JSON, and whether the
-- release is accused.
CREATE TABLE wrongs (
  formula INTEGER NOT NULL, release INTEGER NOT NULL, kind TEXT NOT NULL, seen TEXT NOT NULL, operators TEXT NOT NULL,
  fault TEXT NOT NULL, accused INTEGER NOT NULL, PRIMARY KEY (formula, release, kind)) WITHOUT ROWID;

-- What campaigns of many machines need besides. Times are milliseconds since 1970 by the server's clock.
-- Files of findings, by name; on one machine they are in folders.
CREATE TABLE files (finding INTEGER NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (finding, name));
-- Seeds in their order, and their texts, each once.
CREATE TABLE seeds (place INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL);
CREATE TABLE texts (digest TEXT PRIMARY KEY, content BLOB NOT NULL);
-- Workers, and for how many milliseconds each takes work: a worker that is silent for longer does not count as working. The note
-- is why a worker takes no work, as JSON; it is empty for all others.
CREATE TABLE workers (
  id INTEGER PRIMARY KEY, machine TEXT NOT NULL, process INTEGER NOT NULL, jobs INTEGER NOT NULL, began INTEGER NOT NULL,
  seen INTEGER NOT NULL, turns INTEGER NOT NULL, gone INTEGER NOT NULL, note TEXT NOT NULL, lease INTEGER NOT NULL);
-- Ranges that workers have taken, when, and until when: of each the series, how many turns it may have and how many it has.
-- What was counted in them stays here, as JSON, until it is added to the counts of all.
CREATE TABLE leases (
  id INTEGER PRIMARY KEY, worker INTEGER NOT NULL, began INTEGER NOT NULL, until INTEGER NOT NULL, done INTEGER NOT NULL,
  ranges TEXT NOT NULL, counts TEXT NOT NULL);
-- Ranges that wait to be taken, many to a row, in the order of the schedule. A worker that takes some of a marked row plans
-- what comes after those that wait.
CREATE TABLE waiting (id INTEGER PRIMARY KEY, ranges TEXT NOT NULL, marked INTEGER NOT NULL);
