"""The sections of a curated file: which fields an entry has, and the row it makes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pipelines import names
from pipelines.schema import DATE, INT, REAL, TEXT, Table, canonical_json, content_id
from pipelines.sources.curated import units
from pipelines.sources.curated.fields import ENTRIES, MAP, URL, Field, of_column
from pipelines.sources.curated.reading import unknown
from pipelines.tables import TABLES
from pipelines.tables.common import BOUNDS, EXTRA, FACT, PROVENANCES, PUBLISHED, QUALIFIERS

# What an entry of any section may say besides; the first four stand for the whole file where the header gives them.
COMMON = (
    Field("provenance", TEXT, "Who stands behind the figure", one_of=tuple(sorted(PROVENANCES))),
    Field("url", URL, "Public page that holds the figure"),
    Field("via", TEXT, "Who passed the figure on, where it came second-hand"),
    Field("interest", TEXT, "What the publisher stands to gain"),
    Field("stated_date", TEXT, "The publication's own words for the date, where they are vague or disputed"),
    Field("date", DATE, "Since when the figure stood; the publication's date where not given"),
    Field("until", DATE, "Until when it stood, where it was taken back without another in its place"),
    Field("qualifier", TEXT, "Whether the publisher states it as exact, about or up to", one_of=tuple(sorted(QUALIFIERS))),
    Field("bound", TEXT, "Whether it is a ceiling or a floor of what the system can do", one_of=tuple(sorted(BOUNDS))),
    Field("note", TEXT, "What else is worth knowing of the figure, in your own words"),
)
_SET_BY_THE_READER = {c.name for c in (*FACT, *PUBLISHED, EXTRA)}


class Misfit(ValueError):
    """Fields that are right each by itself but not together. `field` is the one to blame."""

    def __init__(self, field: str, what: str):
        super().__init__(what)
        self.field = field


@dataclass(frozen=True)
class Row:
    """What an entry makes: columns, what else to keep in `extra`, accelerator names the reference lacks."""

    columns: dict[str, Any]
    extra: dict[str, Any]
    unmatched: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """A section: one history table, fields that fill its columns as they are (`taken`), others (`own`)."""

    table: Table
    without: tuple[str, ...]
    own: tuple[Field, ...]
    build: Callable[[dict[str, Any], str], Row]
    may_lack: tuple[str, ...] = ()

    @cached_property
    def taken(self) -> tuple[Field, ...]:
        columns = [c for c in self.table.columns if c.name not in _SET_BY_THE_READER and c.name not in self.without]
        return tuple(of_column(c, required=False if c.name in self.may_lack else None) for c in columns)

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        """Every field an entry may have, by name; a caveat is no figure, so how firmly it is stated is no question."""
        common = [f for f in COMMON if self.table.name != "caveats" or f.name not in ("qualifier", "bound")]
        return {f.name: f for f in (*self.taken, *self.own, *common)}


def _accelerator(values: dict[str, Any], *named_in: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Accelerator and vendor by the reference, from the first of the fields that is given."""
    text = next((values[f] for f in named_in if f in values), None)
    known = names.accelerator(text)
    if known:
        return {"accelerator": known.name, "vendor": values.get("vendor", known.vendor)}, ()
    return {"accelerator": values.get("accelerator"), "vendor": values.get("vendor")}, (text,) if text else ()


def _in_unit(values: dict[str, Any], what: str, known: Mapping[str, Any]) -> Any:
    if values["unit"] not in known:
        raise Misfit("unit", unknown(values["unit"], known, f"unit of {what}"))
    return known[values["unit"]]


def _result(v: dict[str, Any], publication: str) -> Row:
    value = units.times(v["value"], _in_unit(v, v["metric"], units.METRICS[v["metric"]]))
    level = (v.get("slo_p25_tok_s"), v.get("slo_p95_ttft_s"))
    tier = level if any(n is not None for n in level) else (v.get("slo_label"),)
    placed, unmatched = _accelerator(v, "accelerator", "system")
    published = {"value": v["value"], "unit": v["unit"], **({"metric": v["published_metric"]} if "published_metric" in v else {})}
    identity = content_id("curated", publication, v["model"], v["system"], *tier, v["metric"])
    columns = {k: x for k, x in v.items() if k not in ("unit", "published_metric")}
    return Row({**columns, **placed, "result_id": identity, "value": value}, {"published": published}, unmatched)


def _model(v: dict[str, Any], publication: str) -> Row:
    return Row({"model_id": f"curated:{v.get('slug', v['name'])}", **v}, {})


_POINT_WORKLOAD = ("scenario", "dataset", "isl", "osl", "concurrency")
_POINT_DEPLOYMENT = ("framework", "precision", "accelerators", "nodes", "tp", "ep", "dp", "kv_offload")


def _point(v: dict[str, Any], publication: str) -> Row:
    placed, unmatched = _accelerator(v, "accelerator")
    identity = content_id("curated", publication, placed["accelerator"], *(v.get(k) for k in ("model", *_POINT_WORKLOAD, *_POINT_DEPLOYMENT)))
    return Row({"status": "active", "cache_hit_kind": "missing", **v, **placed, "point_id": identity}, {}, unmatched)


def _price(v: dict[str, Any], publication: str) -> Row:
    if ("price" in v) == ("low" in v or "high" in v):
        raise Misfit("price", "give either price, or low and high")
    if ("low" in v) != ("high" in v):
        raise Misfit("low", "a range has low and high")
    unit, factor = _in_unit(v, "prices", units.PRICES)
    low, high = (units.times(v[end if end in v else "price"], factor) for end in ("low", "high"))
    known = names.accelerator(v["item"])
    columns = {k: x for k, x in v.items() if k not in ("price", "low", "high", "unit")}
    placed = {"item": known.name if known else v["item"], "vendor": v.get("vendor", known.vendor if known else None)}
    unmatched = (v["item"],) if not known and unit == "usd_gpu_h" else ()
    return Row({**columns, **placed, "low": low, "high": high, "unit": unit}, _published_if_other(v, ("price", "low", "high"), factor), unmatched)


def _published_if_other(v: dict[str, Any], fields: tuple[str, ...], factor: Any) -> dict[str, Any]:
    return {} if factor == 1 else {"published": {k: v[k] for k in (*fields, "unit") if k in v}}


def _power(v: dict[str, Any], publication: str) -> Row:
    factor = _in_unit(v, "power", units.KILOWATTS) / v.get("accelerators", 1)
    placed, unmatched = _accelerator(v, "accelerator")
    kw, kw_high = (units.times(v[end], factor) if end in v else None for end in ("value", "high"))
    columns = {k: x for k, x in v.items() if k not in ("value", "high", "unit", "accelerators")}
    extra = _published_if_other(v, ("value", "high", "accelerators"), factor)
    return Row({**columns, **placed, "kw": kw, "kw_high": kw_high}, extra, unmatched)


def _cost(v: dict[str, Any], publication: str) -> Row:
    placed, unmatched = _accelerator(v, "accelerator")
    return Row({**v, **placed}, {}, unmatched)


def _methodology(v: dict[str, Any], publication: str) -> Row:
    facts = {k: x for k, x in v.items() if k not in {f.name for f in COMMON}}
    columns = {**v, **({"tiers": canonical_json(v["tiers"])} if "tiers" in v else {})}
    return Row({**columns, "text_sha256": hashlib.sha256(canonical_json(facts).encode()).hexdigest()}, {})


def _fact(v: dict[str, Any], publication: str) -> Row:
    if ("value" in v) != ("unit" in v):
        raise Misfit("unit", "a number and its unit go together")
    return Row({**{k: x for k, x in v.items() if k != "text"}, "value_text": v["text"]}, {})


def _subset(v: dict[str, Any], publication: str) -> Row:
    placed, unmatched = _accelerator(v, "accelerator")
    return Row({**v, "accelerator": placed["accelerator"]}, {}, unmatched)


def _caveat(v: dict[str, Any], publication: str) -> Row:
    if v["table"] not in TABLES:
        raise Misfit("table", unknown(v["table"], TABLES, "table"))
    texts = [c.name for c in TABLES[v["table"]].columns if c.metadata["kind"] == TEXT]
    for column, pattern in v["rows"].items():
        if column not in texts:
            raise Misfit("rows", unknown(column, texts, f"text column of {v['table']}"))
        if "&" in pattern or "=" in pattern:
            raise Misfit("rows", f"the pattern {pattern!r} may not hold & or =; put * in its place")
    pattern = "&".join(f"{column}={v['rows'][column]}" for column in sorted(v["rows"]))
    period = {f"period_{end}": v[end].isoformat() if end in v else None for end in ("from", "to")}
    identity = content_id("curated", publication, v["table"], pattern, *period.values(), v["text"])
    columns = {k: x for k, x in v.items() if k not in ("table", "rows", "from", "to")}
    return Row({**columns, **period, "caveat_id": identity, "table_name": v["table"], "key_pattern": pattern}, {})


_VALUE = Field("value", REAL, "The figure as published", "see unit", required=True)
_TIER_FIELDS = {
    "model": Field("model", TEXT, "Model the tier is for"),
    "p25_tok_s": Field("p25_tok_s", REAL, "Least 25th-percentile output speed", "tok/s per user", required=True, minimum=0),
    "p95_ttft_s": Field("p95_ttft_s", REAL, "Greatest 95th-percentile time to first token", "s", minimum=0),
}
NESTED: Mapping[str, Mapping[str, Field]] = {"tiers": _TIER_FIELDS}

SECTIONS: Mapping[str, Section] = {
    s.table.name: s
    for s in (
        Section(
            TABLES["agentperf_results"],
            ("result_id", "value"),
            (
                _VALUE,
                Field("unit", TEXT, "Unit the figure is published in, such as agents/MW, agents/kW or tokens/h/GPU", required=True),
                Field("published_metric", TEXT, "The publisher's own name of the metric, where it is another"),
            ),
            _result,
        ),
        Section(TABLES["models"], (), (), _model, may_lack=("model_id",)),
        Section(TABLES["operating_points"], ("point_id", "match", "notes"), (), _point, may_lack=("status", "cache_hit_kind")),
        Section(TABLES["stated_costs"], (), (), _cost),
        Section(
            TABLES["prices"],
            ("low", "high", "unit"),
            (
                Field("price", REAL, "The price; or a range by low and high", "see unit", minimum=0),
                Field("low", REAL, "Low end of a range", "see unit", minimum=0),
                Field("high", REAL, "High end of a range", "see unit", minimum=0),
                Field("unit", TEXT, "USD/GPU-hour, USD/Mtok, ratio or percent", required=True),
            ),
            _price,
        ),
        Section(
            TABLES["accelerator_power"],
            ("kw", "kw_high"),
            (
                Field("value", REAL, "The power, or the low end of its range", "see unit", required=True, minimum=0),
                Field("high", REAL, "High end of the range", "see unit", minimum=0),
                Field("unit", TEXT, "kW or W", required=True),
                Field("accelerators", INT, "How many accelerators the power is of; 1 where not given", "count", minimum=1),
            ),
            _power,
        ),
        Section(
            TABLES["methodologies"],
            ("text_sha256", "tiers"),
            (Field("tiers", ENTRIES, "Service-level tiers, each with model, p25_tok_s and p95_ttft_s"),),
            _methodology,
        ),
        Section(
            TABLES["model_facts"],
            ("value", "value_text"),
            (
                Field("value", REAL, "The fact as a number, where it is one", "see unit"),
                Field("text", TEXT, "The fact in your own words", required=True),
            ),
            _fact,
        ),
        Section(TABLES["published_subsets"], (), (), _subset),
        Section(
            TABLES["caveats"],
            ("caveat_id", "table_name", "key_pattern", "period_from", "period_to"),
            (
                Field("table", TEXT, "Table of the figures it applies to", required=True),
                Field("rows", MAP, "Which rows: column and text each, * as wildcard", required=True),
                Field("from", DATE, "First day the caveat applies to"),
                Field("to", DATE, "Last day the caveat applies to"),
            ),
            _caveat,
        ),
    )
}
