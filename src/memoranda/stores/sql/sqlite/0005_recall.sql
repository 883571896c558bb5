-- What recall looks in: the turns of the session log by their words, and the engine's own index over facts and turns,
-- for subjects that have too much to be looked at whole.

-- A message of the log as recall finds it: who said it, when, and its words (folded, not stemmed; no stop words).
-- Only what may be recalled in other sessions stands here. n grows with every row and is never used again, so that a
-- cache knows what is new.
CREATE TABLE turns (
  n       INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant  TEXT NOT NULL,
  session TEXT NOT NULL,
  message INTEGER NOT NULL,
  subject TEXT NOT NULL,
  run     TEXT,
  step    INTEGER,
  speaker TEXT NOT NULL,
  origin  TEXT NOT NULL,
  at      INTEGER NOT NULL,
  asks    INTEGER NOT NULL,
  timed   INTEGER NOT NULL,
  words   TEXT NOT NULL
);

CREATE UNIQUE INDEX turns_message ON turns (tenant, session, message);
CREATE INDEX turns_subject ON turns (tenant, subject, n);

-- What was said in a session and does not hold any more.
CREATE INDEX agent_facts_taken ON agent_facts (tenant, source_ref) WHERE status <> 'live' AND source_ref IS NOT NULL;

-- Where text from outside came in: asked of every answer of a model, however long its session is.
CREATE INDEX session_log_outside ON session_log (tenant, session, n) WHERE origin = 'external';
CREATE INDEX session_log_outside_run ON session_log (tenant, run, at) WHERE origin = 'external' AND run IS NOT NULL;

-- Facts that may be read, under a number that a vacuum leaves alone and that is never used again. Triggers keep it.
CREATE TABLE fact_numbers (
  n       INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant  TEXT NOT NULL,
  id      TEXT NOT NULL,
  subject TEXT NOT NULL
);

CREATE UNIQUE INDEX fact_numbers_fact ON fact_numbers (tenant, id);
CREATE INDEX fact_numbers_subject ON fact_numbers (tenant, subject, n);

-- Up to which number a subject's facts ('fact') or turns ('turn') stand in the engine's index. Only subjects that are too
-- large to be ranked whole are entered there, when they are searched: a write never waits for it.
CREATE TABLE indexed (
  tenant  TEXT NOT NULL,
  subject TEXT NOT NULL,
  place   TEXT NOT NULL,
  n       INTEGER NOT NULL,
  PRIMARY KEY (tenant, subject, place)
) WITHOUT ROWID;

-- Numbers that are gone and may still stand in the index. A search passes them over; upkeep and erasure take them out.
CREATE TABLE index_gone (
  tenant TEXT NOT NULL,
  place  TEXT NOT NULL,
  n      INTEGER NOT NULL,
  PRIMARY KEY (tenant, place, n)
) WITHOUT ROWID;

-- The scope is one word that no text holds, so that a search reads the entries of one subject and of nobody else.
CREATE VIRTUAL TABLE facts_index USING fts5(scope, terms, tokenize = 'unicode61 remove_diacritics 0');
CREATE VIRTUAL TABLE turns_index USING fts5(scope, words, tokenize = 'porter unicode61 remove_diacritics 0');

CREATE TRIGGER facts_added AFTER INSERT ON agent_facts WHEN new.status = 'live' BEGIN
  INSERT INTO fact_numbers (tenant, id, subject) VALUES (new.tenant, new.id, new.subject);
END;

CREATE TRIGGER facts_changed AFTER UPDATE OF status, terms ON agent_facts
WHEN new.status <> old.status OR new.terms <> old.terms BEGIN
  DELETE FROM fact_numbers WHERE tenant = old.tenant AND id = old.id;
  INSERT INTO fact_numbers (tenant, id, subject)
  SELECT new.tenant, new.id, new.subject WHERE new.status = 'live';
END;

CREATE TRIGGER facts_gone AFTER DELETE ON agent_facts BEGIN
  DELETE FROM fact_numbers WHERE tenant = old.tenant AND id = old.id;
END;

CREATE TRIGGER fact_numbers_gone AFTER DELETE ON fact_numbers BEGIN
  INSERT INTO index_gone (tenant, place, n)
  SELECT i.tenant, i.place, old.n FROM indexed AS i
  WHERE i.tenant = old.tenant AND i.subject = old.subject AND i.place = 'fact' AND i.n >= old.n;
END;

CREATE TRIGGER turns_gone AFTER DELETE ON turns BEGIN
  INSERT INTO index_gone (tenant, place, n)
  SELECT i.tenant, i.place, old.n FROM indexed AS i
  WHERE i.tenant = old.tenant AND i.subject = old.subject AND i.place = 'turn' AND i.n >= old.n;
END;

INSERT INTO fact_numbers (tenant, id, subject)
SELECT tenant, id, subject FROM agent_facts WHERE status = 'live' ORDER BY created_at, id;

-- What was written so far has the terms of the first analyser: upkeep writes them anew.
INSERT INTO memoranda_meta (name, value)
SELECT DISTINCT 'terms/' || tenant, '1' FROM agent_facts WHERE true
ON CONFLICT (name) DO NOTHING;

-- Nor have messages that were logged so far turns: upkeep makes them. Later ones get theirs as they are logged, and what
-- is taken out of recall then must not be made again.
INSERT INTO memoranda_meta (name, value) SELECT DISTINCT 'turns/' || tenant, '0' FROM session_log WHERE true
ON CONFLICT (name) DO NOTHING;

-- As in the first schema: what the planner is to think of a store.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('turns', 'turns_message', '1000000 10000 50 1'),
  ('turns', 'turns_subject', '1000000 10000 500 1'),
  ('session_log', 'session_log_outside', '100000 10000 10 1'),
  ('session_log', 'session_log_outside_run', '100000 10000 50 1'),
  ('agent_facts', 'agent_facts_taken', '100000 10000 50'),
  ('fact_numbers', 'fact_numbers_fact', '1000000 10000 1'),
  ('fact_numbers', 'fact_numbers_subject', '1000000 10000 100 1'),
  ('indexed', 'indexed', '100 10 2 1'),
  ('index_gone', 'index_gone', '1000 100 50 1');

ANALYZE sqlite_schema;

PRAGMA user_version = 5;
