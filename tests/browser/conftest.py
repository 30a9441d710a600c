"""A running dashboard and a browser to read it with."""

import shutil
from contextlib import contextmanager

import pytest

from tests.helpers.page_server import dashboard

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@contextmanager
def chromium():
    """A running browser.

    Raises LookupError where this machine has none.
    """
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        raise LookupError("there is no chromium here; on Debian: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def browser():
    """Chromium, where this machine has it."""
    pytest.importorskip("playwright.sync_api")
    try:
        with chromium() as running:
            yield running
    except LookupError as why:
        pytest.skip(str(why))


@pytest.fixture(scope="session")
def curated_page(curated_lake):
    """The address of the dashboard over the curated figures."""
    with dashboard(curated_lake) as address:
        yield address


@pytest.fixture(scope="session")
def world_page(world_lake):
    """The address of the dashboard over the replay world."""
    with dashboard(world_lake) as address:
        yield address


# Streamlit says when a script runs; its elements are drawn a little later, so the page must also stay as it is.
SETTLED = """() => new Promise((settled, failed) => {
    let drawn, still = 0, looks = 0;
    const look = () => {
        const running = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState !== "notRunning"
            || document.querySelector("[data-testid=stMain] [data-testid=stSkeleton]");
        const now = document.querySelector("[data-testid=stMain]")?.innerHTML.length;
        still = running || now !== drawn ? 0 : still + 1;
        drawn = now;
        if (still === 3) settled();
        else if (++looks === 600) failed(new Error("the page did not come to rest within 60 seconds"));
        else setTimeout(look, 100);
    };
    setTimeout(look, 150);
})"""


STATE = """() => Object.fromEntries([...document.querySelectorAll("[data-testid=stMain] [data-testid=stWidgetLabel]")].map(label => {
    const control = label.parentElement;
    const shown = [...control.querySelectorAll("input, [role=radio][aria-checked=true], [role=spinbutton]")];
    return [label.innerText, shown.map(e => e.tagName === "INPUT" ? e.value : e.innerText).join(" ")];
}))"""


class Tab:
    """A tab of its own session that notes what goes wrong in it."""

    def __init__(self, browser, width=1280, scheme="light", height=900):
        self.context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, accept_downloads=True)
        self.page = self.context.new_page()
        self.errors = []
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", lambda dialog: self.errors.append(f"a dialog opened: {dialog.message}"))

    def _note(self, message):
        # Streamlit looks for its server under a deep link's own path before it asks the root.
        if message.type == "error" and "/_stcore/" not in message.location.get("url", ""):
            self.errors.append(message.text)

    def open(self, url):
        """Open a view and wait until it is drawn."""
        self.page.goto(url)
        self.page.wait_for_selector("h1.question, .notice", timeout=60_000)
        self.settle()
        return self

    def settle(self):
        """Wait until the run that is going on has ended and what it wrote is drawn."""
        self.page.evaluate(SETTLED)

    @property
    def said(self):
        """Question and answer of the view."""
        return [e.inner_text() for e in self.page.query_selector_all("h1.question, p.answer")]

    @property
    def state(self):
        """What the controls show, by their labels."""
        return self.page.evaluate(STATE)

    def close(self):
        self.context.close()


@pytest.fixture
def tab(browser):
    """Open tabs: tab(width, scheme)."""
    tabs = []

    def new(width=1280, scheme="light"):
        tabs.append(Tab(browser, width, scheme))
        return tabs[-1]

    yield new
    for one in tabs:
        one.close()
