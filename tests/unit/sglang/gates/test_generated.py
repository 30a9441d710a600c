"""Generated gate files: every threshold comes back as written, or is reported."""

from __future__ import annotations

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.schema import frame
from pipelines.sources.sglang.gates import to_records
from pipelines.tables.repository import ACCURACY_GATES
from tests.unit.sglang.gates.files import PATH, REGISTERED, read

shares = st.integers(1, 999).map(lambda n: f"0.{n:03d}")
prose = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=60).map(lambda t: t.replace("\\", "").replace('"', ""))
comments = st.lists(prose, max_size=3).map(lambda lines: "".join(f"# {line}\n" for line in lines))
trailing = prose.map(lambda t: f"  # {t}" if t else "")
names = st.sampled_from(["ACCURACY_THRESHOLD", "GSM8K_THRESHOLD", "BASELINE_ACCURACY", "MIN_SCORE", "acc_floor"])
models = st.lists(st.text(string.ascii_lowercase, min_size=3, max_size=8).map(lambda t: f"org/{t}"), min_size=1, max_size=4, unique=True)


def indented(block: str, by: int) -> str:
    return "".join(" " * by + line + "\n" if line else "\n" for line in block.split("\n")[:-1])


@st.composite
def constants(draw):
    name, share = draw(names), draw(shares)
    body = f"{draw(comments)}{name} = {share}{draw(trailing)}\n"
    return body + f"\n\nclass TestA(unittest.TestCase):\n    def test_a(self):\n        self.assertGreater(acc, {name})\n", [share]


@st.composite
def attributes(draw):
    share = draw(shares)
    inner = f"{draw(comments)}gsm8k_accuracy_thres = {share}{draw(trailing)}\n"
    return f"class TestA(Mixin):\n    model = 'org/a'\n{indented(inner, 4)}", [share]


@st.composite
def entries(draw):
    found, lines = [], []
    for model in draw(models):
        share = draw(shares)
        found.append(share)
        shape = draw(
            st.sampled_from(
                [
                    "C(model_path='{m}', accuracy_threshold={s}),",
                    "dict(model='{m}', accuracy_threshold={s}),",
                    "{{'model_path': '{m}', 'accuracy_threshold': {s}}},",
                ]
            )
        )
        lines.append(draw(comments) + shape.format(m=model, s=share) + draw(trailing) + "\n")
    return f"MODELS = [\n{indented(''.join(lines), 4)}]\n", found


@st.composite
def mappings(draw):
    found, lines = [], []
    for model in draw(models):
        share = draw(shares)
        found.append(share)
        lines.append(f"{draw(comments)}'{model}': {share},{draw(trailing)}\n")
    return f"SCORE_THRESHOLDS = {{\n{indented(''.join(lines), 4)}}}\n", found


@st.composite
def asserts(draw):
    share = draw(shares)
    line = draw(st.sampled_from(["self.assertGreater(metrics['accuracy'], {s})", "assert acc >= {s}", "self.assertTrue(score > {s})"])).format(s=share)
    return f"class TestA(unittest.TestCase):\n    def test_a(self):\n{indented(draw(comments), 8)}        {line}{draw(trailing)}\n", [share]


@st.composite
def environment(draw):
    share = draw(shares)
    return f"{draw(comments)}ACCURACY_THRESHOLD = float(os.environ.get('T', '{share}')){draw(trailing)}\n", [share]


@st.composite
def nested(draw):
    """A shape inside blocks that are not taken, so to speak: `with`, `try`, a function."""
    body, found = draw(st.one_of(constants(), entries(), environment()))
    opening = draw(st.sampled_from(["with a:\n", "try:\n", "def build():\n"]))
    closing = "finally:\n    pass\n" if opening.startswith("try") else ""
    return opening + indented(body, 4) + closing, found


shapes = st.one_of(constants(), attributes(), entries(), mappings(), asserts(), environment(), nested())


@settings(max_examples=300, deadline=None)
@given(shapes, prose)
def test_every_threshold_comes_back_as_written(shape, docstring):
    body, written = shape
    found = read(f'"""{docstring.strip()} """\n{REGISTERED}\n{body}')
    assert found.readable
    assert sorted(g.threshold for g in found.gates) == sorted(float(s) for s in written)
    for gate in found.gates:
        assert any(s in gate.threshold_text for s in written)
        assert gate.metric == "accuracy"


@settings(max_examples=40, deadline=None)
@given(shapes, prose, prose)
def test_what_is_read_is_what_the_table_takes(shape, docstring, pull):
    body, _ = shape
    found = read(f'"""{docstring.strip()} """\n{REGISTERED}\n{body}', pull_request_text=pull)
    table, failures = frame(
        ACCURACY_GATES, to_records(found, path=PATH, commit_sha="c", pull_request=None, author=None, source_url="https://github.com/sgl-project/sglang")
    )
    assert failures == []
    ACCURACY_GATES.schema.validate(table, lazy=True)


@settings(max_examples=200, deadline=None)
@given(shapes, st.integers(0, 2000), st.sampled_from(["(", '"""', "\x00", "\n  x", "]", "=", "\\", "match", "0x", "\u2028"]))
def test_a_damaged_file_is_read_or_reported_and_never_raises(shape, at, damage):
    body, _ = shape
    text = f"{REGISTERED}\n{body}"
    found = read(text[: at % len(text)] + damage + text[at % len(text) :])
    assert found.gates or found.problems
    assert found.readable or not found.gates


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=400), st.text(max_size=200))
def test_any_text_at_all_is_read_or_reported(text, pull):
    found = read(text, pull_request_text=pull)
    assert found.gates or found.problems


numbers = st.integers(1, 999).map(lambda n: f"0.{n:03d}")
DENIALS = [
    "not measured",
    "never measured",
    "has not been measured",
    "no measurement",
    "TBD",
    "unmeasured",
    "pending the first green nightly",
    "placeholder",
    "yet to be measured",
]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(DENIALS), st.sampled_from(["on AMD", "on MI355X", "here", "on MI35x hardware"]), shares)
def test_a_denial_is_never_read_as_a_measurement(denial, where, share):
    found = read(f"{REGISTERED}\n# Accuracy {denial} {where}.\nACCURACY_THRESHOLD = {share}\n")
    assert found.gates[0].threshold_basis == "placeholder"
    assert found.gates[0].evidence_value is None
