"""One module a reader: its true payloads, and how they are spoilt."""

from tests.fuzz.readers import aa_api, aa_flight, curated, gates, github, inferencex, sglang_literals
from tests.fuzz.readers.base import Reader

READERS: dict[str, Reader] = {m.__name__.rsplit(".", 1)[-1]: m.READER for m in (aa_flight, aa_api, sglang_literals, gates, curated, inferencex, github)}
