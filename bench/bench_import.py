"""What `import memoranda` costs, beside what any program with JSON and SQLite pays."""

import subprocess
import sys
from typing import Any

import pytest


@pytest.mark.parametrize("modules", ["pass", "import json, sqlite3", "import memoranda"], ids=str)
def bench_import(benchmark: Any, modules: str) -> None:
    benchmark(subprocess.run, [sys.executable, "-I", "-c", modules], check=True)
