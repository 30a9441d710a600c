"""What fuzzing found, each as a test of its kind."""

from __future__ import annotations

import datetime as dt
import json

import pytest

from pipelines.lake import Lake, utc
from pipelines.schema import content_id, frame
from pipelines.snapshot import MOST_SAID, Snapshot
from pipelines.sources.artificial_analysis.source import ArtificialAnalysis
from pipelines.sources.base import Incomplete, NoData, Unreadable
from pipelines.sources.curated.publication import parse_publication
from pipelines.sources.inferencex.attribution import runs_of
from pipelines.sources.inferencex.discovery import listed_models
from pipelines.sources.inferencex.wire import Odd, age, decode, number, run_of, whole
from pipelines.sources.sglang.claims import claimed_points
from pipelines.sources.sglang.commits import changes_of, commit_of, entries_of, subtrees_of
from pipelines.sources.sglang.evidence import pull_text
from pipelines.sources.sglang.gates import read_gates
from pipelines.sources.sglang.parallelism import Parallelism, from_flags, from_words
from pipelines.sources.sglang.pulls import is_pull
from pipelines.sources.sglang.source import SGLang
from pipelines.tables import TABLES
from pipelines.validate import content
from pipelines.warehouse import Warehouse
from pipelines.wellformed import counted, finite_json, whole_escapes, whole_text
from tests.fuzz.holding import take_in
from tests.fuzz.readers.base import bundle_of
from tests.fuzz.readers.github import PULL
from tests.fuzz.readers.sglang_sets import REPOSITORY, commit_answer
from tests.helpers.aa_pages import PUBLIC, bundle, configurations_page, leaderboard_page
from tests.helpers.agentperf_figures import MI355X_CONFIGURATION
from tests.helpers.model_records import muse_spark_open
from tests.memory import forget_peak, status_mb
from tests.unit.curated.publications import AT, HEADER, RESULT
from tests.unit.inferencex.by_hand import records, september

HALF = "\ud83d"
API = f"{PUBLIC}/api/v2/language/models/free"


class TestHalvesOfCharacters:
    @pytest.mark.parametrize(
        ("written", "meant"),
        [
            (r'"a\ud83d"', "a�"),
            (r'"\ude00b"', "�b"),
            (r'"\ud83d\ude00"', "😀"),
            (r'"\\ud83d"', r"\ud83d"),
            (r'"\\\ud83d"', "\\�"),
            (r'"\ud83d\ud83d\ude00"', "�😀"),
            (r'"\uD83Dx\uDE00"', "�x�"),
        ],
    )
    def test_an_escape_of_half_a_character_reads_as_browsers_show_it(self, written, meant):
        assert json.loads(whole_escapes(written)) == meant
        assert finite_json(written.encode()) == meant

    def test_halves_that_belong_together_are_put_together(self):
        assert whole_text("x\ud83d\ude00") == "x😀"
        assert whole_text(f"x{HALF}") == "x�"

    def test_no_table_takes_half_a_character(self):
        row = {"model_id": "i", "slug": "s", "name": f"M{HALF}", "source": "artificial_analysis"}
        _, failures = frame(TABLES["models"], [row])
        assert [(f.column, f.check) for f in failures] == [("name", "not a text")]

    def test_ids_of_texts_that_no_file_can_hold_differ(self):
        assert content_id("\ud83d") != content_id("\ud83e")

    def test_a_model_named_with_half_a_character_is_listed(self):
        page = leaderboard_page([muse_spark_open(name="Spark @half@")]).replace(b"@half@", rb"\\ud83d")
        parsed = ArtificialAnalysis().parse(bundle("leaderboard", page))
        assert [r["name"] for r in parsed.rows["models"]] == ["Spark �"]
        assert content(parsed).sha256

    def test_an_inferencex_row_with_one_keeps_its_figures(self):
        (record,) = records([september(image="lmsysorg/sglang:v0.5\ud83d")])
        assert record["total_tok_s_gpu"] == 2250.0
        assert record["framework_version"].endswith("v0.5�")

    def test_a_gate_file_with_one_in_its_strings_is_read(self):
        found = read_gates("test/mi35x/test_x_mi35x.py", 'MODEL = "a/b\\ud83d"\nACCURACY_THRESHOLD = 0.92\n', runs={}, pull_request_text=None)
        assert [(g.threshold, g.model) for g in found.gates] == [(0.92, "a/b�")]

    def test_a_curated_list_may_not_hold_one(self):
        with pytest.raises(Unreadable) as refused:
            parse_publication((HEADER + RESULT + '    note: "x\\ud83d"\n').encode(), "a.yaml", AT)
        str(refused.value).encode()

    def test_what_a_snapshot_is_told_of_can_be_stored(self, tmp_path):
        lake = Lake(tmp_path)
        lake.prepare()
        warehouse = Warehouse(lake)
        page = leaderboard_page([muse_spark_open(id={})]).replace(b"Muse", rb"M\\ud83d")
        assert take_in(warehouse, ArtificialAnalysis(), bundle("leaderboard", page), dt.datetime(2026, 1, 1)) == "invalid"
        (row,) = warehouse.rows("SELECT message FROM history.snapshots")
        assert "no id" in row["message"]
        warehouse.close()


class TestNumbersOfAnySize:
    @pytest.mark.parametrize("value", [10**400, -(10**400), float("inf"), float("nan"), True])
    def test_no_column_of_numbers_takes_one_that_is_not_finite(self, value):
        row = {"model_id": "i", "slug": "s", "name": "M", "source": "artificial_analysis", "input_usd_mtok": value}
        data, failures = frame(TABLES["models"], [row])
        assert [f.column for f in failures] == ["input_usd_mtok"]
        assert data["input_usd_mtok"].isna().all()

    @pytest.mark.parametrize("written", ["1e999", "-1e999", "NaN", "Infinity", "9" * 5000])
    def test_json_numbers_that_are_not_finite_are_missing(self, written):
        assert finite_json(f'{{"a": {written}, "b": 1}}'.encode()) == {"a": None, "b": 1}

    def test_an_inferencex_figure_of_hundreds_of_digits_is_odd_and_missing(self):
        odd = Odd()
        assert number({"a": 10**300}, "a", odd) is None
        assert whole({"a": 10**300}, "a", odd) is None
        assert odd["`a` is no usable number"] == 2

    def test_an_inferencex_row_keeps_its_figures_beside_one_that_is_too_large(self):
        (row,) = decode(json.dumps([september()]).replace('"recipe_fingerprint"', '"noise": 1e999, "recipe_fingerprint"').encode(), list, "rows")
        (record,) = records([row])
        assert record["total_tok_s_gpu"] == 2250.0

    def test_ids_and_runs_of_thousands_of_digits_are_none(self):
        assert age({"id": "9" * 5000, "t": "2026"}, "t") == ("2026", 0)
        assert run_of("https://x/actions/runs/" + "9" * 5000) == (None, 1)
        assert run_of("https://x/actions/runs/26100000001/attempts/" + "9" * 5000) == ("26100000001", 1)

    def test_counts_of_thousands_of_digits_or_of_other_signs_are_none(self):
        for digits in ("9" * 5000, "²", "-1", "", "1.0", "⅕"):
            assert counted(digits) is None
        assert counted("١٢") == 12
        assert from_flags(["--tp", "9" * 5000, "--pp-size", "²"], whole=True).gpus == 1
        assert from_words(f"TP{'9' * 5000} EP4", "B300") == Parallelism(ep=4)

    def test_a_page_that_claims_a_number_of_configurations_without_end_is_refused(self):
        page = configurations_page([MI355X_CONFIGURATION]).replace(b"Showing 1 of 1", b"Showing 1 of " + b"9" * 5000)
        with pytest.raises(Unreadable, match="The page shows 1 of 999"):
            ArtificialAnalysis().parse(bundle("configurations", page))

    def test_a_claimed_speed_of_hundreds_of_digits_is_left_as_written(self):
        (point,) = claimed_points(f"| concurrency | tok/s/user |\n| --- | --- |\n| 1 | {'9' * 400} |\n")
        assert point["concurrency"] == 1
        assert "interactivity_tok_s" not in point
        assert point["as_written"]["tok/s/user"] == "9" * 400

    def test_times_at_the_ends_of_the_calendar_are_no_times(self):
        for text in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"):
            with pytest.raises(ValueError, match="is no time of the years"):
                utc(text)

    def test_a_list_that_claims_two_thousand_million_pages_is_incomplete_at_once(self):
        page = {"pagination": {"page": 1, "total_pages": 2**31}, "data": [{"id": "a"}]}
        before = forget_peak()
        with pytest.raises(Incomplete):
            ArtificialAnalysis().parse(bundle("models_api", json.dumps(page).encode(), url=API))
        assert status_mb("VmHWM") - before < 100


class TestGitHubAnswersOfAnotherShape:
    """Members of another type than GitHub documents: the answer, or the item, is not used, and it is said."""

    @pytest.mark.parametrize(
        "change", [{"number": True}, {"number": 2**60}, {"body": 3.5}, {"labels": 7}, {"user": "dev"}, {"base": "main"}, {"merge_commit_sha": []}]
    )
    def test_an_item_is_no_pull_request(self, change):
        assert is_pull(PULL)
        assert not is_pull({**PULL, **change})

    def test_such_items_are_left_out_and_told(self):
        pages = (json.dumps([PULL, {**PULL, "number": 5, "body": 3.5}]).encode(), {}), (b"3.5", {"files_of": 41020}), (b"[]", {"end": True})
        parsed = SGLang().parse(bundle_of("sglang", "pulls", REPOSITORY.scope("pulls"), *pages))
        assert [r["number"] for r in parsed.rows["pull_requests"]] == [41020]
        assert "1 items of the list are no pull requests" in parsed.warnings[0]

    @pytest.mark.parametrize(
        "change", [{"commit": {"message": 7, "author": {}, "committer": {"date": "2026-10-22T17:00:00Z"}}}, {"sha": 5}, {"commit": "x"}, {"author": "dev"}]
    )
    def test_an_answer_is_no_commit(self, change):
        assert commit_of({**commit_answer({}), **change}) is None

    def test_a_commits_or_trees_entries_without_texts_are_no_list(self):
        assert changes_of([{**commit_answer({"a": b"x"}), "stats": [1]}]) is not None
        assert changes_of([{"files": [{"filename": 1.5, "status": "removed"}]}]) is None
        entry = {"path": "a", "mode": "100644", "type": "blob", "sha": "a" * 40}
        assert entries_of({"truncated": False, "tree": [entry]}) == {"a": "a" * 40}
        for change in ({"path": 1.5}, {"path": []}, {"sha": {}}, {"sha": "a"}):
            assert entries_of({"truncated": False, "tree": [{**entry, **change}]}) is None
        assert subtrees_of({"tree": [{"path": "a", "type": "tree", "sha": 1}]}) == {}

    def test_words_of_a_pull_request_are_texts(self):
        assert pull_text({"title": {"a": 1}, "body": "said"}) == "\n\nsaid"
        assert pull_text([]) == ""


class TestInferenceXAnswersOfAnotherShape:
    @pytest.mark.parametrize("odd", [True, 7, "x", {"a": 1}, [True, None, "x"]])
    def test_what_should_be_a_list_of_objects_and_is_none_is_passed_over(self, odd):
        schema = {"name": "model", "schema": {"anyOf": odd, "items": {"enum": ["M"]}}}
        assert listed_models({"paths": {"/api/v1/benchmarks": {"parameters": [schema]}}}) == ["M"]
        assert runs_of({"runs": odd, "changelogs": odd}) == {}


class TestLongWords:
    def test_a_refusal_that_quotes_a_source_at_length_is_stored_cut(self):
        snapshot = Snapshot([bundle("leaderboard", b"").parts[0].capture], message="x" * 30_000, warnings=["y" * 30_000])
        record = snapshot.record("1")
        assert len(record["message"]) == MOST_SAID + 2
        assert len(record["warnings"]) < MOST_SAID + 10


class TestMuchOfIt:
    def test_a_hundred_thousand_models_are_read_in_seconds_and_bounded_memory(self):
        models = [{"id": f"id-{n}", "slug": f"m-{n}", "name": f"M {n}", "intelligenceIndex": 1.5, "price1mInputTokens": 1.0} for n in range(100_000)]
        page = leaderboard_page(models, summaries=[], chunk=100_000)
        started, before = dt.datetime.now(), forget_peak()
        parsed = ArtificialAnalysis().parse(bundle("leaderboard", page))
        assert len(parsed.rows["models"]) == 100_000
        assert (dt.datetime.now() - started).total_seconds() < 60
        assert status_mb("VmHWM") - before < 1500

    @pytest.mark.parametrize("resource", ["leaderboard", "models_api", "datacenter"])
    def test_nesting_without_end_is_refused(self, resource):
        deep = "[" * 200_000
        page = deep.encode() if resource == "models_api" else leaderboard_page([]).replace(b'{\\"models\\"', deep.encode() + b'{\\"models\\"', 1)
        with pytest.raises((Unreadable, NoData)):
            ArtificialAnalysis().parse(bundle(resource, page, url=API if resource == "models_api" else None))
