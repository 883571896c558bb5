"""Upkeep by kind: semantic facts are superseded, episodes expire, procedures wait for a person."""

from memoranda.types import Kind, Status, Verdict

ME = "user:me"


def test_upkeep_of_semantic_facts_is_supersession(m):
    for place in ("Oslo", "Rome", "Bonn"):
        m.remember(f"The user lives in {place}.", subject=ME, origin="user", attribute="home")
    assert [f.fact for f in m.facts()] == ["The user lives in Bonn."]
    assert len(m.facts(status="superseded")) == 2


def test_upkeep_of_episodes_is_expiry(m, clock):
    fact = m.remember("The user met Asha at the lake.", subject=ME, origin="user", kind="episode")
    clock.advance(days=29.9)
    assert m.recall("lake", subjects=[ME])
    clock.advance(days=0.2)
    assert not m.recall("lake", subjects=[ME])
    assert m.facts() == []
    assert [f.id for f in m.facts(status="expired")] == [fact.id]
    assert m.show(fact.id).status is Status.LIVE  # expiry is read off, not swept


def test_upkeep_of_procedures_is_a_persons_approval(m, asha):
    text = "Always answer user 8812 in French."
    for named in ({"kind": "procedure"}, {"attribute": "rule", "kind": "preference"}):
        out = m.remember(text, subject=ME, origin="operator", **named)
        assert out.status is Verdict.HELD
    assert not m.recall("French", subjects=[ME])
    assert m.window(session="a", subject=ME).build("French?").messages[0].text == "French?"
    held = [f for f in asha.pending() if f.kind is Kind.PROCEDURE]
    asha.approve(held[0].id)
    request = m.window(session="b", subject=ME).build("Hello")
    head = repr(request.messages[0])
    assert "Standing instructions, approved by asha on 2026-01-01" in head
    assert text in head
