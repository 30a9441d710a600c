"""JavaScript literals are read, never run."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.sources.base import Unreadable
from pipelines.sources.sglang.literals import LARGEST_BYTES, Raw, read


def value(source):
    return read(f"export const x = {source};".encode()).values["x"].plain()


@pytest.mark.parametrize(
    ("source", "meant"),
    [
        ("[1, 2,]", [1, 2]),
        ("[1,,2]", [1, None, 2]),
        ("{ a: 1, 'b-c': 2, \"d\": 3, 4: 5, }", {"a": 1, "b-c": 2, "d": 3, "4": 5}),
        ("1_000", 1000),
        ("0x1F", 31),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("-8.51", -8.51),
        ("+2", 2),
        ("9007199254740993", 9007199254740992.0),
        ("true", True),
        ("null", None),
        ("undefined", None),
        ("(42)", 42),
        (r"'caf\u00e9 \u{1F600} \ud83d\ude00 \x41 \n'", "café 😀 😀 A \n"),
        ("`a plain template`", "a plain template"),
        ("'long ' + \"remark \" + `in parts`", "long remark in parts"),
    ],
)
def test_literals_mean_what_ecmascript_says(source, meant):
    assert value(source) == meant


@pytest.mark.parametrize(
    "source",
    [
        "(s) => s.hw",
        "function () { return 1 }",
        "`${HOST}`",
        "BASE",
        "rows()",
        "8 * 1024",
        "new Map()",
        "<div/>",
        "/re/",
        "NaN",
        "-Infinity",
        "1e999",
        "010",
        r"'\ud800'",
        "class {}",
    ],
)
def test_what_is_no_literal_is_kept_as_written_and_reported(source):
    literal = read(f"export const x = {{ a: {source}, b: 1 }};".encode()).values["x"]
    assert literal.plain() == {"a": {"raw": source}, "b": 1}
    (told,) = literal.raws("x")
    assert told.startswith("x.a (")


def test_methods_getters_and_computed_keys_are_kept_raw():
    assert value("{ f(s) { return 1 }, get g() { return 2 }, [k]: 3, ['l']: 4, m }") == {
        "f": {"raw": "f(s) { return 1 }"},
        "g": {"raw": "get g() { return 2 }"},
        "[k]": {"raw": "[k]: 3"},
        "l": 4,
        "m": {"raw": "m"},
    }


def test_a_spread_leaves_the_keys_before_it_unknown_because_it_may_override_them():
    assert value("{ ttft_ms: 1, ...base, tpot_ms: 2 }") == {"ttft_ms": {"raw": "1"}, "...base": {"raw": "...base"}, "tpot_ms": 2}


def test_a_comment_belongs_to_the_value_it_ends_the_line_of_or_else_to_the_next():
    (first, second) = (
        read(b"export const x = [\n  // pinned acceptance\n  { a: 1 }, // measured twice\n  /* the\n   * second */\n  { b: 2 },\n  // nothing follows\n];")
        .values["x"]
        .value
    )
    assert first.comments == ("pinned acceptance", "measured twice")
    assert second.comments == ("the second",)


def test_comments_above_the_first_constant_are_the_header():
    module = read(b"// tokens_per_sec_per_gpu counts input\n// and output tokens.\nexport const benchmarks = [];\n// end\n")
    assert " ".join(module.header) == "tokens_per_sec_per_gpu counts input and output tokens."


def test_constants_are_found_whether_exported_declared_or_default():
    assert set(read(b"const a = 1; export const b = 2; var c = 3; export default [4];").values) == {"a", "b", "c", "default"}


@pytest.mark.parametrize(
    "data", [b"<!doctype html><html><body>Sign in</body></html>", b"export const x = [ {", b"export const x = { a: 1 b: 2 };", b"\xff\xfe\x00", b"[" * 5000]
)
def test_what_is_no_javascript_is_unreadable(data):
    with pytest.raises(Unreadable):
        read(data)


def test_a_file_of_more_than_four_mebibytes_is_unreadable_without_being_parsed():
    with pytest.raises(Unreadable, match="bytes"):
        read(b"//" + b"x" * LARGEST_BYTES)


@pytest.mark.parametrize("opening", ["[", "{a:", "(", "'x'+("])
def test_nesting_without_end_is_kept_raw_and_breaks_nothing(opening):
    closing = {"[": "]", "{a:": "}", "(": ")", "'x'+(": ")"}[opening]
    literal = read(f"export const x = {opening * 3000}1{closing * 3000};".encode()).values["x"]
    assert list(literal.raws("x"))


def test_a_whole_number_of_ten_thousand_digits_is_kept_raw():
    assert isinstance(read(b"const x = " + b"9" * 10_000 + b";").values["x"].value, Raw)


def test_nothing_of_a_file_is_executed(tmp_path):
    mark = tmp_path / "executed"
    writes = f"require('fs').writeFileSync({json.dumps(str(mark))}, 'x')"
    source = (
        f"{writes};\n"
        f"export const benchmarks = [ {{ match: {{ hw: 'b300' }}, a: {writes}, b: (() => {writes})(), c: `${{{writes}}}`, "
        f"get d() {{ return {writes} }}, [{writes}]: 1 }} ];"
    )
    read(source.encode())
    assert not mark.exists()


texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts.filter(lambda k: k != "__proto__"), inner, max_size=4), max_leaves=12
)
comments = st.sampled_from(["", " ", "\n", "// a remark\n", "/* a\n * remark */", "\t"])
raws = st.sampled_from(["(s) => s", "BASE", "`${x}`", "f()", "function () {}"])


@st.composite
def scripts(draw, *written):
    """A value, and JavaScript that means it: any quotes, comments, trailing commas, escapes."""
    (meant,) = written or (draw(values),)
    gap = lambda: draw(comments)  # noqa: E731
    if isinstance(meant, str):
        return meant, _quoted(meant, draw(st.sampled_from("\"'`")), draw(st.booleans()))
    if isinstance(meant, list):
        members = [draw(scripts(m))[1] for m in meant]
        trailing = draw(st.sampled_from(["", ","])) if members else ""
        return meant, "[" + gap() + ",".join(f"{gap()}{m}{gap()}" for m in members) + trailing + gap() + "]"
    if isinstance(meant, dict):
        members = [
            f"{gap()}{_quoted(k, draw(st.sampled_from(chr(34) + chr(39))), draw(st.booleans()))}{gap()}:{gap()}{draw(scripts(v))[1]}" for k, v in meant.items()
        ]
        return meant, "{" + ",".join(members) + draw(st.sampled_from(["", ","]) if members else st.just("")) + gap() + "}"
    if meant is None:
        return meant, draw(st.sampled_from(["null", "undefined"]))
    return meant, json.dumps(meant)


def _quoted(text, quote, escaped):
    """A JavaScript text: every character as a unicode escape, or only those that need one."""
    if escaped:
        return quote + "".join(f"\\u{{{ord(c):x}}}" for c in text) + quote
    special = {"\\": "\\\\", quote: "\\" + quote, "\n": "\\n", "\r": "\\r", "\u2028": "\\u2028", "\u2029": "\\u2029", "\0": "\\x00", "$": "\\$"}
    return quote + "".join(special.get(c, c) for c in text) + quote


@settings(max_examples=150, deadline=None)
@given(scripts())
def test_any_literal_is_read_back_as_it_was_meant(script):
    meant, source = script
    assert value(source) == meant


@settings(max_examples=60, deadline=None)
@given(scripts(), scripts(), raws)
def test_what_is_no_literal_spoils_nothing_beside_it(first, second, raw):
    literal = read(f"export const x = [{first[1]}, {raw}, {second[1]}];".encode()).values["x"]
    assert literal.plain() == [first[0], {"raw": raw}, second[0]]
    assert next(literal.raws("x")).startswith("x[1] (")


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_read_or_unreadable_and_nothing_else(data):
    try:
        read(data)
    except Unreadable:
        return
