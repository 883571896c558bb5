"""A test-only HTTP server: ours, with the fixtures that the conformance kit asks for by name. Prints its port.

What the product does not offer (sampling, roots, log messages, completion, subscriptions) is here only so that the kit
can go through everything that our server class carries.
"""

import asyncio
import base64
import json
import socket
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import mcp_types as types
import uvicorn
from mcp.server.mcpserver import Context, Elicit, ElicitationResult, Resolve, Sample
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.server.mcpserver.resources import TextResource
from mcp.shared.exceptions import MCPError
from mcp_types import (
    AudioContent,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    EmbeddedResource,
    ImageContent,
    InputRequiredResult,
    TextContent,
    TextResourceContents,
)
from pydantic import BaseModel, Field

from memoranda.aio import AsyncMemory
from memoranda.mcp import Grant, build

# One red pixel, and a sound of no length.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
SOUND = base64.b64encode(
    b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0@\x1f\0\0\x01\0\x08\0data\0\0\0\0"
).decode()
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
Ctx = Context[Any, Any]


def text(said: str) -> TextContent:
    return TextContent(type="text", text=said)


def image() -> ImageContent:
    return ImageContent(type="image", data=PIXEL, mime_type="image/png")


def embedded(uri: str, said: str, kind: str) -> EmbeddedResource:
    return EmbeddedResource(
        type="resource", resource=TextResourceContents(uri=uri, mime_type=kind, text=said)
    )


def add_contents(server: Any) -> None:
    """Tools that answer with each kind of content."""

    @server.tool()
    async def test_simple_text() -> TextContent:
        """Answer with text."""
        return text("This is a simple text response for testing.")

    @server.tool()
    async def test_image_content() -> ImageContent:
        """Answer with an image."""
        return image()

    @server.tool()
    async def test_audio_content() -> AudioContent:
        """Answer with a sound."""
        return AudioContent(type="audio", data=SOUND, mime_type="audio/wav")

    @server.tool()
    async def test_embedded_resource() -> EmbeddedResource:
        """Answer with a resource."""
        return embedded(
            "test://embedded-resource", "This is an embedded resource content.", "text/plain"
        )

    @server.tool()
    async def test_multiple_content_types() -> CallToolResult:
        """Answer with several kinds."""
        data = embedded(
            "test://mixed-content-resource", '{"test":"data","value":123}', "application/json"
        )
        return CallToolResult(content=[text("Multiple content types test:"), image(), data])

    @server.tool()
    async def test_error_handling() -> str:
        """Fail."""
        raise ToolError("This tool intentionally returns an error for testing")

    @server.tool()
    async def test_x_mcp_header(
        region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})],
    ) -> str:
        """Take a parameter that a header repeats."""
        return region


def add_running(server: Any) -> None:
    """Tools that say something while they run."""

    @server.tool()
    async def test_tool_with_logging(ctx: Ctx) -> str:
        """Log three times."""
        for said in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            await ctx.info(said)
            await asyncio.sleep(0.05)
        return "done"

    @server.tool()
    async def test_tool_with_progress(ctx: Ctx) -> str:
        """Report progress three times."""
        for progress in (0, 50, 100):
            await ctx.report_progress(progress, 100)
            await asyncio.sleep(0.05)
        return "done"

    async def asked_model(prompt: str) -> Sample:
        said = types.SamplingMessage(role="user", content=text(prompt))
        return Sample([said], max_tokens=100)

    @server.tool()
    async def test_sampling(
        prompt: str, answer: Annotated[types.CreateMessageResult, Resolve(asked_model)]
    ) -> str:
        """Ask the client's model."""
        return f"LLM response: {getattr(answer.content, 'text', '')}"


class Reply(BaseModel):
    username: str = Field(description="User's response")
    email: str = Field(description="User's email address")


class Defaults(BaseModel):
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


TITLED = [
    {"const": f"value{n}", "title": f"{word} Option"}
    for n, word in enumerate(("First", "Second", "Third"), 1)
]
CHOICES = [
    {"const": f"value{n}", "title": f"{word} Choice"}
    for n, word in enumerate(("First", "Second", "Third"), 1)
]
PLAIN = ["option1", "option2", "option3"]
ENUMS = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": PLAIN},
        "titledSingle": {"type": "string", "oneOf": TITLED},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": PLAIN}},
        "titledMulti": {"type": "array", "items": {"anyOf": CHOICES}},
    },
    "required": [],
}


def add_asking(server: Any) -> None:
    """Tools that ask the person, as ours do: by a resolver."""

    async def ask(message: str) -> Reply | Elicit[Reply]:
        return Elicit(message, Reply)

    @server.tool()
    async def test_elicitation(
        message: str, reply: Annotated[ElicitationResult[Reply], Resolve(ask)]
    ) -> str:
        """Ask for a name and an address."""
        return f"User response: {_told(reply)}"

    async def ask_defaults() -> Defaults | Elicit[Defaults]:
        return Elicit("Please look these over", Defaults)

    @server.tool()
    async def test_elicitation_sep1034_defaults(
        reply: Annotated[ElicitationResult[Defaults], Resolve(ask_defaults)],
    ) -> str:
        """Ask with defaults."""
        return f"Elicitation completed: {_told(reply)}"

    @server.tool()
    async def test_elicitation_sep1330_enums(ctx: Ctx) -> str:
        """Ask with every form of choice; the SDK makes no such schema from a model."""
        asked = ElicitRequest(
            params=ElicitRequestFormParams(message="Please choose", requested_schema=ENUMS)
        )
        reply = await ctx.session.send_request(asked, types.ElicitResult)
        return f"Elicitation completed: action={reply.action}, content={json.dumps(reply.content)}"


def _told(reply: Any) -> str:
    content = reply.data.model_dump_json() if reply.action == "accept" else "{}"
    return f"action={reply.action}, content={content}"


def add_rounds(server: Any) -> None:  # noqa: C901 (one fixture after the other)
    """Tools and a prompt that need several rounds, on the newer wire."""
    name = _form("What is your name?", name="string")
    roots = types.ListRootsRequest()

    def sample(said: str, most: int) -> Any:
        message = types.SamplingMessage(role="user", content=text(said))
        return types.CreateMessageRequest(
            params=types.CreateMessageRequestParams(messages=[message], max_tokens=most)
        )

    def rounds(tool: str, wanted: dict[str, Any], done: Any, state: str | None = None) -> None:
        async def run(ctx: Ctx) -> CallToolResult | InputRequiredResult:
            given = ctx.input_responses or {}
            if not set(wanted) <= set(given) or not _fits(wanted, given):
                return InputRequiredResult(input_requests=wanted, request_state=state)
            if state is not None and ctx.request_state != state:
                raise MCPError(code=types.INVALID_PARAMS, message="the state is not ours")
            return CallToolResult(content=[text(done(given))])

        server.tool(tool, description=f"Ask for {', '.join(wanted)}.")(run)

    at = "test_input_required_result_"
    rounds(
        f"{at}elicitation",
        {"user_name": name},
        lambda g: f"Hello, {g['user_name'].content['name']}!",
    )
    asked = {"capital_question": sample("What is the capital of France?", 100)}
    rounds(f"{at}sampling", asked, lambda g: g["capital_question"].content.text)
    rounds(
        f"{at}list_roots",
        {"client_roots": roots},
        lambda g: str([str(r.uri) for r in g["client_roots"].roots]),
    )
    confirm = {"confirm": _form("Please confirm", ok="boolean")}
    rounds(f"{at}request_state", confirm, lambda g: "state-ok", "state-1")
    rounds(f"{at}tampered_state", confirm, lambda g: "state-ok", "state-2")
    many = {"user_name": name, "greeting": sample("Generate a greeting", 50), "client_roots": roots}
    rounds(f"{at}multiple_inputs", many, lambda g: "all there", "state-3")

    @server.tool()
    async def test_input_required_result_multi_round(
        ctx: Ctx,
    ) -> CallToolResult | InputRequiredResult:
        """Ask twice."""
        given = ctx.input_responses or {}
        if ctx.request_state == "round-2" and "step2" in given:
            return CallToolResult(content=[text("done")])
        if ctx.request_state == "round-1" and "step1" in given:
            second = {"step2": _form("Step 2: What is your favorite color?", color="string")}
            return InputRequiredResult(input_requests=second, request_state="round-2")
        first = {"step1": _form("Step 1: What is your name?", name="string")}
        return InputRequiredResult(input_requests=first, request_state="round-1")

    @server.tool()
    async def test_input_required_result_capabilities(
        ctx: Ctx,
    ) -> CallToolResult | InputRequiredResult:
        """Ask only what the client can answer."""
        can = ctx.client_capabilities
        wanted: dict[str, Any] = {}
        if can and can.elicitation:
            wanted["user_name"] = name
        if can and can.sampling:
            wanted["greeting"] = sample("Generate a greeting", 50)
        if not wanted or set(wanted) <= set(ctx.input_responses or {}):
            return CallToolResult(content=[text("done")])
        return InputRequiredResult(input_requests=wanted)

    @server.tool()
    async def test_missing_capability(
        ok: Annotated[types.CreateMessageResult, Resolve(_needs_sampling)],
    ) -> str:
        """Need what the client did not offer."""
        return "done"

    @server.prompt()
    async def test_input_required_result_prompt(ctx: Ctx) -> Any:
        """Ask before the prompt is made."""
        given = ctx.input_responses or {}
        if "user_context" not in given:
            asked = {"user_context": _form("What context should the prompt use?", context="string")}
            return InputRequiredResult(input_requests=asked)
        return f"Use this: {given['user_context'].content['context']}"


async def _needs_sampling() -> Sample:
    return Sample([types.SamplingMessage(role="user", content=text("Hello"))], max_tokens=5)


def _form(message: str, **fields: str) -> ElicitRequest:
    properties = {name: {"type": kind} for name, kind in fields.items()}
    schema = {"type": "object", "properties": properties, "required": [*fields]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def _fits(wanted: dict[str, Any], given: Any) -> bool:
    """Whether each answer is of the kind that was asked for."""
    for key, asked in wanted.items():
        if isinstance(asked, ElicitRequest):
            answer = given[key]
            fields = asked.params.requested_schema["required"]
            content = getattr(answer, "content", None)
            if not isinstance(content, dict) or not set(fields) <= set(content):
                return False
    return True


def add_places(server: Any) -> None:
    """Resources, prompts and completion."""
    uri = "test://static-text"
    said = "This is the content of the static text resource."
    server.add_resource(TextResource(uri=uri, name="static-text", description="Text.", text=said))

    @server.resource("test://static-binary", mime_type="image/png", description="A pixel.")
    async def static_binary() -> bytes:
        return base64.b64decode(PIXEL)

    @server.resource("test://template/{id}/data", mime_type="application/json")
    async def template(id: str) -> str:  # noqa: A002
        """Data by its id."""
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})

    @server.prompt()
    def test_simple_prompt() -> str:
        """A prompt."""
        return "This is a simple prompt for testing."

    @server.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        """A prompt with arguments."""
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:  # noqa: N803
        """A prompt with a resource."""
        there = embedded(resourceUri, "Embedded resource content for testing.", "text/plain")
        return [UserMessage(there), UserMessage("Please process the embedded resource above.")]

    @server.prompt()
    def test_prompt_with_image() -> list[UserMessage]:
        """A prompt with an image."""
        return [UserMessage(image()), UserMessage("Please analyze the image above.")]

    @server.completion()
    async def complete(ref: Any, argument: Any, context: Any) -> types.Completion:
        return types.Completion(values=["paris", "park", "party"], total=3, has_more=False)


def add_older(server: Any) -> None:
    """Methods of the older wire that the product does not offer."""

    async def nothing(ctx: Any, params: Any) -> types.EmptyResult:
        return types.EmptyResult()

    for method, params in (
        ("logging/setLevel", types.SetLevelRequestParams),
        ("resources/subscribe", types.SubscribeRequestParams),
        ("resources/unsubscribe", types.UnsubscribeRequestParams),
    ):
        server._lowlevel_server.add_request_handler(method, params, nothing)


def add_schema(server: Any) -> None:
    """A tool whose schema was not made from a function."""

    @server.tool()
    async def json_schema_2020_12_tool() -> str:
        """Tool with JSON Schema 2020-12 features."""
        return "done"

    server._tool_manager.get_tool("json_schema_2020_12_tool").parameters = SCHEMA


async def serve(folder: Path) -> None:
    async with await AsyncMemory.open(folder / "memory.db") as memory:
        server = build(memory, Grant(reference_names=True))
        for add in (
            add_contents,
            add_running,
            add_asking,
            add_rounds,
            add_places,
            add_older,
            add_schema,
        ):
            add(server)
        app = server.streamable_http_app()
        with socket.create_server(("127.0.0.1", 0)) as listening:
            print(listening.getsockname()[1], flush=True)
            config = uvicorn.Config(app, log_level="error", lifespan="on")
            await uvicorn.Server(config).serve(sockets=[listening])


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
