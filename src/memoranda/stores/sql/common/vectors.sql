-- Vectors of facts and of logged messages. A space is a model, a length and the hash of its weights.

-- name: vectors_of_subject
SELECT place, item, digest, vector FROM vectors
WHERE tenant = :tenant AND subject = :subject AND model = :model AND weights = :weights AND dim = :dim;

-- name: vectors_of_place
-- Of a fact or a message: neither ever gets another text under the same name and keeps its vector.
SELECT item, vector FROM vectors
WHERE tenant = :tenant AND subject = :subject AND model = :model AND weights = :weights AND dim = :dim
  AND place = :place;

-- name: vector_digests
-- What there is of a subject's vectors, without reading them.
SELECT place, item, digest FROM vectors
WHERE tenant = :tenant AND subject = :subject AND model = :model AND weights = :weights AND dim = :dim;

-- name: vector_of_item
SELECT digest, vector FROM vectors
WHERE tenant = :tenant AND place = :place AND item = :item AND model = :model AND weights = :weights AND dim = :dim;

-- name: set_fact_vector
-- Only while the fact may be recalled: it may have been taken back while its vector was made.
INSERT INTO vectors (tenant, subject, place, item, model, dim, weights, digest, vector)
SELECT tenant, subject, 'fact', id, CAST(:model AS text), CAST(:dim AS integer), CAST(:weights AS text),
  CAST(:digest AS text), :vector
FROM agent_facts WHERE tenant = CAST(:tenant AS text) AND id = CAST(:item AS text) AND status = 'live'
ON CONFLICT (tenant, place, item, model, weights)
DO UPDATE SET subject = excluded.subject, dim = excluded.dim, digest = excluded.digest, vector = excluded.vector;

-- name: set_turn_vector
-- Only while the message is there.
INSERT INTO vectors (tenant, subject, place, item, model, dim, weights, digest, vector)
SELECT tenant, subject, 'turn', CAST(:item AS text), CAST(:model AS text), CAST(:dim AS integer),
  CAST(:weights AS text), CAST(:digest AS text), :vector
FROM session_log WHERE tenant = CAST(:tenant AS text) AND session = CAST(:session AS text) AND n = :n
ON CONFLICT (tenant, place, item, model, weights)
DO UPDATE SET subject = excluded.subject, dim = excluded.dim, digest = excluded.digest, vector = excluded.vector;

-- name: drop_item_vectors
-- In every space.
DELETE FROM vectors WHERE tenant = :tenant AND place = :place AND item = :item;

-- name: drop_other_spaces_of_subject
DELETE FROM vectors
WHERE tenant = :tenant AND subject = :subject AND NOT (model = :model AND weights = :weights AND dim = :dim);

-- name: drop_other_spaces
DELETE FROM vectors WHERE tenant = :tenant AND NOT (model = :model AND weights = :weights AND dim = :dim);

-- name: drop_idle_fact_vectors
-- Of facts that are gone or cannot be recalled any more. Undone, a fact gets its vector at the next recall.
DELETE FROM vectors
WHERE tenant = :tenant AND place = 'fact' AND NOT EXISTS (
  SELECT 1 FROM agent_facts AS f
  WHERE f.tenant = vectors.tenant AND f.id = vectors.item AND f.status = 'live'
    AND (f.expires_at IS NULL OR f.expires_at > :now));

-- name: drop_gone_turn_vectors
-- The item is the session, '#' and the number; a session's name may hold both.
DELETE FROM vectors
WHERE tenant = :tenant AND place = 'turn' AND NOT EXISTS (
  SELECT 1 FROM session_log AS s
  WHERE s.tenant = vectors.tenant
    AND s.session = substr(vectors.item, 1, length(rtrim(vectors.item, '0123456789')) - 1)
    AND s.n = CAST(substr(vectors.item, length(rtrim(vectors.item, '0123456789')) + 1) AS integer));

-- name: vector_counts
SELECT model, dim, weights, place, count(*) FROM vectors WHERE tenant = :tenant
GROUP BY model, dim, weights, place ORDER BY model, dim, weights, place;

-- name: facts_without_vector
SELECT count(*) FROM agent_facts AS f
WHERE f.tenant = :tenant AND f.status = 'live' AND (f.expires_at IS NULL OR f.expires_at > :now)
  AND NOT EXISTS (
    SELECT 1 FROM vectors AS v
    WHERE v.tenant = f.tenant AND v.place = 'fact' AND v.item = f.id AND v.model = :model
      AND v.weights = :weights AND v.dim = :dim);

-- name: live_texts
-- What of a subject's facts gets a vector, newest first.
SELECT id, fact FROM agent_facts
WHERE tenant = :tenant AND subject = :subject AND status = 'live' AND (expires_at IS NULL OR expires_at > :now)
ORDER BY created_at DESC, id DESC;

-- name: every_subject
-- Who was ever written about, in whatever place.
SELECT subject FROM subjects WHERE tenant = :tenant
UNION SELECT subject FROM turns WHERE tenant = :tenant
ORDER BY subject;
