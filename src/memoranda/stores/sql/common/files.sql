-- Files: the tree of rows, what is known of every file, versions.

-- name: tree_node
SELECT path, folder, size, stamp FROM tree_rows WHERE tenant = :tenant AND subject = :subject AND path = :path;

-- name: tree_text
SELECT path, folder, size, stamp, body FROM tree_rows WHERE tenant = :tenant AND subject = :subject AND path = :path;

-- name: tree_children
SELECT path, folder, size, stamp FROM tree_rows WHERE tenant = :tenant AND subject = :subject AND parent = :parent ORDER BY path;

-- name: tree_twins
SELECT path FROM tree_rows WHERE tenant = :tenant AND subject = :subject AND parent = :parent AND folded = :folded;

-- name: tree_under
-- An entry and all that lies below it: `below` is its path and a slash, `beyond` its path and what sorts after a slash.
SELECT path, parent FROM tree_rows WHERE tenant = :tenant AND subject = :subject
  AND (path = :path OR (path > :below AND path < :beyond));

-- name: put_tree_row
INSERT INTO tree_rows (tenant, subject, path, parent, folded, folder, size, stamp, body)
VALUES (:tenant, :subject, :path, :parent, :folded, :folder, :size, :stamp, :body)
ON CONFLICT (tenant, subject, path) DO UPDATE SET size = excluded.size, stamp = excluded.stamp, body = excluded.body;

-- name: delete_tree_row
DELETE FROM tree_rows WHERE tenant = :tenant AND subject = :subject AND path = :path;

-- name: move_tree_row
UPDATE tree_rows SET path = :new, parent = :parent, folded = :folded WHERE tenant = :tenant AND subject = :subject AND path = :path;

-- name: tree_bodies
SELECT path, body FROM tree_rows WHERE tenant = :tenant AND subject = :subject AND folder = 0;

-- name: folders_of_subject
SELECT root FROM files WHERE tenant = :tenant AND subject = :subject AND root <> ''
UNION SELECT root FROM file_versions WHERE tenant = :tenant AND subject = :subject AND root <> ''
ORDER BY root;

-- name: rewrite_tree_row
UPDATE tree_rows SET body = :body, size = :size, stamp = :stamp WHERE tenant = :tenant AND subject = :subject AND path = :path;

-- name: ticks
-- The seals of ticked items of projects.
SELECT why FROM operations WHERE tenant = :tenant AND subject = :subject AND verb = 'tick';

-- What is known of a file

-- name: file_known
SELECT path, n, sha256, size, stamp, mark, approved_by, approved_at, written_at, used_at, due_at FROM files
WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path;

-- name: files_known
SELECT path, n, sha256, size, stamp, mark, approved_by, approved_at, written_at, used_at, due_at FROM files
WHERE tenant = :tenant AND subject = :subject AND root = :root ORDER BY path;

-- name: file_totals
SELECT count(*), coalesce(sum(size), 0) FROM files WHERE tenant = :tenant AND subject = :subject AND root = :root;

-- name: files_longest_unused
SELECT path, size, used_at FROM files
WHERE tenant = :tenant AND subject = :subject AND root = :root ORDER BY used_at, path LIMIT :most;

-- name: put_file
INSERT INTO files (tenant, subject, root, path, n, sha256, size, stamp, mark, approved_by, approved_at, written_at, used_at, due_at)
VALUES (:tenant, :subject, :root, :path, :n, :sha256, :size, :stamp, :mark, NULL, NULL, :at, :at, NULL)
ON CONFLICT (tenant, subject, root, path) DO UPDATE SET n = excluded.n, sha256 = excluded.sha256, size = excluded.size,
  stamp = excluded.stamp, mark = excluded.mark, approved_by = NULL, approved_at = NULL, written_at = excluded.written_at,
  used_at = excluded.used_at, due_at = NULL;

-- name: restamp_file
UPDATE files SET stamp = :stamp WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path AND sha256 = :sha256;

-- name: reseal_file
UPDATE files SET sha256 = :sha256, size = :size, stamp = :stamp
WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path;

-- name: delete_file
DELETE FROM files WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path;

-- name: note_view
UPDATE files SET used_at = :at, due_at = NULL WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path;

-- name: approve_file
UPDATE files SET approved_by = :name, approved_at = :at, mark = ''
WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path AND sha256 = :sha256;

-- name: mark_file
UPDATE files SET mark = :mark
WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path AND sha256 = :sha256;

-- name: unused_files
SELECT subject, root, path, size, used_at, due_at FROM files
WHERE tenant = :tenant AND used_at < :before ORDER BY subject, root, path;

-- name: announce_file
UPDATE files SET due_at = :due WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path;

-- Versions

-- name: next_version
SELECT coalesce(max(n), 0) + 1 FROM file_versions WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path;

-- name: add_version
INSERT INTO file_versions (tenant, subject, root, path, n, verb, done, sha256, size, mark, actor, run, step, at, source, body)
VALUES (:tenant, :subject, :root, :path, :n, :verb, 0, :sha256, :size, :mark, :actor, :run, :step, :at, :source, :body);

-- name: finish_version
UPDATE file_versions SET done = 1 WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path AND n = :n;

-- name: drop_version
-- A change that was announced and never happened.
DELETE FROM file_versions WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path AND n = :n AND done = 0;

-- name: open_versions
SELECT path, n, verb, sha256, size, mark, actor, run, step, at, source FROM file_versions
WHERE tenant = :tenant AND subject = :subject AND root = :root AND done = 0 ORDER BY path, n;

-- name: versions
SELECT path, n, verb, sha256, size, mark, actor, run, step, at, source FROM file_versions
WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path AND done = 1 ORDER BY n DESC;

-- name: version_body
SELECT body, mark FROM file_versions
WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path AND n = :n AND done = 1;

-- name: trim_versions
DELETE FROM file_versions WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path AND n <= :before;

-- name: version_bodies
SELECT root, path, n, body FROM file_versions WHERE tenant = :tenant AND subject = :subject AND body IS NOT NULL;

-- name: trees_of_tenant
-- Every tree that anything is known of, or kept of.
SELECT subject, '' AS root FROM tree_rows WHERE tenant = :tenant
UNION SELECT subject, root FROM files WHERE tenant = :tenant
UNION SELECT subject, root FROM file_versions WHERE tenant = :tenant
ORDER BY 1, 2;

-- name: version_texts
SELECT n, body FROM file_versions
WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path AND n <= :last AND body IS NOT NULL ORDER BY n;

-- name: version_names
SELECT path, n, source FROM file_versions WHERE tenant = :tenant AND subject = :subject AND root = :root ORDER BY path, n;

-- name: rename_source
UPDATE file_versions SET source = :source WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path AND n = :n;

-- name: forget_versions
DELETE FROM file_versions WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path;

-- name: rewrite_version
-- Only erasure and a rescan rewrite what a version holds.
UPDATE file_versions SET body = :body WHERE tenant = :tenant AND subject = :subject AND root = :root AND path = :path AND n = :n;

-- name: forget_deleted_files
-- Versions of files that are gone, once their deletion is old.
DELETE FROM file_versions WHERE tenant = :tenant AND at < :before AND NOT EXISTS (
  SELECT 1 FROM files AS f WHERE f.tenant = file_versions.tenant AND f.subject = file_versions.subject
    AND f.root = file_versions.root AND f.path = file_versions.path
);
