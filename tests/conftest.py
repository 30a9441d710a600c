"""Tests talk to this machine alone."""

import ipaddress
import os
import socket

import pytest

pytest_plugins = ["tests.required", "tests.helpers.spine", "tests.helpers.lakes"]

OF_THE_TESTS = ("MEGAWATCH_SHARED", "MEGAWATCH_REQUIRE_SHARED")

_connect = socket.socket.connect
_connect_ex = socket.socket.connect_ex
_resolve = socket.getaddrinfo


class NetworkRefused(Exception):
    """Not an OSError, so that no code under test takes it for a host that is down."""


def _is_loopback(host: object) -> bool:
    if host in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host.decode() if isinstance(host, bytes) else str(host)).is_loopback
    except ValueError:
        return False


def _allow(address: object) -> None:
    if isinstance(address, tuple) and not _is_loopback(address[0]):
        raise NetworkRefused(f"a test tried to connect to {address[0]}:{address[1]}; tests may use loopback servers only")


def _guarded_connect(self, address):
    _allow(address)
    return _connect(self, address)


def _guarded_connect_ex(self, address):
    _allow(address)
    return _connect_ex(self, address)


def _guarded_resolve(host, *args, **more):
    _allow((host, args[0] if args else more.get("port")))
    return _resolve(host, *args, **more)


@pytest.fixture(autouse=True, scope="session")
def _this_machine_alone():
    """No connection beyond loopback, and no setting or proxy of the developer's shell."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", _guarded_connect)
        patch.setattr(socket.socket, "connect_ex", _guarded_connect_ex)
        patch.setattr(socket, "getaddrinfo", _guarded_resolve)
        for name in list(os.environ):
            if (name.startswith("MEGAWATCH_") and name not in OF_THE_TESTS) or name in ("GITHUB_TOKEN", "DAGSTER_HOME") or name.lower().endswith("_proxy"):
                patch.delenv(name)
        yield
