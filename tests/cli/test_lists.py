"""subjects, sessions, operations."""

from tests.cli.running import Inside


def test_subjects_sessions_operations(cli: Inside) -> None:
    cli.remember("The user has a dog.", "--subject", "user:a")
    cli("chat", "--session", "s1", stdin=b"hello\n")
    assert cli("subjects", "--json").json()[0] == {"subject": "user:a", "facts": 1}
    assert cli("subjects").out.splitlines()[0] == "user:a\t1"
    (session,) = cli("sessions", "--json").json()
    assert (session["session"], session["messages"]) == ("s1", 1)
    assert cli("sessions").out.startswith("s1\t1\t")
    (operation,) = cli("operations", "--json").json()
    assert operation["actor"] == "command:asha"
    assert operation["verb"] in cli("operations").out
    assert "dog" not in cli("operations", "--json").out
    cli.remember("The user has a cat.", "--subject", "user:a")
    assert len(cli("operations", "--limit", "1", "--json").json()) == 1
    assert cli("operations", "--limit", "0").code == 2
