"""Keys, units and the basis of a throughput."""

import datetime as dt

import pytest

from pipelines.sources.sglang.figures import Key, count, number, ratio, understood
from pipelines.sources.sglang.throughput import Workload, basis_by_date, said_basis, settled
from pipelines.sources.sglang.versions import version_class


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("tokens_per_sec_per_gpu", Key("stated_tok_s_gpu")),
        ("tokensPerSecondPerGpu", Key("stated_tok_s_gpu")),
        ("total_tok_s_gpu", Key("total_tok_s_gpu")),
        ("total tok/s/GPU", Key("total_tok_s_gpu")),
        ("output_tokens_per_sec_per_gpu", Key("output_tok_s_gpu")),
        ("generated tok/s/GPU", Key("output_tok_s_gpu")),
        ("tokens_per_sec_per_user", Key("interactivity_tok_s")),
        ("tok/s/user", Key("interactivity_tok_s")),
        ("ttft_p95_ms", Key("ttft_s", 1e-3, "p95")),
        ("p99TtftMs", Key("ttft_s", 1e-3, "p99")),
        ("median_ttft_seconds", Key("ttft_s", 1.0, "p50")),
        ("mean_tpot_ms", Key("tpot_s", 1e-3, "mean")),
        ("prefix_cache_hit_pct", Key("cache_hit_pct")),
        ("cacheHitRate", Key("cache_hit")),
        ("max_concurrency", Key("concurrency")),
        ("num_gpus", Key("gpus")),
        ("tensor_parallel_size", Key("tp")),
        ("ttft", None),
        ("itl_ms", None),
        ("output_tokens_per_request", None),
        ("total_tokens_per_sec", None),
        ("cached_tok_s_gpu", None),
        ("speedup", None),
    ],
)
def test_a_key_is_understood_by_its_words_and_only_with_its_unit(key, meant):
    assert understood(key) == meant


@pytest.mark.parametrize(
    ("written", "percent_key", "meant"),
    [
        (0.968, False, (0.968, None, None, False)),
        (96.8, True, (0.968, None, None, False)),
        (96.8, False, (0.968, None, None, False)),
        ("96.8%", False, (0.968, None, None, False)),
        ("0.968", False, (0.968, None, None, False)),
        ("96.8-97.6%", False, (None, 0.968, 0.976, False)),
        ("96.8% to 97.6%", True, (None, 0.968, 0.976, False)),
        (0, True, (0.0, None, None, False)),
        (0.968, True, (None, None, None, True)),
        (120, True, (None, None, None, True)),
        ("high", False, (None, None, None, False)),
        (None, False, (None, None, None, False)),
    ],
)
def test_a_hit_rate_is_read_in_whatever_unit_it_is_written_and_never_guessed(written, percent_key, meant):
    assert ratio(written, percent_key=percent_key) == meant


@pytest.mark.parametrize(
    ("written", "meant"), [("2,514", 2514), ("485.8", 485.8), ("12,34", None), ("TBD", None), (True, None), (float("nan"), None), ("", None), (".", None)]
)
def test_a_number_may_be_written_as_text_but_must_be_one(written, meant):
    assert number(written) == meant


@pytest.mark.parametrize(("written", "meant"), [(16, 16), ("1,024", 1024), (16.0, 16), (0, None), (1.5, None), ("16-32", None), (True, None)])
def test_a_count_is_a_whole_number_above_zero(written, meant):
    assert count(written) == meant


@pytest.mark.parametrize(
    ("version", "kind"),
    [
        ("0.5.15.post1", "release"),
        ("v0.5.18 @ 71de97b2", "release"),
        ("0.5.8+", "release"),
        ("d6ab04bdf1", "commit"),
        ("commit 947927bdb", "commit"),
        ("PR #25820", "pr_build"),
        ("main @ 3f668733 (#28400 + #28604)", "pr_build"),
        ("qwen4-main @ e17062a1d", "branch"),
        ("main branch", "branch"),
        ("SGLang nightly", "branch"),
        ("0.0.0.dev1+g631db6c75", "commit"),
        ("as of last week", None),
        ("dev-qwen38-next-local image @ 9b2aee2283", "image"),
        ("inkling-small-dgx-spark", "image"),
        ("lmsysorg/sglang:nightly-dev-20260928-81f27fb3", "image"),
        (None, None),
        (" ", None),
    ],
)
def test_a_version_is_classified_by_what_it_names(version, kind):
    assert version_class(version) == kind


def test_the_key_counted_output_until_the_sixth_of_july_2026():
    assert basis_by_date(dt.datetime(2026, 7, 5, 23, 59)) == "output"
    assert basis_by_date(dt.datetime(2026, 7, 6)) == "total"


@pytest.mark.parametrize(
    ("comment", "basis"),
    [
        ("tokens_per_sec_per_gpu is total (input+output) tok/s/GPU = output/GPU × (isl+osl)/osl.", "total"),
        ("tokens_per_sec_per_gpu counts input and output tokens.", "total"),
        ("TTFT is P50; tokens_per_sec_per_gpu is output tok/s/GPU", "output"),
        ("Total time was short. tokens_per_sec_per_gpu as measured", None),
        ("output tok/s was 109.96", None),
    ],
)
def test_a_comment_on_the_key_says_what_it_counts(comment, basis):
    assert said_basis(comment) == basis


# Kimi-K3 on eight B300, NVFP4 with DSpark, concurrency 64: the cookbook's own figures; 2,147 expected by hand.
DSPARK = Workload(isl=8192, osl=1024, concurrency=64, ttft_s=11.664, tpot_s=0.02217, gpus=8)


def test_the_expected_throughput_is_that_of_the_published_check():
    assert DSPARK.expected_total_tok_s_gpu == pytest.approx(2147, abs=1)


@pytest.mark.parametrize(
    ("stated", "declared", "counted", "meant"),
    [
        (2147, "total", True, ("total", [])),
        (1946, "total", True, ("total", ["arithmetic_off"])),
        (1946, "total", False, ("total", [])),
        (2147 / 9, "output", True, ("output", [])),
        (2147 / 9, "total", True, ("output", ["unit_suspect"])),
        (2147 / 9, "total", False, ("output", ["unit_suspect"])),
        (2147, "output", True, ("total", ["unit_suspect"])),
        (1946 / 9, "output", True, ("output", ["arithmetic_off"])),
    ],
)
def test_arithmetic_confirms_doubts_or_settles_the_basis(stated, declared, counted, meant):
    assert settled(stated, declared, DSPARK, counted=counted) == meant


def test_without_arithmetic_the_declared_basis_stands():
    assert settled(100, "output", None, counted=True) == ("output", [])
