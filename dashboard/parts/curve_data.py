"""What a chart of curves is drawn from: workloads, measured points, and the mart's own curve at many speeds."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from dashboard import data
from dashboard.parts.trust import name

Row = data.Row

STEPS = 60
KINDS = {
    "median_tpot": "median speed",
    "p90_itl": "P90 speed",
    "e2e_normalised": "end-to-end speed",
    "tpot_p50": "median speed",
    "tpot_mean": "mean speed",
    "given": "speed as given",
}
SCENARIOS = {"agentic_traces": "agentic traces", "aa_agentperf": "AA-AgentPerf traces", "fixed_length": "fixed lengths"}


@dataclass(frozen=True)
class Workload:
    """Points that may stand on one chart: one source, workload, kind of speed and kind of acceptance."""

    source: str
    origin: str
    scenario: str
    isl: int | None
    osl: int | None
    interactivity_kind: str | None
    synthetic_acceptance: bool | None

    @property
    def label(self) -> str:
        """In words."""
        lengths = f" {self.isl}/{self.osl}" if self.isl else ""
        accepted = {True: ", simulated acceptance", False: "", None: ""}[self.synthetic_acceptance]
        speed = KINDS.get(self.interactivity_kind or "", "speed not said")
        hand = ", entered by hand" if self.origin == "curated" else ""
        who = "Publications" if self.origin == "curated" else name(self.source)
        return f"{who}: {SCENARIOS.get(self.scenario, self.scenario)}{lengths}, {speed}{accepted}{hand}"

    def where(self, table: str = "") -> str:
        """SQL that holds for the points of this workload, its parameters being `values`."""
        return " AND ".join(f"{table}{column} IS NOT DISTINCT FROM ?" for column in self.__dataclass_fields__)

    @property
    def values(self) -> list[object]:
        """The parameters of `where`."""
        return [getattr(self, column) for column in self.__dataclass_fields__]


def models(as_of: dt.date | None) -> list[str]:
    """Keys of the models with measured points: those on AgentPerf traces first, the newest first."""
    found = data.rows(
        """SELECT model_key, bool_or(scenario <> 'fixed_length') AS agentic, max(valid_from) AS newest, count(DISTINCT accelerator) AS accelerators
           FROM operating_points WHERE total_tok_s_gpu > 0 AND interactivity_tok_s > 0
           GROUP BY 1 ORDER BY agentic DESC, accelerators DESC, newest DESC, 1 LIMIT 500""",
        as_of=as_of,
    )
    return [r["model_key"] for r in found]


def workloads(model: str, as_of: dt.date | None) -> dict[str, Workload]:
    """The workloads a model was measured under, by label: those measured by an evaluator on most accelerators first."""
    columns = ", ".join(Workload.__dataclass_fields__)
    found = data.rows(
        f"""SELECT {columns} FROM operating_points WHERE model_key = ? AND total_tok_s_gpu > 0 AND interactivity_tok_s > 0 GROUP BY {columns}
            ORDER BY bool_or(provenance = 'evaluator_measured') DESC, any_value(scenario) = 'fixed_length',
                     count(DISTINCT accelerator) DESC, count(*) DESC, {columns} LIMIT 60""",
        [model],
        as_of,
    )
    return {w.label: w for w in (Workload(**r) for r in found)}


def points(model: str, workload: Workload, basis: str, as_of: dt.date | None) -> list[Row]:
    """The measured points with their costs, and whether each is on its frontier."""
    return data.rows(
        f"""SELECT p.*, f.point_id IS NOT NULL AS on_frontier, c.usd_mtok_total, c.usd_mtok_generated, c.usd_gpu_h
            FROM operating_points p
            LEFT JOIN frontier_points f ON f.point_id = p.point_id AND f.source = p.source AND f.origin = p.origin
            LEFT JOIN unit_costs c ON c.point_id = p.point_id AND c.source = p.source AND c.origin = p.origin AND c.price_basis = ?
            WHERE p.model_key = ? AND p.total_tok_s_gpu > 0 AND p.interactivity_tok_s > 0 AND {workload.where("p.")}
            ORDER BY p.accelerator, p.precision, p.interactivity_tok_s LIMIT 3000""",
        [basis, model, *workload.values],
        as_of,
    )


def curve(model: str, workload: Workload, basis: str, cost_of: str, found: list[Row], as_of: dt.date | None) -> list[Row]:
    """The frontier at many speeds, as the mart works it out: from a little below the slowest point to a little above the fastest."""
    on = sorted({p["interactivity_tok_s"] for p in found if p["on_frontier"]})
    if not on:
        return []
    low, high = 0.85 * on[0], 1.1 * on[-1]
    speeds = sorted({*on, *(low + (high - low) * n / STEPS for n in range(STEPS + 1))})
    return data.costs_at(speeds, f"model_key = ? AND {workload.where()}", [model, *workload.values], basis=basis, cost_of=cost_of, as_of=as_of)


def at_speeds(model: str, workload: Workload, basis: str, cost_of: str, as_of: dt.date | None) -> list[Row]:
    """The published costs at the target speeds, and those that publishers state."""
    return data.rows(
        f"""SELECT * FROM cost_at_interactivity
            WHERE model_key = ? AND price_basis = ? AND cost_of = ? AND method <> 'stated' AND {workload.where()}
            ORDER BY interactivity_tok_s, accelerator, precision""",
        [model, basis, cost_of, *workload.values],
        as_of,
    )
