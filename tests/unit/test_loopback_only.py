"""No test reaches beyond this machine."""

import socket

import pytest

from pipelines.fetch import Fetcher
from pipelines.settings import Settings
from tests.conftest import NetworkRefused


def test_a_test_that_forgets_to_set_an_address_is_told_so():
    with Fetcher(Settings()) as fetcher, pytest.raises(NetworkRefused, match=r"raw\.githubusercontent\.com"):
        fetcher.fetch("raw", "/x")


def test_a_plain_socket_is_held_back_too():
    with socket.socket() as one, pytest.raises(NetworkRefused, match=r"192\.0\.2\.1"):
        one.connect(("192.0.2.1", 80))
