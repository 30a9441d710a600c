"""Settings: typed, from the environment or `.env`, with clear errors and no secret shown."""

from pathlib import Path

import pytest

from pipelines.settings import SettingsError, load_settings

KEY = "aa-key-0123456789"
TOKEN = "ghp_0123456789abcdef"


def load(monkeypatch, tmp_path, env_file="", **env):
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    (tmp_path / ".env").write_text(env_file, encoding="utf-8")
    return load_settings(tmp_path / ".env")


def problems(monkeypatch, tmp_path, **env):
    with pytest.raises(SettingsError) as error:
        load(monkeypatch, tmp_path, **env)
    return error.value.problems


def test_without_any_setting_the_live_sites_are_asked_without_keys(monkeypatch, tmp_path):
    settings = load(monkeypatch, tmp_path)
    assert {key: (site.base, site.public, site.robots) for key, site in settings.sites.items()} == {
        "aa": ("https://artificialanalysis.ai",) * 2 + (True,),
        "github": ("https://api.github.com",) * 2 + (False,),
        "raw": ("https://raw.githubusercontent.com",) * 2 + (False,),
        "inferencex": ("https://inferencex.semianalysis.com",) * 2 + (True,),
    }
    assert not settings.is_replay
    assert settings.lake == Path("data_lake")
    assert settings.aa_api_key is None
    assert settings.github_token is None
    assert settings.watched_models == settings.model_pages == ("muse-spark-open",)
    assert settings.sglang_repo == "sgl-project/sglang"
    assert settings.sglang_roots == ("docs/src/snippets", "docs/cookbook", "docs_new/src/snippets", "docs_new/cookbook", "test/registered/amd/accuracy")
    assert settings.target_speeds == (20, 30, 40, 50, 60, 75, 100, 128, 150, 160, 180, 191, 200, 222, 254, 300, 400)


def test_a_missing_env_file_is_no_error(tmp_path):
    assert not load_settings(tmp_path / "absent").is_replay


def test_values_come_from_the_env_file_and_the_environment_wins(monkeypatch, tmp_path):
    settings = load(monkeypatch, tmp_path, "MEGAWATCH_LAKE=from-file\nMEGAWATCH_CONTACT=ops@example.org\n", MEGAWATCH_LAKE="from-environment")
    assert settings.lake == Path("from-environment")
    assert settings.contact == "ops@example.org"


def test_an_empty_token_in_the_environment_means_none_whatever_the_env_file_says(monkeypatch, tmp_path):
    assert load(monkeypatch, tmp_path, f"GITHUB_TOKEN={TOKEN}\n", GITHUB_TOKEN="").github_token is None


def test_an_empty_address_or_folder_stands_for_the_default(monkeypatch, tmp_path):
    settings = load(monkeypatch, tmp_path, MEGAWATCH_AA_URL="", MEGAWATCH_LAKE=" ", MEGAWATCH_TARGET_SPEEDS="")
    assert settings.aa_url == "https://artificialanalysis.ai"
    assert settings.lake == Path("data_lake")
    assert 254 in settings.target_speeds


def test_an_empty_list_of_watched_models_watches_none(monkeypatch, tmp_path):
    assert load(monkeypatch, tmp_path, MEGAWATCH_WATCHED_MODELS="").watched_models == ()


def test_lists_are_separated_by_commas_and_speeds_sorted(monkeypatch, tmp_path):
    settings = load(
        monkeypatch, tmp_path, MEGAWATCH_MODEL_PAGES=" a-1, b.2 ,", MEGAWATCH_SGLANG_ROOTS="/docs/cookbook/,test/amd", MEGAWATCH_TARGET_SPEEDS="60,20.5,60"
    )
    assert settings.model_pages == ("a-1", "b.2")
    assert settings.sglang_roots == ("docs/cookbook", "test/amd")
    assert settings.target_speeds == (20.5, 60.0)


def test_any_base_that_is_not_the_sources_own_makes_a_replay(monkeypatch, tmp_path):
    settings = load(monkeypatch, tmp_path, MEGAWATCH_GITHUB_RAW_URL="http://127.0.0.1:4000/")
    assert settings.is_replay
    assert settings.sites["raw"].base == "http://127.0.0.1:4000"
    assert settings.sites["raw"].public == "https://raw.githubusercontent.com"


@pytest.mark.parametrize("spelling", ["https://api.github.com/", "https://API.GitHub.com", "https://api.github.com:443"])
def test_another_spelling_of_the_live_address_is_no_replay(monkeypatch, tmp_path, spelling):
    assert not load(monkeypatch, tmp_path, MEGAWATCH_GITHUB_API_URL=spelling).is_replay


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("MEGAWATCH_AA_URL", "artificialanalysis.ai", "is not a web address"),
        ("MEGAWATCH_AA_URL", "ftp://example.org", "is not a web address"),
        ("MEGAWATCH_AA_URL", "http://example.org:99999", "is not a web address"),
        ("MEGAWATCH_AA_URL", "https://example.org/aa?x=1", "more than scheme, host and port"),
        ("MEGAWATCH_TARGET_SPEEDS", "20,fast", "'fast'"),
        ("MEGAWATCH_TARGET_SPEEDS", "20,-1", "'-1'"),
        ("MEGAWATCH_TARGET_SPEEDS", "nan", "'nan'"),
        ("MEGAWATCH_TARGET_SPEEDS", ",", "names no speed"),
        ("MEGAWATCH_SGLANG_REPO", "sglang", "owner/name"),
        ("MEGAWATCH_SGLANG_ROOTS", "/", "names no folder"),
        ("MEGAWATCH_WATCHED_MODELS", "Muse Spark Open", "'Muse Spark Open'"),
        ("MEGAWATCH_CONTACT", "me\nX-Evil: 1", "plain ASCII"),
        ("MEGAWATCH_HEARTBEAT_URL", "ping", "is not a web address"),
    ],
)
def test_a_value_that_cannot_be_used_gives_one_sentence_naming_the_setting(monkeypatch, tmp_path, name, value, says):
    (sentence,) = problems(monkeypatch, tmp_path, **{name: value})
    assert sentence.startswith(name)
    assert says in sentence
    assert sentence.endswith(".")


def test_every_unusable_setting_is_told_at_once(monkeypatch, tmp_path):
    told = problems(monkeypatch, tmp_path, MEGAWATCH_AA_URL="x", MEGAWATCH_SGLANG_REPO="x", MEGAWATCH_TARGET_SPEEDS="x")
    assert {sentence.split()[0] for sentence in told} == {"MEGAWATCH_AA_URL", "MEGAWATCH_SGLANG_REPO", "MEGAWATCH_TARGET_SPEEDS"}


def test_an_env_file_that_is_not_text_gives_a_sentence(tmp_path):
    (tmp_path / ".env").write_bytes(b"MEGAWATCH_CONTACT=\xff\xfe\n")
    with pytest.raises(SettingsError, match="UTF-8"):
        load_settings(tmp_path / ".env")


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("GITHUB_TOKEN", f"{TOKEN} {TOKEN}", TOKEN),
        ("MEGAWATCH_AA_API_KEY", f"{KEY}\nx", KEY),
        ("MEGAWATCH_AA_URL", "https://user:hunter2@example.org", "hunter2"),
        ("MEGAWATCH_HEARTBEAT_URL", "https://user:hunter2@example.org/ping", "hunter2"),
        ("MEGAWATCH_HEARTBEAT_URL", "hc-ping.example/very-secret-id", "very-secret-id"),
    ],
)
def test_an_error_never_shows_the_secret(monkeypatch, tmp_path, name, value, secret):
    (sentence,) = problems(monkeypatch, tmp_path, **{name: value})
    assert name in sentence
    assert secret not in sentence


def test_a_token_is_refused_for_an_unencrypted_host_elsewhere_and_allowed_on_loopback(monkeypatch, tmp_path):
    (sentence,) = problems(monkeypatch, tmp_path, GITHUB_TOKEN=TOKEN, MEGAWATCH_GITHUB_API_URL="http://mirror.example.org")
    assert "unencrypted" in sentence
    assert TOKEN not in sentence
    assert load(monkeypatch, tmp_path, MEGAWATCH_GITHUB_API_URL="http://127.0.0.1:4000").github_token is not None


def test_secrets_are_never_shown(monkeypatch, tmp_path):
    settings = load(
        monkeypatch, tmp_path, f"MEGAWATCH_AA_API_KEY={KEY}\n", GITHUB_TOKEN=f" {TOKEN} ", MEGAWATCH_HEARTBEAT_URL="https://hc.example/very-secret-id"
    )
    assert settings.github_token.get_secret_value() == TOKEN
    for shown in (repr(settings), str(settings), repr(settings.sites), str(settings.described(tmp_path / ".env"))):
        for secret in (KEY, TOKEN, "very-secret-id"):
            assert secret not in shown


def test_status_lists_every_setting_with_its_value_and_where_it_is_from(monkeypatch, tmp_path):
    settings = load(monkeypatch, tmp_path, f"MEGAWATCH_AA_API_KEY={KEY}\n", MEGAWATCH_TARGET_SPEEDS="20,30.5", MEGAWATCH_WATCHED_MODELS="")
    rows = {name: (value, origin) for name, value, origin in settings.described(tmp_path / ".env")}
    assert len(rows) == len(type(settings).model_fields)
    assert rows["MEGAWATCH_AA_API_KEY"] == ("set", ".env")
    assert rows["GITHUB_TOKEN"] == ("not set", "default")
    assert rows["MEGAWATCH_TARGET_SPEEDS"] == ("20, 30.5", "environment")
    assert rows["MEGAWATCH_WATCHED_MODELS"] == ("none", "environment")
    assert rows["MEGAWATCH_LAKE"] == ("data_lake", "default")
