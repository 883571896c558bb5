-- The session log and the receipts stored with its turns.

-- name: next_in_session
SELECT coalesce(max(n), 0) + 1 FROM session_log WHERE tenant = :tenant AND session = :session;

-- name: add_message
INSERT INTO session_log (tenant, session, n, run, step, role, origin, subject, at, body)
VALUES (:tenant, :session, :n, :run, :step, :role, :origin, :subject, :at, :body);

-- name: session_messages
SELECT session, n, run, step, role, origin, subject, at, body FROM session_log
WHERE tenant = :tenant AND session = :session ORDER BY n;

-- name: message
SELECT session, n, run, step, role, origin, subject, at, body FROM session_log
WHERE tenant = :tenant AND session = :session AND n = :n;

-- name: last_messages
SELECT session, n, run, step, role, origin, subject, at, body FROM session_log
WHERE tenant = :tenant AND session = :session ORDER BY n DESC LIMIT :most;

-- name: step_messages
SELECT session, n, run, step, role, origin, subject, at, body FROM session_log
WHERE tenant = :tenant AND session = :session AND step = :step ORDER BY n;

-- name: sessions
SELECT session, messages, last_at FROM sessions WHERE tenant = :tenant ORDER BY last_at DESC, session;

-- name: messages_of_subject
SELECT session, n, run, step, body FROM session_log WHERE tenant = :tenant AND subject = :subject ORDER BY session, n;

-- name: messages_of_run
SELECT session, n, run, step, body FROM session_log WHERE tenant = :tenant AND run = :run ORDER BY session, n;

-- name: messages_of_session
SELECT session, n, run, step, body FROM session_log WHERE tenant = :tenant AND session = :session ORDER BY n;

-- name: bodies
SELECT session, n, body FROM session_log WHERE tenant = :tenant ORDER BY session, n;

-- name: export_messages
SELECT session, n, run, step, role, origin, subject, at, body FROM session_log
WHERE tenant = :tenant AND subject = :subject ORDER BY session, n;

-- name: rewrite_message
-- Only erasure rewrites what was logged.
UPDATE session_log SET body = :body WHERE tenant = :tenant AND session = :session AND n = :n;

-- name: forget_messages_before
DELETE FROM session_log WHERE tenant = :tenant AND at < :before;

-- name: forget_receipt_facts_before
DELETE FROM receipt_facts WHERE tenant = :tenant
  AND receipt IN (SELECT r.id FROM receipts AS r WHERE r.tenant = :tenant AND r.at < :before);

-- name: forget_receipts_before
DELETE FROM receipts WHERE tenant = :tenant AND at < :before;

-- name: add_receipt
INSERT INTO receipts (tenant, id, session, run, at, subjects, considered, tokens, message)
VALUES (:tenant, :id, :session, :run, :at, :subjects, :considered, :tokens, :message);

-- name: add_receipt_fact
INSERT INTO receipt_facts (tenant, fact_id, receipt, chosen, score, reason)
VALUES (:tenant, :fact_id, :receipt, :chosen, :score, :reason)
ON CONFLICT (tenant, fact_id, receipt) DO NOTHING;

-- name: recalled_where
SELECT r.id, r.session, r.run, r.at, f.score FROM receipt_facts AS f
JOIN receipts AS r ON r.tenant = f.tenant AND r.id = f.receipt
WHERE f.tenant = :tenant AND f.fact_id = :fact_id AND f.chosen = 1 ORDER BY r.at;

-- name: erase_receipt_facts
DELETE FROM receipt_facts WHERE tenant = :tenant AND fact_id = :id;

-- name: log_counts
SELECT (SELECT count(*) FROM session_log WHERE tenant = :tenant), (SELECT count(*) FROM receipts WHERE tenant = :tenant);
