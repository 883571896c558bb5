"""The async face is the blocking face, awaited: generated, in step, and alike in every signature."""

import ast
import inspect
import re

import pytest

from scripts import make_aio

PAIRS = ["Files", "Memory", "Window", "Reviewer"]


def faces(name: str) -> tuple[type, type]:
    """One class of the blocking face and its twin."""
    from memoranda import aio, filing, memory, reviewer

    homes = (filing, memory, reviewer)
    blocking = next(vars(home)[name] for home in homes if name in vars(home))
    return blocking, getattr(aio, f"Async{name}")


def members(face: type) -> dict[str, object]:
    """What a class defines itself; the two doors of `with` go by their plain name."""
    skipped = {"__module__", "__doc__", "__dict__", "__weakref__", "__static_attributes__"}
    return {
        re.sub(r"^__a(enter|exit)__$", r"__\1__", name): member
        for name, member in vars(face).items()
        if name not in skipped and not name.startswith("__firstlineno")
    }


def signature(member: object) -> str:
    """A signature as text, with the twin's names made plain."""
    function = getattr(member, "__func__", member)
    if isinstance(function, property):
        function = function.fget
    assert callable(function)
    return re.sub(r"\bAsync(?=Files|Memory|Window|Reviewer)", "", str(inspect.signature(function)))


def test_the_async_face_is_in_step() -> None:
    assert make_aio.main(["--check"]) == 0, "make aio"


@pytest.mark.parametrize("name", PAIRS)
def test_both_faces_offer_the_same(name: str) -> None:
    blocking, awaited = map(members, faces(name))
    assert blocking.keys() == awaited.keys()
    for key, member in blocking.items():
        if callable(getattr(member, "__func__", member)) or isinstance(member, property):
            assert signature(member) == signature(awaited[key]), key
        assert type(member) is type(awaited[key]), key


@pytest.mark.parametrize("name", PAIRS)
def test_what_steps_on_one_side_is_awaited_on_the_other(name: str) -> None:
    blocking, awaited = map(members, faces(name))
    for key, member in blocking.items():
        function = getattr(member, "__func__", member)
        if inspect.isfunction(function):
            tree = ast.parse("if True:\n" + inspect.getsource(function))
            waits = bool(make_aio.steps(tree)) or key in make_aio.ALWAYS
            twin = getattr(awaited[key], "__func__", awaited[key])
            assert inspect.iscoroutinefunction(twin) is waits, key


SMALL = '''\
"""The blocking face."""

from memoranda.step import step
from memoranda.ports import Store


class Memory:
    """Memory."""

    def __enter__(self):
        return self

    def read(self):
        return step(self.é.read()).rows[0]

    def close(self):
        step(
            self.store.close()
        )

    @property
    def plain(self):
        return self.store
'''


def test_steps_become_awaits() -> None:
    text = make_aio.awaited(make_aio.Text(SMALL))
    assert "async def __enter__" in text
    assert "async def read(self):\n        return (await (self.é.read())).rows[0]" in text
    assert "async def close(self):\n        await (self.store.close())" in text
    assert "\n    def plain" in text
    assert make_aio.imports(make_aio.Text(SMALL)) == ["from memoranda.ports import Store"]
    ast.parse(text)


def test_a_rule_that_changes_nothing_is_an_error() -> None:
    assert make_aio.apply([("Memory", "AsyncMemory")], "class Memory") == "class AsyncMemory"
    with pytest.raises(SystemExit, match="changes nothing"):
        make_aio.apply([("Nothing", "x")], "class Memory")
