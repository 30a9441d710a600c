"""Alerts and feeds: told once, on every channel, in words; taken back in words."""

import datetime as dt
from dataclasses import replace

import feedparser
import pytest

from pipelines import changes, feeds, marts, notify
from pipelines.ingest import derive_again
from pipelines.refresh import Refresh, RefreshOptions, accept
from pipelines.settings import Settings
from pipelines.sources.registry import SOURCES
from pipelines.told import Stretch, add_corrections, read_anew, tell, untold
from tests.unit.test_changes import OLD, PAGE, OneTable, Story, result

CHANNEL = "json://127.0.0.1:9/hook"


@pytest.fixture
def story(tmp_path):
    story = Story(tmp_path, OneTable("artificial_analysis", "agentperf_results"))
    story.day(1, [OLD])
    yield story
    story.warehouse.close()


class Channel:
    """Takes messages, or not."""

    def __init__(self):
        self.got, self.down = [], False

    def __call__(self, url, title, body):
        if self.down:
            return False
        self.got.append((title, body))
        return True


def settings(**more):
    return Settings(alert_urls=(CHANNEL,), _env_file=None, **more)


def run(story, number, channel, silently=False, **more):
    """What a refresh does after its history: tell, then send."""
    at = dt.datetime(2026, 10, number, 23)
    tell(story.warehouse, at, [] if silently else [Stretch({})])
    add_corrections(story.warehouse)
    return notify.send(story.warehouse, settings(**more), at, to=channel)


def told_a_headline(story):
    """A channel that began on day 1 and was told of a new entry on day 2."""
    channel = Channel()
    run(story, 1, channel)
    story.day(2, [OLD, result(70e6)])
    run(story, 2, channel)
    return channel


def due_again(story, number):
    """Let the events since a day be derived and told anew."""
    story.warehouse.con.execute("INSERT INTO history.events_due VALUES (?)", [dt.datetime(2026, 10, number)])


def forget_logs(story):
    """As in a warehouse made anew, nothing of the lake's logs was read yet."""
    for table in ("lake.told", "lake.outbox", "lake.log_files"):
        story.warehouse.con.execute(f"DELETE FROM {table}")


def test_a_channels_first_run_sends_nothing(story):
    channel = Channel()
    story.day(2, [OLD, result(70e6)])
    run(story, 2, channel)
    assert channel.got == []


def test_a_headline_is_sent_once_whatever_is_repeated(story):
    channel = Channel()
    run(story, 1, channel)
    story.day(2, [OLD, result(70e6)])
    for _ in range(3):
        run(story, 2, channel)
    story.day(3, [OLD, result(70e6)])
    run(story, 3, channel)
    assert len(channel.got) == 1
    assert "70 M tok/s per MW" in channel.got[0][1]


def test_a_failed_alert_is_sent_in_the_next_run_and_told(story):
    channel = Channel()
    run(story, 1, channel)
    channel.down = True
    story.day(2, [OLD, result(70e6)])
    (failure,) = run(story, 2, channel)
    assert "tried again" in failure
    assert CHANNEL not in failure
    channel.down = False
    run(story, 3, channel)
    assert len(channel.got) == 1


def test_an_import_sends_nothing_then_or_later(story):
    channel = Channel()
    run(story, 1, channel)
    story.day(2, [OLD, result(70e6)])
    tell(story.warehouse, dt.datetime(2026, 10, 2, 23), [])
    run(story, 3, channel)
    assert channel.got == []


@pytest.mark.parametrize(("killed", "next_one", "alerts"), [("silently", "aloud", 0), ("aloud", "silently", 1)])
def test_what_a_killed_run_left_untold_is_told_as_that_run_meant_to(story, killed, next_one, alerts):
    channel = Channel()
    run(story, 1, channel)
    begun(story, 2, killed)
    story.day(2, [OLD, result(70e6)])
    begun(story, 3, next_one).tell_changes()
    notify.send(story.warehouse, settings(), dt.datetime(2026, 10, 3, 23), to=channel)
    assert len(channel.got) == alerts
    assert untold(story.lake) == []


def begun(story, number, tells):
    """A run up to where it would fetch."""
    begun = Refresh(settings(), story.lake, story.warehouse, None, dt.datetime(2026, 10, number, 23), RefreshOptions(tells=tells))
    begun.begin()
    return begun


def test_above_the_set_number_the_rest_comes_as_one_digest(story):
    channel = Channel()
    run(story, 1, channel)
    story.day(2, [OLD, *(result(1e6 * (n + 1), system=f"System {n}") for n in range(5))])
    run(story, 2, channel, alerts_a_run=2)
    assert [title for title, _ in channel.got] == ["Megawatch: headline", "Megawatch: headline", "Megawatch: 3 more"]


def test_what_is_below_the_threshold_comes_once_a_day(story):
    channel = Channel()
    story.day(2, [OLD, result(70e6)])
    run(story, 2, channel)
    story.day(3, [OLD])
    run(story, 3, channel)
    run(story, 3, channel)
    assert [title for title, _ in channel.got] == ["Megawatch: digest of 2026-10-03"]


def test_a_told_event_that_is_no_more_is_corrected_once_in_feed_and_alert(story):
    channel = told_a_headline(story)
    story.warehouse.con.execute("DELETE FROM history.change_events WHERE kind = 'entry_added'")
    due_again(story, 2)
    run(story, 3, channel)
    run(story, 4, channel)
    assert [body.splitlines()[0][:10] for _, body in channel.got] == ["New on AA-", "Taken back"]
    assert story.events("kind, severity") == [("correction", "notable")]
    assert story.warehouse.rows("SELECT count(*) AS n FROM lake.told WHERE corrects IS NOT NULL") == [{"n": 1}]


@pytest.mark.parametrize("lost", [2, 3])
def test_what_rests_on_lost_bytes_is_not_taken_back(story, lost):
    """The entry of day 2, and its change of day 3, which was one against day 2."""
    channel = told_a_headline(story)
    story.day(3, [OLD, result(90e6)])
    run(story, 3, channel)
    (sha,) = {c.sha256 for c in story.warehouse.captures("captured_at::DATE = ?", [dt.date(2026, 10, lost)])}
    story.lake.blob_path(sha).unlink()
    before = story.events("event_id")
    derive_again(story.warehouse, story.source, PAGE)
    changes.derive(story.warehouse)
    assert set(before) - set(story.events("event_id"))
    run(story, 4, channel)
    assert [body for _, body in channel.got if "Taken back" in body] == []


def test_what_a_held_back_snapshot_brought_is_announced_when_it_is_accepted(tmp_path, monkeypatch):
    class Compared(OneTable):
        def parse(self, bundle):
            return replace(super().parse(bundle), compared=True)

    source = Compared("artificial_analysis", "agentperf_results")
    monkeypatch.setitem(SOURCES, source.name, source)
    story, channel = Story(tmp_path, source), Channel()
    ten = [result(1e6 * n, system=f"System {n}") for n in range(1, 11)]
    story.day(1, ten)
    run(story, 1, channel)
    story.day(2, [*ten[:5], result(70e6)])
    run(story, 2, channel)
    story.day(3, ten)
    run(story, 3, channel)
    assert channel.got == []
    (held_back,) = story.warehouse.rows("SELECT snapshot_id FROM history.snapshots WHERE outcome = 'invalid'")
    accepting = begun(story, 4, "aloud")
    accept(accepting, held_back["snapshot_id"], "five systems are tested no more")
    accepting.tell_changes()
    notify.send(story.warehouse, settings(), dt.datetime(2026, 10, 4, 23), to=channel)
    story.warehouse.close()
    assert [body.splitlines()[0][:20] for title, body in channel.got if title.endswith("headline")] == ["New on AA-AgentPerf:"]


def test_what_is_found_later_in_older_captures_is_noted_and_not_sent(story):
    channel = Channel()
    run(story, 1, channel)
    story.day(2, [OLD, result(70e6)])
    tell(story.warehouse, dt.datetime(2026, 10, 3, 23), [Stretch(story.lake.log_sizes())])
    run(story, 4, channel)
    assert channel.got == []
    assert story.warehouse.rows("SELECT silently FROM lake.told") == [{"silently": True}]


def test_a_new_channel_gets_what_is_told_after_it_started_whatever_the_time_of_the_run(story):
    channel = Channel()
    story.day(3, [OLD])
    run(story, 3, channel)
    story.day(2, [OLD, result(70e6)])
    run(story, 2, channel)
    assert "Megawatch: headline" in [title for title, _ in channel.got]


def test_an_event_that_is_found_to_have_happened_earlier_that_day_is_neither_taken_back_nor_sent_again(story):
    channel = told_a_headline(story)
    story.day(2, [OLD, result(70e6)], hour=12)
    run(story, 2, channel)
    assert len(channel.got) == 1
    assert [kind for (kind,) in story.events("kind")] == ["entry_added"]


def test_an_event_that_is_back_is_corrected_no_more(story):
    channel = told_a_headline(story)
    for table, condition in (("change_events", "kind = 'entry_added'"), ("events_due", "true")):
        story.warehouse.con.execute(f"DELETE FROM history.{table} WHERE {condition}")
    due_again(story, 2)
    tell(story.warehouse, dt.datetime(2026, 10, 3, 23), [])
    due_again(story, 2)
    changes.derive(story.warehouse)
    run(story, 4, channel)
    assert [kind for (kind,) in story.events("kind")] == ["entry_added"]
    assert len(channel.got) == 1


def test_a_killed_refresh_an_import_and_an_accepted_snapshot_are_each_told_as_they_meant_to(story):
    channel = Channel()
    run(story, 1, channel)
    begun(story, 2, "aloud")
    story.day(2, [OLD, result(70e6)])
    begun(story, 3, "silently")
    story.day(3, [OLD, result(70e6), result(150e6, system="4x B300")])
    last = begun(story, 4, "aloud")
    story.day(4, [OLD, result(70e6), result(150e6, system="4x B300"), result(160e6, system="4x GB300")])
    last.tell_changes()
    notify.send(story.warehouse, settings(), dt.datetime(2026, 10, 4, 23), to=channel)
    assert [next(word for word in ("70 M", "150 M", "160 M") if word in body) for _, body in channel.got] == ["70 M", "160 M"]


@pytest.mark.parametrize("next_one", ["aloud", "silently"])
def test_what_a_killed_refresh_had_still_to_announce_is_announced_though_its_log_was_mended(story, next_one):
    channel = Channel()
    run(story, 1, channel)
    begun(story, 2, "aloud")
    story.day(2, [OLD, result(70e6)])
    begun(story, 3, next_one)
    (log,) = story.lake.log.glob("*.jsonl")
    log.write_bytes(log.read_bytes().splitlines(keepends=True)[-1])
    story.warehouse.con.execute("DELETE FROM lake.captures")
    story.warehouse.con.execute("DELETE FROM lake.log_files")
    read_anew(story.lake, log.name)
    story.warehouse.index()
    begun(story, 4, next_one).tell_changes()
    notify.send(story.warehouse, settings(), dt.datetime(2026, 10, 4, 23), to=channel)
    assert len(channel.got) == 1


def test_a_channel_that_began_in_a_longer_file_says_so_and_begins_anew(story):
    channel = Channel()
    story.day(2, [OLD, result(70e6)])
    run(story, 2, channel)
    story.lake.told.write_bytes(b"")
    forget_logs(story)
    (said,) = run(story, 3, channel)
    assert "begins anew" in said
    story.day(4, [OLD, result(90e6)])
    run(story, 4, channel)
    assert len(channel.got) == 1


def test_one_address_given_twice_is_one_channel(story):
    channel = Channel()
    twice = Settings(alert_urls=(CHANNEL, CHANNEL), _env_file=None)
    notify.send(story.warehouse, twice, dt.datetime(2026, 10, 1, 23), to=channel)
    story.day(2, [OLD, result(70e6)])
    tell(story.warehouse, dt.datetime(2026, 10, 2, 23), [Stretch({})])
    notify.send(story.warehouse, twice, dt.datetime(2026, 10, 2, 23), to=channel)
    assert len(channel.got) == 1


def test_a_damaged_line_of_what_was_told_is_passed_over(story):
    channel = told_a_headline(story)
    with story.lake.told.open("ab") as file:
        file.write(b'{"event_id": "torn')
    story.day(3, [OLD, result(90e6)])
    run(story, 3, channel)
    assert len(channel.got) == 2


def test_a_warehouse_made_anew_knows_what_was_told_and_sent(story):
    channel = told_a_headline(story)
    forget_logs(story)
    due_again(story, 1)
    run(story, 3, channel)
    assert len(channel.got) == 1


def test_the_feeds_are_valid_newest_first_with_stable_ids(story):
    story.day(2, [OLD, result(70e6, model="<img src=x onerror=alert(1)> \x00 & Co")])
    story.day(3, [OLD, result(96e6, configured_by="AMD", model="<img src=x onerror=alert(1)> \x00 & Co")])
    for file in marts.sql_files():
        if file.name in ("model_names", "change_events"):
            marts.build(story.warehouse, file)
    feeds.write_feeds(story.warehouse)
    first = (story.lake.published / feeds.ATOM).read_bytes()
    feeds.write_feeds(story.warehouse)
    assert (story.lake.published / feeds.ATOM).read_bytes() == first
    feed = feedparser.parse(first)
    assert not feed.bozo
    assert [e.updated[:10] for e in feed.entries] == ["2026-10-03", "2026-10-02"]
    assert len({e.id for e in feed.entries}) == 2
    assert feed.entries[1].content[0].type == "text/plain"
    assert "<img src=x onerror=alert(1)>" in feed.entries[1].title
