import base64
import contextlib
import time

import pytest

from pipelines.sources.artificial_analysis.flight import ABSENT, decode_json, pushed_chunks, read_flight
from pipelines.sources.artificial_analysis.page import Page
from pipelines.sources.artificial_analysis.records import arrays
from pipelines.sources.base import Unreadable
from tests.helpers.aa_pages import flight_page


def flight(*rows):
    return read_flight(["".join(rows).encode()])


def found(page):
    made = Page(page)
    return [(a.path, [made.flight.plain(r) for r in a.records]) for a in arrays(made.flight, made.trees)]


class TestRows:
    def test_the_row_after_a_text_starts_where_the_texts_bytes_end(self):
        text = "𝜏²-Bench: naïve, with a\nline end"
        made = flight('1:"$Sreact.fragment"\n', f"2:T{len(text.encode()):x},{text}", '3:{"a":1}\n')
        assert made.texts == {"2": text}
        assert made.rows["3"] == {"a": 1}

    def test_a_character_cut_in_two_between_chunks_is_put_together(self):
        data = '1:{"name":"𝜏²-Bench"}\n'.encode()
        assert read_flight([data[:12], data[12:]]).rows == {"1": {"name": "𝜏²-Bench"}}

    def test_half_surrogates_in_two_chunks_make_one_character(self):
        script = r'self.__next_f.push([1,"1:\"\ud835"])</x>self.__next_f.push([1,"\udf0f\"\n"])'
        assert read_flight(pushed_chunks(script)).rows == {"1": "𝜏"}

    def test_binary_chunks_are_part_of_the_stream(self):
        packed = base64.b64encode(b'1:{"a":2}\n').decode()
        assert read_flight(pushed_chunks(f'self.__next_f.push([3,"{packed}"])')).rows == {"1": {"a": 2}}

    def test_imports_hints_and_other_rows_are_left_out(self):
        assert flight('2:I[1,[],"x"]\n', ':HL["/a.css","style"]\n', '4:E{"digest":"1"}\n', '5:["$","div",null,{}]\n').rows.keys() == {"5"}

    @pytest.mark.parametrize("stream", ['1:{"a":1\n', '1:{"a":1}x\n', "1:Tff,short", "nothing of the kind", '1:{"a":1}\n?!', '1:{"a":1,"a":2}\n'])
    def test_a_damaged_stream_is_unreadable(self, stream):
        with pytest.raises(Unreadable):
            flight(stream)

    @pytest.mark.parametrize(
        "script", ['self.__next_f.push([1,"abc', 'self.__next_g.push([1,"abc"])', 'self.__next_f.pusj([1,"abc"])', 'self.__next_f.push([7,"abc"])']
    )
    def test_a_damaged_chunk_is_unreadable(self, script):
        with pytest.raises(Unreadable):
            pushed_chunks(script)

    def test_other_scripts_push_nothing(self):
        assert pushed_chunks("(window.dataLayer=window.dataLayer||[]).push({event:'x'})") == []
        assert pushed_chunks("(self.__next_f=self.__next_f||[]).push([0])") == []


class TestHostileData:
    @pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000 + "1", "1" * 100_000, "[NaN,Infinity,-Infinity,1e999]", '{"a":1,"a":2}'])
    def test_nothing_hangs_or_crashes(self, text):
        started = time.monotonic()
        with contextlib.suppress(Unreadable):
            decode_json(text)
        assert time.monotonic() - started < 1

    def test_references_that_multiply_end(self):
        rows = [f'{n:x}:{{"a":"${n + 1:x}","b":"${n + 1:x}"}}\n' for n in range(16, 60)]
        made = flight(*rows, f'{60:x}:{{"name":"x"}}\n')
        with pytest.raises(Unreadable, match="without end"):
            made.plain(made.rows["10"])

    def test_a_value_that_contains_itself_is_absent_there(self):
        made = flight('1:{"name":"x","self":"$1"}\n')
        assert made.plain("$1") == {"name": "x"}


class TestReferences:
    ROWS = ('1:{"props":[{"name":"A"},"$2"]}\n', '2:{"name":"B","long":"$3"}\n', "3:T5,words", '4:["$","div",null,{"models":[{"id":7}]}]\n')

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("$undefined", ABSENT),
            ("$9", ABSENT),
            ("$1:nothing:here", ABSENT),
            ("$Sreact.fragment", ABSENT),
            ("$$5 a month", "$5 a month"),
            ("$D2026-06-10T00:00:00.000Z", "2026-06-10T00:00:00.000Z"),
            ("$n12345678901234567890", 12345678901234567890),
            ("$1:props:0:name", "A"),
            ("$1:props:1:name", "B"),
            ("$L2", {"name": "B", "long": "words"}),
            ("$3", "words"),
            ("$4:props:models:0:id", 7),
            ("plain", "plain"),
        ],
    )
    def test_a_string_means_what_react_means_by_it(self, text, value):
        assert flight(*self.ROWS).plain(text) == value

    def test_absent_members_are_left_out_and_null_is_kept(self):
        assert flight().plain({"a": "$undefined", "b": None, "c": "$77"}) == {"b": None}


class TestArrays:
    RECORDS = ({"id": "1", "n": 1}, {"id": "2", "n": 2})

    @pytest.mark.parametrize("depth", [0, 1, 4, 60])
    @pytest.mark.parametrize("chunk", [1, 7, 100, 10**6])
    def test_records_are_found_at_any_depth_in_chunks_of_any_size(self, depth, chunk):
        ((path, records),) = found(flight_page({"results": list(self.RECORDS)}, depth=depth, chunk=chunk))
        assert path[-1] == "results"
        assert records == list(self.RECORDS)

    def test_records_that_stand_in_rows_of_their_own_are_found_under_the_key_that_refers_to_them(self):
        ((path, records),) = found(flight_page({"results": "$11"}, ["$12", self.RECORDS[1]], self.RECORDS[0], depth=0))
        assert path == ("results",)
        assert records == list(self.RECORDS)

    def test_prose_that_looks_like_data_is_not_found(self):
        assert found(flight_page({"children": "words"}, texts=('see [{"id":"3","n":3}] there',))) == []


class TestWholePages:
    PAGE = flight_page({"results": [{"id": "1"}]})

    def test_a_page_cut_short_anywhere_is_unreadable(self):
        for end in range(0, len(self.PAGE) - 1, 7):
            with pytest.raises(Unreadable):
                Page(self.PAGE[:end])

    def test_comments_after_the_end_do_not_matter(self):
        assert Page(self.PAGE + b"\n<!-- archived --> <!-- 2026 -->\n").flight.rows

    @pytest.mark.parametrize("body", [b"", b"  ", b"\x00\xff" * 99, b"<html><title>Sign in</title><form></form></html>", b'{"error":"no"}'])
    def test_what_is_no_page_of_the_site_is_unreadable(self, body):
        with pytest.raises(Unreadable):
            Page(body)

    def test_a_sign_in_page_is_named_by_its_title(self):
        with pytest.raises(Unreadable, match="Just a moment"):
            Page(b"<html><head><title>Just a moment...</title></head><body></body></html>")

    def test_a_script_that_no_longer_is_one_is_unreadable(self):
        with pytest.raises(Unreadable):
            Page(self.PAGE.replace(b"<script>self.__next_f.push([1", b"<scrapt>self.__next_f.push([1", 1))
