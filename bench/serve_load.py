"""The server under load, by hand: a mix of requests for two minutes, and the list page beside the least it could cost.

    python bench/serve_load.py mix [--seconds 120] [--rate 50]
    python bench/serve_load.py page [--facts 100000] [--rounds 300] [--path /]

`mix`: pages, reads of the API and some changes, at a steady rate, from eight threads; errors, latencies, and the
server's memory over the time. `page`: the list page from the running server, and in turn a bare sqlite3 query of as many
rows and the page's own template rendered in this process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from jinja2 import Template

from memoranda import Memory, Reviewer
from memoranda.server.app import application
from memoranda.server.doors import Doors
from memoranda.server.entrance import Entrance
from memoranda.types import Draft, Origin

KEY = "bench"
SUBJECTS = 200


@dataclass
class Site:
    """A running server: its process, port and the person's cookie."""

    process: subprocess.Popen[str]
    port: int
    cookie: str


class Client:
    """One connection that is kept."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.link = HTTPConnection("127.0.0.1", site.port, timeout=60)

    def ask(self, method: str, address: str, body: object = None, *, person: bool = False) -> bytes:
        headers = {"cookie": self.site.cookie} if person else {}
        sent = None if body is None else json.dumps(body).encode()
        if sent is not None:
            headers["content-type"] = "application/json"
        try:
            self.link.request(method, address, sent, headers)
            got = self.link.getresponse()
        except (ConnectionError, OSError):  # a kept connection that was closed meanwhile
            self.link.close()
            self.link.request(method, address, sent, headers)
            got = self.link.getresponse()
        text = got.read()
        if got.status >= 400:
            raise RuntimeError(f"{method} {address}: {got.status} {text[:200]!r}")
        return text


def fill(db: Path, count: int) -> list[str]:
    """So many facts over the subjects; the ids of the last thousand."""
    ids: list[str] = []
    with Memory.open(db) as memory:
        for first in range(0, count, 5000):
            drafts = [
                Draft(
                    text=f"The shop number {n} in town {n % 17} has a door of colour {n % 23}.",
                    subject=f"user:{n % SUBJECTS}",
                    origin=Origin.USER,
                    run=f"run-{n // 500}",
                    step=n,
                )
                for n in range(first, min(first + 5000, count))
            ]
            ids = [out.id for out in memory.remember_many(drafts) if out.id][-1000:]
    return ids


def newest(db: Path) -> list[str]:
    """The ids of the newest live facts of a store that is there."""
    with Memory.open(db) as memory:
        return [fact.id for fact in memory.facts_page(size=200).facts]


@contextmanager
def serving(db: Path) -> Iterator[Site]:
    """`memoranda serve` over the store, entered by the link that the key gives."""
    config = db.with_name("settings.toml")
    digest = sha256(KEY.encode()).hexdigest()
    config.write_text(
        f'reviewer_key_sha256 = "{digest}"\nembedder = "none"\nfacts_per_run = 1000000\n'
    )
    env = {**os.environ, "MEMORANDA_CONFIG": str(config), "MEMORANDA_REVIEWER_KEY": KEY}
    command = [sys.executable, "-m", "memoranda.cli", "serve", "--port", "0", "--db", str(db)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=env
    )
    try:
        assert process.stdout
        port = int(re.findall(r":(\d+)/", process.stdout.readline())[0])
        link = re.findall(r"/enter/\S+", process.stdout.readline())[0]
        door = HTTPConnection("127.0.0.1", port)
        door.request("GET", link)
        cookie = door.getresponse().getheader("set-cookie", "").partition(";")[0]
        yield Site(process, port, cookie)
    finally:
        process.send_signal(signal.SIGTERM)
        print("exit code", process.wait(30))


def processor(process: subprocess.Popen[str]) -> float:
    """The processor time of the process, in seconds."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(process: subprocess.Popen[str]) -> float:
    """The process's memory, in MB."""
    text = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", text)[0]) / 1024


def one(client: Client, n: int, ids: Sequence[str]) -> str:
    """The n-th request of the mix; its kind."""
    fact, subject = ids[n % len(ids)], f"user:{n % SUBJECTS}"
    reads = (
        ("page", "GET", "/"),
        ("facts", "GET", f"/v1/facts?subject={subject}"),
        ("fact", "GET", f"/v1/facts/{fact}"),
        ("page", "GET", "/"),
        ("why", "GET", f"/v1/facts/{fact}/why"),
        (
            "recall",
            "GET",
            f"/v1/recall?subject={subject}&query=colour+of+the+door+in+town+{n % 17}",
        ),
        ("subjects", "GET", "/v1/subjects"),
        ("operations", "GET", "/v1/operations"),
        ("health", "GET", "/health"),
    )
    if n % 10 < 9:
        kind, method, address = reads[n % 10]
        client.ask(method, address)
        return kind
    body = {"text": f"The user has seen shop {n} in town {n % 31}.", "subject": f"user:new{n % 50}"}
    made = json.loads(client.ask("POST", "/v1/facts", body, person=True))
    if n % 20 == 19:
        client.ask("POST", f"/v1/facts/{made['id']}/retire", {"why": "bench"}, person=True)
    return "change"


def mix(site: Site, ids: Sequence[str], seconds: float, rate: float) -> None:
    """The mix at a steady rate, whatever an answer takes: request n begins at n / rate."""
    start, times, errors = time.perf_counter() + 0.5, dict[str, list[float]](), list[str]()
    numbers, lock = iter(range(int(seconds * rate))), threading.Lock()

    def work() -> None:
        client = Client(site)
        while True:
            with lock:
                n = next(numbers, None)
            if n is None:
                return
            time.sleep(max(0.0, start + n / rate - time.perf_counter()))
            begun = time.perf_counter()
            try:
                kind = one(client, n, ids)
            except Exception as error:
                errors.append(f"{type(error).__name__}: {error}")
                continue
            with lock:
                times.setdefault(kind, []).append(time.perf_counter() - begun)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    memory, used = [], processor(site.process)
    while any(thread.is_alive() for thread in threads):
        memory.append(resident(site.process))
        time.sleep(1)
    took, done = time.perf_counter() - start, sum(map(len, times.values()))
    print(
        f"{done} requests in {took:.1f} s ({done / took:.1f}/s), errors {len(errors)} {errors[:3]}"
    )
    each = (processor(site.process) - used) / max(1, done)
    print(f"processor time of the server: {each * 1000:.1f} ms a request")
    for kind, found in sorted(times.items()):
        parts = "  ".join(f"p{each} {at(found, each):7.1f} ms" for each in (50, 95, 99))
        print(f"{kind:12} {len(found):6}  {parts}")
    tenth = max(1, len(memory) // 10)
    means = [statistics.mean(memory[k : k + tenth]) for k in range(0, len(memory), tenth)]
    print("RSS by tenths of the time, MB:", " ".join(f"{mean:.1f}" for mean in means))


def at(times: Sequence[float], percent: int) -> float:
    """A percentile, in milliseconds."""
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)] * 1000


def bare(db: Path, path: str) -> Iterator[float]:
    """Each time: fifty rows by a bare query on a connection that is open, and the page's own template rendered."""
    rendered = recorded(db, path)
    with sqlite3.connect(f"file:{db}?mode=ro", uri=True) as store:
        while True:
            begun = time.perf_counter()
            store.execute(
                "SELECT * FROM agent_facts WHERE tenant = 'default' AND status = 'live' "
                "ORDER BY created_at DESC, id DESC LIMIT 51"
            ).fetchall()
            rendered()
            yield time.perf_counter() - begun


def recorded(db: Path, path: str) -> Callable[[], str]:
    """Ask the application in this process for the page once; what renders its template again with the same values."""
    kept: list[tuple[Template, tuple[Any, ...], dict[str, Any]]] = []
    render = Template.render

    def noted(self: Template, *values: Any, **named: Any) -> str:
        kept.append((self, values, named))
        return render(self, *values, **named)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        assert message.get("status", 200) == 200, message

    scope = {
        "type": "http",
        "method": "GET",
        "path": path.partition("?")[0],
        "raw_path": path.partition("?")[0].encode(),
        "query_string": path.partition("?")[2].encode(),
        "headers": [(b"host", b"bench")],
        "http_version": "1.1",
        "scheme": "http",
    }
    with Memory.open(db) as memory, Reviewer.open(db, name="bench") as reviewer:
        app = application(Doors(memory, memory, reviewer, Entrance()), hosts=["bench"])
        Template.render = noted  # type: ignore[method-assign]
        asyncio.run(app(scope, receive, send))
        Template.render = render  # type: ignore[method-assign]
    template, values, named = kept[-1]
    return lambda: template.render(*values, **named)


def page(site: Site, db: Path, rounds: int, path: str) -> None:
    """The list page and the least it could cost, in turn."""
    client, whole, least = Client(site), list[float](), list[float]()
    text = client.ask("GET", path).decode()
    reference = bare(db, path)
    for _ in range(rounds):
        begun = time.perf_counter()
        client.ask("GET", path)
        whole.append(time.perf_counter() - begun)
        least.append(next(reference))
    for name, found in (("page", whole), ("bare", least)):
        print(f"{name}: p50 {at(found, 50):.2f} ms, p95 {at(found, 95):.2f} ms")
    print(
        f"ratio: p50 {at(whole, 50) / at(least, 50):.2f}, p95 {at(whole, 95) / at(least, 95):.2f}; {len(text)} bytes"
    )


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("what", choices=("mix", "page"))
    asked.add_argument("--seconds", type=float, default=120)
    asked.add_argument("--rate", type=float, default=50)
    asked.add_argument("--facts", type=int, default=100_000)
    asked.add_argument("--rounds", type=int, default=300)
    asked.add_argument("--path", default="/")
    asked.add_argument("--folder", help="Keep the store here, and take it from here the next time.")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        db = Path(given.folder or folder) / "memory.db"
        ids = newest(db) if db.exists() else fill(db, given.facts)
        with serving(db) as site:
            if given.what == "mix":
                mix(site, ids, given.seconds, given.rate)
            else:
                page(site, db, given.rounds, given.path)


if __name__ == "__main__":
    main()
