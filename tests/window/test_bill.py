"""A run's bill: what was read, written and fresh adds up; peers are measured alike; a prefix is foretold."""

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.messages import Message, Text, ToolCall, ToolResult, said
from memoranda.messages.openai_chat import from_openai
from memoranda.window import FAITHFUL, EstimateCounter, TokenBudget, message_tokens, picture
from memoranda.window.bill import Cache, bill, request_at
from memoranda.window.peers import PEERS, peer_bill
from memoranda.window.tokens import Calibration

COUNT = EstimateCounter()


def long_run(steps=60, width=1_200):
    messages = [said("system", "rules " * 400), said("user", "the task")]
    for n in range(steps):
        call = ToolCall(f"c{n}", "read", json.dumps({"path": f"src/file_{n}.py"}))
        messages.append(Message("assistant", (Text("reading"), call)))
        messages.append(
            Message("tool", (ToolResult(f"c{n}", (Text(f"name_{n} " * (width // 8)),)),))
        )
    return [*messages, said("assistant", "done")]


def test_the_parts_of_every_call_add_up_and_a_warm_prefix_is_read():
    found = bill(long_run(), 6_000, TokenBudget(), counter=COUNT)
    assert len(found.calls) == 61
    for before, call in pairwise(found.calls):
        assert call.sent == call.read + call.written + call.fresh == sum(call.filled.values())
        assert call.sent <= 6_000
        assert call.broke is (call.compaction is not None)
        if not call.broke:
            assert call.read == (before.sent if before.sent >= 1024 else 0)
    assert found.breaks == sum(c.compaction is not None for c in found.calls)


@pytest.mark.parametrize("name", sorted(PEERS))
def test_peers_are_billed_alike(name):
    found = peer_bill(long_run(), 6_000, name, counter=COUNT)
    assert len(found.calls) == 61
    assert all(c.sent == c.read + c.written + c.fresh for c in found.calls)
    assert (max(c.sent for c in found.calls) > 6_000) is (name == "never")


def test_never_compacting_costs_what_the_formula_says():
    found = peer_bill(long_run(), 6_000, "never", counter=COUNT)
    sent = [c.sent for c in found.calls]
    assert [c.read for c in found.calls[1:]] == [s if s >= 1024 else 0 for s in sent[:-1]]


def test_the_request_of_a_step_is_the_one_that_was_billed():
    run = long_run()
    found = bill(run, 6_000, FAITHFUL, counter=COUNT)
    for step in (1, 20, 61):
        built = request_at(run, step, 6_000, FAITHFUL, counter=COUNT)
        assert built.tokens == next(c.sent for c in found.calls if c.step == step)
    assert request_at(run, 99, 6_000, FAITHFUL, counter=COUNT) is None


def test_a_cold_or_short_prefix_is_not_read():
    cache, parts = Cache(ttl=300), [("a", 2_000), ("b", 10)]
    assert cache.expected(parts) == 0
    cache.sent(parts, at=0)
    assert cache.expected([*parts, ("c", 5)], at=200) == 2_010
    assert cache.expected([*parts, ("c", 5)], at=400) == 0
    cache.sent([("a", 20)], at=400)
    assert cache.expected([("a", 20), ("b", 9_000)], at=401) == 0


PARTS = st.lists(st.tuples(st.sampled_from("abc"), st.just(1_000)), max_size=6)


@given(first=PARTS, second=PARTS)
def test_a_prefix_is_shared_up_to_the_first_part_that_differs(first, second):
    cache = Cache(least=0)
    cache.sent([(said("user", letter), size) for letter, size in first])
    request = [(said("user", letter), size) for letter, size in second]  # equal, not the same
    same = 0
    while same < min(len(first), len(second)) and first[same] == second[same]:
        same += 1
    assert cache.shared(request) == same
    assert cache.expected(request) == 1_000 * same
    assert cache.broken(request) is (same < len(first))


def test_a_changed_message_in_the_middle_breaks_the_prefix_there():
    cache = Cache()
    cache.sent([("system", 2_000), (said("user", "a"), 500), (said("assistant", "b"), 500)])
    changed = [("system", 2_000), (said("user", "A"), 500), (said("assistant", "b"), 500)]
    assert (cache.expected(changed), cache.broken(changed)) == (2_000, True)
    grown = [("system", 2_000), (said("user", "a"), 500), (said("assistant", "b"), 500), ("c", 9)]
    assert (cache.expected(grown), cache.broken(grown)) == (3_000, False)


def usage_run(shared):
    line = (shared / "data/trajectories/pi.jsonl").read_text("utf-8").splitlines()[0]
    data = json.loads(line)
    sizes = [message_tokens(from_openai(m), COUNT) for m in data["messages"]]
    for use in data["usage"]:
        at = use["message"]
        start = max(
            [c["before_message"] for c in data["compactions"] if c["before_message"] <= at],
            default=0,
        )
        summary = sum(
            COUNT.count(c["summary"])
            for c in data["compactions"]
            if c["before_message"] == start and start
        )
        reported = use["input"] + use["cacheRead"] + use["cacheWrite"]
        if reported:
            yield start, sum(sizes[start:at]) + summary, reported, use["cacheRead"]


def test_the_estimate_is_within_15_percent_of_what_was_reported_once_calibrated(shared):
    calibration, errors = Calibration(), []
    for start, estimated, reported, _ in usage_run(shared):
        errors.append((start, abs(calibration.expect(estimated) - reported) / reported))
        calibration = calibration.learn(estimated, reported)
    wrong = [error for _, error in errors[2:] if error > 0.15]
    assert (
        len(wrong) <= 2
    )  # the first call after each of the run's own two compactions, which change its frame
    assert sorted(e for _, e in errors)[len(errors) // 2] < 0.01


def test_the_prefix_that_will_be_read_is_foretold(shared):
    calibration, last, warm, wrong = Calibration(), None, 0, 0
    for start, estimated, reported, read in usage_run(shared):
        if last is not None and read:
            expected = calibration.expect(last[1]) if last[0] == start else 0
            warm += 1
            wrong += abs(expected - read) > 0.02 * read
        last = (start, estimated)
        calibration = calibration.learn(estimated, reported)
    assert warm > 400
    assert wrong <= 0.05 * warm


def test_a_report_without_sense_changes_nothing_much():
    once = Calibration().learn(1_000, 2_000)
    assert once.learn(1_200, 0) is once
    mad = once.learn(2_000, 900_000)
    assert 0.4 <= mad.ratio <= 2.5


def test_the_picture_has_no_style_of_its_own_and_no_text_of_the_run():
    found = bill([*long_run(9), said("user", "<b>last</b>")], 6_000, TokenBudget(), counter=COUNT)
    drawn = picture.area(1000, found) + picture.bars(1000, [found]) + picture.key()
    assert "style" not in drawn
    assert not {"<b>", "last", "task", "file_"} & set(re.findall(r"<b>|last|task|file_", drawn))
    assert 'fill="#c0392b"' in picture.key()
