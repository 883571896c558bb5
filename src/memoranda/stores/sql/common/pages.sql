-- Pages of long lists: each goes on behind a key, so that none costs more than another. Never with OFFSET.

-- name: older_facts
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts WHERE tenant = :tenant AND status = :status AND (created_at, id) < (:at, :id)
ORDER BY created_at DESC, id DESC LIMIT :most;

-- name: newer_facts
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts WHERE tenant = :tenant AND status = :status AND (created_at, id) >= (:at, :id)
ORDER BY created_at, id LIMIT :most;

-- name: older_facts_of_subject
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts WHERE tenant = :tenant AND subject = :subject AND status = :status AND (created_at, id) < (:at, :id)
ORDER BY created_at DESC, id DESC LIMIT :most;

-- name: newer_facts_of_subject
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts WHERE tenant = :tenant AND subject = :subject AND status = :status AND (created_at, id) >= (:at, :id)
ORDER BY created_at, id LIMIT :most;

-- name: subjects_after
-- Who has facts, of whatever state. Other places take turns by names of their own among the change numbers.
SELECT s.subject FROM subjects AS s
WHERE s.tenant = :tenant AND s.subject > :after
  AND EXISTS (SELECT 1 FROM agent_facts AS x WHERE x.tenant = s.tenant AND x.subject = s.subject)
ORDER BY s.subject LIMIT :most;

-- name: live_up_to
-- How many live facts a subject has, counted up to a number.
SELECT count(*) FROM (
  SELECT 1 FROM agent_facts WHERE tenant = :tenant AND subject = :subject AND status = 'live'
    AND (expires_at IS NULL OR expires_at > :now) LIMIT :most) AS found;

-- name: counts_up_to
-- What a front page tells of a tenant, each counted up to a number: live, waiting for a person, subjects, sessions.
SELECT
  (SELECT count(*) FROM (
    SELECT 1 FROM agent_facts WHERE tenant = :tenant AND status = 'live'
      AND (expires_at IS NULL OR expires_at > :now) LIMIT :most) AS found),
  (SELECT count(*) FROM (
    SELECT 1 FROM agent_facts WHERE tenant = :tenant AND status = 'pending' AND created_at > :since LIMIT :most) AS found),
  (SELECT count(*) FROM (
    SELECT 1 FROM subjects AS s WHERE s.tenant = :tenant AND s.subject > ''
      AND EXISTS (SELECT 1 FROM agent_facts AS x WHERE x.tenant = s.tenant AND x.subject = s.subject) LIMIT :most) AS found),
  (SELECT count(*) FROM (SELECT 1 FROM sessions WHERE tenant = :tenant AND session > '' LIMIT :most) AS found);

-- name: older_of_runs
-- Facts that a run wrote, newest first, without what they say.
SELECT created_at, id, source_run FROM agent_facts
WHERE tenant = :tenant AND status = :status AND (created_at, id) < (:at, :id)
ORDER BY created_at DESC, id DESC LIMIT :most;

-- name: newest_of_run
SELECT created_at, id FROM agent_facts WHERE tenant = :tenant AND source_run = :run
ORDER BY created_at DESC, id DESC LIMIT 1;

-- name: oldest_of_run
SELECT created_at FROM agent_facts WHERE tenant = :tenant AND source_run = :run ORDER BY created_at, id LIMIT 1;

-- name: subjects_of_run
-- Whom the newest facts of a run are about, and in what state these are.
SELECT subject, status, count(*) FROM (
  SELECT subject, status FROM agent_facts WHERE tenant = :tenant AND source_run = :run
  ORDER BY created_at DESC, id DESC LIMIT :most) AS found
GROUP BY subject, status ORDER BY subject, status;

-- name: operations_before
SELECT id, at, actor, verb, why, run, undo_of, undone_by FROM operations
WHERE tenant = :tenant AND id < :before ORDER BY id DESC LIMIT :most;

-- name: facts_of_operation
-- The first facts that an operation changed.
SELECT DISTINCT fact_id FROM fact_states WHERE tenant = :tenant AND operation = :operation ORDER BY fact_id LIMIT :most;

-- name: count_of_operation
SELECT count(DISTINCT fact_id) FROM fact_states WHERE tenant = :tenant AND operation = :operation;

-- name: sessions_before
SELECT session, messages, first_at, last_at FROM sessions
WHERE tenant = :tenant AND (last_at, session) < (:at, :session) ORDER BY last_at DESC, session DESC LIMIT :most;

-- name: session
SELECT session, messages, first_at, last_at FROM sessions WHERE tenant = :tenant AND session = :session;

-- name: messages_from
SELECT session, n, run, step, role, origin, subject, at, body FROM session_log
WHERE tenant = :tenant AND session = :session AND n > :after ORDER BY n LIMIT :most;

-- name: messages_up_to
SELECT session, n, run, step, role, origin, subject, at, body FROM session_log
WHERE tenant = :tenant AND session = :session AND n < :before ORDER BY n DESC LIMIT :most;

-- name: steps_of_session
SELECT step, count(*), min(n), max(n), min(at), max(at) FROM session_log
WHERE tenant = :tenant AND session = :session GROUP BY step ORDER BY min(n);

-- name: receipt
SELECT id, session, run, at, subjects, considered, tokens, message FROM receipts WHERE tenant = :tenant AND id = :id;

-- name: receipts_before
SELECT id, session, run, at, subjects, considered, tokens, message FROM receipts
WHERE tenant = :tenant AND id < :before ORDER BY id DESC LIMIT :most;

-- name: receipts_of_session
SELECT id, session, run, at, subjects, considered, tokens, message FROM receipts
WHERE tenant = :tenant AND session = :session ORDER BY id DESC LIMIT :most;

-- name: receipts_of_messages
SELECT message, id FROM receipts
WHERE tenant = :tenant AND session = :session AND message BETWEEN :first AND :last ORDER BY message, id;

-- name: receipt_items
SELECT fact_id, chosen, score, reason FROM receipt_facts
WHERE tenant = :tenant AND receipt = :receipt ORDER BY chosen DESC, score DESC, fact_id;

-- name: receipt_counts
SELECT coalesce(sum(chosen), 0), count(*) - coalesce(sum(chosen), 0) FROM receipt_facts
WHERE tenant = :tenant AND receipt = :receipt;

-- name: next_with_files
-- The first subject behind a name that has something in the tree of rows.
SELECT subject FROM tree_rows WHERE tenant = :tenant AND subject > :after ORDER BY subject LIMIT 1;

-- name: file_summary
SELECT count(*), coalesce(sum(size), 0), max(written_at) FROM files
WHERE tenant = :tenant AND subject = :subject AND root = '';
