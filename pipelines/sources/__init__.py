"""The sources, by name. A source is one folder and one line here."""
