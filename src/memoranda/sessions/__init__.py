"""The sessions: the log of what was said, append-only."""
