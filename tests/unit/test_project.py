"""What the repository promises about itself: what it rests on, how it is locked, and that its documents lead somewhere."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from pipelines.cli import EXIT_CODES
from pipelines.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = DECLARED["project"]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
LOCKS = ("requirements-build.lock", "requirements.lock", "requirements-dev.lock")


def plain(requirement):
    return re.split(r"[\[<>=~;! ]", requirement)[0].lower().replace("_", "-").replace(".", "-")


def locked(name):
    return dict(re.findall(r"^([a-z0-9][a-z0-9._-]*)(?:\[[a-z,-]+\])?==([^ ;\\]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))


def test_what_is_imported_is_declared_and_what_is_declared_is_imported():
    modules = set()
    for path in (p for folder in ("pipelines", "dashboard") for p in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                modules.add(node.module.split(".")[0])
    from_where = packages_distributions() | {"ruamel": ["ruamel.yaml"]}
    foreign = {plain(from_where[m][0]) for m in modules - set(sys.stdlib_module_names) - {"pipelines", "dashboard"}}
    assert foreign == {plain(r) for r in PROJECT["dependencies"]}


def test_every_dependency_has_its_reason():
    reasons = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8").replace(".", "-")
    assert [r for r in PROJECT["dependencies"] if plain(r) not in reasons] == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_pins_what_is_declared_and_hashes_everything(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    extra = {"requirements-build.lock": DECLARED["dependency-groups"]["build"], "requirements-dev.lock": PROJECT["optional-dependencies"]["dev"]}
    declared = extra.get(name, []) + ([] if "build" in name else PROJECT["dependencies"])
    assert {plain(r) for r in declared} <= {plain(n) for n in locked(name)}
    for block in re.split(r"\n(?=[a-z0-9])", text)[1:]:
        assert "--hash=sha256:" in block, block


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_names_no_place_things_were_fetched_from(name):
    assert re.findall(r"https?://|file:|--(?:extra-)?index-url|--find-links|(?<!`)/[a-z]+/", (ROOT / name).read_text(encoding="utf-8")) == []


def test_all_lock_files_pin_the_same_versions():
    build, run, dev = (locked(name) for name in LOCKS)
    assert {n: v for n, v in dev.items() if n in run} == run
    assert [(n, v, other[n]) for n, v in build.items() for other in (run, dev) if other.get(n, v) != v] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.name)
def test_links_within_the_repository_lead_somewhere(document):
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [t.split("#")[0] for t in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"[a-z]+:", t)]
    assert [t for t in targets if t and not (document.parent / t).exists()] == []


def test_the_citation_names_the_version():
    assert f"\nversion: {PROJECT['version']}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_every_make_target_that_is_documented_exists():
    said = {t for d in DOCUMENTS for t in re.findall(r"(?:^|`|&& )make ([a-z]+)\b", d.read_text(encoding="utf-8"), re.MULTILINE)}
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert said - targets == set()
    assert {"refresh", "test"} <= said


def test_every_setting_is_documented():
    told = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    assert [f.validation_alias for f in Settings.model_fields.values() if f"`{f.validation_alias}`" not in told] == []


def test_the_exit_codes_of_the_documents_are_those_of_the_command_line():
    told = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    codes = re.findall(r"^  (\d)  (.+)$", EXIT_CODES, re.MULTILINE)
    assert len(codes) == 6
    assert [code for code, meaning in codes if f"| {code} | {meaning}" not in told.replace("`", "")] == []


@pytest.mark.slow
def test_a_wheel_holds_everything_the_tracker_needs_at_run_time(tmp_path):
    """Built as `make` does, without fetching anything; the SQL and data files must be in it, tests and the lake must not."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(tmp_path), str(ROOT)]
    pytest.importorskip("hatchling")
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("megawatch-*.whl")
    site = tmp_path / "site"
    subprocess.run([sys.executable, "-m", "zipfile", "-e", str(wheel), str(site)], check=True)
    files = [p for folder in ("pipelines", "dashboard", "sql") for p in (ROOT / folder).rglob("*") if p.is_file()]
    wanted = [p.relative_to(ROOT) for p in files if "__pycache__" not in p.parts]
    assert [str(p) for p in wanted if not (site / p).exists()] == []
    assert {p.name for p in site.iterdir() if not p.name.endswith(".dist-info")} == {"pipelines", "dashboard", "sql"}
    code = "import pipelines.marts as m; print(len(m.sql_files()) > 20)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env={"PYTHONPATH": str(site)}, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
