"""What renting costs against owning, by the database's own formulas: for a published comparison and for a reader's own mix."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from dashboard import data

Row = data.Row


@dataclass(frozen=True)
class Mix:
    """Shares of cached input, other input and generated tokens; they add up to 1."""

    cached: float
    new: float
    generated: float

    @classmethod
    def of(cls, cached: float, new: float, generated: float) -> Mix:
        """From any three amounts, of which at least one is above 0."""
        total = cached + new + generated
        return cls(cached / total, new / total, generated / total)


@dataclass(frozen=True)
class Load:
    """How the hardware is run: share of time busy (above 0, up to 1), and what comes on top of the price of an hour."""

    busy_share: float
    overhead_share: float


def comparisons(model: str, as_of: dt.date | None) -> list[Row]:
    """Published comparisons of a model on busy hardware, measured or stated costs before interpolated ones."""
    return data.rows(
        """SELECT * FROM rent_vs_own WHERE model_key = ? AND busy_share = 1 AND method <> 'clamped'
           ORDER BY origin = 'curated', own_usd_mtok, own_interactivity_tok_s, price_basis LIMIT 5000""",
        [model],
        as_of,
    )


def steps(chosen: Row, as_of: dt.date | None) -> dict[tuple[str, float], Row]:
    """All rows of one cost at one speed, by price basis and share of time busy."""
    found = data.rows(
        "SELECT * FROM rent_vs_own WHERE comparable_set = ? AND own_interactivity_tok_s = ? AND overhead_share = 0",
        [chosen["comparable_set"], chosen["own_interactivity_tok_s"]],
        as_of,
    )
    return {(r["price_basis"], r["busy_share"]): r for r in found}


def models(as_of: dt.date | None) -> list[str]:
    """Keys of the models with a comparison: those that compare like with like first."""
    return [
        r["model_key"]
        for r in data.rows(
            "SELECT model_key FROM rent_vs_own GROUP BY 1 ORDER BY count(ratio_same_split) > 0 DESC, count(DISTINCT accelerator) DESC, 1 LIMIT 500", as_of=as_of
        )
    ]


def own_mix(chosen: Row, mix: Mix, load: Load) -> Row:
    """Renting and owning for a mix and a load: `rent`, `own`, `own_by_generated`, `ratio`, `ratio_by_generated`, `flips_at`, all in USD per M tokens.

    `own` takes each token to cost what a token of the measured run costs; `own_by_generated` takes the hardware's time
    to go with the generated tokens alone. `flips_at` is the share of time busy at which renting and owning cost the same.
    """
    return data.one(
        """WITH sides AS (
             SELECT tracker.main.rent_usd_mtok($cached, $new, $generated, $cached_price, $input_price, $output_price) AS rent,
                    tracker.main.at_load($own, $busy, $overhead) AS own,
                    tracker.main.at_load($own / nullif($run_generated, 0) * $generated, $busy, $overhead) AS own_by_generated,
                    tracker.main.at_load($own, 1, $overhead) AS own_at_full_load)
           SELECT *, rent / own AS ratio, rent / own_by_generated AS ratio_by_generated, own_at_full_load / rent AS flips_at FROM sides""",
        {
            **_rented(chosen, mix),
            "own": chosen["own_usd_mtok"],
            "run_generated": chosen["output_share"],
            "busy": load.busy_share,
            "overhead": load.overhead_share,
        },
    )


def _rented(row: Row, mix: Mix) -> Row:
    """What renting is worked out from; a price of cached input that is not listed counts only where there is cached input."""
    return {
        "cached": mix.cached,
        "new": mix.new,
        "generated": mix.generated,
        "cached_price": row["hosted_cached_input_usd_mtok"] if mix.cached else 0.0,
        "input_price": row["hosted_input_usd_mtok"],
        "output_price": row["hosted_output_usd_mtok"],
    }


def by_load(chosen: list[Row], mix: Mix, overhead_share: float) -> list[Row]:
    """Renting as a multiple of owning for each share of time busy from 5 to 100 %, for each of the rows' price bases."""
    found = []
    for row in chosen:
        found += data.rows(
            """SELECT $basis AS price_basis, busy / 100.0 AS busy_share,
                      tracker.main.rent_usd_mtok($cached, $new, $generated, $cached_price, $input_price, $output_price)
                        / tracker.main.at_load($own, busy / 100.0, $overhead) AS ratio
               FROM range(5, 101, 5) AS loads(busy)""",
            {
                **_rented(row, mix),
                "basis": row["price_basis"],
                "own": row["own_usd_mtok"],
                "overhead": overhead_share,
            },
        )
    return found
