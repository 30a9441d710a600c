"""Fetch: bodies that are packed, broken, endless or no HTTP at all, sent by servers that hold to no rule."""

import gzip
import io
import random
import socket
import time as real_time

import pytest
import requests
import urllib3
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines import fetch as fetch_module
from pipelines.body import BodyError, read_body
from pipelines.refusals import retry_after_s, until
from tests.servers import FakeTime, RawServer, closed_port, drop, fetcher_for, send

TEXT = b"interactivity,total_tok_s_gpu\n" * 400
PACKED = gzip.compress(TEXT)


def http(body: bytes, *headers: str, status: str = "200 OK", length: int | None = None) -> bytes:
    lines = [f"HTTP/1.1 {status}", "Connection: close", f"Content-Length: {len(body) if length is None else length}", *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def chunked(*chunks: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    return (
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)
        + end
    )


def ask(play, time=None):
    with RawServer(play) as server, fetcher_for(server.base, time) as fetcher:
        return fetcher.fetch("raw", "/x"), server.asked


# ---- whole bodies ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        http(TEXT),
        http(PACKED, "Content-Encoding: gzip"),
        http(PACKED, "Content-Encoding: x-gzip"),
        http(PACKED),
        http(gzip.compress(TEXT[:50]) + gzip.compress(TEXT[50:]) + b"\0" * 7),
        chunked(TEXT[:5], TEXT[5:]),
        chunked(PACKED[:1], PACKED[1:2], PACKED[2:]),
        b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + TEXT,
    ],
    ids=[
        "plain",
        "gzip",
        "x-gzip",
        "gzip unannounced",
        "several gzip members and padding",
        "chunked",
        "chunked gzip by the byte",
        "until the connection closes",
    ],
)
def test_a_whole_body_comes_out_unpacked(answer):
    got, asked = ask(send(answer))
    assert (got.outcome, got.body, asked) == ("fetched", TEXT, 1)


def test_a_body_of_one_byte_is_a_body():
    assert ask(send(http(b"\x1f")))[0].body == b"\x1f"


# ---- broken bodies ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        http(TEXT[:100], length=len(TEXT)),
        http(PACKED[:-9], "Content-Encoding: gzip"),
        http(PACKED[:-9]),
        http(PACKED[:60], "Content-Encoding: gzip", length=len(PACKED)),
        http(PACKED[:-5] + b"\xff\xff\xff\xff\xff"),
        http(TEXT, "Content-Encoding: gzip"),
        http(PACKED + b"no gzip"),
        chunked(TEXT, end=b""),
        chunked(TEXT, end=b"fff\r\nshort"),
        chunked(end=b"no hex\r\n"),
        http(PACKED[:-9] + b"", "Connection: close"),
    ],
    ids=[
        "short",
        "cut gzip",
        "cut gzip unannounced",
        "short gzip",
        "wrong checksum",
        "no gzip",
        "rest after gzip",
        "no last chunk",
        "cut chunk",
        "no chunk",
        "cut gzip to close",
    ],
)
def test_a_body_that_breaks_off_or_does_not_unpack_is_tried_three_times_and_never_used(answer):
    time = FakeTime()
    got, asked = ask(send(answer), time)
    assert (got.outcome, got.status, got.body, asked) == ("invalid", 200, None, 3)
    assert time.slept == [1.0, 2.0]
    assert got.message.startswith("https://raw.githubusercontent.com/x sent a ")


def test_a_body_that_is_whole_the_second_time_is_used():
    got, asked = ask(lambda connection, number: connection.sendall(http(TEXT) if number == 2 else http(TEXT[:9], length=len(TEXT))))
    assert (got.outcome, got.body, asked) == ("fetched", TEXT, 2)


def test_an_empty_body_is_invalid():
    got, asked = ask(send(http(b"")))
    assert (got.outcome, got.status, got.body, asked) == ("invalid", 200, None, 1)
    assert "empty" in got.message
    assert ask(send(http(gzip.compress(b""), "Content-Encoding: gzip")))[0].outcome == "invalid"


def test_an_encoding_nobody_asked_for_is_invalid():
    got, asked = ask(send(http(TEXT, "Content-Encoding: br")))
    assert (got.outcome, asked) == ("invalid", 1)
    assert "'br'" in got.message


def as_response(body: bytes, **headers: str) -> requests.Response:
    response = requests.Response()
    response.raw = urllib3.HTTPResponse(io.BytesIO(body), headers=headers, preload_content=False)
    response.headers.update(headers)
    return response


@given(cut=st.integers(1, len(PACKED) - 1), announced=st.booleans())
def test_a_gzip_body_cut_anywhere_is_never_taken_for_whole(cut, announced):
    headers = {"Content-Encoding": "gzip"} if announced else {}
    try:
        body = read_body(as_response(PACKED[:cut], **headers), 1 << 20, lambda: 60.0)
    except BodyError:
        return
    assert cut == 1  # one byte does not yet say gzip
    assert not announced
    assert body == PACKED[:1]


# ---- too much --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_body_of_exactly_the_limit_passes_and_one_byte_more_does_not(monkeypatch, pack):
    limit = 3 << 20
    monkeypatch.setattr(fetch_module, "LIMIT_BYTES", limit)
    body = random.Random(1).randbytes(limit)
    assert ask(send(http(pack(body))))[0].body == body
    got, asked = ask(send(http(pack(body + b"x"))))
    assert (got.outcome, got.body, asked) == ("invalid", None, 1)
    assert "more than 3 MiB" in got.message


def test_an_endless_body_is_left_as_soon_as_the_limit_is_reached(monkeypatch):
    monkeypatch.setattr(fetch_module, "LIMIT_BYTES", 1 << 20)
    sent = []

    def play(connection: socket.socket, number: int) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            sent.append(connection.send(b"x" * 65536))

    got, asked = ask(play)
    assert (got.outcome, asked) == ("invalid", 1)
    assert sum(sent) < 32 << 20


def test_the_body_of_a_redirect_is_not_read():
    def play(connection: socket.socket, number: int) -> None:
        connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: https://elsewhere.example/\r\n\r\n")
        while True:
            sent.append(connection.send(b"x" * 65536))

    sent: list[int] = []
    assert ask(play)[0].outcome == "moved"
    assert sum(sent) < 32 << 20


# ---- connections -----------------------------------------------------------------------------------------------


def test_a_dropped_connection_is_tried_three_times():
    time = FakeTime()
    got, asked = ask(drop, time)
    assert (got.outcome, got.status, asked, time.slept) == ("unreachable", None, 3, [1.0, 2.0])
    assert "dropped the connection" in got.message


def test_a_connection_closed_without_a_word_is_tried_three_times():
    got, asked = ask(send(b""))
    assert (got.outcome, asked) == ("unreachable", 3)


def test_a_host_that_takes_no_connection_is_left_alone_and_the_message_names_the_setting():
    time, base = FakeTime(), closed_port()
    with fetcher_for(base, time) as fetcher:
        first, second = fetcher.fetch("raw", "/x"), fetcher.fetch("raw", "/y")
    assert first.outcome == second.outcome == "unreachable"
    assert f"MEGAWATCH_GITHUB_RAW_URL is set to {base}" in first.message
    assert "not asked again in this run" in second.message
    assert time.slept == [1.0, 2.0]


def test_a_body_that_drips_ends_at_the_deadline(monkeypatch):
    monkeypatch.setattr(fetch_module, "SOURCE_S", 0.5)

    def drip(connection: socket.socket, number: int) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(1000):
            connection.send(b"x")
            real_time.sleep(0.02)

    started = real_time.monotonic()
    with RawServer(drip) as server, fetcher_for(server.base) as fetcher:
        fetcher._clock = real_time.monotonic
        fetcher._run_ends = started + 60
        fetcher.start_source("dripping")
        got = fetcher.fetch("raw", "/x")
    assert (got.outcome, got.stop, got.body) == ("unreachable", True, None)
    assert real_time.monotonic() - started < 3


def test_a_retry_after_date_counts_from_the_answers_own_date():
    dates = ("Date: Fri, 23 Oct 2026 12:00:00 GMT", "Retry-After: Fri, 23 Oct 2026 12:00:04 GMT")
    time = FakeTime()
    got, _ = ask(lambda connection, number: connection.sendall(http(TEXT) if number == 2 else http(b"", *dates, status="503 Later")), time)
    assert got.outcome == "fetched"
    assert time.slept == [4.0]


@pytest.mark.parametrize("location", [b"http://[", b"\x80\xff", b"http://127.0.0.1:99999/", b"http:///x"])
def test_a_redirect_to_what_is_no_address_is_moved(location):
    got, _ = ask(send(b"HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: " + location + b"\r\n\r\n"))
    assert (got.outcome, got.body) == ("moved", None)


def test_a_slow_page_is_not_waited_for_twice(monkeypatch):
    monkeypatch.setattr(fetch_module, "READ_S", 0.2)

    def play(connection: socket.socket, number: int) -> None:
        if number == 1:
            real_time.sleep(1)
        connection.sendall(http(TEXT))

    with RawServer(play) as server, fetcher_for(server.base) as fetcher:
        slow = fetcher.fetch("raw", "/slow")
        assert (slow.outcome, slow.stop, server.asked) == ("unreachable", False, 1)
        assert "did not answer in time" in slow.message
        assert fetcher.fetch("raw", "/quick").outcome == "fetched"


def test_an_etag_that_cannot_be_sent_back_is_not_kept():
    got, _ = ask(send(http(TEXT, 'ETag: \xa0"a"')))
    assert (got.outcome, got.etag) == ("fetched", None)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.one_of(
        st.binary(max_size=200),
        st.binary(max_size=80).map(lambda b: b"HTTP/1.1 200 OK\r\n" + b),
        st.binary(max_size=80).map(lambda b: b"HTTP/1.1 302 Found\r\nLocation: " + b + b"\r\n\r\n"),
    )
)
def test_whatever_bytes_a_server_sends_end_in_an_answer(data):
    got, _ = ask(send(data))
    assert got.outcome in {"fetched", "unreachable", "invalid", "moved", "disallowed", "rate_limited"}
    assert (got.body is not None) == (got.outcome == "fetched")
    assert (got.message is None) == (got.outcome == "fetched")


@settings(max_examples=40, deadline=None)
@given(rules=st.one_of(st.binary(max_size=300), st.text(alphabet="*$/%abUser-agent:Disallow \n\r", max_size=300).map(str.encode)))
def test_whatever_robots_txt_holds_ends_in_an_answer(rules):
    with RawServer(lambda connection, number: connection.sendall(http(rules if number == 1 else TEXT))) as server, fetcher_for(server.base) as fetcher:
        assert fetcher.fetch("aa", "/a?b=c").outcome in {"fetched", "disallowed"}


DATES = st.one_of(
    st.text(max_size=40), st.from_regex(r"(Fri, )?[0-9]{1,30} (Oct|Foo) [0-9]{1,30} [0-9]{1,3}:[0-9]{1,9}(:[0-9]{1,3})? ([+-][0-9]{1,9}|GMT|)", fullmatch=True)
)


@given(wait=DATES, now=DATES, reset=st.text(max_size=20))
def test_whatever_the_headers_of_a_limit_hold_a_wait_is_a_number_or_unknown(wait, now, reset):
    seconds = retry_after_s({"Retry-After": wait, "Date": now})
    assert seconds is None or seconds >= 0
    assert until({"X-RateLimit-Reset": reset}, seconds).isprintable()
