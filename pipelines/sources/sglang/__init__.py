"""SGLang: its cookbook, accuracy gates and pull requests, from GitHub. Entry: source.py."""
