"""What the process tests run in other processes: `python processes.py <job> <path> ...`."""

import os
import signal
import sys

from memoranda.memory import Memory
from memoranda.settings import Settings
from memoranda.testing import ManualClock
from memoranda.types import Kind


def killed(path: str) -> None:
    """Remember, say so, and die at once without any farewell."""
    memory = Memory.open(path)
    out = memory.remember("The user owns a red kayak.", subject="user:me", origin="user")
    assert out.id
    memory.window(session="s", subject="user:me").build("I own a kayak.")
    os.write(1, out.id.encode())
    os.kill(os.getpid(), signal.SIGKILL)


def many(path: str, worker: str, count: str) -> None:
    """Remember `count` facts, each through the whole gate in its own transaction."""
    with Memory.open(path) as memory:
        for n in range(int(count)):
            out = memory.remember(
                f"Worker {worker} stored box {n}.",
                subject=f"user:{n % 7}",
                origin="user",
                kind=Kind.FACT,
                run=f"run-{worker}",
                step=n,
            )
            assert out.status == "accepted", out.reasons


def aged(path: str) -> None:
    """Fill the store with what upkeep has to do: held facts, weeks of episodes, and what is long over."""
    clock = ManualClock()
    with Memory.open(path, clock=clock) as memory:
        for n in range(20):
            memory.remember(f"The page saw fox {n}.", subject=f"user:{n % 3}")
        for n in range(30):
            out = memory.remember(f"The user keeps jar {n}.", subject="user:a", origin="user")
            memory.retire(out.id or "")
        for week in range(5):
            for n in range(4):
                text = f"The user went to lake {week}{n}."
                memory.remember(text, subject="user:a", origin="user", kind="episode")
            clock.advance(days=7)


def upkeep(path: str) -> None:
    """Do the upkeep 60 days after the store was begun, and say how much each job did."""
    clock = ManualClock()
    clock.advance(days=60)
    with Memory.open(path, clock=clock, settings=Settings(trace_days=50)) as memory:
        done = memory.maintain()
        sys.stdout.write(f"{done['pending']} {done['episodes']} {done['trace']}")


if __name__ == "__main__":
    {"killed": killed, "many": many, "aged": aged, "upkeep": upkeep}[sys.argv[1]](*sys.argv[2:])
