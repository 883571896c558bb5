"""The page where people read, trace, correct and take back what is remembered, and JSON for what it needs."""
