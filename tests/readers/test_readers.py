import json
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import IngestError, UsageError
from memoranda.messages import ToolCall
from memoranda.messages.openai_chat import from_openai
from memoranda.readers import PIECE_MESSAGES, Conversation, check_file, read_conversations
from memoranda.types import Origin
from tests.messages import wire

HELLO = {"role": "user", "content": "hello"}
ANSWER = {"role": "assistant", "content": "good day"}


def put(folder: Path, content: str | bytes) -> Path:
    path = folder / "file"
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def lines(*values: Any) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def read(path: Path, form: Any = "auto", **limits: int) -> list[Conversation]:
    found = list(read_conversations(path, form, **limits))
    checked = check_file(path, form, **limits)
    assert checked.messages == sum(len(c.messages) for c in found)
    assert checked.conversations == sum(not c.continues for c in found)
    assert all(len(c.messages) == len(c.times) for c in found)
    return found


def said(conversations: list[Conversation]) -> list[list[tuple[str, str]]]:
    return [[(m.role, m.text) for m in c.messages] for c in conversations]


TALK = [("user", "hello"), ("assistant", "good day")]


@pytest.mark.parametrize(
    "content",
    [
        lines({"messages": [HELLO, ANSWER]}),
        lines(HELLO, ANSWER),
        "\ufeff" + lines(HELLO, ANSWER).replace("\n", "\r\n"),
        "\n\n" + lines(HELLO) + "   \n" + lines(ANSWER).rstrip(),
        json.dumps([HELLO, ANSWER]),
        json.dumps([HELLO, ANSWER], indent=2),
        json.dumps({"messages": [HELLO, ANSWER]}, indent=2),
        json.dumps([{"messages": [HELLO, ANSWER]}], indent=1),
        json.dumps([[HELLO, ANSWER]]),
        json.dumps(HELLO, indent=1) + json.dumps(ANSWER, indent=1),
        '{"messages": [\n' + json.dumps(HELLO) + ",\n" + json.dumps(ANSWER) + "\n]}\n",
        "User: hello\nAssistant: good day\n",
        "Human: hello\n\nAI:\ngood day",
    ],
)
def test_every_format_is_read(tmp_path: Path, content: str) -> None:
    assert said(read(put(tmp_path, content))) == [TALK]


def test_a_pretty_document_of_one_message_is_no_broken_line(tmp_path: Path) -> None:
    content = '{"messages": [\n' + json.dumps(HELLO) + "\n]}"
    assert said(read(put(tmp_path, content))) == [TALK[:1]]


def test_conversations_stay_apart_and_keep_id_and_line(tmp_path: Path) -> None:
    content = lines(
        {"id": "a", "messages": [HELLO], "reward": 1}, HELLO, ANSWER, {"id": 7, "messages": [HELLO]}
    )
    found = read(put(tmp_path, content))
    assert [(c.id, c.line, len(c.messages), c.continues) for c in found] == [
        ("a", 1, 1, False),
        (None, 2, 2, False),
        ("7", 4, 1, False),
    ]


def test_items_of_a_document_have_their_line(tmp_path: Path) -> None:
    content = '[\n{"messages": [' + json.dumps(HELLO) + ']},\n\n{"messages": [' + json.dumps(HELLO)
    assert [c.line for c in read(put(tmp_path, content + "]}]"))] == [2, 4]


def test_plain_text_has_a_message_a_paragraph(tmp_path: Path) -> None:
    content = "\nOne line\nand another.\r\n\n\n  \nUser: is no turn here\n\n[10:30] Anna: hi"
    assert said(read(put(tmp_path, content))) == [
        [
            ("user", "One line\nand another."),
            ("user", "User: is no turn here"),
            ("user", "[10:30] Anna: hi"),
        ]
    ]


def test_a_text_gives_itself_no_role(tmp_path: Path) -> None:
    content = "User: hello\n\nSystem: obey\nTool: done\nassistant : good day"
    assert said(read(put(tmp_path, content))) == [
        [("user", "hello\n\nSystem: obey\nTool: done"), ("assistant", "good day")]
    ]


def test_a_system_message_of_a_file_is_not_the_operators_word(tmp_path: Path) -> None:
    system = {"role": "system", "content": "obey"}
    found = read(put(tmp_path, lines({"messages": [system], "system": "me too"}, system)))
    assert [m.source for c in found for m in c.messages] == [Origin.EXTERNAL] * 3


@pytest.mark.parametrize("form", ["auto", "anthropic"])
def test_blocks_are_read_as_blocks(tmp_path: Path, form: str) -> None:
    call = {"type": "tool_use", "id": "a", "name": "f", "input": {"b": 1}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": "c"}
    talk = [
        HELLO,
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result, {"type": "text", "text": "d"}]},
    ]
    (found,) = read(put(tmp_path, lines({"system": "s", "messages": talk})), form)
    assert [m.role for m in found.messages] == ["system", "user", "assistant", "tool", "user"]
    assert found.messages[2].calls == (ToolCall("a", "f", '{"b": 1}'),)


def test_json_can_be_read_as_text(tmp_path: Path) -> None:
    assert said(read(put(tmp_path, "[1]"), "text")) == [[("user", "[1]")]]


@pytest.mark.parametrize(
    ("time", "micros"),
    [
        ("1970-01-01T00:00:01Z", 1_000_000),
        ("1970-01-01T02:00:00.5+02:00", 500_000),
        (1, 1_000_000),
        (1.5, 1_500_000),
        (None, None),
    ],
)
def test_a_message_has_its_own_time_and_does_not_say_it(
    tmp_path: Path, time: Any, micros: int | None
) -> None:
    for field in ("time", "timestamp", "created_at"):
        (found,) = read(put(tmp_path, lines(HELLO | {field: time}, HELLO)))
        assert found.times == (micros, None)
        assert found.messages[0] == from_openai(HELLO)


@pytest.mark.parametrize(
    "time",
    ["2024-05-15", "2024-05-15T10:00:00", "soon", True, [], 1e300, 1747300000000, -1e15, "9" * 99],
)
def test_a_time_that_is_none_is_an_error(tmp_path: Path, time: Any) -> None:
    with pytest.raises(IngestError, match=r"line 2: message\.time is no time"):
        read(put(tmp_path, lines(HELLO, HELLO | {"time": time})))


def test_many_single_messages_come_in_pieces_that_say_so(tmp_path: Path) -> None:
    count = 3 * PIECE_MESSAGES[0]
    found = read(put(tmp_path, lines(*[HELLO, ANSWER] * count)))
    assert sum(len(c.messages) for c in found) == 2 * count
    assert len(found) > 3
    assert [c.continues for c in found] == [False] + [True] * (len(found) - 1)
    assert all(c.messages[0].role == "user" for c in found)
    assert found[1].line == len(found[0].messages) + 1


def test_a_piece_has_an_end_without_the_user(tmp_path: Path) -> None:
    found = read(put(tmp_path, lines(*[ANSWER] * (PIECE_MESSAGES[1] + 5))))
    assert [len(c.messages) for c in found] == [PIECE_MESSAGES[1], 5]


def test_odd_text_is_kept(tmp_path: Path) -> None:
    content = '{"role": "user", "content": "\\ud800 \\u0000 \\ud83d\\ude00 東京"}'
    (found,) = read(put(tmp_path, content))
    assert found.messages[0].text == "\ud800 \x00 😀 東京"


def test_the_recorded_runs_are_read_whole(shared: Path) -> None:
    for path in sorted((shared / "data" / "trajectories").glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        found = list(read_conversations(path))
        assert [c.id for c in found] == [row["id"] for row in rows]
        assert [len(c.messages) for c in found] == [len(row["messages"]) for row in rows]


# Faults

M = lines(HELLO)
DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        pytest.param("", None, "empty", id="empty"),
        pytest.param(" \n\n", None, "no message", id="blank"),
        pytest.param("[]", None, "no message", id="empty list"),
        pytest.param('{"messages": []}', None, "no message", id="no messages"),
        pytest.param(M + '{"role": "us', 2, "ends in the middle", id="cut line"),
        pytest.param(M + M[:-3], 2, "ends in the middle", id="cut at the end"),
        pytest.param(M + '{"a": tru', 2, "ends in the middle", id="cut literal"),
        pytest.param(M + '{"a": "\\u00', 2, "ends in the middle", id="cut escape"),
        pytest.param('{"role": "us', 1, "ends in the middle", id="cut only line"),
        pytest.param("[" + M + ",\n" + M, 4, "ends in the middle", id="cut list"),
        pytest.param('[{"role":\n"us', 2, "ends in the middle", id="cut in list"),
        pytest.param(M + "{role: 1}\n" + M, 2, "not JSON", id="malformed"),
        pytest.param('{"role": user}\n' + M, 1, "not JSON", id="malformed first"),
        pytest.param('{"role": "us\n' + M, 1, "not JSON", id="broken first"),
        pytest.param(M + "\n" + M.strip() + " {}\n", 3, "more text", id="two on a line"),
        pytest.param("[\n" + M + M + "]", 3, "comma", id="no comma"),
        pytest.param("[\n" + M + ",]", 3, "not JSON", id="comma too many"),
        pytest.param("[" + M + "]\n[]", 3, "more text", id="two lists"),
        pytest.param("[" + M + ",\n\n{'a': 1, " + " " * 99 + "}]", 4, "not JSON", id="in list"),
        pytest.param(M + M[:-2] + ', "x": NaN}\n', 2, "NaN", id="nan"),
        pytest.param(M + '{"messages": [], "x": NaN}\n', 2, "NaN", id="nan beside messages"),
        pytest.param(M + M[:-2] + ', "x": 1e999}\n', 2, "out of range", id="infinite"),
        pytest.param(M + M[:-2] + f', "x": {"1" * 9999}}}\n', 2, "digits", id="digits"),
        pytest.param(M + '{"role": "user", "role": "user"}\n', 2, "twice", id="double key"),
        pytest.param(M + M[:-2] + ', "x": ' + DEEP + "\n", 2, "nested", id="deep line"),
        pytest.param('{"x":\n' + DEEP, 1, "nested", id="deep document"),
        pytest.param(DEEP, 1, "nested", id="deep list"),
        pytest.param(M + "5\n", 2, "neither", id="number"),
        pytest.param(M + '{"text": "a"}\n', 2, "no conversation", id="no role"),
        pytest.param(M + '{"messages": {}}\n', 2, "must be a list", id="messages"),
        pytest.param('{"messages": [5]}\n', 1, "messages\\[0\\]", id="no object"),
        pytest.param(M + '{"role": "user", "content": 5}\n', 2, "message.content", id="content"),
        pytest.param('{"id": [], "messages": [' + M.strip() + "]}", 1, "id", id="odd id"),
        pytest.param(M.encode() + b'{"a": "\xff"}\n', 2, "UTF-8", id="latin"),
        pytest.param(b"hello\ncaf\xe9\n", 2, "UTF-8", id="latin text"),
        pytest.param(b'[{"a":\n "\xff"}]', 2, "UTF-8", id="latin in list"),
        pytest.param(b'[{"a":\n "\xc3', 2, "UTF-8", id="half a character"),
        pytest.param(M.encode("utf-16"), 1, "UTF-16", id="utf-16"),
        pytest.param(M.encode("utf-16-le"), 1, "NUL", id="utf-16 without mark"),
        pytest.param(M.encode() + b"\0\n", 2, "NUL", id="nul"),
        pytest.param(b"a\n" * 50_000 + b"\0\n", 50_001, "NUL", id="late nul"),
        pytest.param(b"\x89PNG\r\n\x1a\n\0\0", 3, "NUL", id="picture"),
        pytest.param(b"[" + M.encode() + b",\n{\0}]", 3, "NUL", id="nul in list"),
    ],
)
def test_a_fault_names_file_line_and_remedy(
    tmp_path: Path, content: str | bytes, line: int | None, problem: str
) -> None:
    path = put(tmp_path, content)
    with pytest.raises(IngestError, match=problem) as caught:
        read_conversations(path)
    assert caught.value.line == line
    assert caught.value.path == str(path)
    assert caught.value.remedy
    with pytest.raises(IngestError):
        check_file(path)


@pytest.mark.parametrize("content", ["hello", "<a>", '"a"'])
def test_text_is_no_json(tmp_path: Path, content: str) -> None:
    for form in ("openai", "anthropic"):
        with pytest.raises(IngestError, match="line 1"):
            read(put(tmp_path, content), form)


def test_a_fault_at_the_end_is_found_before_anything_is_handed_on(tmp_path: Path) -> None:
    path = put(tmp_path, M * 1000 + "{")
    with pytest.raises(IngestError, match="line 1001"):
        read_conversations(path)


def test_sizes_have_limits(tmp_path: Path) -> None:
    path = put(tmp_path, M * 10)
    assert read(path, limit_bytes=len(M) * 10)
    with pytest.raises(IngestError, match="larger than the limit"):
        read(path, limit_bytes=len(M) * 10 - 1)
    assert read(path, line_bytes=len(M))
    with pytest.raises(IngestError, match="line 1: this line is longer"):
        read(path, line_bytes=len(M) - 1)
    long = M + lines(HELLO | {"content": "x" * 1000})
    with pytest.raises(IngestError, match="line 2: this line is longer"):
        read(put(tmp_path, long), line_bytes=500)
    with pytest.raises(IngestError, match="line 2: this value is longer"):
        read(put(tmp_path, "[" + long.replace("}\n{", "},\n{") + "]"), line_bytes=500)
    with pytest.raises(IngestError, match="line 3: this paragraph is longer"):
        read(put(tmp_path, "a\n\n" + "word\n" * 200), line_bytes=500)


def test_what_is_no_file_is_an_error_and_no_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name, problem in (
        ("", "this is a folder"),
        ("fifo", "pipe or a device"),
        ("nothing", "no such file"),
        ("loop", "cannot be read"),
        ("nul\0", "NUL"),
        ("x" * 300, "cannot be read"),
    ):
        with pytest.raises(IngestError, match=problem) as caught:
            read_conversations(tmp_path / name)
        assert caught.value.line is None


def test_a_path_that_is_no_text_can_be_shown(tmp_path: Path) -> None:
    with pytest.raises(IngestError) as caught:
        check_file(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    str(caught.value).encode("utf-8")


@pytest.mark.unprivileged
def test_a_file_that_may_not_be_read_is_an_error(tmp_path: Path) -> None:
    path = put(tmp_path, M)
    path.chmod(0)
    with pytest.raises(IngestError, match="may not be read"):
        check_file(path)


def test_a_file_that_changes_between_the_passes_is_an_error(tmp_path: Path) -> None:
    path = put(tmp_path, M)
    found = read_conversations(path)
    path.write_text(M * 2, "utf-8")
    with pytest.raises(IngestError, match="changed"):
        list(found)


def test_a_file_that_goes_away_between_the_passes_is_an_error(tmp_path: Path) -> None:
    path = put(tmp_path, M)
    found = read_conversations(path)
    path.unlink()
    with pytest.raises(IngestError, match="no such file"):
        list(found)


def test_an_unknown_format_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        check_file(put(tmp_path, M), "xml")  # type: ignore[arg-type]


def test_an_error_holds_nothing_of_the_file(tmp_path: Path) -> None:
    for content in ('{"secret": secret}\n', '{"secret": "secret"}\n', '{"role": "secret"}\n'):
        with pytest.raises(IngestError) as caught:
            check_file(put(tmp_path, M + content))
        assert "secret" not in str(caught.value)


@given(data=st.data())
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    good = lines(
        data.draw(wire.openai_messages), {"messages": [data.draw(wire.anthropic_messages)]}
    )
    content = data.draw(st.sampled_from([good, json.dumps([HELLO, ANSWER], indent=1)])).encode()
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(content)))
        cut = data.draw(st.integers(0, 3))
        content = content[:at] + data.draw(st.binary(max_size=3)) + content[at + cut :]
    path = put(tmp_path_factory.getbasetemp(), content)
    for form in ("auto", "openai", "anthropic", "text"):
        try:
            list(read_conversations(path, form))
        except IngestError as error:
            assert error.remedy  # noqa: PT017


def test_memory_is_bounded_by_the_message_and_not_by_the_file(tmp_path: Path) -> None:
    line = lines(HELLO | {"content": "word " * 400})
    for content in (
        line * 3000,
        "[" + ",".join([line] * 3000) + "]",
        ("word " * 400 + "\n\n") * 3000,
    ):
        path = put(tmp_path, content)
        assert path.stat().st_size > 5_900_000
        tracemalloc.start()
        try:
            for _ in read_conversations(path):
                pass
            assert tracemalloc.get_traced_memory()[1] < 3_000_000
        finally:
            tracemalloc.stop()


def test_a_wrong_value_is_found_without_reading_on(tmp_path: Path) -> None:
    path = put(tmp_path, '[{"a": b}' + " " * 5_000_000)
    with pytest.raises(IngestError, match="not JSON"):
        check_file(path, line_bytes=1000)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs a list of open files")
def test_a_reader_left_half_way_holds_no_file_open(tmp_path: Path) -> None:
    content = lines({"messages": [HELLO]}) * 5
    before = open_files()
    for whole in (content, f"[{content[:-1].replace(chr(10), ',')}]"):
        found = read_conversations(put(tmp_path, whole))
        next(found)
        del found
        assert open_files() == before
