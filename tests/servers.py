"""What the fetch tests share: a clock of their own, settings for one server, and a server that sends raw bytes."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable

from pipelines.fetch import Fetcher
from pipelines.settings import Settings


class FakeTime:
    """A clock that moves only when somebody sleeps (or `now` is set)."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def settings_for(base: str, **more: object) -> Settings:
    """Settings whose four sites are all one server."""
    return Settings(**{"aa_url": base, "github_api_url": base, "github_raw_url": base, "inferencex_url": base, **more})


def fetcher_for(base: str, time: FakeTime | None = None, **more: object) -> Fetcher:
    time = time or FakeTime()
    return Fetcher(settings_for(base, **more), clock=time.clock, sleep=time.sleep)


class RawServer:
    """Answers each request by calling `play(connection, number)` with numbers from 1 on; `asked` counts requests."""

    def __init__(self, play: Callable[[socket.socket, int], None]):
        self.play = play
        self.asked = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def __enter__(self) -> RawServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=(connection,), daemon=True).start()

    def _one(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head:
                piece = connection.recv(65536)
                if not piece:
                    return
                head += piece
            self.asked += 1
            self.play(connection, self.asked)


def send(data: bytes) -> Callable[[socket.socket, int], None]:
    """Send these bytes and close."""
    return lambda connection, number: connection.sendall(data)


def drop(connection: socket.socket, number: int) -> None:
    """Reset the connection."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def closed_port() -> str:
    """A loopback address nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"
