"""What the process tests run in other processes: `python processes.py <job> <path> ...`."""

import os
import signal
import sys

from memoranda.memory import Memory
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


if __name__ == "__main__":
    {"killed": killed, "many": many}[sys.argv[1]](*sys.argv[2:])
