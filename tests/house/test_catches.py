"""Broad catches stand in six places only, and each tells the log a type, never what was said.

A broad catch hides mistakes, and the text of an error often holds what somebody asked to have erased.
"""

import ast
from collections.abc import Iterator

import pytest

from tests.house import source

# Where a stranger's fault must not end the program: (file, function), and why there.
PLACES = {
    ("cli/__init__.py", "run"): "a person gets a sentence, not a traceback",
    ("server/app.py", "failed"): "a client gets a status",
    ("files/commands.py", "handle"): "a model gets an error text; no host path leaves",
    ("agent.py", "call_tool"): "a tool is somebody else's code",
    (
        "facts/vectors.py",
        "embedded",
    ): "an embedder is somebody else's code; recall goes on by words",
    ("turn.py", "summarise"): "a failed summary never loses history",
}
BROAD = {"Exception", "BaseException"}


def broad(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(kind, ast.Name) and kind.id in BROAD for kind in kinds)


def catches(module: source.Module) -> Iterator[tuple[str, ast.ExceptHandler]]:
    """Pair each broad catch with the name of the innermost function around it."""

    def visit(node: ast.AST, inside: str) -> Iterator[tuple[str, ast.ExceptHandler]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ExceptHandler) and broad(child):
                yield inside, child
            name = child.name if isinstance(child, source.FUNCTIONS) else inside
            yield from visit(child, name)

    return visit(module.tree, "")


def suppressions(module: source.Module) -> list[ast.Call]:
    """`contextlib.suppress(Exception)` is the same thing in other words."""
    return [
        node
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith("suppress")
        and any(isinstance(arg, ast.Name) and arg.id in BROAD for arg in node.args)
    ]


def logs_only_the_type(handler: ast.ExceptHandler) -> bool:
    """A call on a logger, with `type(error)` in it and the error itself nowhere else in it."""
    for call in ast.walk(handler):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            continue
        if "log" not in ast.unparse(call.func.value).lower():
            continue
        text = ast.unparse(call)
        asked = f"type({handler.name})"
        rest = text.replace(asked, "kind")
        names = (
            {n.id for n in ast.walk(ast.parse(rest)) if isinstance(n, ast.Name)} if rest else set()
        )
        clean = "exc_info" not in text and call.func.attr != "exception"
        if asked in text and handler.name not in names and clean:
            return True
    return False


def faults(module: source.Module) -> list[str]:
    found = [f"{module.where(call)}: suppresses everything" for call in suppressions(module)]
    for function, handler in catches(module):
        if (module.name, function) not in PLACES:
            found.append(f"{module.where(handler)}: a broad catch in {function or 'the module'}()")
        elif not logs_only_the_type(handler):
            found.append(
                f"{module.where(handler)}: log type(error).__name__, and nothing of the error"
            )
    return found


def test_broad_catches_stand_where_they_may() -> None:
    assert [fault for module in source.modules() for fault in faults(module)] == []


GOOD = "log.warning('a tool failed: %s', type(error).__name__)"


@pytest.mark.parametrize(
    ("name", "function", "catch", "body", "count"),
    [
        ("agent.py", "call_tool", "except Exception as error", GOOD, 0),
        ("agent.py", "other", "except Exception as error", GOOD, 1),
        ("facts/ledger.py", "add", "except", "raise", 1),
        ("facts/ledger.py", "add", "except (ValueError, BaseException)", "raise", 1),
        ("facts/ledger.py", "add", "except ValueError", "pass", 0),
        ("agent.py", "call_tool", "except Exception", "pass", 1),
        ("agent.py", "call_tool", "except Exception as error", "log.warning('%s', error)", 1),
        ("agent.py", "call_tool", "except Exception as error", "log.exception(type(error))", 1),
    ],
    ids=str,
)
def test_the_rule_sees_the_difference(
    name: str, function: str, catch: str, body: str, count: int
) -> None:
    text = f"def {function}():\n    try:\n        work()\n    {catch}:\n        {body}\n"
    assert len(faults(source.parse(name, text))) == count


def test_suppressing_everything_is_a_broad_catch() -> None:
    assert faults(source.parse("agent.py", "with contextlib.suppress(Exception): work()"))
