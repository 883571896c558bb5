"""The package's own source as syntax trees, read once for all house tests."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "memoranda"

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Module:
    """One file of the package."""

    name: str  # its path below src/memoranda, with slashes
    text: str
    tree: ast.Module

    @property
    def room(self) -> str:
        """The folder or module directly below the package."""
        return self.name.split("/")[0].removesuffix(".py")

    def where(self, node: ast.AST) -> str:
        """Say where a node stands, as an editor takes it."""
        return f"src/memoranda/{self.name}:{getattr(node, 'lineno', 1)}"


def parse(name: str, text: str) -> Module:
    """Make a module of some text: the tests of these tests use it."""
    return Module(name, text, ast.parse(text))


def modules() -> list[Module]:
    """All files of the package, in order."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return [parse(path.relative_to(PACKAGE).as_posix(), path.read_text("utf-8")) for path in paths]


def functions(module: Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method, nested ones too."""
    for node in ast.walk(module.tree):
        if isinstance(node, FUNCTIONS):
            yield node


def docstrings(module: Module) -> set[ast.AST]:
    """The constants that are documentation and not data."""
    found: set[ast.AST] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found.add(first.value)
    return found
