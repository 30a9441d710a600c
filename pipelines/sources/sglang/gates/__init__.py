"""Accuracy gates: what SGLang's test files say a model must reach on AMD, and what that rests on.

The files are read as text: syntax tree, comments and docstrings. Nothing of them is imported or executed.
"""

from pipelines.sources.sglang.gates.model import Gate, GateFile
from pipelines.sources.sglang.gates.reader import read_gates
from pipelines.sources.sglang.gates.records import to_records
from pipelines.sources.sglang.gates.staleness import carry_staleness, is_stale

__all__ = ["Gate", "GateFile", "carry_staleness", "is_stale", "read_gates", "to_records"]
