"""The Dagster asset checks: what validation found, shown. None of them blocks; the pipeline itself holds bad data back."""

from __future__ import annotations

import dagster as dg

from pipelines.refresh import SourceReport
from pipelines.sources.base import GOOD_OUTCOMES

SNAPSHOTS_GOOD = "snapshots_good"
BUILT = "built"


def source_check(name: str) -> dg.AssetCheckSpec:
    """Whether every snapshot of a source ended well."""
    return dg.AssetCheckSpec(SNAPSHOTS_GOOD, asset=name, description="Every resource was fetched, valid and comparable with its last accepted snapshot")


def source_result(report: SourceReport) -> dg.AssetCheckResult:
    """What a source's run came to."""
    return dg.AssetCheckResult(
        check_name=SNAPSHOTS_GOOD,
        passed=report.outcome in GOOD_OUTCOMES and not report.problems,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={"outcome": report.outcome, "problems": report.problems, "warnings": [w for s in report.snapshots for w in s.warnings]},
    )


def table_check(name: str) -> dg.AssetCheckSpec:
    """Whether a published table could be built."""
    return dg.AssetCheckSpec(BUILT, asset=name, description="The table was built in this run; otherwise its former rows stay, marked stale")


def table_result(failure: str | None) -> dg.AssetCheckResult:
    """Whether it was, and why not."""
    return dg.AssetCheckResult(check_name=BUILT, passed=failure is None, severity=dg.AssetCheckSeverity.WARN, metadata={"failure": failure or "none"})
