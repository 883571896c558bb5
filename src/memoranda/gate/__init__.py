"""The gate: nothing durable is written except through `admit`."""
