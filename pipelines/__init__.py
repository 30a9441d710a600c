"""Megawatch: fetch, keep, validate, version, derive, publish."""
