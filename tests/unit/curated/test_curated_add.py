"""The template, the guide and the issue form: what a person fills in is what the reader reads."""

import datetime as dt
import re

import pytest
from ruamel.yaml import YAML

from pipelines.sources.curated.add import new_publication
from pipelines.sources.curated.guide import with_field_lists
from pipelines.sources.curated.publication import HEADER
from pipelines.sources.curated.reading import TO_FILL_IN
from pipelines.sources.curated.sections import COMMON, SECTIONS
from tests.unit.curated.publications import AT, ROOT, problems, rows

GUIDE = (ROOT / "docs/curated.md").read_text(encoding="utf-8")
FORM = YAML(typ="safe").load((ROOT / ".github/ISSUE_TEMPLATE/correct-a-figure.yml").read_text(encoding="utf-8"))


def test_a_new_file_is_refused_until_every_required_field_is_filled_in(tmp_path):
    path = new_publication(tmp_path, "a-post", sections=SECTIONS)
    told = [what for _, what in problems(path.read_text(), file="a-post.yaml")]
    required = [f.name for f in HEADER.values() if f.required]
    required += [f"{name}[1].{f.name}" for name, s in SECTIONS.items() for f in s.fields.values() if f.required]
    assert sorted(what.split(":")[0] for what in told) == sorted(required)
    assert all("still to be filled in" in what for what in told)


def test_a_filled_in_file_is_read(tmp_path):
    path = new_publication(
        tmp_path, "a-post", publisher='A "quoted": publisher', url="https://publisher.example/", published=dt.date(2026, 10, 23), provenance="vendor_reported"
    )
    filled = {"model": "Some Model", "system": "8x B300", "metric": "agents_per_mw", "value": "6900", "unit": "agents/MW"}
    text = re.sub(rf"(\w+): {TO_FILL_IN}", lambda m: f"{m[1]}: {filled[m[1]]}", path.read_text())
    (record,) = rows(text, file="a-post.yaml", at=AT)["agentperf_results"]
    assert (record["publisher"], record["publication"], record["value"]) == ('A "quoted": publisher', "a-post", 6900)


@pytest.mark.parametrize("section", SECTIONS)
def test_the_template_of_every_section_names_all_its_fields(tmp_path, section):
    for chosen in (section, next(s for s in SECTIONS if s != section)):
        text = new_publication(tmp_path, f"a-post-{chosen.replace('_', '-')}", sections=[chosen]).read_text()
        part = text[text.index(f"{section}:") :]
        assert all(re.search(rf"\b{f.name}:", part) for f in (*SECTIONS[section].taken, *SECTIONS[section].own))


def test_an_existing_file_is_never_overwritten(tmp_path):
    (tmp_path / "a-post.yaml").write_text("mine")
    with pytest.raises(FileExistsError, match=r"a-post\.yaml is there already; open it and add to it, or choose another name"):
        new_publication(tmp_path, "a-post")
    assert (tmp_path / "a-post.yaml").read_text() == "mine"


@pytest.mark.parametrize("name", ["", "../a-post", "a/post", "A Post", ".hidden", "a_post"])
def test_a_name_that_is_no_publication_name_is_refused_and_nothing_written(tmp_path, name):
    with pytest.raises(ValueError, match="is no publication name; use small letters"):
        new_publication(tmp_path / "curated", name)
    assert not list(tmp_path.iterdir())


def test_a_section_there_is_not_is_refused_with_the_nearest(tmp_path):
    with pytest.raises(ValueError, match="did you mean prices"):
        new_publication(tmp_path, "a-post", sections=["price"])


def test_the_guide_lists_every_field_as_the_reader_has_it():
    assert with_field_lists(GUIDE) == GUIDE, "run: python -m pipelines.sources.curated.guide docs/curated.md"
    for name, section in SECTIONS.items():
        part = GUIDE[GUIDE.index(f"### `{name}`") :]
        assert all(f"| `{f.name}` |" in part for f in (*section.taken, *section.own))
    assert all(f"| `{f.name}` |" in GUIDE for f in (*HEADER.values(), *COMMON))


def test_the_guides_example_is_read():
    (example,) = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)
    tables = rows(example)
    assert tables["agentperf_results"][0]["value"] == 70e6 and len(tables["caveats"]) == 1


def test_the_issue_form_asks_for_fields_of_a_curated_file_and_its_example_is_one():
    asked = {f["id"]: f for f in FORM["body"] if f["type"] != "markdown"}
    header = {k: f for k, f in asked.items() if k not in ("wrong", "entries")}
    assert set(header) == set(HEADER)
    for name, f in header.items():
        assert f["attributes"]["label"] == name
        assert f.get("validations", {}).get("required", False) == HEADER[name].required
    assert sorted(header["provenance"]["attributes"]["options"]) == sorted(HEADER["provenance"].one_of)
    answers = {name: f["attributes"].get("placeholder", "evaluator_measured") for name, f in header.items()}
    text = "".join(f"{name}: {answer}\n" for name, answer in answers.items()) + asked["entries"]["attributes"]["value"]
    assert rows(text)["agentperf_results"][0]["value"] == 91500
