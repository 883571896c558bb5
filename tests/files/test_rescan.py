"""What a rescan does with files: what went through our gate gives way to placeholders, a person's text is named."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoranda.memory import Memory
from memoranda.settings import Settings
from tests.files.conftest import SUBJECT
from tests.gate.screen.made import CARD, KEYS

KEY = KEYS["github-token"]
OPEN = {
    "screening": {"secret": "allow", "card": "allow"},
    "secrets_allowed_because": "before there were rules",
}
TEXT = f"# Plan\nthe key is {KEY}, and\nthe rest stays\n"
CLEAN = "# Plan\nthe key is [secret removed], and\nthe rest stays\n"


def old_files(place, **texts):
    """Files as they were written before there were rules; closed again."""
    memory = place.memory(**OPEN)
    files = place.open(memory)
    for name, text in texts.items():
        files.write(name, text)
    files.close()
    return memory


def told(done):
    return {(row.id.rpartition("/")[2], row.rule, row.done) for row in done.found}


def test_a_secret_in_an_old_file_gives_way_to_a_placeholder(place):
    old_files(place, plan=TEXT, other="nothing\n")
    memory = place.memory()
    preview = memory.rescan(dry_run=True)
    assert place.open(memory).read("plan").text == TEXT
    done = memory.rescan()
    assert preview.found == done.found
    assert told(done) == {
        ("plan", "secret:github-token", "replaced"),
        ("plan#1", "secret:github-token", "replaced"),
    }
    assert KEY not in repr(done)
    assert done.looked_at["files"] == 4
    assert done.byte_hits == 0
    files = place.open(memory)
    assert files.read("plan").text == CLEAN
    assert files.read("plan").mark == ""
    newest, first = files.history("plan")
    assert (newest.verb, newest.actor, first.verb) == ("modified", "rescan", "created")
    assert files.diff("plan", 1, 2) == ""
    assert len(files.history("other")) == 1
    for path in place.box.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path
    assert memory.rescan().found == ()


def test_what_a_person_said_is_never_to_be_kept_goes_from_files_too(place):
    memory = place.memory()
    files = place.open(memory)
    files.write("a", "we call it bluebird\n")
    files.write("gone", "bluebird too\n")
    files.remove("gone")
    memory.never_add("birds", words="bluebird")
    done = memory.rescan()
    assert told(done) == {(name, "never:birds", "replaced") for name in ("a", "a#1", "gone#1")}
    assert files.read("a").text == "we call it [removed: birds]\n"
    text, error = files.handle(
        {"command": "insert", "path": "/memories/a", "insert_line": 0, "insert_text": "BlueBird"}
    )
    assert error
    assert "birds" in text
    assert "bluebird" not in text.casefold()
    assert "secret" not in text


def test_cards_go_by_the_policy_of_now(place):
    old_files(place, a=f"pays with {CARD}\n")
    assert told(place.memory(**OPEN).rescan()) == set()
    done = place.memory().rescan()
    assert told(done) == {("a", "personal:card", "replaced"), ("a#1", "personal:card", "replaced")}


def test_a_mark_stays_with_what_is_left_of_the_text(place):
    memory = place.memory(**OPEN)
    place.open(memory, external=True).write("a", TEXT)
    memory = place.memory()
    memory.rescan()
    assert place.open(memory).read("a").mark == "external"


def test_what_a_person_wrote_in_a_folder_is_named_and_not_changed_nor_shown(folder):
    memory = folder.memory(**OPEN)
    files = folder.open(memory)
    files.write("ours", TEXT)
    (folder.root / "noticed").write_text(TEXT)
    assert files.read("noticed").mark == "outside"
    (folder.root / "unnoticed").write_text(TEXT)
    files.close()
    memory = folder.memory()
    preview = memory.rescan(dry_run=True)
    assert (folder.root / "noticed").read_text() != CLEAN
    done = memory.rescan()
    assert preview.found == done.found
    rule = "secret:github-token"
    assert told(done) == {
        ("ours", rule, "replaced"),
        ("ours#1", rule, "replaced"),
        ("noticed", rule, "left"),
        ("noticed#1", rule, "replaced"),
        ("unnoticed", rule, "left"),
    }
    assert str(folder.root / "noticed") in {row.id for row in done.found}
    files = folder.open(memory)
    for name in ("noticed", "unnoticed"):
        assert (folder.root / name).read_text() == TEXT
        shown, error = files.handle({"command": "view", "path": f"/memories/{name}"})
        assert not error
        assert KEY not in shown
        assert "with a secret that is not shown" in shown
        assert files.read(name).mark == "outside secret"
    assert told(memory.rescan()) == {("noticed", rule, "left"), ("unnoticed", rule, "left")}
    (folder.root / "noticed").write_text("clean\n")
    (folder.root / "unnoticed").unlink()
    assert memory.rescan().found == ()


def test_a_name_that_may_not_be_kept_is_left_to_a_person_until_it_is_gone(place):
    memory = place.memory()
    files = place.open(memory)
    files.write("bluebird/plan", "x\n")
    files.move("bluebird", "kestrel")
    files.write("deep/bluebird.md", "x\n")
    memory.never_add("birds", words="bluebird")
    done = memory.rescan()
    assert {row.done for row in done.found} == {"left", "erased", "replaced"}
    assert "bluebird" not in repr(done.found)
    assert files.history("kestrel/plan")[0].source == "[removed: birds]/plan"
    with pytest.raises(Exception, match="never was"):
        files.history("bluebird/plan")
    files.move("deep/bluebird.md", "deep/bird.md")
    assert {row.done for row in memory.rescan().found} == {"erased", "replaced"}
    assert memory.rescan().found == ()
    assert files.read("deep/bird.md").text == "x\n"


def test_a_folder_that_is_gone_or_cannot_be_read_is_said(folder):
    memory = old_files(folder, a=TEXT)
    (folder.root / "picture").write_bytes(b"\xff\xfe\x00")
    memory = folder.memory()
    left = memory.rescan(dry_run=True).out_of_reach
    assert left == (f"{folder.root}/picture (could not be searched)",)
    folder.root.rename(folder.box / "away")
    done = memory.rescan()
    assert f"{folder.root} (could not be searched)" in done.out_of_reach
    assert told(done) == {("a#1", "secret:github-token", "replaced")}
    assert not folder.root.exists()


LINES = st.lists(
    st.sampled_from(["plain words", f"key {KEY}", KEY, f"pay {CARD}", "bluebird", "", "é日"]),
    max_size=6,
)


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.sampled_from(["a", "b/c", "b/d"]), LINES), min_size=1, max_size=6))
def test_after_a_rescan_a_second_one_finds_nothing_and_all_else_is_as_it_was(
    tmp_path_factory, writes
):
    box = tmp_path_factory.mktemp("box")
    for root in (None, box / "notes"):
        with Memory.open(box / "memory.db", settings=Settings(**OPEN)) as memory:
            files = memory.files(SUBJECT, folder=root)
            for path, lines in writes:
                files.write(path, "\n".join(lines))
    with Memory.open(box / "memory.db") as memory:
        memory.never_add("birds", words="bluebird")
        memory.rescan()
        assert memory.rescan().found == ()
        for root in (None, box / "notes"):
            files = memory.files(SUBJECT, folder=root)
            for path, lines in dict(writes).items():
                now = files.read(path).text.split("\n")
                assert len(now) == len(lines) or not lines
                for line, was in zip(now, lines, strict=False):
                    assert line == was or "removed" in line
                    assert not any(word in line for word in (KEY, CARD, "bluebird"))
            for path in {path for path, _ in writes}:
                for version in files.history(path):
                    assert files.diff(path, version.n) is not None
    assert not any(KEY.encode() in path.read_bytes() for path in box.rglob("*") if path.is_file())
