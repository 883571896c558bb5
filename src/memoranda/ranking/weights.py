"""Every weight of the ranking in one place, with what it was chosen by. The figures are in docs/measurements.md.

Those of turns were chosen on the six public LoCoMo chats by leaving each conversation out in turn; the surface is flat
(36 neighbouring settings lie within two points). Those of facts were chosen on one made-up person's hundred facts.
What fits one set alone was left out: bigrams, a further window of five turns, feedback from the first results.
"""

from __future__ import annotations

# Two texts with so much of their terms in common say the same (Jaccard).
NEAR_DUPLICATE = 0.85

# Two with so much may be an old and a new value of one thing: then the newer stands first.
RENEWS = 0.3

# Facts

# In a small store every word looks common: so many facts without the question's words are thought in.
UNSEEN = 10
# A question counts as at most so many unknown words long: a rambling one must not hide what it names.
LONG_QUESTION = 3.0
# A word that is one slip of the keyboard away, and one that is another name of the same thing, count less.
TYPO = 0.8
CONCEPT = 0.6
# A word with a letter more or less at its end is rather another word ("planet", "plane") than a slip.
END = 0.1
# With an embedder: score = (meaning + WORDS * words) / WHOLE. Words alone find names and numbers, meaning the rest;
# words with more weight lost four points of recall@5 on questions that share no word with their fact.
WORDS = 0.5
WHOLE = 1.75
# Of the floor, for a question that is about the person or names what only their facts name. "Where is my bike stored?"
# wants what is known, however it is worded; "How do I fix a bike?" does not.
PERSONAL = 0.3
# Of the floor, for a question that can be answered without knowing anybody.
WORLD = 1.5
# Of the floor, for a fact with tags: whoever gave it search words said by which words it is to be found.
TAGGED = 2.4
# Unless the fact's own words are nearly all that is asked.
SURE = 0.75
# A fact so far behind the best one, as a share of its score, is left out: it is there for want of others.
FAR_BEHIND = 0.3
# A fact that was said in the time that is asked about.
IN_TIME = 0.1

# Turns

# Of the floor, for the evidence that a turn answers: a window of three turns holds many words by chance. And of that,
# for a question about the person who asks or about somebody who spoke.
TURN = 1.7
TURN_PERSONAL = 0.45
# Okapi BM25 (Robertson and Zaragoza, 2009), over the turn and over the turn with its neighbours.
K1 = 1.2
B = 0.75
OWN = 0.5
WINDOW = 0.5
# The whole conversation a turn stands in: what it was about.
SESSION = 0.25
# Half of the text's part gives way to meaning where there are vectors.
MEANING = 0.5
# Of the neighbours' score: an answer stands beside its question.
NEIGHBOUR = 0.15
# The turns of the one speaker whom the question names; those of the person who asks, when the question is of them.
SPEAKER = 2.0
ASKER = 0.4
# A question says little about what it asks.
ASKS = 0.5
# Nor does a turn of a word or two; from so many terms on a turn is long enough.
LENGTH = 1.0
LONG_ENOUGH = 12
# Said in the time that is asked about; and words of time in it where the question begins with "when".
TURN_IN_TIME = 2.0
TELLS_TIME = 0.4
