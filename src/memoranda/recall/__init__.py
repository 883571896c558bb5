"""Recall: facts and turns in one ranking, the few that answer a question, as data, with a receipt. Or nothing."""
