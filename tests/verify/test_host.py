"""A fork server that sandboxes share."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator

import psutil
import pytest

from unmeta.kb.snippets import Snippet
from unmeta.verify.sandbox import Address, Host, Sandbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a host is for Linux")

WALLS = frozenset[str]()


@pytest.fixture
def host() -> Iterator[Host]:
    started = Host("cpu", ())
    yield started
    started.close()


def borrowed(sandbox: Sandbox) -> bool:
    """Whether the sandbox's server is the child of another server."""
    assert sandbox._server is not None
    return psutil.Process(sandbox._server.pid).ppid() != psutil.Process().pid


def outcome(sandbox: Sandbox, text: str = "assert True\n") -> str:
    return sandbox.run(Snippet("x.py", text)).outcome


def test_two_sandboxes_share_a_host(host: Host) -> None:
    with (
        Sandbox(preload=(), isolate=WALLS, host=host.address) as one,
        Sandbox(preload=(), isolate=WALLS, host=host.address) as other,
    ):
        assert outcome(one) == outcome(other) == "passed"
        assert outcome(one, "raise ValueError\n") == "raised"
        assert borrowed(one)
        assert borrowed(other)
        assert one._server is not None
        assert other._server is not None
        assert one._server.pid != other._server.pid


def test_a_borrowed_server_ends_with_its_sandbox(host: Host) -> None:
    with Sandbox(preload=(), isolate=WALLS, host=host.address) as sandbox:
        outcome(sandbox)
        assert sandbox._server is not None
        server = psutil.Process(sandbox._server.pid)
    assert not server.is_running() or server.status() == psutil.STATUS_ZOMBIE


def test_a_borrowed_server_outlives_its_host(host: Host) -> None:
    with Sandbox(preload=(), isolate=WALLS, host=host.address) as sandbox:
        outcome(sandbox)
        host._owner.shutdown(socket.SHUT_RDWR)
        host._server.wait(60)
        assert outcome(sandbox) == "passed"
        assert borrowed(sandbox)


@pytest.mark.parametrize("kill", [False, True])
def test_without_its_host_a_sandbox_starts_its_own_server(host: Host, kill: bool) -> None:
    with Sandbox(preload=(), isolate=WALLS, host=host.address) as sandbox:
        if kill:
            outcome(sandbox)
            assert sandbox._server is not None
            sandbox._server.kill()
        host._server.kill()
        host._server.wait(60)
        assert outcome(sandbox) == "passed"
        assert not borrowed(sandbox)


def test_who_does_not_know_the_word_gets_no_server(host: Host) -> None:
    wrong = Address(host.address.path, "00" * (len(host.address.word) // 2))
    with Sandbox(preload=(), isolate=WALLS, host=wrong) as sandbox:
        assert outcome(sandbox) == "passed"
        assert not borrowed(sandbox)


def test_who_says_nothing_holds_nobody_up_for_long(host: Host) -> None:
    with (
        socket.socket(socket.AF_UNIX) as silent,
        Sandbox(preload=(), isolate=WALLS, host=host.address) as sandbox,
    ):
        silent.connect(host.address.path)
        assert outcome(sandbox) == "passed"
        assert borrowed(sandbox)


def test_a_host_that_never_starts_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/bin/false")
        broken = Host("cpu", ())
    with Sandbox(preload=(), isolate=WALLS, host=broken.address) as sandbox:
        assert outcome(sandbox) == "passed"
        assert not borrowed(sandbox)
    broken.close()
