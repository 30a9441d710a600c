import pytest

from pipelines.sources.artificial_analysis.importing import KnownPage, UnknownPage, known_page
from tests.helpers.aa_pages import PUBLIC

DATACENTER = PUBLIC + "/hardware-inference-stack/datacenter"


@pytest.mark.parametrize(
    ("url", "resource", "scope"),
    [
        (PUBLIC + "/leaderboards/models", "leaderboard", PUBLIC + "/leaderboards/models"),
        ("http://www.artificialanalysis.ai/leaderboards/models/#top", "leaderboard", PUBLIC + "/leaderboards/models"),
        (DATACENTER, "datacenter", DATACENTER),
        (PUBLIC + "/benchmarks/hardware", "datacenter", DATACENTER),
        (PUBLIC + "/benchmarks/hardware/configs", "configurations", PUBLIC + "/benchmarks/hardware/configs"),
        (PUBLIC + "/methodology/agentperf", "methodology", PUBLIC + "/methodology/agentperf"),
        (PUBLIC + "/models/muse-spark-open", "model_page/muse-spark-open", PUBLIC + "/models/muse-spark-open"),
    ],
)
def test_a_saved_page_is_filed_where_the_fetched_one_is(url, resource, scope):
    page = known_page(url)
    assert (page.resource, page.scope) == (resource, scope)


def test_the_former_address_of_the_results_stays_the_address_of_what_it_said():
    assert known_page(PUBLIC + "/benchmarks/hardware") == KnownPage("datacenter", DATACENTER, PUBLIC + "/benchmarks/hardware")


@pytest.mark.parametrize(
    "url", ["", "leaderboard", PUBLIC, PUBLIC + "/pricing", PUBLIC + "/models/a/providers", "https://example.org/leaderboards/models", PUBLIC + "/models"]
)
def test_any_other_address_is_refused_with_the_list_of_known_ones(url):
    with pytest.raises(UnknownPage, match="/hardware-inference-stack/datacenter"):
        known_page(url)
