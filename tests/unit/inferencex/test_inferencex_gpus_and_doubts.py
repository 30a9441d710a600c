"""Physical accelerators, and reasons for doubt."""

import pytest

from pipelines.sources.inferencex.images import image_class, is_unreleased
from tests.unit.inferencex.by_hand import agentic, june, only, records, september


def disaggregated(**change):
    """Two prefill workers of 4 GPUs and one decode worker of 16; input per prefill GPU, output per decode GPU."""
    row = june(
        hardware="gb200",
        disagg=True,
        is_multinode=True,
        prefill_tp=4,
        prefill_num_workers=2,
        num_prefill_gpu=8,
        decode_tp=16,
        decode_num_workers=1,
        num_decode_gpu=16,
        metrics={"tput_per_gpu": 1000.0, "input_tput_per_gpu": 2700.0, "output_tput_per_gpu": 150.0},
    )
    return row | change


def test_64_gpus_claimed_for_one_node_are_corrected_and_flagged():
    point = only(june(decode_ep=8, prefill_ep=8, num_prefill_gpu=64, num_decode_gpu=64))
    assert (point["accelerators"], point["nodes"], point["accelerators_from"], point["flags"]) == (8, 1, "tp x pp x pcp", ["gpus_corrected"])


def test_total_over_per_gpu_throughput_tells_the_number_of_gpus_first():
    point = only(agentic(num_decode_gpu=64, metrics={"total_tput_tps": 4 * 17480.42}))
    assert (point["accelerators"], point["flags"]) == (4, ["gpus_corrected"])


def test_a_ratio_that_is_no_whole_number_of_gpus_tells_nothing():
    assert only(agentic(metrics={"total_tput_tps": 7.4 * 17480.42}))["accelerators_from"] == "tp x pp x pcp"


def test_pipeline_and_prefill_context_parallelism_need_gpus_of_their_own():
    assert only(september(num_decode_gpu=32, metrics={"pp": 2, "pcp_size": 2}))["accelerators"] == 32


def test_a_disaggregated_deployment_has_the_gpus_of_both_roles():
    point = only(disaggregated())
    assert (point["accelerators"], point["nodes"], point["disaggregated"]) == (24, None, True)
    assert (point["tp"], point["ep"]) == (None, 1)


def test_output_of_a_disaggregated_deployment_is_spread_over_all_its_gpus():
    point = only(disaggregated())
    assert point["input_tok_s_gpu"] == pytest.approx(900)
    assert point["output_tok_s_gpu"] == pytest.approx(100)
    assert point["input_tok_s_gpu"] + point["output_tok_s_gpu"] == pytest.approx(point["total_tok_s_gpu"])


def test_gpu_counts_that_contradict_the_throughput_are_unknown_and_flagged():
    point = only(disaggregated(prefill_num_workers=0, decode_num_workers=0, num_prefill_gpu=16))
    assert (point["accelerators"], point["output_tok_s_gpu"], point["flags"]) == (None, None, ["gpus_uncertain"])
    assert point["total_tok_s_gpu"] == 1000.0


def test_a_multi_node_deployment_has_no_guessed_number_of_nodes():
    assert only(june(is_multinode=True))["nodes"] is None


def test_input_and_output_that_do_not_add_up_are_flagged():
    assert "io_mismatch" in only(agentic(metrics={"input_tput_per_gpu": 17000.0}))["flags"]
    assert only(agentic(metrics={"input_tput_per_gpu": 17400.0}))["flags"] == []


@pytest.mark.parametrize(("seconds", "flags"), [(3239.9, ["short_run"]), (3240.0, []), (None, [])])
def test_an_agentic_run_of_less_than_nine_tenths_of_the_hour_is_short(seconds, flags):
    assert only(agentic(metrics={"duration_seconds": seconds}))["flags"] == flags


# expected total per GPU = 64 x 9216 / (1.0 + 1023 x 0.031) / 8 = 2253.8 with means
@pytest.mark.parametrize(
    ("total", "flags"),
    [
        (2253.8, []),
        (2253.8 * 1.049, []),
        (2253.8 * 1.06, ["arithmetic_off"]),
        (2253.8 * 0.94, ["arithmetic_off"]),
        (2253.8 / 9, ["unit_suspect"]),
        (2253.8 * 0.1135, ["arithmetic_off"]),
    ],
)
def test_throughput_that_does_not_follow_from_concurrency_and_latency_is_flagged(total, flags):
    rows = june(metrics={"tput_per_gpu": total, "input_tput_per_gpu": None, "output_tput_per_gpu": None})
    assert only(rows)["flags"] == flags


# 64 x 9216 / (0.9 + 1023 x 0.03) / 8 = 2334.1 with medians
@pytest.mark.parametrize(("total", "flags"), [(2334.1 * 0.92, []), (2334.1 * 0.88, ["arithmetic_off"])])
def test_medians_are_held_to_the_arithmetic_more_loosely(total, flags):
    rows = june(metrics={"tput_per_gpu": total, "input_tput_per_gpu": None, "output_tput_per_gpu": None, "mean_ttft": None, "mean_tpot": None})
    assert only(rows)["flags"] == flags


def curve(*totals, **change):
    return [
        agentic(id=str(n), conc=2**n, metrics={"tput_per_gpu": t, "input_tput_per_gpu": None, "total_tput_tps": None}, **change) for n, t in enumerate(totals)
    ]


def test_a_point_far_from_both_neighbours_is_an_outlier():
    assert [r["flags"] for r in records(curve(1000, 2000, 9000, 2900))] == [[], [], ["outlier"], []]
    assert [r["flags"] for r in records(curve(1000, 300, 1900))] == [[], ["outlier"], []]


def test_a_cliff_at_the_end_of_a_curve_is_no_outlier():
    assert [r["flags"] for r in records(curve(7092, 11242, 10339, 2815))] == [[]] * 4


def test_points_of_other_deployments_are_no_neighbours():
    mixed = [*curve(1000, 2000, 2500), *curve(9000, 9500, 9900, decode_tp=4)]
    assert not any("outlier" in r["flags"] for r in records(mixed))


@pytest.mark.parametrize(
    ("image", "kind", "unreleased"),
    [
        ("lmsysorg/sglang:v0.5.20-rocm720-mi35x", "release", False),
        ("nvcr.io/nvidia/tensorrt-llm/release:1.3.0rc14", "release", False),
        ("rocm/sgl-dev:sglang-0.5.7-rocm700-mi35x-mori-fp4-0122", "release", False),
        ("rocm/atom:rocm7.2.4_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom0.1.3", "release", False),
        ("rocm/atom:rocm7.2.3_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom20260511", "image", False),
        ("vllm/vllm-openai:nightly-7c5dc571cbd1064ecc8a9b1045637ff647aa22cb", "commit", False),
        ("lmsysorg/sglang:nightly-dev-cu13-20260923-06008c17@sha256:5921361f", "commit", False),
        ("vllm/vllm-openai:minimax-m3", "image", False),
        ("localhost:5000/serving", "image", False),
        ("lmsysorg/sglang:dev-unmerged", "branch", True),
        ("lmsysorg/sglang:v0.5.20-dev", "branch", True),
        ("lmsysorg/sglang:pr-41900", "pr_build", True),
        (None, None, False),
    ],
)
def test_images_of_no_release_and_no_main_branch_build_are_flagged(image, kind, unreleased):
    assert (image_class(image), is_unreleased(image)) == (kind, unreleased)
    point = only(june(image=image))
    assert (point["framework_version"], point["framework_version_class"], "unreleased_image" in point["flags"]) == (image, kind, unreleased)
