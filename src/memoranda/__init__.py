"""Memoranda: agent memory that a person can read, trace, correct and take back."""
