"""Files entered by hand."""

from __future__ import annotations

import re

from pipelines.sources.base import Bundle
from pipelines.sources.curated import SOURCE
from tests.fuzz.readers.base import AT, Reader, bundle_of
from tests.fuzz.spoiling import ODD_TEXTS, Spoiler
from tests.shared import ROOT
from tests.unit.curated.publications import HEADER, RESULT

FILES = tuple(p.read_text(encoding="utf-8") for p in sorted((ROOT / "data_lake" / "curated").glob("*.yaml")))
TOKENS = re.compile(r"\n[ \t]*(?:- )?|[\w./:%-]+|[ \t]+|.", re.DOTALL)
ODD = (
    *ODD_TEXTS,
    *(
        "&a ",
        "*a",
        "<<: *a",
        "!!python/object/apply:os.system ['touch x']",
        "!!binary aGk=",
        "!!timestamp 2026-01-01",
        "!x",
        "? ",
        ": ",
        "- ",
        "---\n",
        "...\n",
        "%YAML 1.1\n",
    ),
    *('"\\ud800"', '"\\x00"', '["\\udfff"]', '{"\\ud800": 1}'),
    *(
        "{",
        "}",
        "[",
        "]",
        "|",
        ">",
        "|2-",
        "# ",
        "\t",
        "'",
        '"',
        "0o17",
        "0b1",
        ".inf",
        "-.inf",
        ".nan",
        "1:30:45",
        "2026-10-15 10:00:00",
        "~",
        "<<: {a: 1}",
        "1e400",
        "- - - - - - -",
    ),
    *(
        "published: 2026-10-23\n",
        "publisher: x\n",
        "value: ",
        "unit: percent",
        "high: 1",
        "low: 9",
        "[[[[[[[[[[[[[[[[",
        "a: &x [*x, *x]",
        "&a [&b [*a]]",
        "\x85",
        "\x07",
        "9" * 400,
    ),
)


def spoilt(spoiler: Spoiler) -> Bundle:
    text = spoiler.random.choice([HEADER + RESULT, *FILES])
    spoiled = spoiler.text(text, TOKENS, ODD, FILES)
    name = spoiler.random.choice(["some-post.yaml"] * 20 + ["../x.yaml", "A.yaml", "\x00.yaml"])
    return bundle_of("curated", name, f"curated/{name}", (spoiler.data(spoiled.encode("utf-8", "surrogatepass")), {}), at=AT.replace(year=2027))


READER = Reader("curated YAML", SOURCE, spoilt)
