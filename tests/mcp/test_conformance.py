"""The conformance kit of the protocol, both requirement sets, against our server with the kit's fixtures.

The kit is a package for Node.js: `npm ci --prefix tests/mcp/conformance --ignore-scripts` installs it.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.source import ROOT
from tests.mcp.talking import SOURCE

HERE = Path(__file__).resolve().parent
KIT = HERE / "conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js"
NODE = Path(sys.executable).parent / "node"
LINE = re.compile(r"^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed$", re.MULTILINE)
TASKS = (
    *(
        "tasks-lifecycle",
        "tasks-capability-negotiation",
        "tasks-wire-fields",
        "tasks-mrtr-composition",
    ),
    *("tasks-request-state-removal", "tasks-mrtr-input", "tasks-request-headers"),
    *("tasks-dispatch-and-envelope", "tasks-required-task-error"),
)
# By requirement set: how many scenarios there are at least, and those that do not apply (docs/mcp.md says why).
SETS = {
    "2025-11-25": (33, {"server-sse-polling"}),
    "2026-07-28": (50, set(TASKS)),
}

needs_the_kit = pytest.mark.skipif(
    not (KIT.exists() and NODE.exists()),
    reason="the conformance kit is not installed: npm ci --prefix tests/mcp/conformance --ignore-scripts",
)


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{SOURCE}"}
    folder = tmp_path_factory.mktemp("kit")
    command = [sys.executable, str(HERE / "fixture_server.py"), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout
        yield int(server.stdout.readline())
        server.terminate()
        server.wait(30)


@pytest.mark.slow
@needs_the_kit
@pytest.mark.parametrize("revision", SETS)
def test_every_applicable_scenario_passes(port: int, revision: str) -> None:
    url = f"http://127.0.0.1:{port}/mcp"
    command = [str(NODE), str(KIT), "server", "--url", url, "--requirements", revision]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    found = {name: (int(good), int(bad)) for name, good, bad in LINE.findall(done.stdout)}
    least, left_out = SETS[revision]
    assert len(found) >= least, done.stdout[-2000:] + done.stderr[-2000:]
    assert {name for name, (_, bad) in found.items() if bad} == left_out, done.stdout[-4000:]
    assert all(
        good
        for name, (good, _) in found.items()
        if name not in left_out | {"tasks-status-notifications"}
    )


def test_what_is_left_out_is_listed_with_its_reason() -> None:
    told = (ROOT / "docs/mcp.md").read_text("utf-8")
    for _, left_out in SETS.values():
        assert [name for name in left_out if f"`{name}`" not in told] == []
