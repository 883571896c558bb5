-- Kept free for a step of the schema that is being made beside this one.

PRAGMA user_version = 2;
