-- The turns of the log as recall finds them.

-- name: add_turn
INSERT INTO turns (tenant, session, message, subject, run, step, speaker, origin, at, asks, timed, words)
VALUES (:tenant, :session, :message, :subject, :run, :step, :speaker, :origin, :at, :asks, :timed, :words)
ON CONFLICT (tenant, session, message) DO NOTHING;

-- name: drop_turn
DELETE FROM turns WHERE tenant = :tenant AND session = :session AND message = :message;

-- name: forget_turns_before
DELETE FROM turns WHERE tenant = :tenant AND at < :before;

-- name: subjects_of_old_turns
SELECT DISTINCT subject FROM turns WHERE tenant = :tenant AND at < :before ORDER BY subject;

-- name: turns_after
-- Of a subject, those that came after a number; after none, all.
SELECT n, session, message, speaker, origin, at, asks, timed, words, run, step FROM turns
WHERE tenant = :tenant AND subject = :subject AND n > :after ORDER BY session, message;

-- name: turn_marks
-- By which a cache tells what is new and whether anything is gone.
SELECT count(*), coalesce(max(n), 0) FROM turns WHERE tenant = :tenant AND subject = :subject;

-- name: heard_outside
-- Whether text from outside came into a session before a message, or into its run: what was answered after it may
-- repeat it.
SELECT 1 WHERE EXISTS (
  SELECT 1 FROM session_log
  WHERE tenant = :tenant AND session = :session AND n < :message AND origin = 'external')
OR EXISTS (
  SELECT 1 FROM session_log WHERE tenant = :tenant AND run = :run AND at <= :at AND origin = 'external');

-- name: taken_back
-- What a subject's turns must not bring back: facts that do not hold, by where they were said and by their words.
SELECT status, trust, source_run, source_step, quote, terms FROM agent_facts
WHERE tenant = :tenant AND subject = :subject AND status <> 'live';

-- name: messages_after
-- A page of the log after a place, for upkeep.
SELECT s.session, s.n, s.run, s.step, s.role, s.origin, s.subject, s.at, s.body FROM session_log AS s
WHERE s.tenant = :tenant AND (s.session > :session OR (s.session = :session AND s.n > :message))
ORDER BY s.session, s.n LIMIT :most;
