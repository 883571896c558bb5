"""Generated messages in the providers' own forms, odd ones too, and broken ones."""

from typing import Any

from hypothesis import strategies as st

Wire = dict[str, Any]

ODD = st.sampled_from(
    ["", " ", "\x00", "\ud800", "a\udc00b", "👩‍👩‍👧", "東京", "مرحبا", '"\\\n', "\u202e", "{}"]
)
strings = ODD | st.text(max_size=12)
words = st.text("abcdefg_-", min_size=1, max_size=8)
scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
json_values = st.recursive(
    scalars | strings,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(strings, inner, max_size=3),
    max_leaves=6,
)
# Fields that no form knows, so that they must be carried.
unknown = st.dictionaries(words.map("x_".__add__), json_values, max_size=2)
objects = st.dictionaries(strings, json_values, max_size=3)


@st.composite
def record(draw: st.DrawFn, fields: Wire, optional: Wire | None = None) -> Wire:
    """An object of these fields and some of the optional and unknown ones, in any order."""
    data = draw(st.fixed_dictionaries(fields, optional=optional or {})) | draw(unknown)
    return {key: data[key] for key in draw(st.permutations(list(data)))}


def just(word: str) -> st.SearchStrategy[str]:
    return st.just(word)


# OpenAI

openai_parts = st.one_of(
    record({"type": just("text"), "text": strings}),
    record({"type": just("image_url"), "image_url": st.fixed_dictionaries({"url": strings})}),
    record({"type": just("input_audio"), "input_audio": objects}),
    record({"type": just("refusal"), "refusal": strings}),
    record({"type": just("file"), "file": objects}),
)
openai_contents = strings | st.lists(openai_parts, max_size=3)
arguments = st.sampled_from(['{"a": 1}', '{ "b" :2.0 }', "", "not json", "[1]", "{}", '{"a":NaN}'])
openai_calls = st.one_of(
    record(
        {
            "id": words,
            "function": record({"name": words, "arguments": arguments | strings}),
        },
        {"type": just("function"), "index": st.integers(0, 3)},
    ),
    record(
        {
            "id": words,
            "type": just("custom"),
            "custom": record({"name": words, "input": strings}),
        }
    ),
    record({"id": words, "type": just("novel"), "novel": objects}),
)
openai_messages: st.SearchStrategy[Wire] = st.one_of(
    record({"role": just("system"), "content": openai_contents}, {"name": strings}),
    record({"role": just("developer"), "content": openai_contents}, {"name": strings}),
    record({"role": just("user"), "content": openai_contents}, {"name": strings}),
    record(
        {"role": just("assistant")},
        {
            "content": st.none() | openai_contents,
            "refusal": st.none() | strings,
            "audio": st.none() | objects,
            "name": strings,
            "tool_calls": st.none() | st.lists(openai_calls, max_size=3),
            "function_call": st.none() | record({"name": words, "arguments": strings}),
        },
    ),
    record(
        {"role": just("tool"), "tool_call_id": strings},
        {"content": st.none() | openai_contents, "name": st.none() | strings},
    ),
    record({"role": just("function"), "name": words, "content": st.none() | strings}),
)

# Anthropic

cached: Wire = {"cache_control": st.none() | st.just({"type": "ephemeral", "ttl": "1h"})}
texts = record({"type": just("text"), "text": strings}, cached | {"citations": st.none()})
images = record({"type": just("image"), "source": objects}, cached)
results = record(
    {"type": just("tool_result"), "tool_use_id": words},
    cached
    | {
        "content": strings | st.lists(texts | images, max_size=2),
        "is_error": st.none() | st.booleans(),
    },
)
sealed = st.one_of(
    record({"type": just("thinking"), "thinking": strings, "signature": strings}),
    record({"type": just("redacted_thinking"), "data": strings}),
    record({"type": just("compaction"), "content": strings, "encrypted_content": strings}),
    record({"type": just("server_tool_use"), "id": words, "name": words, "input": objects}),
    record({"type": just("web_search_tool_result"), "tool_use_id": words, "content": json_values}),
)
raw = st.fixed_dictionaries({"_raw_arguments": arguments | strings})
uses = record(
    {"type": just("tool_use"), "id": words, "name": words, "input": objects | raw}, cached
)
anthropic_messages: st.SearchStrategy[Wire] = st.one_of(
    record(
        {
            "role": just("user"),
            "content": strings | st.lists(texts | images | results | sealed, max_size=4),
        }
    ),
    record(
        {
            "role": just("assistant"),
            "content": strings | st.lists(texts | uses | sealed, max_size=4),
        },
        {"id": words, "model": words, "usage": objects, "stop_reason": st.none() | words},
    ),
    record({"role": just("system"), "content": strings | st.lists(texts, max_size=2)}),
)
anthropic_systems = st.none() | strings | st.lists(texts, max_size=2)

# Broken ones: any JSON and other Python values where a message should be, or one field of a good one replaced.

anything = json_values | st.sampled_from(
    [float("nan"), b"x", object(), 10**5000, {1: 2}, {"role": []}]
)


@st.composite
def broken(draw: st.DrawFn, good: st.SearchStrategy[Wire]) -> Any:
    """A message with something in it replaced or taken out, at any depth."""
    message: Any = draw(good)
    path: list[Any] = []
    at: Any = message
    while isinstance(at, dict | list) and at and (not path or draw(st.booleans())):
        path.append(draw(st.sampled_from(list(at) if isinstance(at, dict) else range(len(at)))))
        at = at[path[-1]]
    return _put(message, path, draw(st.just(...) | anything))


def _put(value: Any, path: list[Any], new: Any) -> Any:
    if not path:
        return None if new is ... else new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1 and new is ...:
        del copy[path[0]]
    else:
        copy[path[0]] = _put(copy[path[0]], path[1:], new)
    return copy
