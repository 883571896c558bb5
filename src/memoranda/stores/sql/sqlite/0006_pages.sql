-- What pages of long lists read: facts by state and time, runs by their newest fact, sessions by their last message,
-- receipts by the message they were made for.

-- Takes over from the index of what waits for a person, which held the same for one state. With the time of expiry
-- last, so that live facts are counted without their rows.
CREATE INDEX agent_facts_state ON agent_facts (tenant, status, created_at, id, expires_at);
DROP INDEX agent_facts_pending;

DROP INDEX agent_facts_subject;
CREATE INDEX agent_facts_subject ON agent_facts (tenant, subject, status, created_at, id, expires_at);

-- With the time of storing last, so that a run's newest and oldest fact are found without its others.
DROP INDEX agent_facts_run;
CREATE INDEX agent_facts_run ON agent_facts (tenant, source_run, created_at, id) WHERE source_run IS NOT NULL;

-- The number of the message in its session that the recall was for; NULL where it was for none.
ALTER TABLE receipts ADD COLUMN message INTEGER;
CREATE INDEX receipts_session ON receipts (tenant, session, id) WHERE session IS NOT NULL;
CREATE INDEX receipts_message ON receipts (tenant, session, message) WHERE session IS NOT NULL AND message IS NOT NULL;

-- One row for each session of the log, so that the list of sessions does not read every message. Triggers keep it. The
-- times are those of the first and of the last message by their numbers: these are found at once, also for each of the
-- thousands that retention takes in one statement, where the least and the greatest time would be looked for each time.
CREATE TABLE sessions (
  tenant   TEXT NOT NULL,
  session  TEXT NOT NULL,
  messages INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at  INTEGER NOT NULL,
  PRIMARY KEY (tenant, session)
) WITHOUT ROWID;

CREATE INDEX sessions_last ON sessions (tenant, last_at, session);

INSERT INTO sessions (tenant, session, messages, first_at, last_at)
SELECT s.tenant, s.session, s.messages, f.at, l.at
FROM (SELECT tenant, session, count(*) AS messages, min(n) AS first, max(n) AS last
      FROM session_log GROUP BY tenant, session) AS s
JOIN session_log AS f ON f.tenant = s.tenant AND f.session = s.session AND f.n = s.first
JOIN session_log AS l ON l.tenant = s.tenant AND l.session = s.session AND l.n = s.last;

CREATE TRIGGER message_added AFTER INSERT ON session_log BEGIN
  INSERT INTO sessions (tenant, session, messages, first_at, last_at)
  VALUES (new.tenant, new.session, 1, new.at, new.at)
  ON CONFLICT (tenant, session) DO UPDATE SET messages = messages + 1, last_at = excluded.last_at;
END;

CREATE TRIGGER message_gone AFTER DELETE ON session_log BEGIN
  UPDATE sessions SET messages = messages - 1,
    first_at = coalesce((SELECT m.at FROM session_log AS m
      WHERE m.tenant = old.tenant AND m.session = old.session ORDER BY m.n LIMIT 1), first_at),
    last_at = coalesce((SELECT m.at FROM session_log AS m
      WHERE m.tenant = old.tenant AND m.session = old.session ORDER BY m.n DESC LIMIT 1), last_at)
  WHERE tenant = old.tenant AND session = old.session;
  DELETE FROM sessions WHERE tenant = old.tenant AND session = old.session AND messages = 0;
END;

-- As in the first schema: what the planner is to think of a store.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('agent_facts', 'agent_facts_state', '1000000 10000 2000 1 1 1'),
  ('agent_facts', 'agent_facts_subject', '1000000 10000 100 80 1 1 1'),
  ('agent_facts', 'agent_facts_run', '900000 9000 50 1 1'),
  ('receipts', 'receipts_session', '500000 5000 50 1'),
  ('receipts', 'receipts_message', '400000 4000 40 1'),
  ('sessions', 'sessions', '10000 100 1'),
  ('sessions', 'sessions_last', '10000 100 1 1');

ANALYZE sqlite_schema;

PRAGMA user_version = 6;
