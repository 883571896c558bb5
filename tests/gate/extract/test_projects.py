"""What is said of the project at hand is told from what is said of the person, by the sentence's subject."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.gate.extract import extract
from memoranda.gate.sentences import label, project_name, project_of
from memoranda.types import Kind

ME, BOAT = "user:me", "project:boat~abcdefgh"
NOW = 1_790_000_000_000_000


def read(text, project=BOAT, previous=()):
    return extract(text, subject=ME, said_at=NOW, project=project, previous=previous)


OF_THE_PROJECT = [
    ("This project uses pnpm.", "The boat project uses pnpm."),
    ("Our repo is deployed on Fridays.", "The boat repo is deployed on Fridays."),
    ("The build of boat needs Java 21.", "The boat project's build needs Java 21."),
    ("Boat is written in Rust.", "The boat project is written in Rust."),
    ("boat's CI runs on GitHub Actions.", "The boat project's CI runs on GitHub Actions."),
    ("In this project we use tabs.", "The boat project uses tabs."),
    ("We use pnpm in this project.", "The boat project uses pnpm."),
    ("This repo's default branch is trunk.", "The boat repo's default branch is trunk."),
    ("The default branch of this repo is trunk.", "The boat repo's default branch is trunk."),
    ("The tests of this repo need Docker.", "The boat repo's tests need Docker."),
    ("This app targets Python 3.12.", "The boat app targets Python 3.12."),
    ("By the way, this codebase follows semantic versioning.", "The boat codebase follows semantic versioning."),
    ("Remember that this project uses pnpm.", "The boat project uses pnpm."),
    ("This project no longer uses npm.", "The boat project no longer uses npm."),
    ("This project does not use Docker.", "The boat project does not use Docker."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kept"), OF_THE_PROJECT)
def test_what_has_the_project_for_its_subject_is_the_projects(text, kept):
    (draft,) = read(text)
    assert (draft.subject, draft.text) == (BOAT, kept)
    assert draft.quote is not None


@pytest.mark.parametrize(
    "text",
    [
        "We use pnpm.", "I live in Graz.", "My project is due on Monday.", "I own a boat.", "I'm the lead of a choir.",
        "My role in this project is lead.", "I prefer tabs in this project.", "I work on this project at Acme.",
    ],
)  # fmt: skip
def test_what_the_person_is_has_and_does_stays_with_the_person(text):
    assert {draft.subject for draft in read(text)} <= {ME}


@pytest.mark.parametrize(
    "text",
    [
        "This project is broken.", "This repo is a mess.", "The repo has a bug.", "this project needs work",
        "Does this project use pnpm?", "This project uses pnpm, right?", "I like this project.",
        "If this project used Rust it would be fast.", "He says this project uses npm.", "The repo runs fine.",
        "Fix the build of this repo.", "> this project uses npm", '"this project uses npm"',
        "Can you check that this project uses pnpm?",
    ],
)  # fmt: skip
def test_moods_questions_and_other_peoples_words_are_nobodys(text):
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "In this repo, always use tabs.", "Always run the tests before you commit in this repo.",
        "Never push to main in this repo.", "For boat, use British spelling.",
    ],
)  # fmt: skip
def test_a_wish_that_names_the_project_is_an_instruction_of_the_project(text):
    (draft,) = read(text)
    assert (draft.subject, draft.kind) == (BOAT, Kind.PROCEDURE)
    assert "the boat" in draft.text


def test_one_sentence_may_speak_of_both():
    found = read("I live in Graz and this project uses pnpm.")
    assert [(draft.subject, draft.attribute) for draft in found] == [
        (ME, "home"),
        (BOAT, "package_manager"),
    ]


def test_a_correction_of_the_persons_is_not_taken_for_the_projects():
    known = read("I live in Graz. This project uses pnpm.")
    (draft,) = read("No, in Linz.", previous=known) or [None]
    assert draft is None or (draft.subject, draft.attribute) == (ME, "home")


@pytest.mark.parametrize("name", ["python", "test", "vim", "go", "api"])
def test_a_project_with_everybodys_word_for_a_name_is_meant_only_with_a_noun(name):
    subject = f"project:{name}"
    assert {d.subject for d in read(f"{name} uses pnpm.", subject)} <= {ME}
    (draft,) = read(f"The {name} repo uses pnpm.", subject)
    assert draft.subject == subject


@given(st.text(max_size=200), st.text(max_size=30))
def test_any_text_and_any_name_are_read_without_an_error(text, name):
    for draft in read(text, f"project:{name}"):
        assert draft.subject in (ME, f"project:{name}")


@given(st.text(max_size=200))
def test_without_a_project_nothing_changes_hands(text):
    assert {draft.subject for draft in read(text, None)} <= {ME}


def test_the_names_of_projects():
    assert project_name(BOAT) == "boat"
    assert project_name("project:boat") == "boat"
    assert label(BOAT) == "Project boat"
    assert project_of([ME, "agent:x", BOAT, "project:y"]) == BOAT
    assert project_of([ME]) is None
