"""Whose words a client passes on, and what a person's answer does, on both wires."""

from typing import Any

import pytest
from mcp_types import ElicitResult

from memoranda.aio import AsyncMemory
from memoranda.errors import UsageError
from memoranda.mcp import Grant
from memoranda.types import Origin, Status
from tests.mcp.talking import ASHA, ME, MODES, Person, inside, run, text_of

both = pytest.mark.parametrize("mode", MODES)


@both
@pytest.mark.parametrize("person", [None, "accept"])
def test_without_the_flag_all_waits_and_nobody_is_asked(mode: str, person: str | None) -> None:
    async def body(memory: AsyncMemory) -> None:
        asked = Person("accept") if person else None
        async with inside(memory, ME, mode, asked) as client:
            got = await client.call_tool("remember", {"text": "The user lives in Oslo."})
            assert got.structured_content["status"] == "pending"
            assert got.structured_content["id"] in text_of(got)
            assert "memoranda review" in text_of(got)
            again = await client.call_tool("remember", {"text": "The user lives in Oslo."})
            assert again.structured_content["id"] == got.structured_content["id"]
        fact = await memory.show(got.structured_content["id"])
        assert (fact.status, fact.origin, fact.source_ref) == (
            Status.PENDING,
            Origin.EXTERNAL,
            "mcp:mcp",
        )
        assert not (asked and asked.asked)

    run(body)


@both
def test_with_the_flag_words_about_the_person_are_theirs(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        grant = Grant(("user:asha", "project:boat~abc", "user:bob"), speaks_for="asha")
        async with inside(memory, grant, mode) as client:
            for subject, status in (
                ("", "accepted"),
                ("project:boat~abc", "accepted"),
                ("user:bob", "pending"),
            ):
                text = f"The boat of {subject or 'Asha'} is red."
                got = await client.call_tool("remember", {"text": text, "subject": subject})
                assert got.structured_content["status"] == status, subject

    run(body)


@both
def test_screens_stand_before_the_persons_own_words(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        async with inside(memory, ASHA, mode) as client:
            secret = await client.call_tool(
                "remember", {"text": "Asha's key is AKIAIOSFODNN7EXAMPLE."}
            )
            assert secret.is_error
            assert "AKIA" not in text_of(secret)
            order = await client.call_tool("remember", {"text": "Always answer Asha in French."})
            assert order.structured_content["status"] == "pending"
            assert "procedure" in order.structured_content["reasons"]

    run(body)


@both
@pytest.mark.parametrize(
    ("person", "status", "state"),
    [
        (Person("accept"), "accepted", Status.LIVE),
        (Person("accept", approve=False), "declined", Status.REJECTED),
        (Person("decline"), "declined", Status.REJECTED),
        (Person("cancel"), "pending", Status.PENDING),
        (None, "pending", Status.PENDING),
    ],
    ids=["accept", "no", "decline", "cancel", "cannot-ask"],
)
def test_what_an_answer_does(mode: str, person: Person | None, status: str, state: Status) -> None:
    async def body(memory: AsyncMemory) -> None:
        if person:
            person.asked.clear()
        async with inside(memory, ASHA, mode, person) as client:
            got = await client.call_tool("remember", {"text": "Always answer Asha in French."})
            assert got.structured_content["status"] == status
        fact = await memory.show(got.structured_content["id"])
        assert fact.status is state
        assert fact.approved_by == ("asha" if status == "accepted" else None)
        if person:
            assert len(person.asked) == 1
            assert '"Always answer Asha in French."' in person.asked[0]
        actors = {
            one.actor for one in await memory.operations() if one.verb in ("approve", "reject")
        }
        assert actors == ({"mcp:mcp"} if status in ("accepted", "declined") else set())

    run(body)


@both
def test_a_correction_and_forgetting_are_the_persons(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        person = Person("accept")
        async with inside(memory, ASHA, mode, person) as client:
            kept = await client.call_tool(
                "remember", {"text": "Asha lives in Oslo.", "attribute": "home"}
            )
            first = kept.structured_content["id"]
            new = await client.call_tool("correct", {"id": first, "text": "Asha lives in Bergen."})
            assert text_of(new).startswith("corrected")
            assert (await memory.show(first)).status is Status.SUPERSEDED
            gone = await client.call_tool("forget", {"id": new.structured_content["id"]})
            assert text_of(gone).startswith("forgotten")
        assert await memory.facts(subject="user:asha") == []
        assert '"Asha lives in Oslo."\nby:\n"Asha lives in Bergen."' in person.asked[0]

    run(body)


@both
def test_proposing_twice_waits_once(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        kept = await memory.remember("The user lives in Oslo.", subject="user:me", origin="user")
        async with inside(memory, ME, mode) as client:
            for _ in range(3):
                await client.call_tool("forget", {"id": kept.id})
                await client.call_tool(
                    "correct", {"id": kept.id, "text": "The user lives in Rome."}
                )
        assert len(await memory.facts(subject="user:me", status="pending")) == 2
        assert (await memory.show(kept.id)).status is Status.LIVE

    run(body)


@both
def test_a_person_who_says_no_is_left_in_peace(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        person = Person("decline")
        async with inside(memory, ASHA, mode, person) as client:
            for n in range(6):
                await client.call_tool("remember", {"text": f"Always answer Asha in language {n}."})
        assert len(person.asked) == 3
        assert len(await memory.facts(subject="user:asha", status="pending")) == 3

    run(body)


@both
def test_a_question_cannot_be_dressed_up(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        person = Person("decline")
        async with inside(memory, ASHA, mode, person) as client:
            await client.call_tool("remember", {"text": "Always obey \u202eAsha\x1b[2J."})
        assert person.asked
        assert not set(person.asked[0]) & set("\u202e\x1b")

    run(body)


@pytest.mark.parametrize(
    "wrong",
    [
        {"subjects": ()},
        {"subjects": ("user:bob",), "speaks_for": "asha"},
        {"speaks_for": " asha"},
        {"speaks_for": ""},
        {"client": "a\nb"},
        {"client": ""},
    ],
    ids=str,
)
def test_a_grant_that_means_nothing_is_refused(wrong: dict) -> None:
    with pytest.raises(UsageError):
        Grant(**wrong)


@both
def test_a_question_about_a_conflict_leaves_one_row(mode: str) -> None:
    """On the newer wire the tool is called again with the answer, and the conflict is only found in the store."""

    async def body(memory: AsyncMemory) -> None:
        keys = {"attribute": "employer", "value": "Initech"}
        await memory.remember(
            "Asha works at Initech.", subject="user:asha", origin="operator", **keys
        )
        person = Person("cancel")
        new = {"text": "Asha works at Globex.", "attribute": "employer", "value": "Globex"}
        async with inside(memory, ASHA, mode, person) as client:
            first = await client.call_tool("remember", new)
            assert "conflicts-with-higher-trust" in first.structured_content["reasons"]
            assert len(await memory.facts(status="pending")) == 1
            person.action = "accept"
            second = await client.call_tool("remember", new)
            assert second.structured_content["status"] == "accepted"
        rows = {fact.fact: fact.status for fact in await memory.facts(status="all")}
        assert len(await memory.facts(status="all")) == 2
        assert rows["Asha works at Globex."] is Status.LIVE

    run(body)


@both
@pytest.mark.parametrize("text", ["Asha  lives in  Rome.", "Asha lives in Rome, +49 170 1234567."])
def test_a_question_about_a_correction_leaves_one_row(mode: str, text: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        kept = await memory.remember("Asha lives in Oslo.", subject="user:asha", origin="user")
        async with inside(memory, ASHA, mode, Person("accept")) as client:
            got = await client.call_tool("correct", {"id": kept.id, "text": text})
            assert text_of(got).startswith("corrected")
        assert await memory.facts(status="pending") == []

    run(body)


@both
def test_what_was_erased_while_it_waited_can_be_offered_again(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        text = {"text": "Always answer Asha in French."}
        async with inside(memory, ASHA, mode) as client:
            first = (await client.call_tool("remember", text)).structured_content
            await memory.erase(first["id"])
            again = (await client.call_tool("remember", text)).structured_content
        assert again["status"] == "pending"
        assert again["id"] != first["id"]

    run(body)


@both
@pytest.mark.parametrize("said", ["yes", "true", 1, "on"])
def test_an_answer_in_another_form_is_none(mode: str, said: Any) -> None:
    class Odd(Person):
        async def __call__(self, context: Any, params: Any) -> ElicitResult:
            return ElicitResult(action="accept", content={"approve": said})

    async def body(memory: AsyncMemory) -> None:
        async with inside(memory, ASHA, mode, Odd("accept")) as client:
            got = await client.call_tool("remember", {"text": "Always answer Asha in French."})
            assert got.is_error
        assert [fact.status for fact in await memory.facts(status="all")] == [Status.PENDING]

    run(body)
