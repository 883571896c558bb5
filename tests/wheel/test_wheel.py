"""What people install: wheel and sdist hold everything, and work in an empty environment far from here.

Only `.ci/run` runs these; MEMORANDA_DIST names the folder that `make wheel` filled.
"""

import json
import os
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path

import pytest

from tests.house import readme
from tests.house.source import PACKAGE, ROOT

pytestmark = pytest.mark.wheel

WRITES = """
import sys
from memoranda import Memory

with Memory.open("facts.db") as m:
    out = m.remember(
        "User 8812 prefers the dark theme in the web app.",
        subject="user:8812", attribute="theme", origin="user",
    )
    assert out.status == "accepted", out
known = {*sys.stdlib_module_names, "memoranda", "__main__"}
foreign = {name.partition(".")[0] for name in sys.modules} - known
# What Python itself or an environment's start-up file loads is nobody's dependency.
foreign = {name for name in foreign if not name.startswith(("_sysconfigdata", "_virtualenv", "_distutils"))}
assert not foreign, foreign
"""

READS = """
from memoranda import Memory

with Memory.open("facts.db") as m:
    (fact,) = m.recall("which theme?", subjects=["user:8812"]).facts
    assert "dark" in str(fact), fact
    assert not m.recall("what is the weather?", subjects=["user:8812"]).facts
"""


@pytest.fixture(scope="session")
def dist() -> Path:
    return Path(os.environ["MEMORANDA_DIST"]).resolve()


@pytest.fixture(scope="session")
def wheel(dist: Path) -> Path:
    (path,) = dist.glob("*.whl")
    return path


def environment(folder: Path, wheel: Path, extra: str = "") -> Path:
    """Make an environment that holds the wheel, and perhaps an extra; return its programs' folder."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    programs = folder / "bin"
    uv = [str(Path(sys.executable).parent / "uv"), "pip", "install", "--quiet"]
    where = [
        "--python",
        str(programs / "python"),
        "--constraints",
        str(ROOT / "requirements/run.txt"),
    ]
    what = f"memoranda{extra} @ {wheel.as_uri()}"
    subprocess.run([*uv, *where, what], check=True, cwd=folder)
    return programs


def run(programs: Path, folder: Path, *command: str) -> str:
    """Run a program of an environment with nothing of this checkout in sight."""
    clean = {"PATH": f"{programs}{os.pathsep}{os.defpath}", "HOME": str(folder)}
    done = subprocess.run(
        [str(programs / command[0]), *command[1:]],
        cwd=folder,
        env=clean,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment(tmp_path_factory.mktemp("bare"), wheel)


@pytest.fixture(scope="module")
def standard(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment(tmp_path_factory.mktemp("standard"), wheel, "[standard]")


def test_the_wheel_holds_the_whole_package(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    source = {p for p in PACKAGE.rglob("*") if p.is_file() and "__pycache__" not in p.parts}
    wanted = {f"memoranda/{path.relative_to(PACKAGE).as_posix()}" for path in source}
    assert wanted - held == set()
    assert "memoranda/py.typed" in held
    assert any(name.endswith(".sql") for name in held)
    assert any(name.endswith("licenses/LICENSE") for name in held)


def test_the_wheel_holds_nothing_else(wheel: Path) -> None:
    roots = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {root.split("-")[0] for root in roots} == {"memoranda"}


def test_the_sdist_can_be_tested(dist: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        held = {name.partition("/")[2] for name in sdist.getnames()}
    for name in ("LICENSE", "Makefile", "README.md", "pyproject.toml", "requirements/test.txt"):
        assert name in held
    assert "tests/conftest.py" in held
    assert "scripts/make_aio.py" in held


@pytest.fixture(scope="module")
def embed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment(tmp_path_factory.mktemp("embed"), wheel, "[cli,embed]")


def test_with_embed_meaning_counts(embed: Path, tmp_path: Path) -> None:
    run(embed, tmp_path, "memoranda", "remember", "The user's car is red.", "--db", "facts.db")
    assert "1 texts" in run(embed, tmp_path, "memoranda", "reembed", "--db", "facts.db")
    assert "MiniLM" in run(embed, tmp_path, "memoranda", "doctor", "--db", "facts.db")


def test_bare_it_remembers_and_needs_nobody(bare: Path, tmp_path: Path) -> None:
    run(bare, tmp_path, "python", "-c", WRITES)
    run(bare, tmp_path, "python", "-c", READS)


def test_bare_the_command_says_what_is_missing(bare: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [str(bare / "memoranda"), "--help"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "memoranda[cli]" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_standard_the_command_works(standard: Path, tmp_path: Path) -> None:
    assert "chat" in run(standard, tmp_path, "memoranda", "--help")
    run(standard, tmp_path, "memoranda", "remember", "Asha speaks Hindi.", "--db", "facts.db")
    assert "Hindi" in run(standard, tmp_path, "memoranda", "recall", "Hindi", "--db", "facts.db")
    run(standard, tmp_path, "memoranda", "doctor", "--db", "facts.db")


def test_standard_the_page_is_served(standard: Path, tmp_path: Path) -> None:
    run(standard, tmp_path, "memoranda", "remember", "Asha speaks Hindi.", "--db", "facts.db")
    clean = {"PATH": f"{standard}{os.pathsep}{os.defpath}", "HOME": str(tmp_path)}
    command = [str(standard / "memoranda"), "serve", "--port", "0", "--db", "facts.db"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=clean,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[3]
            assert b"Hindi" in opened(address)
            for name in ("static/app.css", "static/app.js", "static/htmx.min.js", "openapi.json"):
                assert len(opened(address + name)) > 1000, name
        finally:
            server.terminate()
        assert server.wait(timeout=60) == 0


def opened(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return bytes(answer.read())


def test_standard_a_client_of_mcp_is_answered(standard: Path, tmp_path: Path) -> None:
    asked = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    done = subprocess.run(
        [str(standard / "memoranda"), "mcp", "--no-project", "--db", "facts.db"],
        cwd=tmp_path,
        env={"PATH": f"{standard}{os.pathsep}{os.defpath}", "HOME": str(tmp_path)},
        input=json.dumps(asked) + "\n",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "memoranda"


def test_standard_the_readme_works(standard: Path, tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(checkout)], check=True)
    folder = tmp_path / "reader"
    reader = readme.Reader(folder, standard, checkout)
    assert reader.follow((ROOT / "README.md").read_text("utf-8"))
