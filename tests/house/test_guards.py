"""The guards of the test run itself can be relied on."""

import socket

import pytest


@pytest.mark.parametrize("address", [("192.0.2.1", 443), ("example.invalid", 80)], ids=str)
def test_no_test_leaves_the_machine(address: tuple[str, int]) -> None:
    with pytest.raises(RuntimeError, match="tried to reach"):
        socket.create_connection(address)


def test_the_machine_itself_can_be_reached() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()[:2]) as end,
    ):
        assert end.getpeername() == server.getsockname()
