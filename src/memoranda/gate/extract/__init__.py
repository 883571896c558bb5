"""What users say about themselves, read by rules: no model, the same answer every time, linear in the text.

`extract` reads one message and returns drafts for the gate; it decides nothing. It leaves out whatever it is unsure
of, since a fact not kept costs one question and a wrong one is believed in every later run.
"""

from memoranda.gate.extract.engine import extract

__all__ = ["extract"]
