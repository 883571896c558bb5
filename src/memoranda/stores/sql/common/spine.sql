-- Change numbers and the store's own notes: what every flow and the conformance suite stand on.

-- The first statement of every write body: it orders the writers of a subject on every engine.
-- name: bump_subject
INSERT INTO subjects (tenant, subject, n)
VALUES (CAST(:tenant AS text), CAST(:subject AS text), 1)
ON CONFLICT (tenant, subject) DO UPDATE SET n = subjects.n + 1
RETURNING n;

-- name: change_number
SELECT n FROM subjects WHERE tenant = CAST(:tenant AS text) AND subject = CAST(:subject AS text);

-- name: set_meta
INSERT INTO memoranda_meta (name, value) VALUES (CAST(:key AS text), CAST(:value AS text))
ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- Fails when the note exists: the suite uses it to see a constraint at work.
-- name: add_meta
INSERT INTO memoranda_meta (name, value) VALUES (CAST(:key AS text), CAST(:value AS text));

-- name: meta
SELECT value FROM memoranda_meta WHERE name = CAST(:key AS text);

-- name: list_meta
SELECT name, value FROM memoranda_meta ORDER BY name;

-- name: delete_meta
DELETE FROM memoranda_meta WHERE name = CAST(:key AS text);
