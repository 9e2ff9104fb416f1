-- What releases did with numbered formulas (`gainsay evolve`, `gainsay ci`).
CREATE TABLE formulas (
  id INTEGER PRIMARY KEY, grammar TEXT NOT NULL, number TEXT NOT NULL, size INTEGER NOT NULL, text TEXT NOT NULL,
  UNIQUE (grammar, number));
CREATE TABLE releases (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
-- One row for each formula and release. Times are in microseconds; a clock that was not read has none. What it replied is
-- kept for releases that others are compared with.
CREATE TABLE runs (
  formula INTEGER NOT NULL, release INTEGER NOT NULL, way TEXT NOT NULL, outcome TEXT NOT NULL, ending TEXT NOT NULL,
  cpu INTEGER, wall INTEGER NOT NULL, answer TEXT, model TEXT, PRIMARY KEY (formula, release)) WITHOUT ROWID;
-- What is wrong with a run: how surely that is known, and of what it is a trigger.
CREATE TABLE wrongs (
  formula INTEGER NOT NULL, release INTEGER NOT NULL, kind TEXT NOT NULL, seen TEXT NOT NULL, operators TEXT NOT NULL,
  summary TEXT NOT NULL, PRIMARY KEY (formula, release, kind)) WITHOUT ROWID;
