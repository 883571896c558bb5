-- The operation log: who, what, when, why. Never a fact's text.

-- name: add_operation
INSERT INTO operations (tenant, id, at, actor, verb, why, run, subject, undo_of, undone_by)
VALUES (:tenant, :id, :at, :actor, :verb, :why, :run, :subject, :undo_of, NULL);

-- name: operation
SELECT id, at, actor, verb, why, run, undo_of, undone_by FROM operations WHERE tenant = :tenant AND id = :id;

-- name: operations
SELECT id, at, actor, verb, why, run, undo_of, undone_by FROM operations
WHERE tenant = :tenant ORDER BY id DESC LIMIT :most;

-- name: last_undoable
-- The latest operation of anybody but the upkeep that changed facts, is no undo itself and was not taken back.
-- An erasure counts, so that who means it hears that it is final, and nothing older is undone in its place.
SELECT id FROM operations AS o
WHERE tenant = :tenant AND undo_of IS NULL AND undone_by IS NULL AND actor <> 'maintenance'
  AND (verb = 'erase' OR EXISTS (SELECT 1 FROM fact_states AS s WHERE s.tenant = o.tenant AND s.operation = o.id))
ORDER BY id DESC LIMIT 1;

-- name: mark_undone
UPDATE operations SET undone_by = :undone_by WHERE tenant = :tenant AND id = :id;

-- name: reasons
SELECT id, why FROM operations WHERE tenant = :tenant AND why IS NOT NULL ORDER BY id;

-- name: rewrite_reason
-- Only erasure rewrites a reason: a person may have written the fact into it.
UPDATE operations SET why = :why WHERE tenant = :tenant AND id = :id;
