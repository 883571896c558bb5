"""What every test relies on: Hypothesis profiles, the shared folder, no way out of the machine."""

import ipaddress
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# No deadline and no "too slow": the machine is shared, and time is measured in bench/, not here.
# Examples stay random in CI as well; the blob makes a failure there repeatable here.
settings.register_profile(
    "default",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("fast", settings.get_profile("default"), max_examples=20)
settings.register_profile("soak", settings.get_profile("default"), max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def stay_here(event: str, args: tuple[object, ...]) -> None:
    """Refuse every look-up and connection that would leave this machine: no test may reach a real service."""
    if event == "socket.connect":
        address = args[1]
        host = address[0] if isinstance(address, tuple) else None  # None: a Unix socket
    elif event == "socket.getaddrinfo":
        host = args[0]
    else:
        return
    name = host.decode() if isinstance(host, bytes) else host
    if not isinstance(name, str) or name in ("", "localhost"):
        return
    try:
        inside = ipaddress.ip_address(name).is_loopback or name in ("0.0.0.0", "::")
    except ValueError:
        inside = False
    if not inside:
        raise RuntimeError(f"a test tried to reach {name}")


sys.addaudithook(stay_here)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Root sees no file modes: leave those tests to scripts/unprivileged.py."""
    if os.geteuid() != 0:
        return
    skip = pytest.mark.skip(reason="about file modes: scripts/unprivileged.py runs it")
    for item in items:
        if item.get_closest_marker("unprivileged"):
            item.add_marker(skip)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of data and instruments that lies beside a checkout, where there is one."""
    place = Path(os.environ.get("MEMORANDA_SHARED", ROOT.parent / "shared"))
    if not place.is_dir():
        pytest.skip("there is no shared folder beside this checkout")
    return place
