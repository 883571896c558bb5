"""Memoranda inside other people's libraries, each behind an extra and imported when used."""
