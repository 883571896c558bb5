"""`memoranda serve` as a process: where it listens, what it prints to whom, how it stops."""

import json
import os
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from time import sleep

import pexpect
import pytest

from memoranda import Memory
from memoranda.cli.codes import DONE, STORE, USAGE
from memoranda.errors import UsageError
from memoranda.server import running
from memoranda.server.guard import Limits
from tests.cli.running import Home
from tests.server.serving import first_answer, served, status

AT = re.compile(r"memory is at http://127\.0\.0\.1:(\d+)/")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@contextmanager
def serving(
    home: Home, *options: str, **variables: str
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The command, running, and its port."""
    process = subprocess.Popen(
        home.command("serve", "--port", "0", *options),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**home.environment, **variables},
        cwd=home.folder,
    )
    try:
        assert process.stdout is not None
        found = AT.search(process.stdout.readline())
        assert found, process.stderr and process.stderr.read()
        yield process, int(found[1])
    finally:
        process.kill()
        process.communicate()


def rest(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What else it said until it ended."""
    assert process.stdout
    assert process.stderr
    said = process.stdout.read(), process.stderr.read()
    process.wait(30)
    return said


def get(port: int, address: str) -> tuple[int, bytes]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as link:
        link.request("GET", address)
        got = link.getresponse()
        return got.status, got.read()


def kept(home: Home) -> None:
    with Memory.open(home.db) as memory:
        memory.remember("The user has a dog.", subject="user:me", origin="user")


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_with_0(home: Home, sign: signal.Signals) -> None:
    kept(home)
    with serving(home) as (process, port):
        code, body = get(port, "/health")
        assert (code, json.loads(body)["ok"]) == (200, True)
        process.send_signal(sign)
        out, err = rest(process)
    assert (process.returncode, err) == (DONE, "")
    assert "read only" in out
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))


def test_a_request_that_runs_is_finished_first(home: Home) -> None:
    kept(home)
    with serving(home) as (process, port), socket.create_connection(("127.0.0.1", port)) as link:
        # Half a body: the request is there, and cannot be answered yet.
        head = f"POST /v1/undo HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 4\r\n\r\n"
        link.sendall(head.encode() + b"ab")
        assert get(port, "/health")[0] == 200
        process.send_signal(signal.SIGTERM)
        wait_until_closed(port)
        link.sendall(b"cd")
        assert status(first_answer(link)) == 403
        process.communicate(timeout=30)
    assert process.returncode == DONE


def wait_until_closed(port: int) -> None:
    """Until nobody listens there any more."""
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            return
        sleep(0.02)  # not so many at once that somebody has to go for them


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_ends_it_at_once(home: Home, sign: signal.Signals) -> None:
    kept(home)
    with serving(home) as (process, port), socket.create_connection(("127.0.0.1", port)) as link:
        link.sendall(
            f"POST /v1/undo HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 4\r\n\r\n".encode()
        )
        assert get(port, "/health")[0] == 200
        process.send_signal(sign)
        wait_until_closed(port)
        process.send_signal(sign)
        process.communicate(timeout=30)
    assert process.returncode == -sign


def test_only_this_machine_reaches_it(home: Home) -> None:
    kept(home)
    # All of 127/8 is this machine, and still only one address of it is taken.
    with serving(home) as (_, port), pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", port))


def test_a_script_gets_no_link(home: Home) -> None:
    kept(home)
    with serving(home) as (process, _):
        process.send_signal(signal.SIGTERM)
        out, _err = rest(process)
    assert "/enter/" not in out
    assert "read only" in out


def test_whoever_brings_the_key_gets_one(home: Home) -> None:
    kept(home)
    config = home.folder / "settings.toml"
    config.write_text(f'reviewer_key_sha256 = "{sha256(b"key").hexdigest()}"\n')
    variables = {"MEMORANDA_CONFIG": str(config), "MEMORANDA_REVIEWER_KEY": "key"}
    with serving(home, **variables) as (process, port):
        assert process.stdout is not None
        line = process.stdout.readline()
        link = re.search(rf"http://127\.0\.0\.1:{port}(/enter/\S+)", line)
        assert link
        assert get(port, link[1])[0] == 303
        assert get(port, link[1])[0] == 403


def test_a_terminal_shows_the_next_link_when_one_was_used_and_at_enter(home: Home) -> None:
    kept(home)
    command = home.command("serve", "--port", "0")
    child = pexpect.spawn(
        command[0],
        command[1:],
        env=home.environment,
        cwd=str(home.folder),
        encoding="utf-8",
        timeout=30,
    )
    try:
        child.expect(r"memory is at http://127\.0\.0\.1:(\d+)/")
        port = int(child.match[1])
        links = []
        for _ in range(2):
            child.expect(r"(/enter/[\w-]+)")
            links.append(child.match[1])
            if len(links) == 1:
                assert get(port, links[0])[0] == 303
                child.expect("the link was used")
        child.sendline("")
        child.expect(r"(/enter/[\w-]+)")
        assert child.match[1] not in links
        assert get(port, links[1])[0] == 403  # the new one took its place
        child.sendintr()
        child.expect(pexpect.EOF)
        child.wait()
        assert (child.exitstatus, child.signalstatus) == (DONE, None)
    finally:
        child.close(force=True)


def test_a_new_store_only_where_nobody_named_one(home: Home) -> None:
    missing = home.folder / "slip.db"
    done = home.run("serve", "--port", "0", "--db", str(missing))
    assert (done.code, missing.exists()) == (STORE, False)
    assert "there is no memory here yet" in done.err
    del home.environment["MEMORANDA_DB"]
    with serving(home) as (_, port):
        assert get(port, "/")[0] == 200


def test_a_port_that_is_taken_or_no_port(home: Home) -> None:
    kept(home)
    with running.bound(0) as taken:
        port = str(taken.getsockname()[1])
        done = home.run("serve", "--port", port)
        assert (done.code, done.out) == (USAGE, "")
        assert f"port {port} cannot be used" in done.err
        with pytest.raises(UsageError):
            running.bound(int(port))
    for wrong in ("-1", "65536", "x"):
        assert home.run("serve", "--port", wrong).code == USAGE


@pytest.mark.parametrize("content", [b"", b"not a store", b"SQLite format 3\0" + bytes(100)])
def test_a_file_that_is_not_ours(home: Home, content: bytes) -> None:
    home.db.write_bytes(content)
    done = home.run("serve", "--port", "0")
    assert (done.code, done.out) == (STORE, "")
    assert "Traceback" not in done.err
    assert home.db.read_bytes() == content


def test_without_the_extra_it_says_so(home: Home) -> None:
    blocked = home.folder / "blocked"
    (blocked / "fastapi").mkdir(parents=True)
    (blocked / "fastapi" / "__init__.py").write_text("raise ModuleNotFoundError(name='fastapi')")
    path = os.pathsep.join((str(blocked), home.environment["PYTHONPATH"]))
    done = home.run("serve", PYTHONPATH=path)
    assert (done.code, done.out) == (5, "")
    assert "memoranda[server]" in done.err


def test_an_answer_is_sent_at_once() -> None:
    # asyncio turns the collecting of small packets off for sockets that say they are TCP.
    with running.bound(0) as listening, socket.create_connection(listening.getsockname()) as link:
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP
        assert link


# A client that is slow, or many


def head_of(host: str, length: int) -> bytes:
    return f"POST /v1/undo HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n".encode()


def test_whoever_says_nothing_keeps_nobody_out(tmp_path: Path) -> None:
    limits = Limits(header_seconds=600, body_seconds=600, connections=20)
    with served(tmp_path / "memory.db", limits) as site:
        links = []
        for n in range(60):
            link = socket.create_connection(("127.0.0.1", site.port))
            link.sendall((b"", b"GET / HT", head_of(site.host, 100) + b"x")[n % 3])
            links.append(link)
            if n % 10 == 9:
                assert site.ask("GET", "/health").status == 200
        for link in links:
            link.close()


def test_a_slow_header_is_not_waited_for(tmp_path: Path) -> None:
    with (
        served(tmp_path / "memory.db", Limits(header_seconds=0.3)) as site,
        socket.create_connection(("127.0.0.1", site.port), timeout=20) as link,
    ):
        link.sendall(b"GET / HTTP/1.1\r\n")
        assert site.ask("GET", "/health").status == 200
        assert first_answer(link) == b""


def test_a_slow_body_is_not_waited_for(tmp_path: Path) -> None:
    with (
        served(tmp_path / "memory.db", Limits(body_seconds=0.3)) as site,
        socket.create_connection(("127.0.0.1", site.port), timeout=20) as link,
    ):
        link.sendall(head_of(site.host, 100) + b"{")
        assert site.ask("GET", "/health").status == 200
        assert status(first_answer(link)) == 408


def test_what_is_refused_holds_no_connection(tmp_path: Path) -> None:
    # The rest of a body that was refused is not read for good.
    with (
        served(tmp_path / "memory.db", Limits(header_seconds=0.3)) as site,
        socket.create_connection(("127.0.0.1", site.port), timeout=20) as link,
    ):
        link.sendall(head_of(site.host, 10_000_000))
        assert status(first_answer(link)) == 413
        assert first_answer(link) == b""


def test_large_deep_and_many_are_refused_while_others_are_answered(tmp_path: Path) -> None:
    with served(tmp_path / "memory.db") as site:
        site.enter()
        bad = [
            (b"x" * 10_000_000, {}),
            (b"[" * 100_000, {}),
            (b'{"a":' * 100_000, {}),
            (b'"' * 1_000_000, {}),
            (b'"\\' * 500_000, {}),
            (b"[]" * 500_000, {}),
            (b"9" * 1_000_000, {}),
            (b"{}", {f"x-{n}": "1" for n in range(1000)}),
        ]
        found: list[int] = []

        def send(body: bytes, headers: dict[str, str]) -> None:
            try:
                found.append(site.ask("POST", "/v1/facts", body, headers).status)
            except ConnectionError:
                found.append(413)  # hung up in the middle of ten megabytes

        threads = [threading.Thread(target=send, args=one) for one in bad * 2]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            assert site.ask("GET", "/health").status == 200
        assert len(found) == len(threads)
        assert set(found) <= {400, 413, 422, 431}
        assert site.memory.facts() == []


def test_a_client_that_hangs_up_is_nobody_s_fault(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with served(tmp_path / "memory.db") as site:
        for sent in (
            b"G",
            head_of(site.host, 100),
            head_of(site.host, 100) + b"{",
            b"GET / HTTP/1.1\r\n\r\n",
        ):
            with socket.create_connection(("127.0.0.1", site.port)) as link:
                link.sendall(sent)
        assert site.ask("GET", "/health").status == 200
    assert caplog.records == []
