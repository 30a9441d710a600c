"""`views/options`: display names and database keys of models, and dollars per accelerator hour."""

from __future__ import annotations

from typing import Any

from pipelines.names import accelerator
from pipelines.schema import canonical_json
from pipelines.sources.base import Bundle, NoData, Parsed
from pipelines.sources.inferencex.wire import Odd, decode, number, objects, shares, text

SELLER = "SemiAnalysis TCO model"
BASES = {"h": "owning", "r": "rental"}


def display_names(options: dict[str, Any]) -> dict[str, str]:
    """Display name by database key, in the source's order; one name can have several keys."""
    found = {}
    for model in objects(options.get("models")):
        name, keys = text(model, "name"), model.get("dbKeys")
        for key in [keys] if isinstance(keys, str) else keys if isinstance(keys, list) else []:
            if name and isinstance(key, str):
                found[key] = name
    return found


def parse_options(bundle: Bundle) -> Parsed:
    """Prices per accelerator hour at both bases: owning at hyperscaler volume (`h`) and three-year rental (`r`).

    Raises Unreadable, or NoData where no hardware is priced.
    """
    hardware = objects(decode(bundle.body, dict, "options").get("hardware"))
    odd, unmatched, records = Odd(), set(), []
    for entry in hardware:
        key = text(entry, "key")
        cost = entry.get("costPerHour")
        if not key or not isinstance(cost, dict):
            continue
        known = accelerator(key)
        if known is None:
            unmatched.add(key)
        for letter, basis in BASES.items():
            price = number(cost, letter, odd)
            if price is None:
                continue
            if price <= 0:
                odd[f"`costPerHour.{letter}` is no price"] += 1
                continue
            records.append(
                {
                    "item": known.name if known else key,
                    "component": "gpu_hour",
                    "seller": SELLER,
                    "vendor": known.vendor if known else text(entry, "vendor"),
                    "price_basis": basis,
                    "low": price,
                    "high": price,
                    "unit": "usd_gpu_h",
                    "source": "inferencex",
                    "origin": "api",
                    "provenance": "derived",
                    "source_url": bundle.scope,
                    "extra": canonical_json({k: v for k, v in entry.items() if k not in ("key", "vendor") and v is not None}),
                }
            )
    if not records:
        raise NoData(f"No price per accelerator hour among {len(hardware)} accelerators.")
    return Parsed(
        rows={"prices": records},
        fields={"prices": shares(hardware, "costPerHour")},
        warnings=odd.sentences(),
        shape={"accelerators": len(hardware)},
        unmatched_names=sorted(unmatched),
    )
