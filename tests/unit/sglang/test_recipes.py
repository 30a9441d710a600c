"""Config files: launch flags, selections, overlays."""

import pytest

from pipelines.sources.sglang.configs import read_config
from pipelines.sources.sglang.literals import read
from pipelines.sources.sglang.parallelism import Parallelism, from_flags, from_words, tokens


def recipe(cells, match, more=""):
    return read_config(read(f"export const config = {{ {more} cells: [ {cells} ] }};".encode())).recipe(match)


@pytest.mark.parametrize("flag", ["--tp 8", "--tp-size 8", "--tensor-parallel-size 8", "--tp=8", "--tensor-parallel-size=8"])
def test_tensor_parallelism_has_three_spellings_and_two_ways_to_write_a_value(flag):
    assert recipe(f'{{ match: {{ hw: "b300" }}, flags: ["{flag}"] }}', {"hw": "b300"}).parallelism == Parallelism(tp=8, gpus=8)


@pytest.mark.parametrize(
    ("flags", "gpus"),
    [
        (["--tp 8", "--ep-size 8"], 8),
        (["--tp 8 --pp-size 2", "--nnodes 2"], 16),
        (["--tp 4", "--dp 2"], 8),
        (["--tp 8", "--dp 8", "--enable-dp-attention"], 8),
        (["--model-path x", "--mem-fraction-static 0.85"], 1),
        (["--tp 4", "--tp-size 8"], 8),
    ],
)
def test_gpus_are_counted_as_sglang_lays_them_out(flags, gpus):
    assert from_flags(tokens(flags), whole=True).gpus == gpus


def test_flags_that_are_not_all_readable_have_no_defaults():
    cell = '{ match: { hw: "b300" }, flags: ["--mem-fraction-static 0.85", ...extra] }'
    assert recipe(cell, {"hw": "b300"}).parallelism.gpus is None
    assert recipe('{ match: { hw: "b300" }, flags: (s) => ["--tp 8"] }', {"hw": "b300"}).parallelism.gpus is None


def test_the_most_specific_cell_a_row_fulfils_speaks_for_it():
    cells = '{ match: { hw: "b300" }, flags: ["--tp 4"] }, { match: { hw: "b300", strategy: "balanced" }, flags: ["--tp 8"] }'
    assert recipe(cells, {"hw": "b300", "strategy": "balanced", "spec": "none"}).parallelism.tp == 8


def test_a_row_with_fewer_dimensions_takes_what_all_its_cells_agree_on():
    cells = (
        '{ match: { hw: "gb300", quant: "fp8" }, verified: true, flags: ["--tp 4"] }, '
        '{ match: { hw: "gb300", quant: "bf16" }, verified: false, flags: ["--tp-size 4"] }'
    )
    found = recipe(cells, {"hw": "gb300"})
    assert (found.parallelism.tp, found.verified) == (4, None)


def test_a_row_of_other_hardware_has_no_recipe():
    assert recipe('{ match: { hw: "b300" }, verified: true, flags: ["--tp 8"] }', {"hw": "mi355x"}).parallelism == Parallelism()


def test_an_overlay_lays_its_flags_over_the_cell():
    overlays = 'overlayDims: [ { id: "hicache", options: [ { id: "l2", flags: ["--enable-hierarchical-cache", "--hicache-ratio 2"] }, { id: "off" } ] } ],'
    cells = '{ match: { hw: "b300" }, flags: ["--tp 8"] }'
    assert recipe(cells, {"hw": "b300", "hicache": "l2"}, overlays).kv_offload == "hicache"
    assert recipe(cells, {"hw": "b300", "hicache": "off"}, overlays).kv_offload == "none"


def test_an_overlay_that_rewrites_parallelism_in_code_leaves_it_unknown():
    option = '{ id: "dspark", stripPrefixes: (s) => wide(s) ? ["--tp-size", "--pp-size"] : [], flags: ["--speculative-algorithm DSPARK"] }'
    overlays = f'overlayDims: [ {{ id: "spec", options: [ {option} ] }} ],'
    cells = '{ match: { hw: "b200" }, flags: ["--tp-size 8", "--pp-size 2"] }'
    found = recipe(cells, {"hw": "b200", "spec": "dspark"}, overlays)
    assert (found.parallelism.gpus, found.speculative_decoding) == (None, "DSPARK")
    assert recipe(cells, {"hw": "b200"}, overlays).parallelism.gpus == 16


def test_the_image_is_that_of_hardware_and_quantization_else_of_the_hardware():
    images = 'dockerImages: { "b300|nvfp4": "lmsysorg/sglang:a", b300: "lmsysorg/sglang:b" },'
    assert recipe("", {"hw": "b300", "quant": "nvfp4"}, images).image == "lmsysorg/sglang:a"
    assert recipe("", {"hw": "b300", "quant": "fp8"}, images).image == "lmsysorg/sglang:b"
    assert recipe("", {"hw": "h200", "quant": "fp8"}, images).image is None


def test_a_cell_that_is_no_literal_is_counted_and_the_others_are_read():
    config = read_config(read(b'export const config = { cells: [ ...base, { match: { hw: "b300" }, flags: ["--tp 8"] }, { match: pick(), flags: [] } ] };'))
    assert (len(config.cells), config.unread) == (1, 2)


def test_acceptance_simulated_by_the_recipes_environment_is_told():
    cell = '{ match: { hw: "b300" }, env: ["SGLANG_SIMULATE_ACC_LEN=3"], flags: ["--tp 8"] }'
    assert recipe(cell, {"hw": "b300"}).synthetic_acceptance is True


@pytest.mark.parametrize(
    ("text", "accelerator", "said"),
    [
        ("Measured on 4x GB300 (TP4/EP4) with the final weights", "GB300", Parallelism(tp=4, ep=4, gpus=4)),
        ("2×GB300, TP=2. Speed: one 720p image", "GB300", Parallelism(tp=2, gpus=2)),
        ("8xH200, BF16, tp8. GSM8K 0.9302", "H200", Parallelism(tp=8, gpus=8)),
        ("2x DGX Spark, TP=2, 2026-09-04", "DGX Spark", Parallelism(tp=2, gpus=2)),
        ("Accuracy-only validation on 8x MI355X (gfx950, TP8)", "MI355X", Parallelism(tp=8, gpus=8)),
        ("inferred from 8x MI300X", "MI325X", Parallelism()),
        ("4x GB300, then 8x GB300", "GB300", Parallelism()),
        ("TP8 EP8", "GB300", Parallelism(tp=8, ep=8)),
        ("128x128 block-FP8, 3x faster, HTTP 200", "B200", Parallelism()),
    ],
)
def test_a_remark_counts_gpus_only_of_the_rows_own_accelerator_and_only_if_it_agrees_with_itself(text, accelerator, said):
    assert from_words(text, accelerator) == said
