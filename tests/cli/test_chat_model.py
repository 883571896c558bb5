"""chat with a model: a small server on this machine plays an OpenAI-compatible service."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from memoranda.cli.codes import PART, USAGE
from tests.cli.running import Inside


class Service:
    """What was asked, and what is answered."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.status = 200
        self.message: dict[str, Any] = {"role": "assistant", "content": "Hello \x1b[31mthere."}
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.asked.append(json.loads(body))
                answer = json.dumps({"choices": [{"message": service.message}]}).encode()
                self.send_response(service.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.options = (
            "--model",
            "small:7b",
            "--base-url",
            f"http://127.0.0.1:{self.server.server_port}/v1",
        )


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    thread = threading.Thread(target=made.server.serve_forever)
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


def test_the_model_is_told_and_its_words_are_shown(cli: Inside, service: Service) -> None:
    cli("chat", stdin=b"I live in Oslo.\n")
    done = cli("chat", *service.options, stdin=b"Which city do I live in?\n/window\n")
    assert done.code == 0, done
    (asked,) = service.asked
    assert asked["model"] == "small:7b"
    assert "Oslo" in json.dumps(asked["messages"])
    assert "Hello \\x1b[31mthere." in done.out
    assert "recalled (/why says how):" in done.out
    assert "model: small:7b" in done.out


def test_the_conversation_goes_on(cli: Inside, service: Service) -> None:
    cli("chat", *service.options, "--session", "s1", stdin=b"One.\n")
    cli("chat", *service.options, "--session", "s1", stdin=b"Two.\n")
    roles = [message["role"] for message in service.asked[-1]["messages"]]
    assert roles == ["user", "assistant", "user"]


def test_a_model_that_fails_takes_nothing_with_it(cli: Inside, service: Service) -> None:
    service.status = 400
    done = cli("chat", *service.options, stdin=b"I live in Oslo.\nhello\n")
    assert done.code == PART
    assert "refused the request (status 400" in done.err
    assert "accepted f_" in done.out
    assert len(service.asked) == 2
    assert len(cli("facts", "--json").json()) == 1


def test_a_call_that_nobody_offered_is_no_answer(cli: Inside, service: Service) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "rm", "arguments": "{}"}}
    service.message = {"role": "assistant", "content": None, "tool_calls": [call]}
    done = cli("chat", *service.options, stdin=b"I live in Oslo.\n")
    assert done.code == 0
    assert "(The model gave no answer.)" in done.out
    assert "accepted f_" in done.out


def test_what_the_model_says_is_no_fact(cli: Inside, service: Service) -> None:
    service.message["content"] = "I live in Rome."
    done = cli("chat", *service.options, stdin=b"Hello.\n")
    assert "gate: nothing to remember in that" in done.out
    assert cli("facts", "--status", "all", "--json").json() == []


def test_a_model_needs_a_service(cli: Inside) -> None:
    cli.patch.delenv("OPENAI_API_KEY", raising=False)
    done = cli("chat", "--model", "small", stdin=b"hello\n")
    assert done.code == USAGE
    assert "OPENAI_API_KEY" in done.err
    assert not cli.home.db.exists()
