-- The first schema: facts with their states, the operation log, the session log, receipts.
-- Times are integer microseconds since 1970 UTC; lists are JSON text; truth values are 0 and 1.
-- The tenant is in every key, so that the same tables can be distributed by it.

CREATE TABLE memoranda_meta (
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- One change number per subject: every write bumps it first. It orders writers and is the key of caches.
CREATE TABLE subjects (
  tenant  TEXT NOT NULL,
  subject TEXT NOT NULL,
  n       INTEGER NOT NULL,
  PRIMARY KEY (tenant, subject)
) WITHOUT ROWID;

CREATE TABLE agent_facts (
  tenant         TEXT NOT NULL,
  id             TEXT NOT NULL,
  subject        TEXT NOT NULL,
  fact           TEXT NOT NULL,
  kind           TEXT NOT NULL,
  attribute      TEXT,
  value          TEXT,
  polarity       INTEGER NOT NULL DEFAULT 1,
  tags           TEXT NOT NULL DEFAULT '[]',
  source_run     TEXT,
  source_step    INTEGER,
  origin         TEXT NOT NULL,
  source_ref     TEXT,
  quote          TEXT,
  derived_from   TEXT NOT NULL DEFAULT '[]',
  trust          INTEGER NOT NULL,
  confidence     REAL NOT NULL,
  created_at     INTEGER NOT NULL,
  observed_at    INTEGER NOT NULL,
  digest         TEXT NOT NULL,
  durable_reason TEXT,
  status         TEXT NOT NULL,
  expires_at     INTEGER,
  superseded_by  TEXT,
  superseded_at  INTEGER,
  retired_at     INTEGER,
  retired_why    TEXT,
  approved_by    TEXT,
  approved_at    INTEGER,
  pinned_by      TEXT,
  terms          TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
);

-- With the time of storing last: what a new statement is compared with are the newest rows, found without a sort.
CREATE INDEX agent_facts_subject ON agent_facts (tenant, subject, status, created_at, id);
CREATE INDEX agent_facts_key ON agent_facts (tenant, subject, attribute) WHERE attribute IS NOT NULL;
CREATE INDEX agent_facts_digest ON agent_facts (tenant, subject, digest);
CREATE INDEX agent_facts_run ON agent_facts (tenant, source_run) WHERE source_run IS NOT NULL;
CREATE INDEX agent_facts_superseded ON agent_facts (tenant, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX agent_facts_derived ON agent_facts (tenant) WHERE derived_from <> '[]';
CREATE INDEX agent_facts_pending ON agent_facts (tenant, created_at) WHERE status = 'pending';

-- Every state a fact has had, by the subject's change number: as-of reads it, undo restores from it.
CREATE TABLE fact_states (
  tenant        TEXT NOT NULL,
  fact_id       TEXT NOT NULL,
  n             INTEGER NOT NULL,
  operation     TEXT NOT NULL,
  changed_at    INTEGER NOT NULL,
  status        TEXT NOT NULL,
  expires_at    INTEGER,
  superseded_by TEXT,
  superseded_at INTEGER,
  retired_at    INTEGER,
  retired_why   TEXT,
  approved_by   TEXT,
  approved_at   INTEGER,
  pinned_by     TEXT,
  PRIMARY KEY (tenant, fact_id, n)
) WITHOUT ROWID;

CREATE INDEX fact_states_operation ON fact_states (tenant, operation);
CREATE INDEX fact_states_superseded ON fact_states (tenant, superseded_by) WHERE superseded_by IS NOT NULL;

-- Which step said which statement, also where it only confirmed one: a retry finds its answer here.
CREATE TABLE sightings (
  tenant  TEXT NOT NULL,
  run     TEXT NOT NULL,
  step    INTEGER NOT NULL,
  digest  TEXT NOT NULL,
  fact_id TEXT NOT NULL,
  PRIMARY KEY (tenant, run, step, digest)
) WITHOUT ROWID;

CREATE INDEX sightings_fact ON sightings (tenant, fact_id);

-- Who did what, when and why. Holds ids, never a fact's text.
CREATE TABLE operations (
  tenant    TEXT NOT NULL,
  id        TEXT NOT NULL,
  at        INTEGER NOT NULL,
  actor     TEXT NOT NULL,
  verb      TEXT NOT NULL,
  why       TEXT,
  run       TEXT,
  subject   TEXT,
  undo_of   TEXT,
  undone_by TEXT,
  PRIMARY KEY (tenant, id)
) WITHOUT ROWID;

CREATE INDEX operations_why ON operations (tenant) WHERE why IS NOT NULL;

-- The log of conversations, append-only, as sent after secrets are replaced.
CREATE TABLE session_log (
  tenant  TEXT NOT NULL,
  session TEXT NOT NULL,
  n       INTEGER NOT NULL,
  run     TEXT,
  step    INTEGER,
  role    TEXT NOT NULL,
  origin  TEXT NOT NULL,
  subject TEXT NOT NULL,
  at      INTEGER NOT NULL,
  body    TEXT NOT NULL,
  PRIMARY KEY (tenant, session, n)
) WITHOUT ROWID;

CREATE INDEX session_log_subject ON session_log (tenant, subject, at);
CREATE INDEX session_log_run ON session_log (tenant, run) WHERE run IS NOT NULL;

-- What was recalled, stored with the turn it was recalled for. Ids and scores only.
CREATE TABLE receipts (
  tenant     TEXT NOT NULL,
  id         TEXT NOT NULL,
  session    TEXT,
  run        TEXT,
  at         INTEGER NOT NULL,
  subjects   TEXT NOT NULL,
  considered INTEGER NOT NULL,
  tokens     INTEGER NOT NULL,
  PRIMARY KEY (tenant, id)
) WITHOUT ROWID;

CREATE TABLE receipt_facts (
  tenant  TEXT NOT NULL,
  fact_id TEXT NOT NULL,
  receipt TEXT NOT NULL,
  chosen  INTEGER NOT NULL,
  score   REAL NOT NULL,
  reason  TEXT,
  PRIMARY KEY (tenant, fact_id, receipt)
) WITHOUT ROWID;

CREATE INDEX receipt_facts_receipt ON receipt_facts (tenant, receipt);

-- All that stays of an erased fact: its id and the time.
CREATE TABLE tombstones (
  tenant    TEXT NOT NULL,
  id        TEXT NOT NULL,
  erased_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, id)
) WITHOUT ROWID;

-- What the planner is to think of a store: a hundred tenants, each with a hundred subjects, sessions and runs of about
-- a hundred rows. Without figures it takes all of a tenant for ten rows, and reads them where an index would do.
-- Rows of the table or index, then rows for each value of its first column, of its first two, and so on.
ANALYZE;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('subjects', 'subjects', '10000 100 1'),
  ('agent_facts', 'sqlite_autoindex_agent_facts_1', '1000000 10000 1'),
  ('agent_facts', 'agent_facts_subject', '1000000 10000 100 80 1 1'),
  ('agent_facts', 'agent_facts_key', '500000 5000 50 2'),
  ('agent_facts', 'agent_facts_digest', '1000000 10000 100 1'),
  ('agent_facts', 'agent_facts_run', '900000 9000 50'),
  ('agent_facts', 'agent_facts_superseded', '100000 1000 1'),
  ('agent_facts', 'agent_facts_derived', '10000 100'),
  ('agent_facts', 'agent_facts_pending', '1000 10 1'),
  ('fact_states', 'fact_states', '1500000 15000 2 1'),
  ('fact_states', 'fact_states_operation', '1500000 15000 2'),
  ('fact_states', 'fact_states_superseded', '100000 1000 1'),
  ('sightings', 'sightings', '1000000 10000 50 2 1'),
  ('sightings', 'sightings_fact', '1000000 10000 1'),
  ('operations', 'operations', '1000000 10000 1'),
  ('operations', 'operations_why', '1000 10'),
  ('session_log', 'session_log', '1000000 10000 50 1'),
  ('session_log', 'session_log_subject', '1000000 10000 500 1'),
  ('session_log', 'session_log_run', '900000 9000 50'),
  ('receipts', 'receipts', '500000 5000 1'),
  ('receipt_facts', 'receipt_facts', '5000000 50000 10 1'),
  ('receipt_facts', 'receipt_facts_receipt', '5000000 50000 10'),
  ('tombstones', 'tombstones', '1000 10 1');

ANALYZE sqlite_schema;

-- 'Memo' in ASCII: tells our files from other SQLite databases.
PRAGMA application_id = 1298492783;
PRAGMA user_version = 1;
