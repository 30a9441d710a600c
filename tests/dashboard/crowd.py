"""Many readers of one server at once: sessions that speak Streamlit's own protocol, without a browser each."""

from __future__ import annotations

import asyncio
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect


class Session:
    """A reader of one view. `text` is the markup of the last run, `errors` what went wrong in any run."""

    def __init__(self, address: str, view: str):
        self._url = address.replace("http://", "ws://") + "/_stcore/stream"
        self._view = view
        self._known: dict[str, ForwardMsg] = {}
        self.runs = 0
        self.text = ""
        self.errors: list[str] = []

    async def open(self) -> Session:
        """Connect and read the view for the first time."""
        self._socket = await connect(self._url, subprotocols=["streamlit"], max_size=None, ping_interval=None)
        await self.read()
        return self

    async def close(self) -> None:
        await self._socket.close()

    async def read(self) -> None:
        """Run the view again and take in everything until it has ended."""
        asked = BackMsg()
        asked.rerun_script.page_name = self._view
        await self._socket.send(asked.SerializeToString())
        parts: list[str] = []
        while True:
            message = ForwardMsg.FromString(await self._socket.recv())
            if message.WhichOneof("type") == "ref_hash":
                message = self._known[message.ref_hash]
            elif message.hash:
                self._known[message.hash] = message
            kind = message.WhichOneof("type")
            if kind == "delta":
                self._take(message.delta.new_element, parts)
            elif kind == "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                    break
                self.errors.append(ForwardMsg.ScriptFinishedStatus.Name(message.script_finished))
                break
        self.text = " ".join(parts)
        self.runs += 1

    def _take(self, element, parts: list[str]) -> None:
        kind = element.WhichOneof("type")
        if kind == "html":
            parts.append(element.html.body)
        elif kind == "exception":
            self.errors.append(element.exception.message)


async def opened(address: str, views: list[str]) -> list[Session]:
    """A session for each of these views, all open at once."""
    return list(await asyncio.gather(*(Session(address, view).open() for view in views)))


async def read_all(sessions: list[Session]) -> None:
    """Every session reads its view again, all at once."""
    await asyncio.gather(*(s.read() for s in sessions))


def resident_mb(process: int) -> float:
    """Memory that a process holds now, in MB."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def files_held(process: int, name: str) -> int:
    """How many files of this name, replaced ones too, a process holds open."""
    held = 0
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        try:
            held += name in str(descriptor.readlink())
        except OSError:  # closed meanwhile
            continue
    return held
