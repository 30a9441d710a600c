"""The cookbook's JavaScript: literals, configs, benchmark rows and AgentX cells."""

from __future__ import annotations

import json
import re

from pipelines.sources.base import Bundle
from pipelines.sources.sglang.source import SGLang
from tests.fuzz.readers.base import Reader
from tests.fuzz.readers.sglang_sets import set_of
from tests.fuzz.spoiling import ODD_TEXTS, Spoiler
from tests.shared import SHARED
from tests.unit.sglang.fake_github import DOCS, benchmarks, entry
from tests.unit.sglang.test_agentx import CELL
from tests.unit.sglang.test_benchmark_rows import MUSE

CONFIG = """export const config = { modelName: "Muse Spark Open", latencyPercentile: "p95", dockerImages: { gb300: "lmsysorg/sglang:v0.5.21", "b300|nvfp4": `x` },
  overlayDims: [ { id: "spec", options: [ { id: "mtp", stripPrefixes: ["--speculative"], flags: ["--speculative-algorithm NEXTN"] }, { id: "x", flags: (c) => ["--tp 4"] } ] } ],
  cells: [
    { match: { hw: "gb300", quant: "nvfp4", nodes: "single" }, flags: ["--tp 4", "--ep-size 4", "--enable-hierarchical-cache"], env: ["SGLANG_SIMULATE_ACC=3"], verified: true, nnodes: 1 },
    { match: { hw: "b300" }, flags: ["--tp=8 --pp-size 2", ...more], verificationStatus: "pending" },
  ] };
"""
AGENTX = (
    f"export const agentx = {json.dumps({'model': 'DeepSeek-V4.1', 'source': {'repo': 'https://github.com/SemiAnalysisAI/InferenceX'}, 'cells': [CELL]})};\n"
)
ROWS = (MUSE, benchmarks(entry(), entry("mi355x", 127, 1), entry("b200", spec="mtp"), header="// tokens_per_sec_per_gpu counts output tokens\n"))
CAPTURED = tuple(p.read_text(encoding="utf-8") for p in sorted((SHARED / "captures" / "sglang").glob("*.jsx"))) if SHARED.exists() else ()
TOKENS = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|`[^`]*`|[\w$]+|\s+|.", re.DOTALL)
ODD = (
    *(json.dumps(t) for t in ODD_TEXTS),
    *(
        "1e999",
        "-1e999",
        "NaN",
        "Infinity",
        "0x" + "f" * 400,
        "9" * 5000,
        "1_0",
        "07",
        "1n",
        "9" * 400 + "n",
        "0b2",
        "1e-999",
        "-0",
        ".5",
        "5.",
        "1e400",
        "+1",
        "- -1",
        "0xg",
        "1__0",
    ),
    *(
        "null",
        "undefined",
        "true",
        "() => {}",
        "function(){}",
        "eval('x')",
        "process.exit(1)",
        "require('fs')",
        "import('x')",
        "`${1}`",
        "`a\\u{110000}`",
        '"\\ud800"',
        '"\\u{ffffffffff}"',
    ),
    *(
        "...x",
        "[x]:",
        "get a() {},",
        "a,",
        "__proto__:",
        "/*",
        "*/",
        "//",
        "<!--",
        "<a/>",
        "{}",
        "[]",
        "[,,]",
        "({})",
        "\n",
        "\u2028",
        "\x00",
        "#",
        "'",
        '"\\\n"',
        "'\\x4'",
        "'\\8'",
        "a\\u0041:",
    ),
    *(
        "gpus: 1e308,",
        "gpus: 0,",
        "gpus: -8,",
        "tokens_per_sec_per_gpu: 1e308,",
        "ttft_ms: 5e-324,",
        "tpot_ms: 0,",
        "isl: 1e300,",
        "osl: 0,",
        "max_concurrency: 1e20,",
        "match: {},",
        "speed: {},",
    ),
    *(
        'parallelism: "TP999999999999999999999 EP0 DP8",',
        'flags: ["--tp 99999999999999999999"],',
        "sglang_version: 5,",
        "prefix_cache_hit_pct: 1e300,",
        'measured_on: "2026-13-01",',
        "1e21:",
        "0x1f:",
    ),
)
FOLDER = f"{DOCS}/meta"


def spoilt(spoiler: Spoiler) -> Bundle:
    random = spoiler.random
    others = (*ROWS, CONFIG, AGENTX, *CAPTURED)

    def spoil(text: str) -> bytes:
        spoiled = spoiler.text(text, TOKENS, ODD, others) if random.random() < 0.9 else text
        return spoiler.data(spoiled.encode("utf-8", "surrogatepass"))

    rows = random.choice((*ROWS, *CAPTURED)) if random.random() < 0.5 else random.choice(ROWS)
    files = {f"{FOLDER}/muse-spark-open-benchmarks.jsx": spoil(rows)}
    if random.random() < 0.7:
        files[f"{FOLDER}/muse-spark-open.jsx"] = spoil(CONFIG)
    if random.random() < 0.3:
        files["docs/src/snippets/agentx/meta/muse.jsx"] = spoil(AGENTX)
    return set_of("cookbook", files, kind=random.choice(["tree", "commit"]))


READER = Reader("SGLang literals", SGLang(), spoilt)
