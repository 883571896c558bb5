"""How well a stored text answers a question: pure functions over terms, the same for every store."""
