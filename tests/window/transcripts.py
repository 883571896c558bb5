"""Generated transcripts with everything that goes wrong in real ones, and what must hold of a request."""

import json
from collections import Counter

from hypothesis import strategies as st

from memoranda.messages import Message, Opaque, Recalled, Text, ToolCall, ToolResult
from memoranda.window import EstimateCounter

IDS = ("call_0", "call_1", "call_2")  # few, so that they come again in later steps
WORDS = st.sampled_from(
    ("", "yes", "read the file src/retry.py", "\u4f60\u597d", "\U0001f600 done")
)


@st.composite
def texts(draw, most=2_000):
    """Short, empty, long, and now and then 200 KB."""
    size = draw(st.sampled_from((0, 1, 30, 300, most, 200_000 if most > 1_000 else most)))
    return (draw(WORDS) + " lorem ipsum 0123" * (size // 16 + 1))[:size] if size else draw(WORDS)


@st.composite
def user(draw):
    parts = [Text(draw(texts(most=400)))]
    if draw(st.booleans()):
        parts.append(Opaque("openai", {"type": "image_url", "image_url": {"url": "data:x"}}))
    if draw(st.booleans()):
        parts.append(Recalled("<data>\n{}\n</data>", (f"f_{draw(st.integers(0, 9))}",)))
    return [Message("user", tuple(parts))]


@st.composite
def step(draw):
    """An assistant message with its results: parallel calls, missing answers, a user in between, strays."""
    calls = [
        ToolCall(draw(st.sampled_from(IDS)), "read", json.dumps({"path": draw(texts(most=900))}))
        for _ in range(draw(st.integers(0, 3)))
    ]
    thought = [Opaque("anthropic", {"type": "thinking", "thinking": "hm", "signature": "s" * 80})]
    head = thought if draw(st.booleans()) else []
    assistant = Message("assistant", (*head, Text(draw(texts())), *calls))
    results = [
        Message("tool", (ToolResult(call.id, draw(results_parts())),))
        for call in draw(st.permutations(calls))
    ]
    if results and draw(st.integers(0, 4)) == 0:
        results.pop()
    if results and draw(st.integers(0, 4)) == 0:
        results = [
            Message("user", (*(r.parts[0] for r in results), Text("and what now?"))),
        ]
    if draw(st.integers(0, 6)) == 0:
        results.insert(draw(st.integers(0, len(results))), draw(user())[0])
    if draw(st.integers(0, 9)) == 0:
        results.append(Message("tool", (ToolResult("nobody", (Text("stray"),)),)))
    return [assistant, *results]


def results_parts():
    picture = Opaque("openai", {"type": "image_url", "image_url": {"url": "data:x"}})
    return texts().map(lambda t: (Text(t),)) | st.just(()) | st.just((Text("seen"), picture))


def transcripts(most=14):
    """Lists of messages; mostly steps, consecutive users among them."""
    blocks = st.one_of(step(), step(), step(), user())
    return st.lists(blocks, max_size=most).map(lambda ms: [m for block in ms for m in block])


def size(messages, system=""):
    """Counted apart from the code under test: every text, name and argument, 4 a message, 1,600 an image."""
    counter = EstimateCounter()
    total = counter.count(system) + 4 if system else 0
    for message in messages:
        strings, images = [], 0
        for part in message.parts:
            for inner in part.parts if isinstance(part, ToolResult) else (part,):
                if isinstance(inner, Opaque):
                    picture = "image" in inner.data["type"]
                    images += picture
                    strings += [] if picture else [json.dumps(inner.data, ensure_ascii=False)]
                elif isinstance(inner, ToolCall):
                    strings += [inner.name, inner.arguments]
                else:
                    strings.append(inner.text)
        total += counter.count("".join(strings)) + 4 + 1600 * images
    return total


def faults(messages):
    """What a provider would refuse: results apart from their calls, calls apart from their results."""
    found, waiting = [], Counter()
    for message in messages:
        for result in message.results:
            if waiting[result.call_id] < 1:
                found.append(f"a result without a call: {result.call_id}")
            waiting[result.call_id] -= 1
        if not message.results:
            found += [f"a call without a result: {i}" for i, n in waiting.items() if n > 0]
            waiting = Counter()
        waiting.update(call.id for call in message.calls)
        if message.role == "system":
            found.append("a system message")
    found += [f"a call without a result: {i}" for i, n in waiting.items() if n > 0]
    return found
