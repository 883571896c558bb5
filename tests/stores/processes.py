"""What the process tests run in other processes: `python processes.py JOB STORE ...`."""

import os
import signal
import sqlite3
import sys
import time

from memoranda.step import step
from memoranda.stores.queries import Migration
from memoranda.stores.queries import migrations as load_migrations
from memoranda.stores.sqlite import open_blocking, opening


def write(path, start, name, count):
    """Write `count` notes from the moment `start` (seconds since 1970); print the longest wait in seconds."""
    store = open_blocking(path)
    time.sleep(max(0.0, float(start) - time.time()))
    longest = 0.0
    for number in range(int(count)):
        before = time.monotonic()
        step(store.atomic(noting(f"{name}/{number}")))
        longest = max(longest, time.monotonic() - before)
    step(store.close())
    print(longest)


def acknowledge(path, name):
    """Write notes for ever; print each number when its commit is acknowledged."""
    store = open_blocking(path)
    number = 0
    while True:
        step(store.atomic(noting(f"{name}/{number}")))
        os.write(1, b"%d\n" % number)
        number += 1


def noting(key):
    async def body(tx):
        await tx.rows("bump_subject", tenant="t", subject="s")
        await tx.run("add_meta", key=key, value="v")

    return body


def make(path, start):
    """Open (and make) the store at the moment `start`, and leave a note."""
    time.sleep(max(0.0, float(start) - time.time()))
    store = open_blocking(path)
    step(store.atomic(noting(str(os.getpid()))))
    step(store.close())


def dying_open(path, statements):
    """Open the store, with one more migration than there is, and die by SIGKILL after so many statements."""
    left = int(statements)

    class Dying(sqlite3.Connection):
        def execute(self, *given):
            nonlocal left
            result = super().execute(*given)
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

    plain = sqlite3.connect
    sqlite3.connect = lambda *given, **named: plain(*given, factory=Dying, **named)
    open_next(path)
    print("done")


def open_next(path):
    """Open the store as the next version would, which has one more migration."""
    known = load_migrations("sqlite")
    opening.migrations = lambda dialect: (
        *known,
        Migration(len(known) + 1, "next", NEXT % (len(known) + 1)),
    )
    return open_blocking(path)


def upgrade(path, start):
    """Open the store as the next version would, at the moment `start`."""
    time.sleep(max(0.0, float(start) - time.time()))
    step(open_next(path).close())


NEXT = """
ALTER TABLE subjects ADD COLUMN colour TEXT;
CREATE TABLE next_one (tenant TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (tenant, id));
CREATE TRIGGER next_trigger AFTER INSERT ON next_one BEGIN
  UPDATE subjects SET colour = 'red';
  UPDATE subjects SET colour = 'blue';
END;
INSERT INTO next_one VALUES ('t', 'x');
PRAGMA user_version = %d;
"""


def fill(path, limit):
    """Write until the disk refuses; print the error's type, then whether the store still reads and checks."""
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    store = open_blocking(path)
    if int(limit):
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    number = 0
    try:
        while number < 100_000:
            step(store.atomic(noting(f"{number}" + "x" * 2000)))
            number += 1
    except Exception as error:
        print(type(error).__name__, error)
    print(len(step(store.rows("list_meta"))) == number, step(store.check()) == [])
    step(store.close())


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
