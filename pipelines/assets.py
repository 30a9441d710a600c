"""The Dagster assets: one per source fetch, one per published table, and the published file. Each calls a plain function."""

from __future__ import annotations

import datetime as dt

import dagster as dg

from pipelines import marts
from pipelines.checks import source_check, source_result, table_check, table_result
from pipelines.refresh import Refresh
from pipelines.sources.base import Source
from pipelines.sources.registry import SOURCES
from pipelines.tables import TABLES

FRESH = dg.FreshnessPolicy.time_window(fail_window=dt.timedelta(hours=36))
PUBLISHED = "published"


def source_asset(source: Source) -> dg.AssetsDefinition:
    """Fetches one source and takes it into history; never raises for what the source does."""

    @dg.asset(
        name=source.name,
        group_name="sources",
        description=f"{source.title}: fetched, kept in the lake, validated, taken into history",
        check_specs=[source_check(source.name)],
        freshness_policy=FRESH,
    )
    def fetched(refresh: dg.ResourceParam[Refresh]) -> dg.MaterializeResult:
        report = refresh.run_source(source)
        metadata: dict[str, dg.MetadataValue | str | int | float] = {
            "outcome": report.outcome,
            "dagster/row_count": report.rows,
            "changed_rows": report.changed_rows,
            "seconds": round(report.seconds, 1),
        }
        return dg.MaterializeResult(metadata=metadata, check_results=[source_result(report)])

    return fetched


def table_asset(file: marts.SqlFile) -> dg.AssetsDefinition:
    """Builds one published table; a failed one keeps its former rows and is marked stale."""
    fed_by = [s.name for s in SOURCES.values() if file.name in s.tables or file.name not in TABLES] if file.is_history else []
    feeding = [*fed_by, *sorted(marts.dependencies()[file.name])]

    @dg.asset(
        name=file.name, group_name="history" if file.is_history else "marts", deps=feeding, description=file.heading, check_specs=[table_check(file.name)]
    )
    def built(refresh: dg.ResourceParam[Refresh]) -> dg.MaterializeResult:
        rows = refresh.build(file)
        return dg.MaterializeResult(metadata={"dagster/row_count": rows or 0}, check_results=[table_result(refresh.failed_tables.get(file.name))])

    return built


def published_asset() -> dg.AssetsDefinition:
    """Swaps in the published file."""

    @dg.asset(
        name=PUBLISHED,
        group_name="published",
        deps=[f.name for f in marts.sql_files()],
        description="The read-only file the dashboard and users query",
        freshness_policy=FRESH,
    )
    def swapped(refresh: dg.ResourceParam[Refresh]) -> dg.MaterializeResult:
        path = refresh.publish()
        return dg.MaterializeResult(metadata={"bytes": path.stat().st_size, "stale_tables": sorted(refresh.failed_tables)})

    return swapped


def alerts_asset() -> dg.AssetsDefinition:
    """Sends what was told and is due."""

    @dg.asset(name="alerts", group_name="published", deps=[PUBLISHED], description="Alerts on what a refresh told, once per event and channel")
    def sent(refresh: dg.ResourceParam[Refresh]) -> dg.MaterializeResult:
        refresh.send_alerts()
        return dg.MaterializeResult(metadata={"failures": refresh.alert_failures})

    return sent


def all_assets() -> list[dg.AssetsDefinition]:
    """Every asset of the graph."""
    return [*(source_asset(s) for s in SOURCES.values()), *(table_asset(f) for f in marts.sql_files()), published_asset(), alerts_asset()]
