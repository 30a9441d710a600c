"""The sources: one folder each, and the registry that names them."""
