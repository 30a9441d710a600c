"""The dashboard as it is served: a process of its own on a free port."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

from tests.shared import ROOT


@contextmanager
def dashboard(lake, **env):
    """Serve a lake's dashboard on a free port; its address."""
    with serving(lake, **env) as (address, _):
        yield address


@contextmanager
def serving(lake, **env):
    """Serve a lake's dashboard on a free port; its address, and the id of the server's process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "dashboard/app.py", f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    process = subprocess.Popen(
        [*command, "--server.fileWatcherType=none"],
        cwd=ROOT,
        env={**os.environ, "MEGAWATCH_LAKE": str(lake), "PYTHONPATH": str(ROOT), **env},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{address}/_stcore/health", process)
        yield address, process.pid
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait_for(url, process):
    for _ in range(300):
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            assert process.poll() is None, "the dashboard ended before it answered"
        time.sleep(0.1)
    raise AssertionError("the dashboard did not answer within 30 seconds")
