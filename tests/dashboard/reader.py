"""A reader of one view: runs it as Streamlit does and says what stands on the page."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
from streamlit.testing.v1 import AppTest

APP = Path(__file__).resolve().parents[2] / "dashboard" / "app.py"
VIEWS = ("what_changed", "leaderboard", "headline", "curves", "rent_or_own", "model", "gates", "history", "sources", "data_tables")


class Reader:
    """A view after its first run. `text` is what can be read on it, `markup` the HTML it is made of."""

    def __init__(self, view: str, state: dict[str, Any]):
        self.app = AppTest.from_file(str(APP), default_timeout=120)
        for name, value in state.items():
            self.app.query_params[name] = str(value)
        self.app.run()
        if view != VIEWS[0]:
            self.app.switch_page(f"views/{view}.py").run()
        self.check()

    def check(self) -> None:
        """No exception, and no view that could not be read."""
        assert not self.app.exception, self.app.exception
        assert "could not be read from the published database" not in self.text

    def choose(self, key: str, value: Any) -> Reader:
        """Set a control and run the view again."""
        controls = [
            c for kind in ("selectbox", "date_input", "text_input", "slider", "number_input", "button_group") for c in self.app.get(kind) if c.key == key
        ]
        (control,) = controls
        control.set_value(value).run()
        self.check()
        return self

    @property
    def markup(self) -> str:
        return "\n".join(e.proto.body for e in self.app.get("html") if not e.proto.body.startswith("<style>"))

    @property
    def text(self) -> str:
        spaced = re.sub(r"</?(p|td|th|tr|li|h1|h2|div|caption)\b[^>]*>", " ", self.markup)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", "", spaced)).split())

    @property
    def question(self) -> str:
        return html.unescape(re.search(r'<h1 class="question">(.*?)</h1>', self.markup, re.DOTALL)[1])

    @property
    def answer(self) -> str:
        found = re.search(r'<p class="answer">(.*?)</p>', self.markup, re.DOTALL)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", "", found[1])).split()) if found else ""

    @property
    def exact(self) -> list[str]:
        """The exact values that show on hover."""
        return [html.unescape(v) for v in re.findall(r'title="([^"]*)"', self.markup)]

    @property
    def charts(self) -> list[dict[str, Any]]:
        return [json.loads(e.proto.spec) for e in self.app.get("vega_lite_chart")]

    def drawn(self, chart: int = 0) -> dict[str, list[dict[str, Any]]]:
        """The rows of a chart, by the name of the data set."""
        proto = self.app.get("vega_lite_chart")[chart].proto
        return {d.name: pa.ipc.open_stream(d.data.data).read_all().to_pylist() for d in proto.datasets}

    @property
    def chart_words(self) -> list[str]:
        return [e.proto.alt for e in self.app.get("vega_lite_chart")]

    def options(self, key: str) -> list[str]:
        (control,) = [c for c in self.app.selectbox if c.key == key]
        return list(control.options)
