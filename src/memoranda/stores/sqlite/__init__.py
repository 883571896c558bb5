"""SQLite behind the store port. `threads` has the store for event loops."""

from memoranda.stores.sqlite.blocking import SqliteStore, memory_store, open_blocking

__all__ = ["SqliteStore", "memory_store", "open_blocking"]
