-- Campaigns, version 1; what later versions add is in files of its own. One schema for every database that holds one.
CREATE TABLE campaign (key TEXT PRIMARY KEY, value TEXT NOT NULL);
-- One row a series: how many turns it was given, how many are done, and whether it is over.
CREATE TABLE series (
  no INTEGER PRIMARY KEY, strategy TEXT NOT NULL, allotted INTEGER NOT NULL, turns INTEGER NOT NULL,
  ended INTEGER NOT NULL, why TEXT NOT NULL);
-- Turns one after another, from this step of a series: for each a letter for what each solver's run came to, and spaces between.
CREATE TABLE turns (series INTEGER, step INTEGER, outcomes TEXT NOT NULL, PRIMARY KEY (series, step)) WITHOUT ROWID;
CREATE TABLE tally (
  strategy TEXT NOT NULL, solver TEXT NOT NULL, what TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (strategy, solver, what)) WITHOUT ROWID;
-- What each solver answered to a seed, asked once.
CREATE TABLE answers (
  seed TEXT NOT NULL, solver TEXT NOT NULL, answers TEXT NOT NULL, PRIMARY KEY (seed, solver)) WITHOUT ROWID;
CREATE TABLE findings (
  id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, against TEXT, strategy TEXT NOT NULL,
  fingerprint TEXT NOT NULL, folder TEXT NOT NULL, summary TEXT NOT NULL, size INTEGER NOT NULL,
  series INTEGER NOT NULL, step INTEGER NOT NULL, extra INTEGER NOT NULL, warm INTEGER NOT NULL, json TEXT NOT NULL);
CREATE INDEX findings_by_fingerprint ON findings (fingerprint);
-- How often a fingerprint was triggered, recorded or not.
CREATE TABLE triggers (fingerprint TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
