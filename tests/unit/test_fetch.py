"""Fetch: what is asked, how politely, and what each answer of a site is called."""

import pytest
from werkzeug import Response

from tests.servers import FakeTime, fetcher_for

KEY, TOKEN = "aa-key-0123456789", "ghp_0123456789abcdef"
AA = "https://artificialanalysis.ai"


@pytest.fixture
def time():
    return FakeTime()


@pytest.fixture
def base(httpserver):
    return httpserver.url_for("").rstrip("/")


@pytest.fixture
def fetcher(base, time):
    with fetcher_for(base, time) as fetcher:
        yield fetcher


def paths(httpserver):
    return [request.path for request, _ in httpserver.log]


def always(httpserver, status, *, path="/x", body="", headers=None):
    httpserver.expect_request(path).respond_with_data(body, status=status, headers=headers)


# ---- what an answer holds --------------------------------------------------------------------------------------


def test_an_answer_holds_the_bytes_as_sent_and_the_public_address(httpserver, fetcher):
    body = "5 €".encode("cp1252") + b"\x00\xff"
    httpserver.expect_request("/a b", query_string="page=2&per_page=100").respond_with_data(
        body, content_type="text/html", headers={"ETag": 'W/"1"', "Last-Modified": "Sat"}
    )
    answer = fetcher.fetch("github", "/a b", {"per_page": "100", "page": "2"})
    assert (answer.outcome, answer.status, answer.body, answer.message) == ("fetched", 200, body, None)
    assert answer.url == answer.final_url == "https://api.github.com/a%20b?page=2&per_page=100"
    assert (answer.etag, answer.last_modified, answer.content_type) == ('W/"1"', "Sat", "text/html")
    assert not answer.authorized
    assert not answer.stop


def test_the_public_address_does_not_depend_on_the_order_of_parameters(fetcher):
    one = fetcher.public_url("github", "/search/issues", {"q": "repo:a/b is:pr", "page": "1"})
    assert one == fetcher.public_url("github", "/search/issues", {"page": "1", "q": "repo:a/b is:pr"})
    assert one == "https://api.github.com/search/issues?page=1&q=repo%3Aa%2Fb+is%3Apr"


def test_a_path_is_plain_text_so_that_signs_in_file_names_survive(httpserver, fetcher):
    httpserver.expect_request("/o/r/sha/50%?#.md").respond_with_data("x")
    assert fetcher.fetch("raw", "/o/r/sha/50%?#.md").outcome == "fetched"


def test_the_next_page_of_a_listing_is_named_publicly_and_can_be_asked(httpserver, base, fetcher):
    httpserver.expect_request("/c", query_string="page=2").respond_with_data("two")
    httpserver.expect_request("/c").respond_with_data("one", headers={"Link": f'<{base}/c?page=2>; rel="next"'})
    link = fetcher.fetch("github", "/c").headers["link"]
    assert link == '<https://api.github.com/c?page=2>; rel="next"'
    site = fetcher._sites["github"]
    assert site.split("https://api.github.com/c?page=2") == site.split(f"{base}/c?page=2") == ("/c", {"page": "2"})
    assert site.split("https://evil.example/c?page=2") is None
    assert fetcher.fetch("github", "/c", {"page": "2"}).body == b"two"


def test_rate_limit_headers_are_kept_in_lower_case_and_others_dropped(httpserver, fetcher):
    httpserver.expect_request("/x").respond_with_data("x", headers={"X-RateLimit-Remaining": "7", "X-AA-Tier": "free", "Set-Cookie": "a=b"})
    kept = fetcher.fetch("github", "/x").headers
    assert kept["x-ratelimit-remaining"] == "7"
    assert kept["x-aa-tier"] == "free"
    assert not {"set-cookie", "server"} & set(kept)


# ---- manners ---------------------------------------------------------------------------------------------------


def test_every_request_says_who_asks_and_how_to_reach_them(httpserver, base):
    httpserver.expect_request("/x").respond_with_data("x")
    with fetcher_for(base, contact="ops@example.org") as fetcher:
        fetcher.fetch("raw", "/x")
    agent = httpserver.log[0][0].headers["User-Agent"]
    assert agent.startswith("megawatch/")
    assert agent.endswith(" (+ops@example.org)")


def test_robots_txt_is_asked_once_a_run_and_before_the_first_page(httpserver, fetcher):
    httpserver.expect_request("/robots.txt").respond_with_data("User-agent: *\nDisallow: /private\n")
    httpserver.expect_request("/a").respond_with_data("a")
    assert fetcher.fetch("aa", "/a").outcome == fetcher.fetch("aa", "/a").outcome == "fetched"
    assert paths(httpserver) == ["/robots.txt", "/a", "/a"]
    assert fetcher.robots_answers["aa"].body.startswith(b"User-agent")
    assert fetcher.robots_answers["aa"].url == f"{AA}/robots.txt"


def test_robots_txt_is_not_asked_of_hosts_without_pages(httpserver, fetcher):
    httpserver.expect_request("/x").respond_with_data("x")
    fetcher.fetch("github", "/x")
    fetcher.fetch("raw", "/x")
    assert paths(httpserver) == ["/x", "/x"]
    assert fetcher.robots_answers == {}


@pytest.mark.parametrize("agent", ["*", "megawatch", "Megawatch"])
def test_a_disallowed_page_is_not_fetched_and_the_message_names_the_ways_on(httpserver, fetcher, agent):
    httpserver.expect_request("/robots.txt").respond_with_data(f"User-agent: {agent}\nDisallow: /leaderboards\nAllow: /\n")
    answer = fetcher.fetch("aa", "/leaderboards/models")
    assert (answer.outcome, answer.body, answer.status) == ("disallowed", None, None)
    assert "megawatch import" in answer.message
    assert "MEGAWATCH_AA_API_KEY" in answer.message
    assert paths(httpserver) == ["/robots.txt"]


def test_rules_for_other_agents_do_not_bind_us(httpserver, fetcher):
    httpserver.expect_request("/robots.txt").respond_with_data("User-agent: GPTBot\nDisallow: /\n")
    httpserver.expect_request("/a").respond_with_data("a")
    assert fetcher.fetch("aa", "/a").outcome == "fetched"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_a_host_without_robots_txt_allows_everything(httpserver, fetcher, status):
    always(httpserver, status, path="/robots.txt")
    httpserver.expect_request("/a").respond_with_data("a")
    assert fetcher.fetch("inferencex", "/a").outcome == "fetched"


def test_an_empty_robots_txt_allows_everything(httpserver, fetcher):
    always(httpserver, 200, path="/robots.txt")
    httpserver.expect_request("/a").respond_with_data("a")
    assert fetcher.fetch("aa", "/a").outcome == "fetched"


def test_while_robots_txt_fails_no_page_of_the_host_is_fetched(httpserver, fetcher):
    always(httpserver, 503, path="/robots.txt")
    first, second = fetcher.fetch("aa", "/a"), fetcher.fetch("aa", "/b")
    assert first.outcome == second.outcome == "unreachable"
    assert f"{AA}/a was not asked, because robots.txt could not be had" in first.message
    assert paths(httpserver) == ["/robots.txt"] * 3
    assert fetcher.robots_answers["aa"].outcome == "unreachable"


def test_a_robots_txt_that_leads_elsewhere_or_asks_to_wait_allows_nothing(httpserver, base):
    httpserver.expect_oneshot_request("/robots.txt").respond_with_data("", status=302, headers={"Location": "https://elsewhere.example/robots.txt"})
    with fetcher_for(base) as fetcher:
        assert fetcher.fetch("aa", "/a").outcome == "unreachable"
    httpserver.expect_oneshot_request("/robots.txt").respond_with_data("", status=429, headers={"Retry-After": "600"})
    with fetcher_for(base) as fetcher:
        answer = fetcher.fetch("aa", "/a")
        assert (answer.outcome, answer.stop) == ("rate_limited", True)
    assert paths(httpserver) == ["/robots.txt"] * 2


def test_the_data_api_with_a_key_is_an_offer_and_not_under_robots_txt(httpserver, base):
    httpserver.expect_request("/robots.txt").respond_with_data("User-agent: *\nDisallow: /\n")
    httpserver.expect_request("/api/v2/language/models/free").respond_with_data("{}")
    with fetcher_for(base, aa_api_key=KEY) as fetcher:
        assert fetcher.fetch("aa", "/api/v2/language/models/free").outcome == "fetched"
        assert fetcher.fetch("aa", "/leaderboards/models").outcome == "disallowed"
    with fetcher_for(base) as fetcher:
        assert fetcher.fetch("aa", "/api/v2/openapi").outcome == "disallowed"


# ---- keys and cookies ------------------------------------------------------------------------------------------


def test_a_key_goes_to_its_own_host_alone(httpserver, base):
    always(httpserver, 404, path="/robots.txt")
    always(httpserver, 200, path="/api/x", body="x")
    with fetcher_for(base, aa_api_key=KEY, github_token=TOKEN) as fetcher:
        authorized = {site: fetcher.fetch(site, "/api/x").authorized for site in ("aa", "github", "raw", "inferencex")}
    assert authorized == {"aa": True, "github": True, "raw": False, "inferencex": False}
    sent = [(r.headers.get("x-api-key"), r.headers.get("Authorization")) for r, _ in httpserver.log if r.path == "/api/x"]
    assert sent == [(KEY, None), (None, f"Bearer {TOKEN}"), (None, None), (None, None)]


def test_the_data_key_is_not_shown_to_pages(httpserver, base):
    always(httpserver, 404, path="/robots.txt")
    always(httpserver, 200, path="/leaderboards/models", body="x")
    with fetcher_for(base, aa_api_key=KEY) as fetcher:
        assert not fetcher.fetch("aa", "/leaderboards/models").authorized
    assert all("x-api-key" not in request.headers for request, _ in httpserver.log)


def test_passwords_of_the_users_netrc_are_not_sent(httpserver, base, monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password hunter2\nmachine localhost login me password hunter2\n")
    (tmp_path / "netrc").chmod(0o600)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    always(httpserver, 200, body="x")
    with fetcher_for(base) as fetcher:
        fetcher.fetch("raw", "/x")
    assert "Authorization" not in httpserver.log[0][0].headers


def test_no_cookie_is_kept(httpserver, fetcher):
    always(httpserver, 200, body="x", headers={"Set-Cookie": "session=1; Path=/"})
    fetcher.fetch("raw", "/x")
    fetcher.fetch("raw", "/x")
    assert all("Cookie" not in request.headers for request, _ in httpserver.log)


def test_a_site_that_repeats_the_key_does_not_bring_it_into_a_message(httpserver, base):
    for before in ("", "x" * 175):  # also where the cut to 200 characters goes through the key
        httpserver.expect_oneshot_request("/x").respond_with_json({"message": f"Bad credentials: {before}{TOKEN}"}, status=401)
        with fetcher_for(base, github_token=TOKEN) as fetcher:
            answer = fetcher.fetch("github", "/x")
        assert answer.message.count("Bad credentials") == 1
        assert TOKEN[:4] not in repr(answer)


# ---- conditional requests --------------------------------------------------------------------------------------


def test_an_unchanged_page_costs_no_body(httpserver, fetcher):
    httpserver.expect_request("/x", headers={"If-None-Match": 'W/"1"', "If-Modified-Since": "Sat"}).respond_with_data("", status=304, headers={"ETag": 'W/"1"'})
    answer = fetcher.fetch("github", "/x", etag='W/"1"', last_modified="Sat")
    assert (answer.outcome, answer.status, answer.body, answer.etag) == ("not_modified", 304, None, 'W/"1"')


def test_a_304_nobody_asked_for_is_no_answer(httpserver, fetcher):
    always(httpserver, 304)
    answer = fetcher.fetch("github", "/x")
    assert (answer.outcome, answer.status) == ("unreachable", 304)


# ---- retries, waits, hosts that fail ---------------------------------------------------------------------------


def test_a_server_error_is_tried_three_times_with_growing_pauses(httpserver, fetcher, time):
    for _ in range(2):
        httpserver.expect_oneshot_request("/x").respond_with_data("", status=502)
    httpserver.expect_oneshot_request("/x").respond_with_data("good")
    assert fetcher.fetch("raw", "/x").body == b"good"
    assert time.slept == [1.0, 2.0]


def test_a_host_that_fails_three_addresses_is_left_alone_for_the_run(httpserver, fetcher, time):
    httpserver.expect_request("").respond_with_data("", status=503)
    answers = [fetcher.fetch("raw", f"/{n}") for n in range(40)]
    assert {answer.outcome for answer in answers} == {"unreachable"}
    assert not any(answer.stop for answer in answers)
    assert len(httpserver.log) == 9
    assert sum(time.slept) == 9
    assert "3 addresses failed in a row" in answers[-1].message
    assert answers[-1].url == "https://raw.githubusercontent.com/39"
    fetcher.start_source("another")
    assert fetcher.fetch("raw", "/x").outcome == "unreachable"
    assert len(httpserver.log) == 9


def test_a_good_answer_in_between_keeps_the_host_open(httpserver, fetcher):
    always(httpserver, 503, path="/bad")
    always(httpserver, 404, path="/gone")
    for _ in range(4):
        assert fetcher.fetch("raw", "/bad").outcome == "unreachable"
        assert fetcher.fetch("raw", "/gone").outcome == "moved"
    assert len(httpserver.log) == 4 * 4


def test_one_failing_host_does_not_close_another(httpserver, fetcher):
    always(httpserver, 503, path="/bad")
    always(httpserver, 200, path="/good", body="x")
    for _ in range(5):
        fetcher.fetch("raw", "/bad")
    assert fetcher.fetch("github", "/good").outcome == "fetched"


def test_a_short_retry_after_is_waited_for(httpserver, fetcher, time):
    httpserver.expect_oneshot_request("/x").respond_with_data("", status=503, headers={"Retry-After": "7"})
    httpserver.expect_oneshot_request("/x").respond_with_data("good")
    assert fetcher.fetch("raw", "/x").outcome == "fetched"
    assert time.slept == [7.0]


@pytest.mark.parametrize(("status", "outcome"), [(503, "unreachable"), (429, "rate_limited"), (403, "rate_limited")])
def test_a_long_retry_after_ends_the_source_for_this_run(httpserver, fetcher, time, status, outcome):
    always(httpserver, status, headers={"Retry-After": "21600"})
    answer = fetcher.fetch("github", "/x")
    assert (answer.outcome, answer.stop, time.slept) == (outcome, True, [])
    assert "21600 s" in answer.message
    again = fetcher.fetch("github", "/y")
    assert (again.outcome, again.stop) == (outcome, True)
    assert len(httpserver.log) == 1


@pytest.mark.parametrize("words", ["soon", "-5", "1e9", "²", "Fri, 99 Foo 2026"])
def test_an_unreadable_retry_after_is_ignored(httpserver, fetcher, time, words):
    always(httpserver, 503, headers={"Retry-After": words})
    assert fetcher.fetch("raw", "/x").outcome == "unreachable"
    assert time.slept == [1.0, 2.0]


def test_too_many_requests_without_a_time_is_tried_again_then_stops_the_source(httpserver, fetcher, time):
    always(httpserver, 429)
    answer = fetcher.fetch("raw", "/x")
    assert (answer.outcome, answer.stop, time.slept) == ("rate_limited", True, [1.0, 2.0])


# ---- limits and refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [403, 429])
def test_a_spent_github_limit_stops_the_source_and_says_until_when(httpserver, fetcher, status):
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1796083200"}
    httpserver.expect_request("/x").respond_with_json({"message": "API rate limit exceeded for 192.0.2.1."}, status=status, headers=headers)
    answer = fetcher.fetch("github", "/x")
    assert (answer.outcome, answer.stop) == ("rate_limited", True)
    assert "until 2026-12-01 00:00 UTC" in answer.message
    assert "GITHUB_TOKEN" in answer.message
    assert len(httpserver.log) == 1


def test_githubs_secondary_limit_stops_the_source(httpserver, fetcher):
    told = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}
    httpserver.expect_request("/x").respond_with_json(told, status=403, headers={"X-RateLimit-Remaining": "55"})
    answer = fetcher.fetch("github", "/x")
    assert (answer.outcome, answer.stop) == ("rate_limited", True)
    assert len(httpserver.log) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_page_that_is_gone_is_moved_and_not_asked_twice(httpserver, fetcher, status):
    always(httpserver, status)
    answer = fetcher.fetch("raw", "/x")
    assert (answer.outcome, answer.status, answer.stop) == ("moved", status, False)
    assert len(httpserver.log) == 1


@pytest.mark.parametrize(
    ("status", "key", "says"),
    [
        (401, None, "a key is needed; put it in MEGAWATCH_AA_API_KEY"),
        (401, KEY, "is not accepted"),
        (403, KEY, "does not cover this address"),
        (403, None, "refuses"),
    ],
)
def test_a_wrong_key_a_missing_key_and_a_low_tier_are_told_apart(httpserver, base, status, key, says):
    always(httpserver, 404, path="/robots.txt")
    httpserver.expect_request("/api/x").respond_with_json({"error": "no"}, status=status)
    with fetcher_for(base, aa_api_key=key) as fetcher:
        answer = fetcher.fetch("aa", "/api/x")
    assert (answer.outcome, answer.status, answer.authorized) == ("disallowed", status, key is not None)
    assert says in answer.message


@pytest.mark.parametrize(("status", "outcome"), [(400, "unreachable"), (409, "unreachable"), (422, "unreachable"), (206, "invalid"), (204, "invalid")])
def test_other_statuses_are_no_data_and_not_asked_twice(httpserver, fetcher, status, outcome):
    always(httpserver, status, body="" if status == 204 else '{"error": "Unknown model"}')
    answer = fetcher.fetch("raw", "/x")
    assert (answer.outcome, answer.status, answer.body) == (outcome, status, None)
    assert len(httpserver.log) == 1


def test_a_hostile_error_text_is_cut_and_stays_on_one_line(httpserver, fetcher):
    httpserver.expect_request("/x").respond_with_json({"message": "a\n\x1b[31m" + "b" * 5000}, status=404)
    message = fetcher.fetch("github", "/x").message
    assert len(message) < 400
    assert message.isprintable()


@pytest.mark.parametrize("body", ["[" * 60000, '{"message": 3}', "[1]", "404: Not Found", "\xff"])
def test_an_error_text_of_any_shape_is_survived(httpserver, fetcher, body):
    always(httpserver, 404, body=body)
    assert fetcher.fetch("github", "/x").outcome == "moved"


# ---- redirects -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_within_the_host_is_followed(httpserver, base, fetcher, status):
    always(httpserver, status, path="/old", headers={"Location": "/mid?a=1"})
    always(httpserver, status, path="/mid", headers={"Location": f"{base}/new"})
    always(httpserver, 200, path="/new", body="x")
    answer = fetcher.fetch("raw", "/old")
    assert answer.outcome == "fetched"
    assert (answer.url, answer.final_url) == ("https://raw.githubusercontent.com/old", "https://raw.githubusercontent.com/new")


def test_a_redirect_to_another_port_of_the_same_machine_is_not_followed(httpserver, base):
    with type(httpserver)(host="127.0.0.1") as other:
        other.expect_request("/secret").respond_with_data("secret")
        always(httpserver, 302, headers={"Location": other.url_for("/secret")})
        with fetcher_for(base, github_token=TOKEN) as fetcher:
            answer = fetcher.fetch("github", "/x")
        assert (answer.outcome, answer.status, answer.body) == ("moved", 302, None)
        assert "/secret" in answer.message
        assert other.log == []


@pytest.mark.parametrize("location", ["https://elsewhere.example/x", "//elsewhere.example/x", "file:///etc/passwd", "", "http://user@{host}/x"])
def test_a_redirect_away_from_the_host_is_moved(httpserver, base, fetcher, location):
    always(httpserver, 302, headers={"Location": location.replace("{host}", base.removeprefix("http://"))})
    answer = fetcher.fetch("raw", "/x")
    assert (answer.outcome, answer.status) == ("moved", 302)
    assert len(httpserver.log) == 1


def test_a_redirect_in_a_circle_ends_after_five_steps(httpserver, fetcher):
    always(httpserver, 302, path="/a", headers={"Location": "/b"})
    always(httpserver, 302, path="/b", headers={"Location": "/a"})
    assert fetcher.fetch("raw", "/a").outcome == "moved"
    assert len(httpserver.log) == 6


def test_robots_txt_also_rules_where_a_redirect_leads(httpserver, fetcher):
    httpserver.expect_request("/robots.txt").respond_with_data("User-agent: *\nDisallow: /private\n")
    always(httpserver, 302, path="/a", headers={"Location": "/private/a"})
    assert fetcher.fetch("aa", "/a").outcome == "disallowed"
    assert paths(httpserver) == ["/robots.txt", "/a"]


# ---- deadlines -------------------------------------------------------------------------------------------------


def test_after_sixty_seconds_a_source_is_asked_nothing_more(httpserver, fetcher, time):
    always(httpserver, 200, body="x")
    fetcher.start_source("sglang")
    time.now += 59.5
    assert fetcher.fetch("raw", "/x").outcome == "fetched"
    time.now += 0.5
    answer = fetcher.fetch("raw", "/x")
    assert (answer.outcome, answer.stop) == ("unreachable", True)
    assert "60 s of the source sglang" in answer.message
    assert len(httpserver.log) == 1


def test_the_next_source_has_its_own_sixty_seconds_at_the_same_host(httpserver, fetcher, time):
    always(httpserver, 200, body="x")
    time.now += 61
    assert fetcher.fetch("raw", "/x").stop
    fetcher.start_source("another")
    assert fetcher.fetch("raw", "/x").outcome == "fetched"


def test_progress_puts_the_deadline_off_but_not_beyond_the_run(httpserver, fetcher, time):
    always(httpserver, 200, body="x")
    started = time.now
    while time.now < started + 1790:
        time.now += 59
        fetcher.progress()
        if time.now < started + 1800:
            assert fetcher.fetch("raw", "/x").outcome == "fetched"
    time.now = started + 1800
    fetcher.progress()
    fetcher.start_source("late")
    answer = fetcher.fetch("raw", "/x")
    assert (answer.outcome, answer.stop) == ("unreachable", True)
    assert "30 min" in answer.message


def test_a_pause_that_would_pass_the_deadline_is_not_taken(httpserver, fetcher, time):
    always(httpserver, 503, headers={"Retry-After": "9"})
    time.now += 55
    assert fetcher.fetch("raw", "/x").outcome == "unreachable"
    assert time.slept == []


def test_a_body_that_comes_in_after_the_deadline_is_not_taken(httpserver, fetcher, time):
    def late(request):
        time.now += 61
        return Response(b"x" * 100)

    httpserver.expect_request("/x").respond_with_handler(late)
    answer = fetcher.fetch("raw", "/x")
    assert (answer.outcome, answer.body, answer.stop) == ("unreachable", None, True)


def test_a_limited_page_does_not_advise_a_key_that_pages_do_not_take(httpserver, fetcher):
    always(httpserver, 404, path="/robots.txt")
    always(httpserver, 429, path="/leaderboards/models", headers={"Retry-After": "600"})
    answer = fetcher.fetch("aa", "/leaderboards/models")
    assert answer.outcome == "rate_limited"
    assert "MEGAWATCH_AA_API_KEY" not in answer.message
