"""From the places where thresholds are written to one draft for each gate: its class, metric, value, operator, identity."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal

from pipelines.sources.sglang.gates.bindings import Function, Index
from pipelines.sources.sglang.gates.classes import Reach
from pipelines.sources.sglang.gates.model import ACCEPT_RATE, ACCURACY
from pipelines.sources.sglang.gates.sites import Site
from pipelines.sources.sglang.gates.source import Source
from pipelines.sources.sglang.gates.uses import Use
from pipelines.sources.sglang.gates.values import Value, number_of


@dataclass
class Draft:
    """A threshold that is a gate of a test class (None where the file does not tell of which).

    `functions` are the tests that compare it; `threshold` is in the metric's unit.
    """

    site: Site
    cls: ast.ClassDef | None
    metric: str
    threshold: float | None
    threshold_text: str
    threshold_source: str
    operator: str | None
    functions: list[Function]
    identity: list[str | None] = field(default_factory=list)


@dataclass
class Drafting:
    """Turns sites into drafts; what is left out or kept as text is told in `problems`."""

    index: Index
    uses: list[Use]
    reach: Reach
    source: Source
    problems: list[str]

    def drafts(self, sites: list[Site]) -> list[Draft]:
        """One draft for each threshold and test class; a value that only repeats another threshold joins it."""
        by_key = {s.key: s for s in sites if s.key is not None}
        handed_on = {s.refers for s in sites if s.entry is not None and s.model is not None and s.refers in by_key}
        found: list[Draft] = []
        for site in sites:
            if site.key is not None and site.key in handed_on:
                continue
            target = by_key.get(site.refers) if site.refers else None
            if target is not None and target is not site:
                if site.entry is None or site.model is None:
                    target.dataset = target.dataset or site.dataset
                    continue
                site.anchors += target.anchors
            found += self._of_site(site)
        return found

    def _of_site(self, site: Site) -> list[Draft]:
        value = self._value(site)
        if value.kind == "lookup" and site.place.functions:
            return []
        written = " | ".join(self.source.words(v) for v in site.values if hasattr(v, "lineno"))
        where = f"line {getattr(site.anchors[0], 'lineno', 0)}: {site.name or 'a number'}"
        if value.number is None:
            self.problems.append(f"{where} is no number that stands in the file ({written or 'changed in place'}); kept as text")
        name = site.name if site.key or site.entry is None else None
        found = []
        classes: list[ast.ClassDef | None] = [*self.reach.classes(site.place, name)] or [None]
        for cls in classes:
            fitting = [u for u in self.uses if _is_use_of(u, site, cls)]
            metric = site.metric or next((u.metric for u in fitting if u.metric), None) or _metric_by_value(value)
            if metric is None:
                self.problems.append(f"{where} = {written} is a threshold of no metric this reader knows; left out")
                return []
            threshold = _in_unit(value.number, metric)
            if threshold is None and value.number is not None:
                self.problems.append(f"{where} = {written} is no share; kept as text")
            functions = list(dict.fromkeys(u.place.functions[0] for u in fitting if u.place.functions))
            found.append(Draft(site, cls, metric, threshold, written, value.kind, fitting[0].operator if fitting else None, functions))
        return found

    def _value(self, site: Site) -> Value:
        if len(site.values) != 1:
            return Value(None, "non_literal")
        return number_of(site.values[0], lambda n: self.index.find(n, site.place))


def _is_use_of(use: Use, site: Site, cls: ast.ClassDef | None) -> bool:
    if site.measured is not None:
        return use.measured is site.measured and use.threshold is site.values[0]
    if use.place.cls is not None and cls is not None and use.place.cls is not cls and site.place.cls is not None:
        return False
    return site.name in use.names or (site.key is not None and site.key[1] in use.names)


def _metric_by_value(value: Value) -> str | None:
    """A plain `threshold` between 0 and 1 in a file of accuracy gates is one of accuracy."""
    return ACCURACY if value.number is None or 0 < value.number <= 1 else None


def _in_unit(number: Decimal | None, metric: str) -> float | None:
    """The number as a share for accuracies (files write shares or per cent), as it stands otherwise; None where it can be neither."""
    if number is None:
        return None
    if metric not in (ACCURACY, ACCEPT_RATE):
        return float(number)
    share = number / Decimal(100) if number > 1 else number
    return float(share) if 0 <= share <= 1 else None


def identify(file_name: str, drafts: list[Draft]) -> None:
    """Fill in what makes each gate itself.

    That is file name, class, metric and, in a list, the model: what a move of the file, another threshold and other
    evidence leave alone. Where two gates share all of these, variant, data set, name and tests tell them apart.
    """
    for draft in drafts:
        model = draft.site.model if draft.site.entry is not None else None
        draft.identity = [file_name, draft.cls.name if draft.cls else None, draft.metric, model]
    tell_apart: list[Callable[[Draft], str | None]] = [
        lambda d: d.site.variant,
        lambda d: d.site.dataset,
        lambda d: d.site.name,
        lambda d: ", ".join(f.name for f in d.functions),
    ]
    for more in tell_apart:
        count = Counter(tuple(d.identity) for d in drafts)
        for draft in drafts:
            if count[tuple(draft.identity)] > 1:
                draft.identity = [*draft.identity, more(draft)]
    seen: Counter[tuple[str | None, ...]] = Counter()
    for draft in drafts:
        seen[tuple(draft.identity)] += 1
        if (number := seen[tuple(draft.identity)]) > 1:
            draft.identity = [*draft.identity, str(number)]
