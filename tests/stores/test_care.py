"""Erased text is gone from the bytes, and the search that says so misses nothing."""

import json
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import UsageError
from memoranda.step import step
from memoranda.stores.sqlite import memory_store, open_blocking
from memoranda.stores.sqlite.care import count_in, needle_forms
from memoranda.testing.stores import put

SECRET = "The secret of Zürich is 'plum'"


@pytest.fixture
def store(tmp_path):
    store = open_blocking(tmp_path / "memory.db")
    yield store
    step(store.close())


def drop(store, key):
    async def body(tx):
        await tx.run("delete_meta", key=key)

    step(store.atomic(body))


def test_what_was_deleted_is_in_no_file(store, tmp_path):
    for number in range(200):
        step(put(store, f"k{number}", f"{SECRET} {number} " + "filler " * 20))
    for number in range(0, 200, 2):
        drop(store, f"k{number}")
    assert step(store.scrub([SECRET])).hits == 100
    for number in range(1, 200, 2):
        drop(store, f"k{number}")
    report = step(store.scrub([SECRET, "PLUM"]))
    assert (report.hits, report.blocked_by_reader) == (0, False)
    for place in tmp_path.iterdir():
        assert b"plum" not in place.read_bytes().lower()


def test_every_file_of_the_store_is_searched(store, tmp_path):
    step(put(store, "a", "1"))
    leftovers = ("-journal", ".new-1-0123456789abcdef", ".new-1-0123456789abcdef-wal")
    for ending in leftovers:
        (tmp_path / f"memory.db{ending}").write_text(SECRET)
    report = step(store.scrub([SECRET]))
    for ending in leftovers:
        (tmp_path / f"memory.db{ending}").unlink()
    assert report.hits == 3
    assert {f"memory.db{e}" for e in ("", "-wal", "-shm", *leftovers)} == {
        place.rsplit("/", 1)[1] for place in report.searched
    }


def test_an_open_reader_is_reported_and_gone_it_is_clean(store, tmp_path):
    step(put(store, "a", SECRET))
    reader = sqlite3.connect(tmp_path / "memory.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM memoranda_meta").fetchall()
    drop(store, "a")
    report = step(store.scrub([SECRET]))
    assert report.blocked_by_reader
    assert report.hits > 0
    reader.execute("COMMIT")
    reader.close()
    report = step(store.scrub([SECRET]))
    assert (report.hits, report.blocked_by_reader) == (0, False)


def test_what_another_program_freed_without_overwriting_is_rebuilt_away(store, tmp_path):
    for number in range(50):
        step(put(store, f"k{number}", f"{SECRET} {number} " + "filler " * 20))
    careless = sqlite3.connect(tmp_path / "memory.db", isolation_level=None)
    careless.execute("PRAGMA secure_delete = OFF")
    careless.execute("DELETE FROM memoranda_meta")
    careless.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    careless.close()
    assert SECRET.encode() in (tmp_path / "memory.db").read_bytes()
    report = step(store.scrub([SECRET]))
    assert (report.hits, report.blocked_by_reader) == (0, False)
    assert SECRET.encode() not in (tmp_path / "memory.db").read_bytes()


def test_a_store_in_memory_is_searched_too():
    store = memory_store()
    step(put(store, "a", SECRET))
    assert step(store.scrub([SECRET])).hits == 1
    drop(store, "a")
    assert step(store.scrub([SECRET])).hits == 0
    step(store.close())


def test_json_in_rows_is_found(store):
    step(put(store, "a", json.dumps(SECRET)))
    step(put(store, "b", json.dumps('say "plum"\n')))
    assert step(store.scrub([SECRET])).hits == 1
    assert step(store.scrub(['SAY "plum"\n'])).hits == 1


def test_a_blank_needle_is_refused():
    with pytest.raises(UsageError):
        needle_forms(["plum", ""])


@given(
    st.text(st.sampled_from('aAbBé"\n'), min_size=1, max_size=8).filter(str.strip),
    st.lists(st.integers(0, 12), max_size=8),
    st.integers(1, 9),
)
def test_chunks_of_any_size_count_the_same(needle, gaps, size):
    data = b"".join(b"." * gap + needle.encode() for gap in gaps) + b"."
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    forms = needle_forms([needle])
    assert count_in(chunks, forms) >= len(gaps) * (len(gaps) > 0 and 1)
    assert (count_in(chunks, forms) > 0) == (count_in([data], forms) > 0)


def test_sizes(store):
    before = step(store.measure())
    step(put(store, "a", "x" * 50_000))
    after = step(store.measure())
    assert after["wal"] > before["wal"]
    drop(store, "a")
    step(store.scrub(["zzz"]))
    assert step(store.measure())["wal"] == 0
    assert step(store.measure())["free"] > 0
