"""The wire, against a real server of our own on this machine."""

import json
import time

import pytest

from memoranda.embedders.openai_compatible import (
    LONGEST_TEXT,
    MOST_TEXTS,
    OpenAICompatibleEmbedder,
    key_of,
)
from memoranda.errors import EmbedderError, NotAllowed, UsageError
from memoranda.models import allow_real_calls
from memoranda.models._switch import check_real_calls
from memoranda.step import step

KEY = "sk-very-secret"
SECRET = "the user's own words"


def made(service, **more):
    named = {"dim": 64, "key": KEY, "sleep": lambda seconds: None, **more}
    return OpenAICompatibleEmbedder("m", service.url, **named)


def test_what_goes_over_the_wire(service):
    step(made(service).embed(["a", "", "\ud800" + "x" * 2 * LONGEST_TEXT]))
    (body,) = service.bodies
    assert body["model"] == "m"
    assert body["input"][:2] == ["a", " "]
    assert len(body["input"][2]) == LONGEST_TEXT
    assert set(body) == {"model", "input"}
    assert service.keys == [f"Bearer {KEY}"]


def test_without_a_key_none_is_sent(service):
    step(made(service, key=None).embed(["a"]))
    assert service.keys == [None]


def test_many_go_in_batches(service):
    texts = [f"text {n}" for n in range(MOST_TEXTS * 2 + 1)]
    vectors = step(made(service).embed(texts))
    assert [len(body["input"]) for body in service.bodies] == [MOST_TEXTS, MOST_TEXTS, 1]
    assert vectors[-1] == step(made(service).embed([texts[-1]]))[0]


def test_prefixes_tell_questions_from_texts(service):
    one = made(service, query_prefix="query: ", passage_prefix="passage: ")
    step(one.embed(["a"]))
    step(one.embed(["a"], query=True))
    assert [body["input"] for body in service.bodies] == [["passage: a"], ["query: a"]]


def test_models_that_can_be_shortened_are_asked_to(service):
    one = OpenAICompatibleEmbedder("text-embedding-3-small", service.url, dim=64)
    step(one.embed(["a"]))
    assert service.bodies[0]["dimensions"] == 64
    assert OpenAICompatibleEmbedder("text-embedding-3-small").space.dim == 1536


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_may_be_over_soon_is_tried_again(service, status):
    service.answers += [(status, b""), (status, b"", ("Retry-After", "1"))]
    waits = []
    step(made(service, sleep=waits.append).embed(["a"]))
    assert len(service.bodies) == 3
    assert waits[1] == 1.0


@pytest.mark.parametrize("status", [400, 401, 404, 301, 302, 308])
def test_what_is_refused_is_not_tried_again(service, status):
    service.answers.append((status, SECRET.encode(), ("Location", service.url + "/embeddings")))
    with pytest.raises(EmbedderError, match=str(status)):
        step(made(service).embed(["a"]))
    assert len(service.bodies) == 1  # and nobody is followed: the key goes to one place


WRONG = (
    b"",
    b"not json",
    b"[" * 100_000,
    {},
    {"data": None},
    {"data": []},
    {"data": [{"index": 0}]},
    {"data": [{"index": 0, "embedding": []}]},
    {"data": [{"index": 0, "embedding": [1.0] * 63}]},
    {"data": [{"index": 1, "embedding": [1.0] * 64}]},
    {"data": [{"index": 0, "embedding": [0.0] * 64}]},
    {"data": [{"index": 0, "embedding": ["x"] * 64}]},
    {"data": [{"index": 0, "embedding": [float("nan")] * 64}]},
    {"data": [{"index": 0, "embedding": [10**400] * 64}]},
    {"data": [{"index": n, "embedding": [1.0] * 64} for n in range(2)]},
    {"data": {"error": SECRET}},
)


@pytest.mark.parametrize("answer", WRONG, ids=map(str, range(len(WRONG))))
def test_an_answer_that_is_no_vectors_is_an_error_without_content(service, answer):
    service.answers.append((200, answer))
    with pytest.raises(EmbedderError) as raised:
        step(made(service).embed([SECRET]))
    told = f"{raised.value!r} {raised.value.__cause__!r} {raised.value.__context__!r}"
    assert KEY not in told
    assert SECRET not in str(raised.value)


def test_nothing_shows_the_key(service):
    assert KEY not in repr(made(service))


def test_after_a_failure_it_is_left_alone_for_a_while(service):
    one = made(service)
    service.answers.append((400, b""))
    for _ in range(3):
        with pytest.raises(EmbedderError):
            step(one.embed(["a"]))
    assert len(service.bodies) == 1
    one._resting_until = 0.0
    step(one.embed(["a"]))


def test_nobody_there_is_told_in_time():
    begun = time.monotonic()
    one = OpenAICompatibleEmbedder("m", "http://127.0.0.1:9/v1", dim=64, seconds=0.3)
    with pytest.raises(EmbedderError, match="is it running"):
        step(one.embed(["a"]))
    assert time.monotonic() - begun < 5


def test_calls_can_be_switched_off(service):
    before = allow_real_calls(False)
    try:
        with pytest.raises(NotAllowed):
            step(made(service, allowed=check_real_calls).embed(["a"]))
    finally:
        allow_real_calls(before)
    assert service.bodies == []


@pytest.mark.parametrize(
    "url",
    [
        "ftp://host/v1",
        "file:///etc/passwd",
        "host/v1",
        "http://",
        "http://name:word@host/v1",
        "http://host/v1?key=x",
        "http://[",
        "http://host:99999999/",
    ],
)
def test_a_url_that_is_none_is_refused_and_not_repeated(url):
    with pytest.raises(UsageError) as raised:
        OpenAICompatibleEmbedder("m", url, dim=64)
    assert "word" not in str(raised.value).replace("password", "")


def test_a_model_of_unknown_length_is_asked_about():
    with pytest.raises(UsageError, match="embedder_dim"):
        OpenAICompatibleEmbedder("m", "http://localhost/v1")
    with pytest.raises(UsageError, match="embedder_model"):
        OpenAICompatibleEmbedder("", "http://localhost/v1", dim=3)


def test_openais_key_goes_to_openai_alone():
    env = {"OPENAI_API_KEY": KEY, "OWN": "own"}
    assert key_of("", "", env) == KEY
    assert key_of("", "http://localhost/v1", env) is None
    assert key_of("OWN", "http://localhost/v1", env) == "own"
    with pytest.raises(UsageError, match="NONE"):
        key_of("NONE", "", env)


def test_the_body_is_read_in_time(service, monkeypatch):
    service.answers.append((200, json.dumps({"data": []}).encode()))
    one = made(service, seconds=1.0)
    monkeypatch.setattr("memoranda.embedders.openai_compatible.MOST_BYTES", 3)
    with pytest.raises(EmbedderError, match="far more"):
        step(one.embed(["a"]))
