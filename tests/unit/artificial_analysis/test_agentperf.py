import json

import pytest

from pipelines.sources.artificial_analysis.agentperf import parse_agentperf
from pipelines.sources.base import NoData, Unreadable
from pipelines.validate import schema_failures
from tests.helpers.aa_pages import PUBLIC, agentperf_page, bundle, flight_page, snake
from tests.helpers.agentperf_figures import DEEPSEEK, FIGURES, KEYS_ARE_NAMES, LAYOUTS, MUSE, RACK, SLOW, published, result


def read(page, **where):
    return parse_agentperf(bundle("datacenter", page, **where))


def results(page, **where):
    return read(page, **where).rows["agentperf_results"]


def figures(rows):
    return {(r["model"], r["accelerator"], r["slo_p25_tok_s"], r["metric"]): r["value"] for r in rows}


def suspicion(records):
    """What makes a page with these records hard to believe; at least one sentence."""
    suspicions = read(agentperf_page(records)).suspicions
    assert suspicions
    return "; ".join(suspicions)


def told_apart(rows):
    return {(r["result_id"], r["metric"], r["value"], r["accelerators"], r["configured_by"], r["slo_p95_ttft_s"], r["config_id"]) for r in rows}


class TestResults:
    def test_the_published_figures_are_read_with_all_that_qualifies_them(self):
        parsed = read(agentperf_page(published()))
        assert figures(parsed.rows["agentperf_results"]) == FIGURES
        assert schema_failures(parsed, rows_sound=False) == []
        (row,) = [r for r in parsed.rows["agentperf_results"] if r["value"] == 61354]
        assert row["system"] == RACK
        assert (row["vendor"], row["accelerators"], row["slo_p95_ttft_s"], row["methodology"]) == ("NVIDIA", 32, 10, "B")
        assert (row["configured_by"], row["verified_by"], row["provenance"]) == ("NVIDIA", "Artificial Analysis", "vendor_submitted")
        assert (row["power_basis"], row["tokens_counted"], row["qualifier"]) == ("accelerator_measured", None, "exact")
        assert str(row["measured_on"]) == "2026-06-10"

    def test_a_throughput_says_that_it_counts_input_and_output(self):
        (row,) = [r for r in results(agentperf_page(published())) if r["value"] == 150e6]
        assert (row["tokens_counted"], row["power_basis"]) == ("input_and_output", "accelerator_measured")

    def test_a_configuration_by_the_evaluator_is_evaluator_measured(self):
        (row,) = [r for r in results(agentperf_page(published())) if r["value"] == 3551]
        assert (row["configured_by"], row["provenance"]) == ("Artificial Analysis", "evaluator_measured")

    def test_a_metric_without_a_value_makes_no_row(self):
        rows = results(agentperf_page(published()))
        assert len(rows) == len(FIGURES)
        assert all(r["value"] is not None for r in rows)

    @pytest.mark.parametrize("missing", ["—", "", "n/a", "coming soon", "$undefined"])
    def test_a_missing_value_written_as_text_makes_no_row(self, missing):
        rows = [result(DEEPSEEK, "H200", "H200", 8, SLOW, "AA", agentsPerMegawatt=missing, agentsPerAccelerator=1.4)]
        assert [r["metric"] for r in results(agentperf_page(rows))] == ["agents_per_accelerator"]

    def test_unknown_keys_are_kept_in_extra_by_the_sources_own_names(self):
        rows = [{**published()[0], "coolingKind": "liquid", "network": {"fabricGbps": 800}}]
        assert '"coolingKind":"liquid"' in results(agentperf_page(rows))[0]["extra"]
        assert '"network.fabricGbps":800' in results(agentperf_page(rows))[0]["extra"]

    def test_every_key_is_reported_with_the_share_of_results_that_fill_it(self):
        fields = read(agentperf_page(published())).fields["agentperf_results"]
        assert fields["slo.p25OutputSpeed"] == 1
        assert fields["agentsPerMegawatt"] == pytest.approx(4 / 7, abs=1e-6)

    def test_the_shape_of_what_was_read_is_reported(self):
        (array,) = read(agentperf_page(published(), key="datacenterResults")).shape["arrays"]
        assert array["path"][-1] == "datacenterResults"
        assert array["records"] == 7
        assert array["keys"]["agentsPerMegawatt"] == "int"


class TestWhateverTheLayout:
    @pytest.mark.parametrize("layout", LAYOUTS)
    def test_the_same_results_are_read(self, layout):
        page = flight_page({**LAYOUTS[layout](published()), "methodologyVersion": "B"})
        assert told_apart(results(page)) == told_apart(results(agentperf_page(published())))

    @pytest.mark.parametrize("layout", sorted(LAYOUTS.keys() - KEYS_ARE_NAMES))
    def test_the_same_results_are_read_in_snake_case(self, layout):
        page = flight_page(snake({**LAYOUTS[layout](published()), "methodologyVersion": "B"}))
        assert told_apart(results(page)) == told_apart(results(agentperf_page(published())))

    def test_they_are_read_from_json_ld(self):
        page = flight_page({"children": "chart"}, json_ld=({"@type": "Dataset", "name": "AA-AgentPerf", "data": published()},))
        assert figures(results(page)) == FIGURES

    def test_they_are_read_from_json_in_a_text_of_the_stream(self):
        page = flight_page({"dangerouslySetInnerHTML": {"__html": "$a0"}}, texts=(json.dumps({"@type": "Dataset", "data": published()}),))
        assert figures(results(page)) == FIGURES

    def test_they_are_read_through_references_of_the_stream(self):
        page = flight_page({"results": "$11", "methodologyVersion": "C"}, published(), depth=0)
        rows = results(page)
        assert figures(rows) == FIGURES
        assert {r["methodology"] for r in rows} == {"C"}

    def test_a_renamed_array_another_slug_and_another_spelling_of_the_system_leave_the_identity(self):
        renamed = [
            {**r, "modelSlug": "deepseek-v4-pro-0424", "systemName": r["systemName"].replace("NVL72 (rack-scale disaggregated)", "NVL72")} for r in published()
        ]
        before, after = results(agentperf_page(published())), results(agentperf_page(renamed, key="datacenterResults", depth=6))
        assert {r["result_id"] for r in before} == {r["result_id"] for r in after}

    def test_a_new_value_and_another_submitter_leave_the_identity(self):
        before = [result(MUSE, "4x MI355X", "MI355X", 4, SLOW, "Artificial Analysis", totalThroughputPerMegawatt=70e6)]
        after = [{**before[0], "configuredBy": "AMD", "configId": "other", "totalThroughputPerMegawatt": 96e6}]
        assert results(agentperf_page(before))[0]["result_id"] == results(agentperf_page(after))[0]["result_id"]

    def test_a_rack_and_loose_nodes_of_one_accelerator_are_two_systems(self):
        rows = [
            result(MUSE, "4x GB300", "GB300", 4, SLOW, "NVIDIA", agentsPerMegawatt=88000),
            result(MUSE, "GB300 NVL72", "GB300", 36, SLOW, "NVIDIA", agentsPerMegawatt=91500),
        ]
        assert len({r["result_id"] for r in results(agentperf_page(rows))}) == 2

    def test_two_results_of_one_accelerator_that_differ_are_told_apart_by_what_differs(self):
        rows = [
            result(MUSE, "4x MI355X", "MI355X", 4, SLOW, "Artificial Analysis", totalThroughputPerMegawatt=70e6),
            result(MUSE, "4x MI355X", "MI355X", 4, SLOW, "AMD", totalThroughputPerMegawatt=96e6),
        ]
        found = results(agentperf_page(rows))
        assert {(r["configured_by"], r["value"]) for r in found} == {("Artificial Analysis", 70e6), ("AMD", 96e6)}
        assert len({r["result_id"] for r in found}) == 2

    def test_results_told_apart_in_one_array_are_not_doubled_by_a_shorter_one(self):
        rows = [
            result(MUSE, "4x MI355X", "MI355X", 4, SLOW, "Artificial Analysis", totalThroughputPerMegawatt=70e6),
            result(MUSE, "4x MI355X", "MI355X", 4, SLOW, "AMD", totalThroughputPerMegawatt=96e6),
        ]
        bars = [{k: r[k] for k in ("modelName", "systemName", "slo", "totalThroughputPerMegawatt")} for r in rows]
        assert sorted(r["value"] for r in results(flight_page({"bars": bars}, {"results": rows}))) == [70e6, 96e6]

    def test_the_date_of_the_page_is_no_date_of_measurement(self):
        row = {k: v for k, v in published()[0].items() if k != "measuredOn"}
        assert results(flight_page({"results": [row], "date": "2026-11-30"}))[0]["measured_on"] is None
        assert str(results(flight_page({"results": [{**row, "date": "2026-06-10"}]}))[0]["measured_on"]) == "2026-06-10"

    def test_the_same_result_in_two_arrays_is_one_row(self):
        page = flight_page(
            {
                "results": published(),
                "chart": {"bars": [{k: r[k] for k in ("modelName", "accelerator", "systemName", "slo", "agentsPerMegawatt")} for r in published()]},
            }
        )
        assert figures(results(page)) == FIGURES
        assert len(results(page)) == len(FIGURES)

    def test_two_values_of_one_result_in_two_arrays_are_refused(self):
        other = [{**published()[0], "agentsPerMegawatt": 91500}]
        with pytest.raises(Unreadable, match=r"two values of agents_per_mw"):
            results(flight_page({"results": published()[:1], "more": other}))

    def test_a_level_named_only_in_words_is_read_from_them(self):
        row = {**published()[3], "slo": "P25 ≥ 20 tok/s, P95 TTFT ≤ 10 s"}
        found = results(agentperf_page([row]))[0]
        assert (found["slo_p25_tok_s"], found["slo_p95_ttft_s"], found["slo_label"]) == (20, 10, row["slo"])

    def test_a_number_of_a_level_is_never_taken_for_its_speed(self):
        found = results(agentperf_page([{**published()[3], "slo": "SLO #1"}]))[0]
        assert (found["slo_p25_tok_s"], found["slo_label"]) == (None, "SLO #1")

    def test_a_wait_in_milliseconds_is_stored_in_seconds(self):
        row = {**published()[3], "slo": {"p25OutputSpeed": 20, "p95TtftMs": 10000}}
        assert results(agentperf_page([row]))[0]["slo_p95_ttft_s"] == 10

    def test_an_accelerator_not_in_the_reference_stays_as_written_and_is_counted(self):
        parsed = read(agentperf_page([result(MUSE, "8x Zeta9", "Zeta9", 8, SLOW, "Zeta", agentsPerMegawatt=40000)]))
        (row,) = parsed.rows["agentperf_results"]
        assert (row["accelerator"], row["accelerators"]) == ("Zeta9", 8)
        assert parsed.unmatched_names == ["Zeta9"]

    def test_a_page_at_its_former_address_is_read_under_the_same_scope_and_told(self):
        former = PUBLIC + "/benchmarks/hardware"
        parsed = read(agentperf_page(published()), url=former, scope=PUBLIC + "/hardware-inference-stack/datacenter")
        assert {r["source_url"] for r in parsed.rows["agentperf_results"]} == {former}
        assert any(former in w for w in parsed.warnings)
        assert {r["result_id"] for r in parsed.rows["agentperf_results"]} == {r["result_id"] for r in results(agentperf_page(published()))}


class TestSystems:
    @pytest.mark.parametrize(
        ("name", "accelerator", "count"),
        [
            ("GB300 NVL72 (rack-scale disaggregated)", "GB300", None),
            ("8x B300", "B300", 8),
            ("8 × B300", "B300", 8),
            ("B300 x8", "B300", 8),
            ("B300 (8 GPUs)", "B300", 8),
            ("NVIDIA HGX B300", "B300", None),
            ("AMD Instinct MI355X", "MI355X", None),
            ("RTX 5090", "RTX 5090", None),
        ],
    )
    def test_a_systems_name_tells_accelerator_and_count(self, name, accelerator, count):
        row = {k: v for k, v in published()[3].items() if k not in ("accelerator", "acceleratorVendor", "acceleratorCount")} | {"systemName": name}
        found = results(agentperf_page([row]))[0]
        assert (found["system"], found["accelerator"], found["accelerators"]) == (name, accelerator, count)

    def test_a_name_is_never_matched_by_a_part_of_it(self):
        row = {k: v for k, v in published()[3].items() if k not in ("accelerator", "acceleratorVendor")} | {"systemName": "H200 successor"}
        parsed = read(agentperf_page([row]))
        assert {(r["accelerator"], r["vendor"]) for r in parsed.rows["agentperf_results"]} == {(None, None)}
        assert parsed.unmatched_names == ["H200 successor"]

    @pytest.mark.parametrize(
        ("said", "by"),
        [
            ({"configuredBy": "AA"}, "Artificial Analysis"),
            ({"configuredBy": "Configured by NVIDIA, run and verified by Artificial Analysis"}, "NVIDIA"),
            ({"configuredBy": {"name": "AMD"}}, "AMD"),
            ({"configuredBy": "AMD (run and verified by AA)"}, "AMD"),
            ({"configuredBy": None, "vendorSubmitted": True}, "NVIDIA"),
            ({"configuredBy": None, "vendorSubmitted": False}, "Artificial Analysis"),
            ({"configuredBy": "vendor"}, "NVIDIA"),
            ({"configuredBy": None}, None),
        ],
    )
    def test_who_configured_is_named(self, said, by):
        found = results(agentperf_page([{**published()[3], **said}]))[0]
        assert found["configured_by"] == by
        assert found["provenance"] == ("vendor_submitted" if by in ("NVIDIA", "AMD") else "evaluator_measured")


class TestUnits:
    def test_agents_per_kilowatt_become_agents_per_megawatt(self):
        row = {**published()[0], "agentsPerKw": 61.354}
        del row["agentsPerMegawatt"]
        assert figures(results(agentperf_page([row])))[DEEPSEEK, "GB300", 20, "agents_per_mw"] == 61354

    def test_tokens_per_hour_become_tokens_per_second(self):
        row = {**published()[0], "inputTokensPerHourPerAccelerator": 530e6, "outputTokensPerHourPerAccelerator": 4e6}
        found = figures(results(agentperf_page([row])))
        assert found[DEEPSEEK, "GB300", 20, "input_tok_s_gpu"] == pytest.approx(147222.2, abs=0.1)
        assert found[DEEPSEEK, "GB300", 20, "output_tok_s_gpu"] == pytest.approx(1111.1, abs=0.1)

    @pytest.mark.parametrize(
        ("key", "value", "watts"), [("powerPerAccelerator", 937, 937), ("powerPerAccelerator", 0.937, 937), ("acceleratorPowerKw", 0.937, 937)]
    )
    def test_power_per_accelerator_is_stored_in_watts(self, key, value, watts):
        found = figures(results(agentperf_page([{**published()[0], key: value}])))
        assert found[DEEPSEEK, "GB300", 20, "watts_per_accelerator"] == pytest.approx(watts)

    def test_output_alone_per_megawatt_is_not_taken_for_the_headline(self):
        row = {**published()[5], "outputThroughputPerMegawatt": 1.0e6}
        found = results(agentperf_page([row]))
        assert [r["value"] for r in found] == [150e6]
        assert '"outputThroughputPerMegawatt":1000000.0' in found[0]["extra"]

    @pytest.mark.parametrize("text", ["61,354", "61.354K", "61 354", " 61354 "])
    def test_a_number_written_as_text_is_read_right(self, text):
        assert figures(results(agentperf_page([{**published()[0], "agentsPerMegawatt": text}])))[DEEPSEEK, "GB300", 20, "agents_per_mw"] == 61354

    @pytest.mark.parametrize("text", ["61.354,0", "61,35", "61k?", "sixty", "150m", "1e999", True, [61354]])
    def test_a_number_that_is_not_sure_is_refused(self, text):
        with pytest.raises(Unreadable, match="cannot be read for sure"):
            results(agentperf_page([{**published()[0], "agentsPerMegawatt": text}]))

    @pytest.mark.parametrize(("text", "qualifier"), [("~150M", "about"), ("about 150M", "about"), ("up to 150M", "up_to"), ("150M", "exact")])
    def test_how_a_figure_is_stated_stands_with_it(self, text, qualifier):
        (row,) = results(agentperf_page([{**published()[5], "totalThroughputPerMegawatt": text}]))
        assert (row["value"], row["qualifier"]) == (150e6, qualifier)

    def test_published_figures_raise_no_suspicion(self):
        assert read(agentperf_page(published())).suspicions == []

    def test_kilowatts_taken_for_megawatts_are_caught(self):
        rows = published()
        rows[0]["agentsPerMegawatt"] = 61.354
        assert "937,184 W per accelerator" in suspicion(rows)
        assert "kW is taken for MW" in suspicion(rows)

    @pytest.mark.parametrize("at", [0, 1, 2, 3])
    def test_kilowatts_taken_for_megawatts_are_caught_where_nothing_else_is_stated(self, at):
        row = published()[at] | {"agentsPerAccelerator": None, "maxConcurrentAgents": None}
        row["agentsPerMegawatt"] /= 1000
        assert "kW may be taken for MW" in suspicion([row])

    @pytest.mark.parametrize("at", [5, 6])
    def test_throughput_per_kilowatt_taken_for_per_megawatt_is_caught(self, at):
        row = published()[at]
        row["totalThroughputPerMegawatt"] /= 1000
        assert "kW may be taken for MW" in suspicion([row])

    @pytest.mark.parametrize("also", [{}, {"agentsPerMegawatt": None}, {"maxConcurrentAgents": None}, {"agentsPerMegawatt": None, "maxConcurrentAgents": None}])
    def test_a_figure_per_system_taken_for_one_per_accelerator_is_caught(self, also):
        assert "per system" in suspicion([{**published()[0], "agentsPerAccelerator": 1840, **also}])

    def test_a_value_named_per_megawatt_with_the_unit_per_kilowatt_is_refused(self):
        row = {**published()[0], "agentsPerMegawatt": {"value": 61.354, "unit": "agents/kW"}}
        with pytest.raises(Unreadable, match="unit of another"):
            results(agentperf_page([row]))


class TestWhatIsNoResult:
    def test_a_page_without_results_is_no_data(self):
        with pytest.raises(NoData, match="no AgentPerf result"):
            results(flight_page({"children": "Results are on their way."}))

    def test_an_empty_list_of_results_is_no_data(self):
        with pytest.raises(NoData):
            results(agentperf_page([]))

    def test_announced_results_without_a_figure_are_no_data(self):
        with pytest.raises(NoData):
            results(agentperf_page([result("gpt-oss-120b (high)", "H200", "H200", 8, SLOW, "AA")]))

    def test_the_older_system_load_test_is_not_taken_for_agentperf(self):
        load = [{"systemName": "8x H200", "modelName": "Llama 3.3 70B", "concurrency": 64, "outputSpeed": 41.5, "maxConcurrentAgents": 64}]
        with pytest.raises(NoData):
            results(flight_page({"systemLoadTest": load, "sltResults": load}))

    def test_results_of_which_some_do_not_say_whose_they_are_are_refused(self):
        rows = published()
        rows[1]["modelName"] = None
        with pytest.raises(Unreadable, match=r"1 of 7 results .* do not say of which model"):
            results(agentperf_page(rows))

    def test_results_that_do_not_say_whose_they_are_are_refused_with_their_keys(self):
        rows = [{"bar": "first", "agentsPerMegawatt": 61354}, {"bar": "second", "agentsPerMegawatt": 21053}]
        with pytest.raises(Unreadable, match="keys: agentsPerMegawatt, bar"):
            results(agentperf_page(rows))

    def test_a_figure_in_a_way_not_known_is_refused_and_not_left_out(self):
        row = {**published()[0], "agentsPerMegawatt": {"20": 61354, "60": 35800}}
        with pytest.raises(Unreadable, match=r"way not known: agentsPerMegawatt\.20"):
            results(agentperf_page([row]))

    def test_figures_that_are_all_in_a_way_not_known_are_refused(self):
        with pytest.raises(Unreadable, match="way not known"):
            results(flight_page({"rows": [{"system": "H200", "agentsPerMegawatt": {"slow": {"n": 2594}}}]}))

    def test_what_describes_a_metric_beside_results_is_no_figure(self):
        page = flight_page({"results": published(), "charts": [{"agentsPerMegawatt": {"label": "Agents per MW", "decimals": 0}}]})
        assert figures(results(page)) == FIGURES

    def test_a_chart_that_names_no_model_beside_full_results_is_set_aside_and_told(self):
        bars = [{"label": "GB300", "agentsPerMegawatt": 61354}]
        parsed = read(flight_page({"results": published(), "chartRows": bars}))
        assert figures(parsed.rows["agentperf_results"]) == FIGURES
        assert any("Set aside" in w and "chartRows" in w for w in parsed.warnings)

    def test_results_that_refer_to_records_the_page_does_not_hold_are_refused(self):
        with pytest.raises(Unreadable, match="a list with gaps is no list"):
            results(flight_page({"results": [*published(), "$77"]}))


CURVE = (
    {"concurrentAgents": 16, "p25OutputSpeed": 208.7, "p95Ttft": 0.3, "totalTokensPerSecondPerGpu": 49646},
    {"concurrentAgents": 160, "p25OutputSpeed": 40.9, "p95Ttft": 1.9, "totalTokensPerSecondPerGpu": 185382, "outputTokensPerSecondPerGpu": 1237},
)


class TestCurves:
    def test_points_of_a_result_become_operating_points(self):
        parsed = read(agentperf_page([{**published()[5], "curve": list(CURVE)}]))
        assert schema_failures(parsed, rows_sound=False) == []
        points = {p["concurrency"]: p for p in parsed.rows["operating_points"]}
        assert sorted(points) == [16, 160]
        top = points[160]
        assert (top["model"], top["accelerator"], top["accelerators"], top["scenario"]) == (MUSE, "GB300", 4, "aa_agentperf")
        assert (top["interactivity_tok_s"], top["interactivity_kind"], top["ttft_s"], top["ttft_percentile"]) == (40.9, "given", 1.9, "p95")
        assert (top["total_tok_s_gpu"], top["output_tok_s_gpu"]) == (185382, 1237)
        assert points[16].get("output_tok_s_gpu") is None

    def test_a_measured_speed_is_never_taken_for_the_level_of_the_result(self):
        rows = results(agentperf_page([{**published()[5], "curve": list(CURVE)}]))
        assert {r["slo_p25_tok_s"] for r in rows} == {20}

    def test_points_keep_their_identity_when_their_figures_change(self):
        def ids(speed):
            curve = [{**CURVE[0], "p25OutputSpeed": speed}]
            return [p["point_id"] for p in read(agentperf_page([{**published()[5], "curve": curve}])).rows["operating_points"]]

        assert ids(208.7) == ids(211.0)
