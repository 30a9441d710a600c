"""Who looks on during a campaign: a webhook that takes alerts, and a reader that keeps asking the published file."""

from __future__ import annotations

import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import duckdb


class Receiver:
    """A webhook; `sentences` counts what it was told. A message of several events holds a sentence and an address for each."""

    def __init__(self) -> None:
        self.sentences: Counter[str] = Counter()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["message"]
                receiver.sentences.update(message.splitlines()[0::2])
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"json://127.0.0.1:{self._server.server_port}/"


class Reader:
    """Reads as the dashboard does: attaches the published file and asks it, again and again; every failure is kept.

    While `excused` is set, the campaign itself has damaged the file.
    """

    def __init__(self, lake: Path) -> None:
        self.path = lake / "published/tracker.duckdb"
        self.failures: list[str] = []
        self.reads = 0
        self.excused = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Reader:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(0.3):
            if self.excused.is_set() or not self.path.exists():
                continue
            try:
                with duckdb.connect() as con:
                    con.execute(f"ATTACH '{self.path}' AS tracker (READ_ONLY)")
                    con.execute("SELECT count(*) FROM tracker.main.operating_points").fetchone()
                self.reads += 1
            except duckdb.Error as why:
                if not self.excused.is_set():
                    self.failures.append(str(why))
