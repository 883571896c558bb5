"""What users say about themselves, found without a model."""

from collections.abc import Sequence

from memoranda.types import Draft


def extract(
    text: str, *, subject: str, said_at: int, previous: Sequence[Draft] = ()
) -> list[Draft]:
    """The statements in `text` about `subject`."""
    return []
