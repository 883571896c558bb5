"""Erased is gone from the bytes, and what cannot be reached is listed."""

import pytest

from memoranda.errors import UndoConflict, UnknownFact
from memoranda.messages import Message, Text, ToolCall, said
from memoranda.types import Selection, Status

ME = "user:me"
KAYAK = "The user keeps a zirconium kayak."


def test_erase_leaves_no_byte(world, m):
    quote = 'I keep a "zirconium" kayak,\nhonestly'
    fact = m.remember(KAYAK, subject=ME, origin="user", quote=quote, tags=["zirconium"])
    window = m.window(session="s", subject=ME)
    window.build(f"Hello! {quote} is what I said. {KAYAK.upper()}")
    window.append(Message("assistant", (Text(KAYAK), ToolCall("c", "note", f'{{"a": "{KAYAK}"}}'))))
    m.retire(fact.id, why=f"it was wrong: {KAYAK}")
    assert b"zirconium" in world.bytes()
    report = m.erase(fact.id)
    assert (report.ids, report.byte_hits, report.blocked_by_reader) == ((fact.id,), 0, False)
    assert report.removed["agent_facts"] == 1
    assert report.removed["session_log"] == 2
    assert report.out_of_reach
    assert b"zirconium" not in world.bytes().lower()
    assert "zirconium" not in repr((m.log("s"), m.operations(), m.facts(status="all")))
    with pytest.raises(UnknownFact):
        m.show(fact.id)
    with pytest.raises(UndoConflict):
        m.undo(m.operations()[0].id)


def test_erase_takes_versions_twins_and_what_was_derived(world, m, asha):
    first = m.remember("The user lives in Quuxby.", subject=ME, origin="user", attribute="home").id
    m.retire(first)
    again = m.remember("The user lives in Quuxby.", subject=ME, origin="user", attribute="home").id
    fixed = m.correct(again, "The user lives in Quuxton.").id
    child = m.remember("Quuxton is far.", subject=ME, origin="user", derived_from=[fixed]).id
    assert {f.id for f in m.select(Selection(ids=(fixed,)), erase=True)} == {
        first,
        again,
        fixed,
        child,
    }
    assert m.erase(fixed).byte_hits == 0
    assert m.facts(status="all") == []
    assert b"quux" not in world.bytes().lower()


def test_erase_takes_the_held_wording_of_an_edited_fact(world, m, asha):
    held = m.remember("He keeps a zirconium canoe.", subject=ME).id
    edited = asha.approve(held, text="The user keeps a zirconium canoe.").id
    assert m.erase(edited).byte_hits == 0
    assert b"zirconium" not in world.bytes()


def test_two_facts_from_one_sentence(world, m):
    quote = "I have a dog and a zirconium kayak"
    dog = m.remember("The user has a dog.", subject=ME, origin="user", quote=quote).id
    gone = m.remember(KAYAK, subject=ME, origin="user", quote=quote).id
    assert m.erase(gone).byte_hits == 0
    assert m.show(dog).quote == "[erased]"
    assert b"zirconium" not in world.bytes()


def test_erase_by_query_takes_every_state(world, m):
    m.remember(KAYAK, subject=ME)
    gone = m.remember("The user sold the zirconium kayak.", subject=ME, origin="user").id
    m.retire(gone)
    rest = m.remember("The user has a dog.", subject=ME, origin="user").id
    report = m.erase(Selection(subject=ME, query="zirconium kayak"))
    assert (len(report.ids), report.byte_hits) == (2, 0)
    assert [f.id for f in m.facts(status="all")] == [rest]


def test_receipts_forget_it_too(m):
    fact = m.remember(KAYAK, subject=ME, origin="user").id
    m.window(session="s", subject=ME).build("kayak?")
    assert len(m.why(fact).recalled) == 1
    assert m.erase(fact).removed["receipt_facts"] == 1


def test_what_was_replaced_by_an_erased_fact_loses_its_pointer(m):
    a = m.remember("The user lives in Oslo.", subject=ME, origin="user", attribute="home").id
    b = m.remember("The user lives in Rome.", subject=ME, origin="user", attribute="home").id
    m.erase(a)
    assert m.show(b).status is Status.LIVE
    assert m.erase(Selection(tag="none")).ids == ()


def test_a_blank_quote_is_nothing_to_search_for(m):
    fact = m.remember(KAYAK, subject=ME, origin="user", quote="    ").id
    assert m.erase(fact).byte_hits == 0


def test_a_reason_that_repeats_the_fact_is_cleaned_wherever_it_was_kept(world, m, asha):
    fact = m.remember(KAYAK, subject=ME, origin="user").id
    other = m.remember("The user owns a canoe.", subject=ME, origin="user").id
    held = m.remember("The user owns a raft.", subject=ME).id
    retired = m.retire(other, why=f"No: {KAYAK}").id
    asha.reject([held], why=f"I know that {KAYAK.lower()}")
    assert m.erase(fact).byte_hits == 0
    assert KAYAK.lower().encode() not in world.bytes().lower()
    assert m.show(other).retired_why == "No: [erased]"
    assert m.show(held).retired_why == "I know that [erased]"
    m.undo(retired)
    assert m.show(other).status is Status.LIVE


def test_recalled_blocks_are_not_logged(world, m):
    fact = m.remember(KAYAK, subject=ME, origin="user").id
    window = m.window(session="s", subject=ME)
    request = window.build("kayak?")
    m.observe([*request.messages, said("assistant", "ok")], subject=ME, session="t", run="r")
    assert [logged.body["parts"] for logged in m.log("t")] == [
        [{"type": "text", "text": "kayak?"}],
        [{"type": "text", "text": "ok"}],
    ]
    assert m.erase(fact).byte_hits == 0
