-- What recall asks of SQLite's own index. The terms are a JSON list; each goes into the expression between quotes, so
-- that nothing in it is an operator, and beside the scope, so that nobody else's entries are read.

-- name: search_facts
-- The facts of a subject that hold most of the terms, and may be read now.
SELECT f.tenant, f.id, f.subject, f.fact, f.kind, f.attribute, f.value, f.polarity, f.tags, f.source_run, f.source_step,
  f.origin, f.source_ref, f.quote, f.derived_from, f.trust, f.confidence, f.created_at, f.observed_at, f.digest,
  f.durable_reason, f.status, f.expires_at, f.superseded_by, f.superseded_at, f.retired_at, f.retired_why, f.approved_by,
  f.approved_at, f.pinned_by, f.terms
FROM (
  SELECT rowid AS n, rank AS score FROM facts_index
  WHERE facts_index MATCH (
    SELECT 'scope : "' || hex(:tenant || char(31) || :subject) || '" AND terms : ('
      || group_concat('"' || replace(value, '"', '') || '"', ' OR ') || ')' FROM json_each(:terms))
  AND rank MATCH 'bm25(0.0, 1.0)' ORDER BY rank LIMIT :most
) AS found
JOIN fact_numbers AS t ON t.n = found.n
JOIN agent_facts AS f ON f.tenant = t.tenant AND f.id = t.id
WHERE f.tenant = :tenant AND f.subject = :subject AND f.status = 'live' AND (f.expires_at IS NULL OR f.expires_at > :now)
ORDER BY found.score, f.id;

-- name: search_turns
SELECT t.session, t.message FROM (
  SELECT rowid AS n, rank AS score FROM turns_index
  WHERE turns_index MATCH (
    SELECT 'scope : "' || hex(:tenant || char(31) || :subject) || '" AND words : ('
      || group_concat('"' || replace(value, '"', '') || '"', ' OR ') || ')' FROM json_each(:terms))
  AND rank MATCH 'bm25(0.0, 1.0)' ORDER BY rank LIMIT :most
) AS found
JOIN turns AS t ON t.n = found.n
WHERE t.tenant = :tenant AND t.subject = :subject
ORDER BY found.score, t.n;

-- name: count_facts
-- How many facts of a subject hold each term or what stands for it: a JSON list of lists, each with the term first.
SELECT json_extract(g.value, '$[0]'), (
  SELECT count(*) FROM facts_index WHERE facts_index MATCH (
    SELECT 'scope : "' || hex(:tenant || char(31) || :subject) || '" AND terms : ('
      || group_concat('"' || replace(t.value, '"', '') || '"', ' OR ') || ')' FROM json_each(g.value) AS t))
FROM json_each(:groups) AS g;

-- name: turns_at
-- Turns and those beside them, by the session and the number of each: a JSON list of pairs.
SELECT DISTINCT t.n, t.session, t.message, t.speaker, t.origin, t.at, t.asks, t.timed, t.words, t.run, t.step
FROM json_each(:places) AS place
JOIN turns AS t ON t.tenant = :tenant AND t.session = json_extract(place.value, '$[0]')
  AND t.message BETWEEN json_extract(place.value, '$[1]') - 2 AND json_extract(place.value, '$[1]') + 2
WHERE t.subject = :subject ORDER BY t.session, t.message;

-- name: turn_texts
-- What was said in the messages of a JSON list of sessions and numbers.
SELECT s.session, s.n, s.body FROM json_each(:places) AS place
JOIN session_log AS s ON s.tenant = :tenant AND s.session = json_extract(place.value, '$[0]')
  AND s.n = json_extract(place.value, '$[1]');

-- name: taken_back_near
-- The same of whatever subject, by the runs and the sources it was said in: two JSON lists.
SELECT status, trust, source_run, source_step, quote, terms FROM agent_facts
WHERE tenant = :tenant AND status <> 'live' AND source_run IN (SELECT value FROM json_each(:runs))
UNION
SELECT status, trust, source_run, source_step, quote, terms FROM agent_facts
WHERE tenant = :tenant AND status <> 'live' AND source_ref IN (SELECT value FROM json_each(:sources));

-- name: facts_unindexed
-- Up to which number a subject's facts are in the index, and up to which they should be.
SELECT
  coalesce((SELECT i.n FROM indexed AS i WHERE i.tenant = :tenant AND i.subject = :subject AND i.place = 'fact'), 0),
  coalesce((SELECT max(f.n) FROM fact_numbers AS f WHERE f.tenant = :tenant AND f.subject = :subject), 0);

-- name: turns_unindexed
SELECT
  coalesce((SELECT i.n FROM indexed AS i WHERE i.tenant = :tenant AND i.subject = :subject AND i.place = 'turn'), 0),
  coalesce((SELECT max(t.n) FROM turns AS t WHERE t.tenant = :tenant AND t.subject = :subject), 0);

-- name: index_facts
INSERT INTO facts_index (rowid, scope, terms)
SELECT n.n, hex(n.tenant || char(31) || n.subject), f.terms FROM fact_numbers AS n
JOIN agent_facts AS f ON f.tenant = n.tenant AND f.id = n.id
WHERE n.tenant = :tenant AND n.subject = :subject AND n.n > :after;

-- name: index_turns
INSERT INTO turns_index (rowid, scope, words)
SELECT n, hex(tenant || char(31) || subject), words FROM turns
WHERE tenant = :tenant AND subject = :subject AND n > :after;

-- name: set_indexed
INSERT INTO indexed (tenant, subject, place, n) VALUES (:tenant, :subject, :place, :n)
ON CONFLICT (tenant, subject, place) DO UPDATE SET n = excluded.n;

-- What the store does by itself before deleted text is looked for in its bytes: the index keeps words of what was
-- deleted until it is merged.

-- name: drop_gone_facts
DELETE FROM facts_index WHERE rowid IN (SELECT n FROM index_gone WHERE place = 'fact');

-- name: drop_gone_turns
DELETE FROM turns_index WHERE rowid IN (SELECT n FROM index_gone WHERE place = 'turn');

-- name: clear_gone
DELETE FROM index_gone;

-- name: gone_count
SELECT count(*) FROM index_gone;

-- name: merge_facts_index
INSERT INTO facts_index (facts_index) VALUES ('optimize');

-- name: merge_turns_index
INSERT INTO turns_index (turns_index) VALUES ('optimize');

-- name: check_facts_index
INSERT INTO facts_index (facts_index, rank) VALUES ('integrity-check', 1);

-- name: check_turns_index
INSERT INTO turns_index (turns_index, rank) VALUES ('integrity-check', 1);

-- name: change_numbers
-- Of several subjects at once: a JSON list of names.
SELECT subject, n FROM subjects WHERE tenant = :tenant AND subject IN (SELECT value FROM json_each(:names));

-- name: facts_among
-- Facts of a subject by a JSON list of ids, as far as they may be read now.
SELECT f.tenant, f.id, f.subject, f.fact, f.kind, f.attribute, f.value, f.polarity, f.tags, f.source_run, f.source_step,
  f.origin, f.source_ref, f.quote, f.derived_from, f.trust, f.confidence, f.created_at, f.observed_at, f.digest,
  f.durable_reason, f.status, f.expires_at, f.superseded_by, f.superseded_at, f.retired_at, f.retired_why, f.approved_by,
  f.approved_at, f.pinned_by, f.terms
FROM json_each(:ids) AS wanted
JOIN agent_facts AS f ON f.tenant = :tenant AND f.id = wanted.value
WHERE f.subject = :subject AND f.status = 'live' AND (f.expires_at IS NULL OR f.expires_at > :now);
