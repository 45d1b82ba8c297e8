"""Mistakes in a configuration are told all at once, in plain words, and what stands there is not quoted."""

from pathlib import Path

import pytest
import yaml

from accord.engine import config_mistakes, configuration
from accord.errors import AccordError
from accord.release.archives import formats
from accord.text.nouns import listed

ROOT = Path(__file__).parents[2]
SECRET = "hunter2"
FORMATS_TOLD = listed(list(formats.FORMATS), "or")
WRONG = {
    "shards": SECRET,
    "relese": {"min_k": 5},
    "consent": {"min_age": 16, "as_of": SECRET},
    "checks": {"min_sides": 300, "policies": {"logos": "holt"}},
    "analyse": {"attributes": []},
}
TOLD = """\
7 problems found
  - analyse.attributes: must have at least 1 in its list
    hint: attributes whose groups are compared: columns of a delivery, age_group, age_range (18-30, 31-45, 46-85), \
ancestry (regions), ancestry_subregion (subregions) and hair_length
  - checks.min_sides: unknown key (did you mean 'min_side'?)
    hint: see config/README.md for all keys
  - checks.policies.logos: must be hold, drop, pass or paint (did you mean 'hold'?)
    hint: see config/README.md for all keys
  - consent.as_of: must match the pattern ^\\d{4}-\\d{2}-\\d{2}$
    hint: reference date of the release, in quotes; consent that has ended by the day of the run is not valid
  - consent.min_age: must be at least 18
    hint: minimum age in years, both at capture and on the reference date
  - relese: unknown key (did you mean 'release'?)
    hint: see config/README.md for all keys
  - shards: must be a whole number or null
    hint: number of shards, or null to choose it by the images; all images of a subject are in the same shard"""


def whole(**changed) -> dict:
    return configuration.filled(changed, ROOT)


def whats(config, **how) -> dict[str, str]:
    return {problem.where: problem.what for problem in config_mistakes.mistakes(config, **how)}


def test_mistakes_are_told_all_at_once():
    with pytest.raises(AccordError) as told:
        config_mistakes.refuse(whole(**WRONG))
    assert str(told.value) == TOLD
    assert SECRET not in TOLD


@pytest.mark.parametrize("number", [1e3, 4.0, True])
def test_a_number_with_a_point_is_no_whole_one(number):
    assert whats(whole(shards=number)) == {"shards": "must be a whole number or null"}


def test_a_command_tells_them_as_the_workflow_does(tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text(yaml.safe_dump(WRONG))
    with pytest.raises(AccordError) as told:
        configuration.read([ROOT / configuration.DEFAULT, file])
    assert str(told.value) == TOLD


def test_what_is_shipped_has_no_mistake():
    assert config_mistakes.mistakes(whole()) == []
    assert config_mistakes.mistakes(whole(**yaml.safe_load((ROOT / "config/demo.yaml").read_text()))) == []


def test_keys_may_be_missing_for_a_command_alone():
    part = {"consent": {"min_age": 20}}
    assert whats(part, partial=True) == {}
    found = whats(part)
    assert (found["consent.as_of"], found["shards"]) == ("is missing", "is missing")
    assert "consent.min_age" not in found and "consent" not in found


def test_keys_at_the_top_may_be_somebody_elses_unless_they_look_like_ours():
    config = whole(colour="blue", analyze={}, intake={"colour": "blue"})
    assert whats(config)["colour"] == "unknown key"
    assert whats(config, own=True) == {
        "analyze": "unknown key (did you mean 'analyse'?)",
        "intake.colour": "unknown key",
    }


def test_a_key_of_an_earlier_version_is_told_with_what_to_write_now():
    for value in (None, "archive"):
        with pytest.raises(AccordError) as told:
            config_mistakes.refuse(whole(release={"fhibe": value}))
        assert str(told.value).splitlines() == [
            "1 problem found",
            "  - release.fhibe: was replaced by release.archive",
            "    hint: write archive: {format: fhibe, path: ...} under release, or archive: null for none",
        ]


def test_an_archive_has_a_format_that_is_known_and_a_path_and_terms_that_are_true_or_false():
    archive = {"format": "fhbe", "terms": {"train": "no", "trian": True}}
    assert whats(whole(release={"archive": archive})) == {
        "release.archive.format": f"must be {FORMATS_TOLD} (did you mean 'fhibe'?)",
        "release.archive.path": "is missing",
        "release.archive.terms.train": "must be true or false",
        "release.archive.terms.trian": "unknown key (did you mean 'train'?)",
    }


def test_what_may_be_null_says_so():
    assert whats(whole(checks={"web_list": 3, "vision": "yes"})) == {
        "checks.web_list": "must be a text or null",
        "checks.vision": "must be a map of keys or null",
    }


def test_sections_that_are_none_are_told():
    assert whats(whole(privacy=[], checks=None)) == {
        "privacy": "must be a map of keys",
        "checks": "must be a map of keys",
    }


def test_a_configuration_lies_over_the_shipped_one_whose_files_are_found_from_anywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = whole(shards=3, checks={"brands": "config/mine.csv"})
    assert (config["shards"], config["releases"]) == (3, "releases")
    assert config["checks"]["brands"] == "config/mine.csv"
    assert Path(config["evaluate"]["models"]).resolve() == ROOT / "config/models.yaml"
    assert {Path(name).resolve().parent for name in config["analyse"]["numbers"]} == {ROOT / "config/numbers"}
    monkeypatch.chdir(ROOT)
    assert whole()["evaluate"]["models"] == "config/models.yaml"


def test_a_path_may_not_be_taken_for_a_flag():
    dash = "must not begin with a dash, which commands read as a flag: rename it, or prefix it with ./"
    wrong = {"vault": "-v", "intake": {"deliveries": ["--out"]}, "checks": {"web_list": "-w", "brands": "-b"}}
    assert whats(whole(**wrong)) == dict.fromkeys(
        ["vault", "intake.deliveries.0", "checks.web_list", "checks.brands"], dash
    )
    assert whats(whole(vault="./-v", checks={"web_list": None})) == {}


def test_braces_are_told_before_snakemake_takes_them_for_wildcards():
    wrong = {"vault": "v{x}", "releases": "{wildcards.shard}", "report": {"title": "Faces {2026}"}}
    braces = "must not have braces in it, which Snakemake takes for wildcards: rename it"
    assert whats(whole(**wrong)) == {
        "vault": braces,
        "releases": braces,
        "report.title": "must match the pattern ^[^{}]*$",
    }


def test_every_file_of_the_shipped_configurations_is_checked_so():
    demo = yaml.safe_load((ROOT / "config/demo.yaml").read_text())
    found = [path for path, value in texts(whole(**demo)) if (ROOT / value).exists() and "/" in value]
    assert len(found) >= 8
    for path in found:
        assert whats(replaced(whole(**demo), path, "-x"))[".".join(map(str, path))].startswith(
            "must not begin with a dash"
        )


def texts(value, path=()):
    """Path and text of every text of a configuration."""
    if isinstance(value, str):
        yield path, value
    within = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in within:
        yield from texts(one, (*path, key))


def replaced(value, path, new):
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


@pytest.mark.parametrize("name", ["mine", "name", "threads", "path", "cases", "eval", "analysis", "release_notes"])
def test_a_guests_own_key_is_his_own(name):
    assert whats(whole(**{name: 1}), own=True) == {}
    assert whats(whole(**{name: 1}))[name].startswith("unknown key")


@pytest.mark.parametrize("cost", [float("nan"), float("inf")])
def test_a_number_without_end_is_no_limit(cost):
    config = whole()
    config["evaluate"]["external"]["max_cost"] = cost
    assert whats(config) == {"evaluate.external.max_cost": "must be a finite number"}
