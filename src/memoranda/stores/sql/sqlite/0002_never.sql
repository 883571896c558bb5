-- What a person said is never to be kept.

CREATE TABLE never_rules (
  tenant   TEXT NOT NULL,
  name     TEXT NOT NULL,
  form     TEXT NOT NULL,
  value    TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  added_by TEXT NOT NULL,
  PRIMARY KEY (tenant, name)
) WITHOUT ROWID;

PRAGMA user_version = 2;
