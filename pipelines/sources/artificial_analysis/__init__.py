"""Artificial Analysis: what its pages and data API say of models and of AA-AgentPerf."""
