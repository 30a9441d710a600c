"""Bodies of HTTP answers: read in pieces, unpacked, never larger than a limit, and known to be whole.

Formats: HTTP framing (RFC 9112 section 6) and gzip members (RFC 1952), announced in Content-Encoding or not.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable

import requests
import urllib3

PIECE_BYTES = 1 << 16
UNPACKED_PIECE_BYTES = 1 << 20
GZIP_MAGIC = b"\x1f\x8b"
PLAIN_ENCODINGS = ("", "identity", "gzip", "x-gzip")


class BodyError(Exception):
    """A body that cannot be used. `again` says whether a second try may do better; the message ends a sentence."""

    def __init__(self, message: str, again: bool):
        super().__init__(message)
        self.again = again


class OutOfTime(Exception):
    """The deadline passed while the body was coming in."""


class _Sink:
    """Takes raw pieces, keeps the unpacked ones, and counts."""

    def __init__(self, limit: int):
        self.limit = limit
        self.kept = io.BytesIO()
        self.member: zlib._Decompress | None = None
        self.start: bytes | None = b""
        self.members = 0

    def take(self, piece: bytes) -> None:
        if self.start is not None:  # too little seen so far to tell gzip from plain bytes
            piece, self.start = self.start + piece, None
            if len(piece) < len(GZIP_MAGIC):
                self.start = piece
                return
            if piece.startswith(GZIP_MAGIC):
                self._open()
        if self.members:
            self._unpack(piece)
        else:
            self._keep(piece)

    def finish(self) -> bytes:
        if self.start:
            self._keep(self.start)
        if self.member is not None:
            raise BodyError("sent a body that breaks off inside its gzip stream", again=True)
        return self.kept.getvalue()

    def _open(self) -> None:
        self.member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self.members += 1

    def _unpack(self, piece: bytes) -> None:
        while piece:
            if self.member is None:
                piece = piece.lstrip(b"\0")  # padding after the last member
                if not piece:
                    return
                self._open()
            assert self.member is not None  # noqa: S101
            try:
                self._keep(self.member.decompress(piece, UNPACKED_PIECE_BYTES))
            except zlib.error:
                raise BodyError("sent a gzip body that does not unpack", again=True) from None
            if self.member.eof:
                piece, self.member = self.member.unused_data, None
            else:
                piece = self.member.unconsumed_tail

    def _keep(self, piece: bytes) -> None:
        if self.kept.tell() + len(piece) > self.limit:
            raise BodyError(f"sent more than {self.limit >> 20} MiB", again=False)
        self.kept.write(piece)


def read_body(response: requests.Response, limit: int, time_left: Callable[[], float]) -> bytes:
    """The whole, unpacked body of a streamed response, at most `limit` bytes; memory stays near what is kept.

    Raises BodyError (broken off, does not unpack, too large, an encoding nobody asked for), OutOfTime, and
    urllib3's ReadTimeoutError and SSLError.
    """
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in PLAIN_ENCODINGS:
        raise BodyError(f"sent a body in the encoding {encoding[:40]!r}, which was not asked for", again=False)
    sink = _Sink(limit)
    while piece := _next_piece(response):
        sink.take(piece)
        if time_left() <= 0:
            raise OutOfTime
    body = sink.finish()
    if body and "gzip" in encoding and not sink.members:
        raise BodyError("sent a body that it calls gzip and that is none", again=True)
    return body


def _next_piece(response: requests.Response) -> bytes:
    try:
        return response.raw.read1(PIECE_BYTES, decode_content=False)
    except urllib3.exceptions.ProtocolError:
        raise BodyError("sent a body that breaks off", again=True) from None
