"""Health: what only counts, and what looks at every byte."""

from pathlib import Path

from memoranda import Draft, Memory


def damaged(path: Path) -> None:
    """Spoil one page in the middle of the file, which opening it does not read."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xff" * 4096)


def test_damage_is_found_by_a_thorough_look_alone(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory.open(path) as m:
        m.remember_many(many())
        assert m.health().thorough
        assert m.health().ok
    damaged(path)
    with Memory.open(path) as m:
        assert not m.health().ok
        quick = m.health(thorough=False)
        assert (quick.ok, quick.thorough) == (True, False)


def many() -> list[Draft]:
    return [
        Draft(
            f"Stone number {n} of the quarry is blue.",
            subject="user:me",
            attribute=None,
            origin="user",
        )
        for n in range(400)
    ]
