"""The gate: what is asked of every item before it is kept."""
