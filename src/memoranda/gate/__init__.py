"""The gate: the one way by which anything durable is written."""
