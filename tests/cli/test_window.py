"""memoranda window: what each call held, lost and cost, and a page that needs nothing else."""

import json
import re
from html.parser import HTMLParser

import pytest

from memoranda.cli import main, window_page
from memoranda.cli.codes import INPUT, code_of
from memoranda.errors import UsageError


@pytest.fixture
def transcript(tmp_path):
    messages = [
        {"role": "system", "content": "Be careful."},
        {"role": "user", "content": "Port <script>alert(1)</script> it."},
    ]
    for n in range(30):
        call = {"name": "read", "arguments": json.dumps({"path": f"src/file_{n}.py"})}
        calls = [{"id": f"c{n}", "type": "function", "function": call}]
        messages.append({"role": "assistant", "content": "", "tool_calls": calls})
        messages.append(
            {"role": "tool", "tool_call_id": f"c{n}", "content": f"name_{n} = {n}\n" * 90}
        )
    messages.append({"role": "assistant", "content": "done"})
    file = tmp_path / "run.jsonl"
    file.write_text(json.dumps({"id": "r", "messages": messages}) + "\n")
    return file


def call(capsys, *arguments):
    code = main(["window", *map(str, arguments)])
    return code, capsys.readouterr()


def test_it_tells_every_call_and_the_bill_beside_others(transcript, capsys):
    code, out = call(capsys, transcript, "--budget", 4000)
    assert code == 0
    lines = [line.split("\t") for line in out.out.splitlines()]
    calls = [line for line in lines if line[0].isdigit()]
    assert len(calls) == 31
    assert all(int(line[2]) <= 4000 for line in calls)
    assert any("left out" in line[-1] and "tokens of notes" in line[-1] for line in calls)
    assert {"never", "drop_oldest_big", "window (default)"} <= {line[0] for line in lines}


def test_json_has_the_same(transcript, capsys):
    _, out = call(capsys, transcript, "--budget", 4000, "--json", "--policy", "0.9/0.5")
    data = json.loads(out.out)
    assert data["bills"][0]["policy"] == "window (0.9/0.5)"
    assert data["bills"][0]["over"] == data["bills"][0]["refused"] == 0
    assert sum(c["sent"] for c in data["calls"]) == data["bills"][0]["sent"]


def test_at_prints_the_exact_request(transcript, capsys):
    _, out = call(capsys, transcript, "--budget", 4000, "--at", 25)
    request = json.loads(out.out)
    assert request["system"] == "Be careful."
    assert request["messages"][0]["content"].startswith("Port ")
    assert request["tokens"] <= 4000
    code, _ = call(capsys, transcript, "--at", 99)
    assert code == code_of(UsageError(""))


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.open = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def test_the_page_holds_a_picture_and_loads_nothing(transcript, capsys, tmp_path):
    out = tmp_path / "page.html"
    code, _ = call(capsys, transcript, "--budget", 4000, "--html", out)
    assert code == 0
    text = out.read_text("utf-8")
    page = Page()
    page.feed(text)
    names = [tag for tag, _ in page.tags]
    pictures = [dict(given) for tag, given in page.tags if tag == "svg"]
    assert sum(given.get("role") == "img" for given in pictures) == 2
    assert names.count("polygon") == 6
    assert not {"script", "link", "img", "iframe", "object"} & set(names)
    assert not re.search(r"https?://|url\(|@import|src=", text)
    assert "alert(1)" not in text
    assert [a for _, a in page.tags if any(name.startswith("on") for name in a)] == []


def test_a_page_that_cannot_be_written_is_told(transcript, capsys, tmp_path):
    code, out = call(capsys, transcript, "--html", str(tmp_path / "none" / "page.html"))
    assert (code, "cannot be written" in out.err) == (INPUT, True)


def test_a_file_name_cannot_break_the_page(transcript):
    from memoranda.window import EstimateCounter
    from memoranda.window.peers import peer_bill

    found = peer_bill([], 100, "never", counter=EstimateCounter())
    assert "<b>" not in window_page.page("<b>.jsonl", 100, found, [found])


@pytest.mark.parametrize(
    "wrong",
    [
        ("--policy", "sideways"),
        ("--policy", "0.2/0.9"),
        ("--policy", "last:1"),
        ("--budget", "3"),
        ("--run", "7"),
    ],
    ids=str,
)
def test_a_wrong_option_is_told(transcript, capsys, wrong):
    code, out = call(capsys, transcript, *wrong)
    assert code == code_of(UsageError(""))
    assert out.err.startswith("memoranda: ")
