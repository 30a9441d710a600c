"""Figures entered by hand: one YAML file a publication."""

from pipelines.sources.curated.source import Curated

SOURCE = Curated()

__all__ = ["SOURCE"]
