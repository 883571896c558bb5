-- Vectors of what is recalled by meaning: one for each text and space. They are derived from the text and made again
-- at will. place: 'fact' or 'turn'; item: the fact's id, or the session and number of a message ('s1#7').
-- digest: sha256 of the text that was embedded; vector: 4 * dim bytes of little-endian float32, of length 1.
-- With rowids on purpose: a row is too long for the pages of a table without, which takes twice the room.

CREATE TABLE vectors (
  tenant  TEXT NOT NULL,
  subject TEXT NOT NULL,
  place   TEXT NOT NULL,
  item    TEXT NOT NULL,
  model   TEXT NOT NULL,
  dim     INTEGER NOT NULL,
  weights TEXT NOT NULL,
  digest  TEXT NOT NULL,
  vector  BLOB NOT NULL,
  PRIMARY KEY (tenant, place, item, model, weights)
);

CREATE INDEX vectors_subject ON vectors (tenant, subject, model, weights);

-- As in the first schema: what the planner is to think of a store.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('vectors', 'sqlite_autoindex_vectors_1', '1000000 10000 5000 1 1 1'),
  ('vectors', 'vectors_subject', '1000000 10000 100 100 100');

ANALYZE sqlite_schema;

PRAGMA user_version = 4;
