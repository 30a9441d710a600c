"""Model records of the leaderboard with figures as Artificial Analysis listed them in October 2026."""

from __future__ import annotations

from typing import Any

OPEN_ID, CLOSED_ID = "30554166-5a0a-579e-a4cd-afd67df0ef2d", "6a9f8b0e-6c6d-587b-b2df-bff5757e186b"


def muse_spark_open(**other: Any) -> dict[str, Any]:
    """The open model: $1.25, $4.25, 88 % off on cache hits, 142.9 tok/s, index 39."""
    return {
        "id": OPEN_ID,
        "slug": "muse-spark-open",
        "name": "Muse Spark Open",
        "shortName": "Muse Spark Open",
        "releaseDate": "2026-10-15",
        "deprecated": False,
        "modelCreatorId": "m",
        "modelCreatorName": "Meta",
        "isOpenWeights": True,
        "isReasoning": True,
        "contextWindowTokens": 1000000,
        "sizeClass": "Large",
        "licenseName": "Muse Model License",
        "intelligenceIndex": 39.0,
        "intelligenceIndexIsEstimated": False,
        "intelligenceIndexCostPerTask": {"cost": {"total": 0.84, "input": 0.3}},
        "price1mInputTokens": 1.25,
        "price1mOutputTokens": 4.25,
        "cacheHitPrice": 0.15,
        "cacheHitDiscountPercent": 0.88,
        "price1mBlended7To2To1": 0.78,
        "price1mBlended3To1": None,
        "medianOutputTokensPerSecond": 142.9,
        "medianTimeToFirstTokenSeconds": 0.76,
        "totalParameters": 816000000000,
        "activeParameters": 42000000000,
        **other,
    }


def muse_spark_closed(**other: Any) -> dict[str, Any]:
    """The closed 1.3: the same list price, index 62."""
    closed = {"id": CLOSED_ID, "slug": "muse-spark-1-3", "name": "Muse Spark 1.3 (max)", "isOpenWeights": False, "intelligenceIndex": 62.0}
    return muse_spark_open(**{**closed, "releaseDate": "2026-09-02", "totalParameters": None, "activeParameters": None, **other})
