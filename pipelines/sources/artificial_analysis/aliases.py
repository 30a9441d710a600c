"""What keys mean. Keys are compared without case, spaces and signs, so one entry serves camelCase and snake_case.

Model keys: the leaderboard of 2025-09 (snake_case), of 2026 (camelCase), JSON-LD and the data API v2. No key name of
the AgentPerf page is publicly known: its tables hold what the page could plausibly call things.
"""

from __future__ import annotations

# Objects that only group the members of a model record.
MODEL_GROUPS = frozenset({"pricing", "prices", "performance", "evaluations", "timescaledata", "metrics", "speed"})

# Column of `models` → keys in order of preference. A tuple of several is a path.
MODEL_KEYS: dict[str, tuple[tuple[str, ...], ...]] = {
    "model_id": (("id",),),
    "slug": (("slug",), ("modelslug",)),
    "name": (("name",),),
    "creator": (("modelcreatorname",), ("creatorname",), ("modelcreator", "name"), ("modelcreators", "name"), ("creator", "name"), ("creator",)),
    "release_date": (("releasedate",),),
    "open_weights": (("isopenweights",), ("openweights",)),
    "is_reasoning": (("isreasoning",), ("reasoningmodel",)),
    "deprecated": (("deprecated",), ("isdeprecated",)),
    "size_class": (("sizeclass",),),
    "total_parameters_b": (("totalparameters",), ("parameters",)),
    "active_parameters_b": (("activeparameters",), ("inferenceparametersactive",), ("activeparams",)),
    "license": (("licensename",),),
    "context_window_tokens": (("contextwindowtokens",), ("contextwindow",)),
    "intelligence_index": (("intelligenceindex",), ("artificialanalysisintelligenceindex",)),
    "index_version": (("intelligenceindexversion",),),
    "index_is_estimated": (("intelligenceindexisestimated",),),
    "input_usd_mtok": (("price1minputtokens",),),
    "output_usd_mtok": (("price1moutputtokens",),),
    "cached_input_usd_mtok": (("cachehitprice",), ("price1mcachehittokens",)),
    "cache_write_usd_mtok": (("cachewriteprice",), ("price1mcachewritetokens",)),
    "cache_discount_ratio": (("cachehitdiscountpercent",),),
    "blend_7_2_1_usd_mtok": (("price1mblended7to2to1",),),
    "blend_3_1_usd_mtok": (("price1mblended3to1",),),
    "output_tok_s": (("medianoutputtokenspersecond",), ("medianoutputspeed",)),
    "ttft_s": (("mediantimetofirsttokenseconds",), ("mediantimetofirstchunk",)),
    "index_usd_task": (
        ("intelligenceindexcostpertask", "cost", "total"),
        ("intelligenceindexcostpertask", "total"),
        ("intelligenceindexcostpertask",),
        ("costperintelligenceindextask",),
        ("artificialanalysisintelligenceindexcost", "costpertask", "totalcost"),
    ),
}

# A record with one of these says something of a model, not only who it is.
MODEL_FIGURES = frozenset(
    path[-1] if len(path) == 1 else path[0]
    for name in ("intelligence_index", "input_usd_mtok", "output_usd_mtok", "output_tok_s", "context_window_tokens", "index_usd_task")
    for path in MODEL_KEYS[name]
)

# A record with one of these is of a host's offer of a model.
OFFER_KEYS = frozenset({"hostid", "modelid", "hostapiid"})

INDEX_VERSION_KEYS = frozenset({"intelligenceindexversion", "artificialanalysisintelligenceindexversion", "indexversion"})

# Presentation, and what other columns say: not kept in `extra`.
UNKEPT_MODEL_KEYS = frozenset(
    {
        *("logo", "logosmall", "logourl", "logosmallurl", "color", "displayorder", "shortname", "nameandcreatorlabel", "modelurl", "hostsurl"),
        *("modelcreatorcolor", "modelcreatorlogo", "modelcreatorslug", "contextwindowformatted", "familyslugforordering", "createdat"),
    }
)

# Column of `agentperf_results` → keys in order of preference; of a path inside a record its ends are tried, longest first.
RESULT_KEYS: dict[str, tuple[str, ...]] = {
    "model": ("modelname", "model", "modeldisplayname", "modellabel", "modelshortname", "llm", "llmname"),
    "model_slug": ("modelslug",),
    "system": (
        *("systemname", "system", "acceleratorsystem", "acceleratorsystemname", "systemlabel", "systemdisplayname", "hardwaresystem"),
        *("hardwarename", "hardware", "platformname", "platform", "hardwarelabel"),
    ),
    "accelerator": (
        *("acceleratorname", "accelerator", "acceleratortype", "acceleratormodel", "acceleratorlabel", "acceleratorshortname"),
        *("gpuname", "gpu", "gputype", "gpumodel", "chipname", "chip", "chiptype"),
    ),
    "vendor": (
        *("acceleratorvendor", "acceleratorvendorname", "vendorname", "vendor", "acceleratormanufacturer", "manufacturer", "gpuvendor", "chipvendor"),
        *("hardwarevendor", "acceleratorvendorlabel"),
    ),
    "accelerators": (
        *("acceleratorcount", "acceleratorscount", "numaccelerators", "numberofaccelerators", "acceleratorsused", "accelerators"),
        *("gpucount", "numgpus", "numberofgpus", "gpusused", "gpus", "chipcount", "chips"),
    ),
    "configured_by": (
        *("configuredby", "configuredbyname", "configurationby", "configby", "tunedby", "submittedby", "submitter", "configurationsource", "configsource"),
        *("configurationprovider", "configprovider", "configurationconfiguredby", "configconfiguredby"),
    ),
    "is_by_vendor": ("vendorsubmitted", "isvendorsubmitted", "vendorconfigured", "isvendorconfigured", "configuredbyvendor", "vendortuned"),
    "verified_by": ("verifiedby", "runandverifiedby", "verifiedbyname", "runby", "testedby", "measuredby"),
    "config_id": ("configid", "configurationid", "servingconfigid", "servingconfigurationid", "configuuid", "configurationuuid"),
    "methodology": ("methodologyversion", "methodology", "methodologyname", "benchmarkversion", "agentperfversion"),
    "measured_on": (
        *("measuredon", "measuredat", "measurementdate", "datemeasured", "testedon", "testedat", "testdate", "rundate", "benchmarkdate", "benchmarkedon"),
        *("benchmarkedat", "date"),
    ),
    "slo_label": ("slolabel", "sloname", "slo", "tierlabel", "tiername", "tier", "slotier", "servicelevel", "servicelevelobjective", "sla", "slotitle"),
}

# Texts that name the measure of a `value` beside them, and the keys of such a value.
MEASURE_NAME_KEYS = ("metric", "metricname", "metrickey", "metriclabel", "metricid", "measure", "name", "label", "key", "view", "type")
UNIT_KEYS = ("unit", "units", "unittext", "unitlabel", "metricunit")
VALUE_KEYS = ("value", "metricvalue", "score", "result", "y")

# A part of the page that is not AA-AgentPerf (the older system load test), or is of the past.
OTHER_PARTS = frozenset({"slt", "loadtest", "load", "rental", "rentals", "price", "prices", "pricing", "history", "historical", "previous", "archive", "past"})

COMMAND_KEYS = ("command", "launchcommand", "servingcommand", "launchcommands", "servercommand", "cmd", "commands")
CONFIGURATION_KEYS: dict[str, tuple[str, ...]] = {
    "config_id": ("configid", "configurationid", "id", "uuid"),
    "title": ("title", "heading", "name", "configname"),
    "model": ("modelname", "model", "modeldisplayname", "modellabel"),
    "system": ("acceleratorsystem", "acceleratorsystemname", "systemname", "system", "hardware", "hardwarename"),
    "accelerator": RESULT_KEYS["accelerator"],
    "accelerators": RESULT_KEYS["accelerators"],
    "precision": ("precision", "quantization", "quantisation", "dtype", "weightprecision"),
    "framework": ("framework", "frameworkname", "servingframework", "engine", "inferenceengine", "servingstack"),
    "parallelism": ("parallelism", "parallelismstrategy", "parallelisation", "parallelization", "parallelismconfig"),
    "command": COMMAND_KEYS,
    "configured_by": RESULT_KEYS["configured_by"],
}
