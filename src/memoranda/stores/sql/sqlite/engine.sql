-- What the SQLite store tells the engine itself.

-- name: begin
BEGIN IMMEDIATE;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: journal_mode
PRAGMA journal_mode;

-- name: set_journal_mode
PRAGMA journal_mode = WAL;

-- An acknowledged commit survives a power cut.
-- name: set_synchronous
PRAGMA synchronous = FULL;

-- Deleted text is overwritten. The default is a build option, so it is set on every connection.
-- name: set_secure_delete
PRAGMA secure_delete = ON;

-- A damaged or hostile schema must not call functions.
-- name: set_trusted_schema
PRAGMA trusted_schema = OFF;

-- name: application_id
PRAGMA application_id;

-- name: schema_version
PRAGMA user_version;

-- name: checkpoint
PRAGMA wal_checkpoint(TRUNCATE);

-- name: vacuum
VACUUM;

-- name: integrity
PRAGMA integrity_check(20);

-- name: page_size
PRAGMA page_size;

-- name: page_count
PRAGMA page_count;

-- name: free_pages
PRAGMA freelist_count;

-- name: table_names
SELECT name FROM sqlite_schema
WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
ORDER BY name;
