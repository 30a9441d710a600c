"""What holds for every page: where the records stand and how they are spelled changes nothing; damage never loses a model."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.schema import frame
from pipelines.sources.artificial_analysis.source import ArtificialAnalysis
from pipelines.sources.base import NoData, Unreadable
from pipelines.tables import TABLES
from pipelines.validate import schema_failures
from tests.helpers.aa_pages import agentperf_page, bundle, flight_page, leaderboard_page, snake
from tests.helpers.agentperf_figures import KEYS_ARE_NAMES, LAYOUTS, published
from tests.helpers.model_records import muse_spark_open

SOURCE = ArtificialAnalysis()

prices = st.none() | st.floats(0, 600, allow_nan=False)
names = st.text(st.characters(codec="utf-8", exclude_characters="$"), min_size=1, max_size=20).map(lambda t: f"M {t}")


@st.composite
def model_lists(draw, least=1, most=12):
    """Records of models with distinct ids and figures of any size, some missing."""
    return [
        muse_spark_open(
            id=f"id-{n}",
            slug=f"model-{n}",
            name=draw(names),
            price1mInputTokens=draw(prices),
            price1mOutputTokens=draw(prices),
            cacheHitPrice=draw(prices),
            intelligenceIndex=draw(st.none() | st.floats(0, 100)),
            medianOutputTokensPerSecond=draw(st.none() | st.floats(0.1, 5000)),
            isOpenWeights=draw(st.booleans()),
            modelCreatorName=draw(names),
            price1mBlended3To1="$undefined" if draw(st.booleans()) else None,
        )
        for n in range(draw(st.integers(least, most)))
    ]


def shuffled(value, order):
    """The same tree with its keys in another order."""
    if isinstance(value, dict):
        keys = sorted(value)
        order.shuffle(keys)
        return {k: shuffled(value[k], order) for k in keys}
    return [shuffled(v, order) for v in value] if isinstance(value, list) else value


def tables(resource, page):
    """What a page says, as frames; `extra` speaks in the source's own spelling and is left out."""
    parsed = SOURCE.parse(bundle(resource, page))
    made = {}
    for name, rows in parsed.rows.items():
        data, failures = frame(TABLES[name], rows)
        assert failures == []
        made[name] = data.drop(columns="extra").sort_values(list(TABLES[name].key)).reset_index(drop=True)
    return made


def assert_same(one, other):
    assert one.keys() == other.keys()
    for name in one:
        assert one[name].equals(other[name])


shapes = st.fixed_dictionaries({"depth": st.integers(0, 40), "chunk": st.integers(5, 9000)})


@settings(deadline=None, max_examples=60, derandomize=True)
@given(model_lists(), shapes, st.randoms(use_true_random=False), st.booleans())
def test_the_same_models_at_any_depth_chunk_size_key_order_and_spelling_give_the_same_frame(models, shape, order, is_snake):
    other = shuffled(snake(models) if is_snake else models, order)
    assert_same(tables("leaderboard", leaderboard_page(models)), tables("leaderboard", leaderboard_page(other, **shape)))


@settings(deadline=None, max_examples=60, derandomize=True)
@given(st.sampled_from(sorted(LAYOUTS)), shapes, st.randoms(use_true_random=False), st.booleans())
def test_the_same_results_at_any_depth_chunk_size_key_order_layout_and_spelling_give_the_same_frame(layout, shape, order, is_snake):
    is_snake = is_snake and layout not in KEYS_ARE_NAMES
    tree = {**LAYOUTS[layout](published()), "methodologyVersion": "B"}
    other = shuffled(snake(tree) if is_snake else tree, order)
    one, another = tables("datacenter", agentperf_page(published())), tables("datacenter", flight_page(other, **shape))
    for made in (one, another):
        unsaid = ["slo_label"] + (["model_slug"] if layout == "under_keys" else []) + (["verified_by", "measured_on"] if layout == "labelled" else [])
        made["agentperf_results"] = made["agentperf_results"].drop(columns=unsaid)
    assert_same(one, another)


def models_of(page):
    """How many models a page gives as a valid snapshot; None where it gives none."""
    try:
        parsed = SOURCE.parse(bundle("leaderboard", page))
    except (NoData, Unreadable):
        return None
    return None if schema_failures(parsed, rows_sound=False) else len(parsed.rows["models"])


PAGE = leaderboard_page([muse_spark_open(id=f"id-{n}", slug=f"model-{n}", name=f"Model {n}", price1mInputTokens=n / 8) for n in range(30)], chunk=700)


@settings(deadline=None, max_examples=200, derandomize=True)
@given(st.integers(0, len(PAGE) - 1))
def test_a_page_cut_short_never_is_a_valid_snapshot(end):
    assert models_of(PAGE[:end]) is None


@settings(deadline=None, max_examples=400, derandomize=True)
@given(st.integers(0, len(PAGE) - 1), st.integers(0, 3000), st.binary(max_size=30))
def test_a_page_with_a_piece_lost_or_replaced_never_is_a_valid_snapshot_with_fewer_models(start, length, instead):
    left = models_of(PAGE[:start] + instead + PAGE[start + length :])
    assert left is None or left >= 30


@settings(deadline=None, max_examples=60, derandomize=True)
@given(st.integers(2, PAGE.count(b"<script>") - 1), st.sampled_from(["lost", "twice", "swapped"]))
def test_a_page_whose_chunks_are_lost_doubled_or_swapped_never_is_a_valid_snapshot_with_fewer_models(at, what):
    pieces = PAGE.split(b"<script>")
    if what == "lost":
        del pieces[at]
    elif what == "twice":
        pieces.insert(at, pieces[at])
    else:
        pieces[at - 1], pieces[at] = pieces[at], pieces[at - 1]
    left = models_of(b"<script>".join(pieces))
    assert left is None or left >= 30


@settings(deadline=None, max_examples=150, derandomize=True)
@given(st.binary(max_size=300), st.sampled_from(["leaderboard", "datacenter", "configurations", "methodology", "model_page/x", "models_api", "api_schema"]))
def test_any_bytes_are_refused_in_words_and_nothing_else_happens(body, resource):
    for bytes_ in (body, b"<html>" + body + b"</html>"):
        try:
            SOURCE.parse(bundle(resource, bytes_, url="https://artificialanalysis.ai/x"))
        except (NoData, Unreadable) as why:
            assert str(why)
        else:
            raise AssertionError("read something")
