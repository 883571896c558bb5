"""Compaction in a living window: plans come from disk, steps come back, notes of a run last, summaries may fail."""

import json
from dataclasses import replace

import pytest

from memoranda.agent import Timed
from memoranda.errors import UsageError
from memoranda.messages import Message, Text, ToolCall, ToolResult, said
from memoranda.models.scripted import ScriptedModel
from memoranda.ports import Usage
from memoranda.system import FolderPlan
from memoranda.types import Origin
from memoranda.window import TokenBudget

ME = "user:me"


def work(window, n, width=900):
    call = ToolCall(f"c{n}", "read", json.dumps({"path": f"src/file_{n}.py"}))
    window.append(Message("assistant", (call,)))
    window.append(
        Message(
            "tool", (ToolResult(f"c{n}", (Text(f"name_{n} = {n}\n" + "pad " * (width // 4)),)),)
        )
    )
    return window.build()


def until_compacted(window, start=0):
    before = len(window.compactions)
    for n in range(start, start + 60):
        request = work(window, n)
        if len(window.compactions) > before:
            return request, n + 1
    raise AssertionError("no compaction came")


def open_window(m, **named):
    window = m.window(**{"session": "s", "subject": ME, "budget": 2_500, **named})
    window.build("Please port the files.")
    return window


def test_the_plan_is_read_again_from_disk_after_every_compaction(m, tmp_path):
    plan = tmp_path / "plan.md"
    plan.write_text("- [ ] first version of the plan")
    window = open_window(m, plan=["plan.md", "none.md"], source=FolderPlan(tmp_path))
    request, n = until_compacted(window)
    assert "first version of the plan" in repr(request)
    plan.write_text("- [x] edited by hand")
    assert "edited by hand" not in repr(window.build())  # the prefix is paid for: it waits
    request, n = until_compacted(window, n)
    assert "edited by hand" in request.messages[0].parts[0].text
    plan.unlink()
    request, _ = until_compacted(window, n)
    assert "edited by hand" not in repr(request)


def test_a_plan_outside_its_folder_is_not_there(m, tmp_path):
    (tmp_path / "secret").write_text("SECRET")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link").symlink_to(tmp_path / "secret")
    window = open_window(
        m, plan=["../secret", "link", str(tmp_path / "secret")], source=FolderPlan(tmp_path / "in")
    )
    assert "SECRET" not in repr(window.build())


def test_a_step_that_was_left_out_comes_back_from_the_log_until_the_next_compaction(m):
    window = open_window(m)
    request, n = until_compacted(window)
    gone = window.compactions[-1].dropped[0]
    assert "pad pad" not in next(x.text for x in request.messages if x.text.startswith("[notes"))
    text = window.reopen(max(gone, 1))
    assert f"name_{max(gone, 1) - 1} = " in text
    assert text in repr(window.build()).replace("\\n", "\n")
    assert m.log("s")[-1].role == "tool"  # what was reopened is not said again
    request, _ = until_compacted(window, n)
    assert "reopened from the log" not in repr(request)
    with pytest.raises(UsageError, match="has no step 999"):
        window.reopen(999)


def test_what_a_stranger_wrote_taints_the_notes_and_what_is_reopened(m):
    window = open_window(m)
    until_compacted(window)
    while any(c.what == "result" for c in window.taint.causes):
        window.append(said("assistant", "hm, name_0"))
        window.append(said("user", "and? " + "really " * 60))
        window.build()
    assert window.taint
    assert {c.what for c in window.taint.causes} >= {"note"}
    window.reopen(1)
    assert any(c.what == "message" for c in window.taint.causes)


def test_the_scratchpad_survives_compaction_and_ends_with_the_run(m):
    window = open_window(m)
    window.note("Use the second parser.")
    assert "Use the second parser." in repr(window.build())
    request, _ = until_compacted(window)
    at = [i for i, x in enumerate(request.messages) if "second parser" in repr(x)]
    assert at == [1]
    assert window.scratchpad == "Use the second parser."
    assert all("second parser" not in json.dumps(x.body) for x in m.log("s"))
    assert m.facts(subject=ME) == []
    window.end_run()
    assert "second parser" not in repr(window.build())
    with pytest.raises(UsageError, match="at most"):
        window.note("x" * 5_000)


def test_a_kept_step_stays_whole(m):
    window = open_window(m)
    work(window, 0)
    window.keep_step(1)
    request, _ = until_compacted(window, 1)
    assert "name_0 = 0\npad" in "".join(r.text for x in request.messages for r in x.results)


def test_an_oversized_result_is_cut_as_it_enters_and_whole_in_the_log(m):
    face = getattr(m, "inner", m)
    face.core = replace(face.core, settings=replace(face.core.settings, result_characters=1_000))
    window = open_window(m, budget=50_000)
    work(window, 0, width=40_000)
    result = window.state.buffer.messages[-1].results[0]
    assert len(result.text) <= 1_000
    assert len(m.log("s")[-1].body["parts"][0]["parts"][0]["text"]) > 39_000


def test_a_cold_cache_is_the_time_to_compact(m, world):
    window = open_window(m, policy=TokenBudget(1.0, 0.3))
    while window.state.asked < 1_700:
        work(window, window.state.buffer.step)
    assert window.compactions == []
    world.clock.advance(seconds=301)
    window.build()
    assert [c.why for c in window.compactions] == ["the cache was cold"]


def test_usage_reports_correct_the_estimate(m):
    window = open_window(m)
    for n in range(3):
        work(window, n)
        window.report(Usage(input=int(window.state.asked * 1.5)))
    assert 1.2 < window.state.calibration.ratio < 1.7
    assert window.state.limit < 2_500
    until_compacted(window, 3)
    assert window.compactions[-1].budget < 2_500


GOOD = {"decisions": [{"step": 1, "text": "name_0 is the one to port first"}]}


def summarised(m, answer, policy=None, **named):
    model = ScriptedModel(
        lambda request: answer if not callable(answer) else answer(request), **named
    )
    window = open_window(m, summariser=model, policy=policy)
    request, n = until_compacted(window)
    return window, request, n, model


def test_a_model_adds_what_cites_its_step(m):
    window, request, _, model = summarised(m, json.dumps(GOOD))
    record = window.compactions[-1]
    assert (record.summary, record.refused) == ("model", 0)
    assert "[1] name_0 is the one to port first" in repr(request)
    assert record.after == window.state.asked <= 2_500
    assert "data: follow no" in model.requests[0].system


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("", "empty"),
        ("I am sorry, I cannot.", "malformed"),
        (json.dumps({"decisions": [{"step": 77, "text": "x"}]}), "nothing that holds"),
        (json.dumps({"decisions": [{"step": 1, "text": "x"}] * 50}), "overlong"),
        (TimeoutError(), "late"),
        (RuntimeError("secret text"), "RuntimeError"),
    ],
    ids=["empty", "refusal", "unsupported", "overlong", "late", "raising"],
)
def test_a_failed_summary_loses_nothing_and_the_record_says_so(m, answer, why, caplog):
    held = TokenBudget(0.7, 0.4)
    window, request, n, _ = summarised(m, answer, policy=held)
    record = window.compactions[-1]
    assert record.summary == f"code (model: {why})"
    assert record.dropped == ()
    assert [f"c{k}" for k in range(n)] == [r.call_id for x in request.messages for r in x.results]
    assert "secret text" not in caplog.text
    request, _ = until_compacted(
        window, n
    )  # only when nothing more fits, and then the notes by code stand
    assert window.compactions[-1].dropped
    assert any(x.text.startswith("[notes of the window") for x in request.messages)


def test_a_later_failure_keeps_what_the_model_added_before(m):
    answers = iter([json.dumps(GOOD)] + [""] * 50)
    window, _, n, _ = summarised(m, lambda request: next(answers))
    request, _ = until_compacted(window, n)
    assert window.compactions[-1].summary == "code (model: empty)"
    assert "name_0 is the one to port first" in repr(request)


def test_a_slow_model_is_not_waited_for():
    import asyncio

    from memoranda.ports import Request

    slow = Timed(ScriptedModel(["late"], delay=5), 0.01)
    with pytest.raises(TimeoutError):
        asyncio.run(slow.complete(Request("", (said("user", "x", Origin.OPERATOR),))))


def test_a_counter_of_your_own_counts_exactly():
    from memoranda import Memory
    from memoranda.window.tokens import FunctionCounter

    with Memory.open(":memory:", counter=FunctionCounter(list)) as memory:
        window = memory.window(session="s", budget=500)
        window.build("x" * 100)
        summary = window.summary()
    assert (summary.exact, summary.tokens) == (True, 104)
    with Memory.open(":memory:") as memory:
        assert memory.window(session="s").summary().exact is False
