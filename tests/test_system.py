"""The machine's clock and identifiers, and their fakes."""

import os
import threading
import time
from datetime import UTC, datetime

from memoranda.system import SystemClock, SystemIds
from memoranda.testing import ManualClock, SequentialIds

DIGITS = set("0123456789abcdefghjkmnpqrstvwxyz")


def test_the_clock_counts_microseconds():
    assert abs(SystemClock().now() - time.time() * 1e6) < 5e6


def test_identifiers_rise_and_never_repeat():
    ids = SystemIds()
    made = [ids.new("f_") for _ in range(5000)]
    assert made == sorted(set(made))
    assert all(len(each) == 28 and set(each[2:]) <= DIGITS for each in made)


def test_identifiers_begin_with_the_time():
    clock = ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
    first, again = SystemIds(clock).new(""), SystemIds(clock).new("")
    assert first[:10] == again[:10]
    assert first[10:] != again[10:]
    clock.advance(seconds=0.001)
    assert max(first, again) < SystemIds(clock).new("")


def test_identifiers_rise_when_the_clock_steps_back():
    clock = ManualClock()
    ids = SystemIds(clock)
    made = []
    for _ in range(10):
        made.append(ids.new("x"))
        clock.advance(hours=-1)
    assert made == sorted(set(made))


def test_threads_make_no_identifier_twice():
    ids, made = SystemIds(ManualClock()), []

    def work():
        made.extend([ids.new("") for _ in range(2000)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 8000


def test_a_forked_child_makes_others_even_if_a_thread_held_the_lock():
    ids = SystemIds(ManualClock())
    ids.new("")
    reader, writer = os.pipe()
    with ids._lock:
        child = os.fork()
        if child == 0:
            os.write(writer, ids.new("").encode())
            os._exit(0)
    os.waitpid(child, 0)
    theirs = os.read(reader, 100).decode()
    os.close(reader)
    os.close(writer)
    ours = ids.new("")
    assert len(theirs) == 26
    # The same millisecond, but other random bits, not the next number.
    assert theirs[:10] == ours[:10]
    assert theirs[10:20] != ours[10:20]


def test_the_fakes_are_the_same_every_time():
    assert [SequentialIds().new("f_") for _ in range(2)] == ["f_" + "0" * 25 + "1"] * 2
    ids = SequentialIds()
    assert ids.new("a") < ids.new("a")
    clock = ManualClock()
    before = clock.now()
    clock.advance(days=1, hours=1, seconds=1.5)
    assert clock.now() - before == (25 * 3600 + 1.5) * 1_000_000
