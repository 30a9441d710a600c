"""Where Artificial Analysis publishes: addresses, and the resource each one is."""

from __future__ import annotations

from pipelines.site import LIVE

PUBLIC = LIVE["aa"]

LEADERBOARD = "/leaderboards/models"
DATACENTER = "/hardware-inference-stack/datacenter"
FORMER_DATACENTER = "/benchmarks/hardware"
CONFIGURATIONS = "/benchmarks/hardware/configs"
METHODOLOGY = "/methodology/agentperf"
MODEL_PAGES = "/models/"
API_MODELS = "/api/v2/language/models/free"
API_SCHEMA = "/api/v2/openapi"

RESOURCES = {
    LEADERBOARD: "leaderboard",
    DATACENTER: "datacenter",
    FORMER_DATACENTER: "datacenter",
    CONFIGURATIONS: "configurations",
    METHODOLOGY: "methodology",
    API_MODELS: "models_api",
    API_SCHEMA: "api_schema",
}


def scope_of(path: str) -> str:
    """The scope whose history a page's rows belong to. Results moved house once; both addresses are one scope."""
    return PUBLIC + (DATACENTER if path == FORMER_DATACENTER else path)


def model_page_resource(slug: str) -> str:
    """The resource that a model's page is, each on its own."""
    return f"model_page/{slug}"
