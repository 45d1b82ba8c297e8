"""Probes as people write them: what ships is right, and all that is wrong is told at once."""

from pathlib import Path

import pytest
import yaml

from accord.errors import AccordError
from accord.evaluate.asking import probes
from accord.vocabularies import SCENES, number

CONFIG = Path(__file__).parents[2] / "config"
FOUR = ["a cat", "one cat", "the cat", "this is a cat"]
OTHER = ["a dog", "one dog", "the dog", "this is a dog"]


def written(folder: Path, document: dict) -> Path:
    path = folder / "probes.yaml"
    path.write_text(yaml.safe_dump(document, sort_keys=False))
    return path


def test_fhibes_probes_are_shipped():
    pronoun, scene, scene_type = probes.read(CONFIG / "probes.yaml")
    assert [label.name for label in pronoun.labels] == ["she", "he", "they", "unspecified"]
    assert sum(len(label.prompts) for label in pronoun.labels) == 16
    assert {label.name: [number(value) for value in label.counts_as] for label in scene.labels} == {
        "indoor": list(range(10, 16)),
        "outdoor": list(range(10)),
    }
    assert {value for label in scene.labels for value in label.counts_as} == set(SCENES)
    assert (scene_type.truth, [label.name for label in scene_type.labels]) == (None, ["rural", "urban"])
    assert [probe.is_of_person for probe in (pronoun, scene, scene_type)] == [True, False, False]


def test_everything_that_has_a_wrong_form_is_told_at_once(tmp_path):
    label = {"counts_as": [], "prompts": FOUR}
    wrong = {
        "pets": {"truth": None, "labels": {"cat": {**label, "prompts": FOUR[:3]}, "dog": {**label, "promts": []}}},
        "Pets": {"truth": None, "labels": {"cat": label, "dog": label}},
        "one": {"labels": {"cat": {"prompts": [*FOUR, "more"], "counts_as": ["a", "a"]}}},
        "blank": {"truth": 3, "labels": {"cat": {**label, "prompts": [*FOUR[:3], " "]}, "dog": label}},
    }
    with pytest.raises(AccordError) as caught:
        probes.read(written(tmp_path, wrong))
    told = {(problem.where.removeprefix("probes.yaml: "), problem.what) for problem in caught.value.problems}
    assert told == {
        ("pets.labels.cat.prompts", "must have at least 4 in its list"),
        ("pets.labels.dog.promts", "unknown key (did you mean 'prompts'?)"),
        ("Pets", "not a valid name: must match the pattern ^[a-z][a-z0-9_]*$"),
        ("one.truth", "is missing"),
        ("one.labels", "must have at least 2 key"),
        ("one.labels.cat.prompts", "must have at most 4 in its list"),
        ("one.labels.cat.counts_as", "lists something more than once"),
        ("blank.truth", "must be a text or null"),
        ("blank.labels.cat.prompts.3", "must match the pattern \\S"),
    }


def test_what_contradicts_itself_or_the_vocabulary_is_told_at_once(tmp_path):
    cat, dog = {"counts_as": [], "prompts": FOUR}, {"counts_as": [], "prompts": OTHER}
    wrong = {
        "twice": {"truth": None, "labels": {"cat": cat, "dog": {**dog, "prompts": ["A  CAT", *OTHER[1:]]}}},
        "strange": {"truth": "pronouns", "labels": {"cat": cat, "dog": dog}},
        "hidden": {"truth": "disability", "labels": {"cat": cat, "dog": dog}},
        "values": {
            "truth": "pronoun",
            "labels": {
                "cat": {**cat, "counts_as": ["she", "1. He/him/his"]},
                "dog": {**dog, "counts_as": ["1. He/him/his"]},
            },
        },
        "untrue": {"truth": None, "labels": {"cat": {**cat, "counts_as": ["1. He/him/his"]}, "dog": dog}},
    }
    with pytest.raises(AccordError) as caught:
        probes.read(written(tmp_path, wrong))
    told = [(problem.where.removeprefix("probes.yaml: "), problem.what) for problem in caught.value.problems]
    assert told == [
        ("twice.labels.cat.prompts.0", "is a prompt of this probe more than once"),
        ("twice.labels.dog.prompts.0", "is a prompt of this probe more than once"),
        ("strange.truth", "is not an attribute with a list of values (did you mean 'pronoun'?)"),
        ("hidden.truth", "is not an attribute with a list of values"),
        ("values.labels.cat.counts_as", "'she' is not a value of the truth"),
        ("values.labels.cat.counts_as", "'1. He/him/his' counts as two labels"),
        ("values.labels.dog.counts_as", "'1. He/him/his' counts as two labels"),
        ("untrue.labels.cat.counts_as", "'1. He/him/his' is not a value of the truth"),
    ]


def test_a_file_without_probes_is_refused(tmp_path):
    with pytest.raises(AccordError, match="must have at least 1 key"):
        probes.read(written(tmp_path, {}))
