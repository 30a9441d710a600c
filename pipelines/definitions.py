"""The Dagster shell: one in-process job, one daily UTC schedule, everything else in plain functions.

dagster dev -w workspace.yaml      or      dg dev
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import dagster as dg

from pipelines.assets import all_assets
from pipelines.heartbeat import beating
from pipelines.refresh import Refresh, RefreshOptions, opened
from pipelines.settings import Settings, SettingsError, load_settings
from pipelines.warehouse import ASIDE, WAREHOUSE, DatabaseError

JOB = "refresh"
CRON = "17 5 * * *"


@contextlib.contextmanager
def running(settings: Settings, options: RefreshOptions) -> Iterator[Refresh]:
    """The run every asset works in: the lake locked, the warehouse open, the heartbeat told."""
    with beating(settings.heartbeat_url) as beat, opened(settings, options) as run:
        yield run
        beat.succeeded = run.published and not run.failed_tables


@dg.resource
@contextlib.contextmanager
def scheduled_run(_context: dg.InitResourceContext) -> Iterator[Refresh]:
    """The run of a job that the scheduler or the page of Dagster starts."""
    with running(load_settings(), RefreshOptions()) as run:
        yield run


def build_defs(refresh: dg.ResourceDefinition = scheduled_run) -> dg.Definitions:
    """The whole graph."""
    job = dg.define_asset_job(
        JOB, selection=dg.AssetSelection.all(), executor_def=dg.in_process_executor, description="Fetch every source, rebuild every table, publish"
    )
    schedule = dg.ScheduleDefinition(name="daily", job=job, cron_schedule=CRON, execution_timezone="UTC", default_status=dg.DefaultScheduleStatus.RUNNING)
    return dg.Definitions(assets=all_assets(), jobs=[job], schedules=[schedule], resources={"refresh": refresh}, executor=dg.in_process_executor)


defs = build_defs()


@contextlib.contextmanager
def _instance() -> Iterator[dg.DagsterInstance]:
    home = os.environ.get("DAGSTER_HOME")
    try:
        instance = dg.DagsterInstance.get() if home else dg.DagsterInstance.ephemeral()
    except dg.DagsterError as why:
        raise SettingsError([f"DAGSTER_HOME cannot be used ({why}). Set it to a folder that exists, by its absolute path, or leave it out."]) from why
    with instance:
        yield instance


def run_job(settings: Settings, options: RefreshOptions) -> Refresh:
    """Run the job in this process, as the schedule does. Runs are kept in DAGSTER_HOME where that is set.

    Where the warehouse was found damaged on the way, and so set aside, the job is run once more on one made from the lake.
    Raises LakeError, Busy, DatabaseError, and SettingsError where DAGSTER_HOME cannot be used.
    """
    warehouse = settings.lake / WAREHOUSE
    try:
        run = _run(settings, options)
    except DatabaseError:
        if warehouse.exists():
            raise
    else:
        if warehouse.exists():
            return run
    run = _run(settings, options)
    run.warehouse.notes.insert(0, f"The warehouse was found damaged; it was set aside as {ASIDE} and was made anew from the lake.")
    return run


def _run(settings: Settings, options: RefreshOptions) -> Refresh:
    with _instance() as instance, running(settings, options) as run:
        job = build_defs(dg.ResourceDefinition.hardcoded_resource(run)).resolve_job_def(JOB)
        quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
        result = job.execute_in_process(run_config=quiet, instance=instance, raise_on_error=False)
        for event in result.filter_events(lambda e: e.is_step_failure):
            error = event.step_failure_data.error
            run.failed_steps[str(event.step_key)] = (error.cause or error).message.strip() if error else "no reason given"
        return run
