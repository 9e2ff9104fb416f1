-- Turns and kept findings of each minute since 1970 in which there were any.
CREATE TABLE course (minute INTEGER PRIMARY KEY, turns INTEGER NOT NULL, findings INTEGER NOT NULL);
