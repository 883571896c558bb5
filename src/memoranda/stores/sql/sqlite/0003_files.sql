-- Files: the tree of rows, what is known of every file of every tree, and the versions of each.

-- A tree of rows: what a folder is elsewhere. `parent` is "" for what lies at the root; `folded` is the
-- name without its case, by which neighbours are told that differ in nothing else.
CREATE TABLE tree_rows (
  tenant  TEXT NOT NULL,
  subject TEXT NOT NULL,
  path    TEXT NOT NULL,
  parent  TEXT NOT NULL,
  folded  TEXT NOT NULL,
  folder  INTEGER NOT NULL,
  size    INTEGER NOT NULL,
  stamp   TEXT NOT NULL,
  body    TEXT,
  PRIMARY KEY (tenant, subject, path)
);

CREATE INDEX tree_rows_parent ON tree_rows (tenant, subject, parent, folded);

-- What we last saw and did of each file. `root` is "" for the tree of rows, else the folder.
-- used_at: when it was last written or, to the day, viewed. mark: "" or why its text is data and no instruction; due_at: when it goes unless it is used again.
CREATE TABLE files (
  tenant      TEXT NOT NULL,
  subject     TEXT NOT NULL,
  root        TEXT NOT NULL,
  path        TEXT NOT NULL,
  n           INTEGER NOT NULL,
  sha256      TEXT NOT NULL,
  size        INTEGER NOT NULL,
  stamp       TEXT NOT NULL,
  mark        TEXT NOT NULL,
  approved_by TEXT,
  approved_at INTEGER,
  written_at  INTEGER NOT NULL,
  used_at     INTEGER NOT NULL,
  due_at      INTEGER,
  PRIMARY KEY (tenant, subject, root, path)
);

-- Every version of every file. A version is written before the file changes (done = 0) and is finished after it.
-- body: the text; NULL for a deletion, or when it was erased. source: the other path of a renaming.
CREATE TABLE file_versions (
  tenant  TEXT NOT NULL,
  subject TEXT NOT NULL,
  root    TEXT NOT NULL,
  path    TEXT NOT NULL,
  n       INTEGER NOT NULL,
  verb    TEXT NOT NULL,
  done    INTEGER NOT NULL,
  sha256  TEXT NOT NULL,
  size    INTEGER NOT NULL,
  mark    TEXT NOT NULL,
  actor   TEXT NOT NULL,
  run     TEXT,
  step    INTEGER,
  at      INTEGER NOT NULL,
  source  TEXT,
  body    TEXT,
  PRIMARY KEY (tenant, subject, root, path, n)
);

CREATE INDEX file_versions_run ON file_versions (tenant, run) WHERE run IS NOT NULL;
CREATE INDEX file_versions_open ON file_versions (tenant, subject, root) WHERE done = 0;

-- By these a project's ticks are told from words in its file.
CREATE INDEX operations_ticks ON operations (tenant, subject) WHERE verb = 'tick';

PRAGMA user_version = 3;
