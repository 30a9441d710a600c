"""Models are read together with those that are described alike; none may read otherwise for that."""

import datetime as dt
import random

from pipelines.sources.artificial_analysis.leaderboard import parse_leaderboard
from tests.helpers.aa_pages import bundle, leaderboard_page
from tests.helpers.model_records import muse_spark_open

# What a member may hold besides what it should: absent, missing, doubtful, nested, of another kind.
ODD = ("$undefined", None, True, 1, 3.0, "1,5", "$NaN", [], {}, {"a": 1, "b": {"c": "$undefined"}}, [{"x": 1}], ["a"], "up to 5", "text", "$$5", "$99")
SPOILT = (
    "modelCreatorName",
    "releaseDate",
    "licenseName",
    "medianTimeToFirstTokenSeconds",
    "cacheHitPrice",
    "totalParameters",
    "isReasoning",
    "other",
    "others",
)


def models_of_many_shapes(seed, of=12):
    draw = random.Random(seed)
    models = []
    for n in range(of):
        model = muse_spark_open(id=f"id-{n}", slug=f"slug-{n}", name=f"Model {n}", medianOutputTokensPerSecond=100.0 + n)
        for _ in range(draw.randint(0, 4)):
            member = draw.choice(SPOILT)
            if draw.random() < 0.7:
                model[member] = draw.choice(ODD)
            else:
                model.pop(member, None)
        models.append(dict(draw.sample(list(model.items()), len(model))) if draw.random() < 0.3 else model)
    return models


def rows_of(models):
    return parse_leaderboard(bundle("leaderboard", leaderboard_page(models, index_version=4.3))).rows["models"]


def test_a_model_reads_the_same_alone_and_among_models_that_are_described_alike_or_otherwise():
    for seed in range(25):
        models = models_of_many_shapes(seed)
        assert [stated(row) for row in rows_of(models)] == [stated(row) for model in models for row in rows_of([model])]


def stated(row):
    """What a row states, with the kinds of its values: 1 and true are equal."""
    return {column: (type(value), value) for column, value in row.items() if value is not None}


def test_models_keep_their_order_and_what_is_doubtful_is_told_by_the_first_that_is_listed():
    models = [muse_spark_open(id=f"id-{n}", slug=f"slug-{n}", name=f"Model {n}") for n in range(4)]
    models[1] |= {"releaseDate": "soon", "another": 1}
    models[2] |= {"releaseDate": "later"}
    parsed = parse_leaderboard(bundle("leaderboard", leaderboard_page(models, index_version=4.3)))
    assert [row["name"] for row in parsed.rows["models"]] == ["Model 0", "Model 1", "Model 2", "Model 3"]
    assert [row["release_date"] for row in parsed.rows["models"]] == [dt.date(2026, 10, 15), None, None, dt.date(2026, 10, 15)]
    assert parsed.warnings == ["release_date cannot be read for sure in 2 model records and is left empty there, first: 'soon' is no day ('Model 1')."]
