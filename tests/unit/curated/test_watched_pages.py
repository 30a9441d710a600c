"""Pages behind curated entries: a changed text raises a task for a person, and no figure."""

import datetime as dt

import pytest
from click.testing import CliRunner

from pipelines import reader
from pipelines.cli import main
from pipelines.refresh import RefreshOptions, opened
from pipelines.settings import SettingsError, load_settings
from pipelines.sources.registry import SOURCES
from tests.helpers.told_lake import settings
from tests.unit.curated.publications import HEADER, RESULT

PAGE = """<!DOCTYPE html><html><head><title>Serving at scale</title><script>var build = "{build}"</script></head><body>
<nav>{nav}</nav><main><h1>Serving at scale</h1><p>We serve the model at {figure} tokens per second per GPU, measured at one
hundred and sixty concurrent users on eight accelerators.</p></main></body></html>"""


def day(number):
    return dt.datetime(2026, 11, number, 23)


class Watched:
    """A lake with one publication, whose page is served on loopback and watched."""

    def __init__(self, folder, server):
        self.lake, self.server = folder, server
        self.url = server.url_for("/post")
        self.file = folder / "curated/some-post.yaml"
        self.file.parent.mkdir()
        self.file.write_text(HEADER.replace("https://publisher.example/post", self.url) + RESULT)
        self.robots("User-agent: *\nAllow: /")

    def robots(self, text):
        self.server.clear()
        self.server.expect_request("/robots.txt").respond_with_data(text)

    def serves(self, body, **how):
        self.server.expect_oneshot_request("/post").respond_with_data(body, **{"content_type": "text/html", **how})

    def refresh(self, number):
        with opened(settings(self.lake, watched_pages=(self.url,)), RefreshOptions(("curated",), day(number))) as run:
            report = run.run_source(SOURCES["curated"])
            run.build_all()
        return [s.outcome for s in report.snapshots if s.last.resource == "watched_page"]

    def ask(self, query):
        with reader.opened(self.lake) as con:
            return reader.records(con, query)


@pytest.fixture
def watched(tmp_path, httpserver):
    return Watched(tmp_path, httpserver)


def page(figure="33,041", nav="Home", build="1"):
    return PAGE.format(figure=figure, nav=nav, build=build)


def test_the_first_look_at_a_page_is_a_start_and_no_task(watched):
    watched.serves(page())
    assert watched.refresh(1) == ["changed"]
    assert watched.ask("SELECT * FROM tasks") == []


def test_a_changed_text_raises_a_task_that_names_the_file_and_changes_no_figure(watched):
    watched.serves(page())
    watched.refresh(1)
    figures = watched.ask("SELECT version_id, value FROM agentperf_results")
    watched.serves(page(figure="35,000"))
    watched.refresh(2)
    (task,) = watched.ask("SELECT * FROM tasks")
    assert (task["raised_at"], task["changed_after"], task["files"], task["done_at"]) == (day(2), day(1), ["some-post.yaml"], None)
    assert task["text"] == f"The text of {watched.url} changed. Read it, and mend some-post.yaml where a figure changed."
    assert watched.ask("SELECT version_id, value FROM agentperf_results") == figures
    assert watched.ask("SELECT state, answered_at FROM watches WHERE name = 'curated-page-changed'") == [{"state": "answered", "answered_at": day(2)}]


def test_status_says_what_is_to_be_done(watched):
    for number, figure in ((1, "33,041"), (2, "35,000")):
        watched.serves(page(figure=figure))
        watched.refresh(number)
    told = CliRunner().invoke(main, ["status"], env={"MEGAWATCH_LAKE": str(watched.lake)})
    assert f"To do: The text of {watched.url} changed." in told.stdout


def test_what_a_reader_of_the_main_part_does_not_see_raises_nothing(watched):
    watched.serves(page())
    watched.refresh(1)
    watched.serves(page(nav="Home and more", build="2"))
    watched.refresh(2)
    assert watched.ask("SELECT * FROM tasks") == []


def test_a_task_is_done_once_the_file_is_taken_in_anew(watched):
    for number, figure in ((1, "33,041"), (2, "35,000")):
        watched.serves(page(figure=figure))
        watched.refresh(number)
    watched.file.write_text(watched.file.read_text().replace("6900", "7100"))
    watched.serves(page(figure="35,000"))
    watched.refresh(3)
    assert [t["done_at"] for t in watched.ask("SELECT done_at FROM tasks")] == [day(3)]


def test_a_task_is_done_too_where_the_file_was_looked_through_and_no_figure_changed(watched):
    for number, figure in ((1, "33,041"), (2, "35,000")):
        watched.serves(page(figure=figure))
        watched.refresh(number)
    watched.file.write_text("# Read again on 3 November: the figures stand.\n" + watched.file.read_text())
    watched.serves(page(figure="35,000"))
    watched.refresh(3)
    assert [t["done_at"] for t in watched.ask("SELECT done_at FROM tasks")] == [day(3)]


def test_robots_txt_is_kept_and_a_refusal_shown(watched):
    watched.robots("User-agent: *\nDisallow: /")
    assert watched.refresh(1) == ["disallowed"]


@pytest.mark.parametrize(("body", "outcome"), [("%PDF-1.7 no page", "invalid"), ("<!DOCTYPE html><html><body>Sign in</body></html>", "no_data")])
def test_what_is_no_readable_page_is_said_and_raises_nothing(watched, body, outcome):
    watched.serves(page())
    watched.refresh(1)
    watched.serves(body)
    assert watched.refresh(2) == [outcome]
    assert watched.ask("SELECT * FROM tasks") == []


def test_an_address_that_is_none_is_refused_by_name(monkeypatch, tmp_path):
    monkeypatch.setenv("MEGAWATCH_WATCHED_PAGES", "about.meta.com/serving")
    with pytest.raises(SettingsError, match=r"MEGAWATCH_WATCHED_PAGES.*web address"):
        load_settings(tmp_path / "absent")


def test_an_address_with_a_parameter_twice_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("MEGAWATCH_WATCHED_PAGES", "https://about.example/post?x=1&x=2")
    with pytest.raises(SettingsError, match="parameter twice"):
        load_settings(tmp_path / "absent")


def test_a_page_of_a_known_site_is_asked_at_that_sites_configured_address(monkeypatch, tmp_path):
    monkeypatch.setenv("MEGAWATCH_AA_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("MEGAWATCH_WATCHED_PAGES", "https://artificialanalysis.ai/articles/agentperf?x=1, https://about.example/a%20b")
    chosen = load_settings(tmp_path / "absent")
    assert [chosen.page_site(url) for url in chosen.watched_pages] == [("aa", "/articles/agentperf", {"x": "1"}), ("https://about.example", "/a b", {})]
