"""The guard: whom it lets through, how much it takes, and what every answer says. Over real sockets."""

import itertools
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.server.bodies import DEEPEST, MOST_BYTES, deep
from memoranda.server.guard import ANSWER_HEADERS
from tests.server.serving import Served, status


def host_fields(port: int) -> list[list[str]]:
    """The Host fields of a request: the right ones, and what looks like them."""
    right = f"127.0.0.1:{port}"
    odd = [
        f"localhost.:{port}",
        f"127.0.0.1.:{port}",
        f"LOCALHOST:{port}",
        "127.0.0.1",
        "localhost",
        f"127.0.0.1:{port + 1}",
        f"127.0.0.1:0{port}",
        f"[::1]:{port}",
        f"[::ffff:127.0.0.1]:{port}",
        f"0.0.0.0:{port}",
        f"127.1:{port}",
        f"2130706433:{port}",
        f"user@127.0.0.1:{port}",
        f"{right}@evil.example",
        f"evil.example:{port}",
        f"127.0.0.1.evil.example:{port}",
        f"evil-127.0.0.1:{port}",
        f"localhost:{port}.evil.example",
        f"{right}, evil.example",
        f"{right}/",
        f"{right}#",
        "",
        "null",
    ]
    return [[right], [f"localhost:{port}"], *([one] for one in odd), [], [right, "evil.example"]]


def origin_fields(port: int) -> list[list[str]]:
    """The Origin fields of a request."""
    right = f"http://127.0.0.1:{port}"
    return [
        [],
        [right],
        [f"http://localhost:{port}"],
        [""],
        ["null"],
        ["http://evil.example"],
        [f"https://127.0.0.1:{port}"],
        ["http://127.0.0.1"],
        [f"http://127.0.0.1:{port + 1}"],
        [f"{right}.evil.example"],
        [f"{right}/"],
        [f"http://user@127.0.0.1:{port}"],
        [f"http://127.0.0.1.:{port}"],
        [f"HTTP://127.0.0.1:{port}"],
        [f"{right} {right}"],
        [right, "http://evil.example"],
        [right, right],
        ["http://evil.example", right],
        [f"http://[::1]:{port}"],
    ]


def test_of_all_pairs_of_host_and_origin_only_the_right_ones_pass(site: Served) -> None:
    port, passed = site.port, set()
    pairs = list(itertools.product(host_fields(port), origin_fields(port)))
    assert len(pairs) > 200
    for hosts, origins in pairs:
        fields = [f"Host: {host}" for host in hosts] + [f"Origin: {one}" for one in origins]
        request = "\r\n".join(["POST /leave HTTP/1.1", *fields, "Content-Length: 0", "", ""])
        got = status(site.raw(request.encode()))
        assert got in (303, 400, 403, 421), (hosts, origins, got)
        if got == 303:
            passed.add((*hosts, *origins))
    own = [f"127.0.0.1:{port}", f"localhost:{port}"]
    assert passed == {(host,) for host in own} | {(host, f"http://{host}") for host in own}


@pytest.mark.parametrize(
    ("target", "answer"),
    [
        ("http://evil.example/", 421),
        ("http://evil.example/health", 421),
        ("http://127.0.0.1:{port}/health", 421),
        ("http://user@127.0.0.1:{port}/health", 421),
        ("//evil.example/health", 404),  # a path, and nothing is there
        ("*", 421),
        ("evil.example:80", 421),
    ],
)
def test_an_address_that_names_a_host_is_refused(site: Served, target: str, answer: int) -> None:
    line = f"GET {target.format(port=site.port)} HTTP/1.1\r\nHost: {site.host}\r\n\r\n"
    assert status(site.raw(line.encode())) == answer


def test_a_request_of_the_first_http_needs_a_host_too(site: Served) -> None:
    assert status(site.raw(b"GET /health HTTP/1.0\r\n\r\n")) == 421


@pytest.mark.parametrize("site_of_page", ["cross-site", "same-site", "", "same-origin, none"])
def test_a_change_that_a_browser_says_is_from_elsewhere(desk: Served, site_of_page: str) -> None:
    # Another port of this machine is the same site, and gets the cookie.
    got = desk.ask(
        "POST",
        "/v1/facts",
        {"text": "The user has a dog.", "subject": "user:me"},
        {"sec-fetch-site": site_of_page},
    )
    assert (got.status, got.problem) == (403, "ForeignOrigin")
    assert desk.memory.facts() == []


def test_what_a_browser_says_is_from_here_passes(desk: Served) -> None:
    for said in ("same-origin", "none"):
        body = {"text": f"The user has a {said} dog.", "subject": "user:me"}
        assert desk.ask("POST", "/v1/facts", body, {"sec-fetch-site": said}).status == 200


def test_only_a_link_that_is_followed_may_come_from_elsewhere(site: Served) -> None:
    elsewhere = {"sec-fetch-site": "cross-site"}
    assert site.ask("GET", "/", headers={**elsewhere, "sec-fetch-mode": "navigate"}).status == 200
    for mode in ("no-cors", "cors", "same-origin"):
        assert site.ask("GET", "/", headers={**elsewhere, "sec-fetch-mode": mode}).status == 403


def test_every_answer_says_what_it_may_load(site: Served) -> None:
    wrong = {"host": "evil.example"}
    answers = [
        site.ask("GET", "/"),
        site.ask("GET", "/v1/nothing"),
        site.ask("GET", "/health"),
        site.ask("GET", "/static/app.css"),
        site.ask("GET", "/", headers=wrong),
        site.ask("POST", "/v1/facts", b"{" * 100),
    ]
    for got in answers:
        assert {name: got.headers[name] for name in ANSWER_HEADERS} == ANSWER_HEADERS
        assert "unsafe" not in got.headers["content-security-policy"]
        assert got.headers["cache-control"] in ("no-store", "no-cache")
    assert "server" not in answers[0].headers


# How much


def test_a_body_that_says_it_is_too_large_is_not_waited_for(site: Served) -> None:
    head = (
        f"POST /v1/facts HTTP/1.1\r\nHost: {site.host}\r\nContent-Length: {MOST_BYTES + 1}\r\n\r\n"
    )
    assert status(site.raw(head.encode())) == 413
    head = head.replace(str(MOST_BYTES + 1), "9" * 400)
    assert status(site.raw(head.encode())) in (400, 413)


def test_a_body_in_chunks_is_counted(site: Served) -> None:
    head = f"POST /v1/facts HTTP/1.1\r\nHost: {site.host}\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    assert status(site.raw(head.encode() + chunk * 17)) == 413
    # And up to the limit it is read: then it is the parser that has nothing for it.
    got = site.raw(head.encode() + b"4\r\nabcd\r\n0\r\n\r\n")
    assert status(got) == 403


def test_the_largest_body_is_read(desk: Served) -> None:
    got = desk.ask("POST", "/v1/facts", b'{"text": "' + b"x" * (MOST_BYTES - 12) + b'"}')
    assert (got.status, got.problem) == (422, "Invalid")


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"[" * 100_000, "BodyTooDeep"),
        (b'{"a":' * 33 + b"1" + b"}" * 33, "BodyTooDeep"),
        (b"\xff\xfe[\x00", "BodyNotText"),
        ('{"text": "x"}'.encode("utf-16"), "BodyNotText"),
        ('{"text": "x"}'.encode("utf-16-le"), "BodyNotText"),
        (b'{"text": "\x00"}', "BodyNotText"),
        (b'{"text": "\xed\xa0\x80"}', "BodyNotText"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_body_that_no_parser_shall_see(desk: Served, body: bytes, problem: str) -> None:
    got = desk.ask("POST", "/v1/facts", body)
    assert (got.status, got.problem) == (400, problem)


@pytest.mark.parametrize(
    "said",
    [
        "application/x-www-form-urlencoded+json",
        "multipart/form-data+json",
        "multipart/form-data+json; boundary=x",
        " Application/X-WWW-Form-URLEncoded+JSON",
    ],
)
def test_a_type_that_begins_like_a_form_hides_no_depth(desk: Served, said: str) -> None:
    deep_body = b'{"a":' * 33 + b"1" + b"}" * 33
    got = desk.ask("POST", "/v1/facts", deep_body, {"content-type": said})
    assert (got.status, got.problem) == (400, "BodyTooDeep")


def test_what_is_deep_only_in_a_string_is_not_deep() -> None:
    assert not deep(b'"' + b"[" * 100 + b'"')
    assert not deep(b'"\\"' + b"[" * 100 + b'"')
    assert not deep(b'"' + b"[" * 100)
    assert deep(b'"\\\\"' + b"[" * 100 + b'"')
    assert not deep(b"[" * DEEPEST + b"]" * DEEPEST)
    assert deep(b"[" * (DEEPEST + 1))
    assert not deep(b"[]" * 1000)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='[]{}"\\,:a\u2028', max_size=8),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=60,
)


def depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


@given(VALUES, st.integers(0, 40), st.booleans())
def test_the_scanner_counts_as_the_parser_would(value: object, more: int, ascii_only: bool) -> None:
    import json

    for _ in range(more):
        value = [value]
    text = json.dumps(value, ensure_ascii=ascii_only).encode()
    assert deep(text) == (depth(value) > DEEPEST)


@given(st.binary(max_size=300))
def test_the_scanner_takes_any_bytes(noise: bytes) -> None:
    deep(noise)
    # What hides from the scanner as a string, the parser takes for a string too.
    deep(b'"\\' * 2000 + noise)


def test_addresses_and_headers_have_a_limit(site: Served) -> None:
    got = site.ask("GET", "/v1/facts?words=" + "x" * 50_000)
    assert (got.status, got.problem) == (414, "AddressTooLong")
    many = {f"x-{n}": "1" for n in range(1000)}
    assert site.ask("GET", "/health", headers=many).problem == "HeadersTooLarge"
    assert site.ask("GET", "/health", headers={"x": "y" * 17_000}).problem == "HeadersTooLarge"
    got_raw = site.raw(b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 200_000)
    assert status(got_raw) in (431, 0)
    assert site.ask("GET", "/health").status == 200


def test_no_request_is_no_error_of_ours(site: Served) -> None:
    chance = random.Random(7)
    for noise in (
        b"\x16\x03\x01\x02",
        b"GET\r\n\r\n",
        b"\r\n" * 50 + b"x\r\n\r\n",
        chance.randbytes(500),
    ):
        got = site.raw(noise + b"\r\n\r\n")
        assert status(got) in (0, 400)
        assert not re.search(rb"Traceback|Error", got)
    got = site.raw(b"GARBAGE\r\n\r\n")
    assert b"application/problem+json" in got
    assert b"content-security-policy" in got


def test_a_websocket_is_nothing_here(site: Served) -> None:
    line = (
        f"GET /v1/facts HTTP/1.1\r\nHost: {site.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    assert status(site.raw(line.encode())) in (200, 400, 426)
