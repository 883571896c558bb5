"""The wire, against a real server of our own on this machine."""

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from memoranda.errors import ContextTooLong, ModelError, NotAllowed, UsageError
from memoranda.messages import Message, Recalled, Text, ToolCall, ToolResult, said
from memoranda.models import OpenAICompatible, allow_real_calls, model_from
from memoranda.ports import Request, ToolSpec, Usage

pytest.importorskip("openai")
KEY = "sk-very-secret"


class Service:
    """Speaks `/v1/chat/completions`: gives what is in `answers` (status, body), records what it is sent."""

    def __init__(self):
        service, self.answers, self.bodies, self.keys = self, [], [], []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                size = int(self.headers["Content-Length"])
                service.bodies.append(json.loads(self.rfile.read(size)))
                service.keys.append(self.headers["Authorization"])
                status, body = service.answers.pop(0)
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status if self.path == "/v1/chat/completions" else 404)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.send_header("retry-after-ms", "1")
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"


@pytest.fixture
def service():
    one = Service()
    thread = threading.Thread(target=one.server.serve_forever, args=(0.01,))
    thread.start()
    yield one
    one.server.shutdown()
    thread.join()
    one.server.server_close()


def answer(message, **more):
    return 200, {"choices": [{"message": message, "finish_reason": "stop"}], **more}


def ask(service, request=None, **options):
    model = OpenAICompatible("tiny", service.url, KEY, **options)
    return asyncio.run(model.complete(request or Request("Be brief.", (said("user", "Hello"),))))


def test_a_request_and_a_reply(service):
    usage = {
        "prompt_tokens": 12,
        "completion_tokens": 3,
        "prompt_tokens_details": {"cached_tokens": 8, "cache_write_tokens": 4},
    }
    service.answers.append(answer({"role": "assistant", "content": "Hi."}, usage=usage))
    reply = ask(service)
    assert reply.message == said("assistant", "Hi.")
    assert (reply.stop, reply.usage) == ("end", Usage(12, 3, 8, 4))
    assert service.bodies == [
        {
            "model": "tiny",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Hello"},
            ],
            "max_tokens": 1024,
        }
    ]
    assert service.keys == [f"Bearer {KEY}"]


def test_tool_calls_make_the_round_trip(service):
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"p": 1}'}}
    first = {"role": "assistant", "content": None, "tool_calls": [call], "annotations": []}
    service.answers += [
        (200, {"choices": [{"message": first, "finish_reason": "tool_calls"}]}),
        answer({"role": "assistant", "content": "Done."}),
    ]
    tools = (ToolSpec("read", "Read.", {"type": "object", "properties": {}}),)
    question = Message("user", (Text("Read it"), Recalled("a block", ("f_1",))))
    reply = ask(service, Request("", (question,), tools))
    assert reply.message.calls == (ToolCall("c1", "read", '{"p": 1}'),)
    assert reply.stop == "tools"
    result = Message("tool", (ToolResult("c1", (Text("content"),), name="read"),))
    ask(service, Request("", (question, reply.message, result), tools))
    sent = service.bodies[1]
    assert sent["tools"][0]["function"]["name"] == "read"
    assert [m["role"] for m in sent["messages"]] == ["user", "assistant", "tool"]
    assert sent["messages"][1] == {"role": "assistant", "content": None, "tool_calls": [call]}
    assert sent["messages"][2]["tool_call_id"] == "c1"
    assert "a block" in json.dumps(sent["messages"][0])


@pytest.mark.parametrize(
    ("message", "text", "arguments"),
    [
        ({"content": None}, "", []),
        ({}, "", []),
        ({"content": [{"type": "text", "text": "in parts"}]}, "in parts", []),
        ({"content": 7, "refusal": "I will not."}, "I will not.", []),
        (
            {"tool_calls": [{"id": None, "function": {"name": "f", "arguments": {"a": 1}}}]},
            "",
            ['{"a": 1}'],
        ),
        ({"tool_calls": [{"function": {"name": "f", "arguments": "{oops"}}]}, "", ["{oops"]),
        ({"tool_calls": [{"function": {"name": None, "arguments": None}}]}, "", ["{}"]),
    ],
    ids=range(7),
)
def test_what_small_servers_send_is_read(service, message, text, arguments):
    service.answers.append((200, {"choices": [{"message": message}], "usage": {"x": "y"}}))
    reply = ask(service)
    assert reply.message.text == text
    assert [call.arguments for call in reply.message.calls] == arguments
    assert (reply.stop, reply.usage) == ("end", Usage())


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"[]", b"{}", b'{"choices": []}', b'{"choices": [{"message": null}]}', b"7",
     b'{"choices": [{"message": {"tool_calls": [{}]}}]}', b"\xff\xfe", b"[" * 100_000],
    ids=range(10),
)  # fmt: skip
def test_garbage_is_a_model_error(service, body):
    service.answers.append((200, body))
    with pytest.raises(ModelError, match="no chat completion"):
        ask(service)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_fault_names_the_status_and_leaks_nothing(service, status):
    body = {"error": {"message": f"bad key {KEY}: you said Hello", "code": "nope"}}
    service.answers.append((status, body))
    with pytest.raises(ModelError, match=str(status)) as caught:
        ask(service)
    error = caught.value
    assert not isinstance(error, ContextTooLong)
    assert KEY not in f"{error!r}{error}"
    assert "Hello" not in str(error)
    assert error.__cause__ is None
    assert error.__suppress_context__


@pytest.mark.parametrize(
    "error",
    [
        {"code": "context_length_exceeded", "message": "m"},
        {"type": "exceed_context_size_error", "message": "m"},
        {"message": "This model's maximum context length is 4096 tokens"},
    ],
    ids=range(3),
)
def test_a_request_over_the_context_is_an_error_of_its_own(service, error):
    service.answers.append((400, {"error": error}))
    with pytest.raises(ContextTooLong):
        ask(service)


def test_a_busy_service_is_asked_again(service):
    good = answer({"role": "assistant", "content": "At last."})
    service.answers += [(429, {"error": {}}), (503, {"error": {}}), good]
    assert ask(service).message.text == "At last."
    assert len(service.bodies) == 3


def test_no_service_is_a_model_error():
    model = OpenAICompatible("tiny", "http://127.0.0.1:9/v1", max_retries=0)
    with pytest.raises(ModelError, match="no answer"):
        asyncio.run(model.complete(Request("", (said("user", "hi"),))))


def test_a_slow_service_is_a_model_error(service):
    def wait(self):
        threading.Event().wait(0.3)
        self.close_connection = True

    service.server.RequestHandlerClass.do_POST = wait
    with pytest.raises(ModelError, match="APITimeoutError"):
        ask(service, timeout=0.05, max_retries=0)


def test_lone_surrogates_are_replaced_before_they_go(service):
    service.answers.append(answer({"content": "ok"}))
    ask(service, Request("", (said("user", "a\ud800b \ud83d\ude00 \u4f60"),)))
    assert service.bodies[0]["messages"][0]["content"] == "a\ufffdb \U0001f600 \u4f60"


def test_the_switch_makes_real_calls_raise(service):
    before = allow_real_calls(False)
    try:
        with pytest.raises(NotAllowed):
            ask(service)
        assert service.bodies == []
    finally:
        assert allow_real_calls(before) is False


def test_a_client_of_ones_own_is_used_and_stays_open():
    import httpx2

    def handler(request):
        return httpx2.Response(200, json=answer({"content": "from the fake"})[1])

    async def main():
        async with httpx2.AsyncClient(transport=httpx2.MockTransport(handler)) as client:
            model = OpenAICompatible("tiny", api_key="k", http_client=client)
            request = Request("", (said("user", "hi"),))
            return [(await model.complete(request)).message.text for _ in range(2)]

    assert asyncio.run(main()) == ["from the fake"] * 2


def test_a_model_is_named_by_provider_and_name():
    env = {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OPENAI_API_KEY": KEY}
    model = model_from("openai:gpt:x", env)
    assert model.name == "gpt:x"
    assert repr(model) == "OpenAICompatible('gpt:x', base_url='http://127.0.0.1:1/v1')"
    assert "127.0.0.2" in repr(model_from("openai:m", env, base_url="http://127.0.0.2/v1"))
    for spec in ("gpt", "openai:", "other:m", ""):
        with pytest.raises(UsageError, match="provider:name"):
            model_from(spec, env)
    with pytest.raises(UsageError, match="key"):
        model_from("openai:m", {})
