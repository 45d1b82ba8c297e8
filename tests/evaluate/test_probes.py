"""Probes as people write them: what ships is right, and all that is wrong is told at once."""

from pathlib import Path

import numpy as np
import pytest
import yaml

from accord.errors import AccordError
from accord.evaluate import texts
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
        "twice": {"truth": None, "labels": {"a": cat, "b": {**dog, "prompts": ["A  CAT", *OTHER[1:]]}}},
        "strange": {"truth": "pronouns", "labels": {"c": cat, "d": dog}},
        "hidden": {"truth": "disability", "labels": {"e": cat, "f": dog}},
        "values": {
            "truth": "pronoun",
            "labels": {
                "cat": {**cat, "counts_as": ["she", "1. He/him/his"]},
                "dog": {**dog, "counts_as": ["1. He/him/his"]},
            },
        },
        "untrue": {"truth": None, "labels": {"g": {**cat, "counts_as": ["1. He/him/his"]}, "h": dog}},
    }
    with pytest.raises(AccordError) as caught:
        probes.read(written(tmp_path, wrong))
    told = [(problem.where.removeprefix("probes.yaml: "), problem.what) for problem in caught.value.problems]
    assert told == [
        ("twice.labels.a.prompts.0", "is a prompt of this probe more than once"),
        ("twice.labels.b.prompts.0", "is a prompt of this probe more than once"),
        ("strange.truth", "is not an attribute with a list of values (did you mean 'pronoun'?)"),
        ("hidden.truth", "is not an attribute with a list of values"),
        ("values.labels.cat.counts_as", "'she' is not a value of the truth"),
        ("values.labels.cat.counts_as", "'1. He/him/his' counts as two labels"),
        ("values.labels.dog.counts_as", "'1. He/him/his' counts as two labels"),
        ("untrue.labels.g.counts_as", "'1. He/him/his' is not a value of the truth"),
    ]


def test_figures_of_two_probes_need_names_of_their_own(tmp_path):
    labels = {name: {"counts_as": [], "prompts": [f"{text} {name}" for text in FOUR]} for name in ("she", "he")}
    wrong = {name: {"truth": "pronoun", "labels": labels} for name in ("one", "other")}
    with pytest.raises(AccordError) as caught:
        probes.read(written(tmp_path, wrong))
    told = {(problem.where.removeprefix("probes.yaml: "), problem.what) for problem in caught.value.problems}
    assert told == {
        *((f"{name}.labels.{label}", "is a label of two probes") for name in wrong for label in labels),
        ("other.truth", "is the truth of one, too"),
    }


def test_a_file_without_probes_is_refused(tmp_path):
    with pytest.raises(AccordError, match="must have at least 1 key"):
        probes.read(written(tmp_path, {}))


STUB = """
import numpy as np

class Stub:
    def __init__(self, weights, mode=""):
        self.mode = mode

    def embed(self, pictures):
        raise AssertionError("no picture is encoded for a prompt")

    def embed_texts(self, texts):
        vectors = [np.array([len(text), len(text.split())], float) for text in texts]
        return {"": vectors, "short": vectors[1:], "mute": [0 * one for one in vectors[:2]] + vectors[2:]}[self.mode]
"""


def entry(folder: Path, stub: str = STUB, **options) -> dict:
    (folder / "stub.py").write_text(stub)
    model = {"name": "m", "task": "image_text", "adapter": f"{folder}/stub.py:Stub", "weights": {}, "batch": 2}
    return {**model, "options": options}


def pets(folder: Path) -> Path:
    labels = {"cat": {"counts_as": [], "prompts": FOUR}, "dog": {"counts_as": [], "prompts": OTHER}}
    return written(folder, {"pets": {"truth": None, "labels": labels}})


def test_each_prompt_becomes_a_unit_vector(tmp_path):
    found = texts.run(pets(tmp_path), model=entry(tmp_path), weights=tmp_path)
    assert set(found["model"]) == {"m"} and set(found["probe"]) == {"pets"}
    told = found.set_index(["label", "prompt"])
    assert told["text"].to_dict() == {
        (label, str(n + 1)): text for label, some in (("cat", FOUR), ("dog", OTHER)) for n, text in enumerate(some)
    }
    np.testing.assert_allclose(told["vector"]["dog", "4"], np.array([13, 4]) / np.hypot(13, 4), rtol=1e-6)


def test_a_model_that_misses_a_prompt_or_has_no_texts_is_refused(tmp_path):
    file = pets(tmp_path)
    with pytest.raises(AccordError, match="model m: gave 7 answers for 8 texts"):
        texts.run(file, model=entry(tmp_path, mode="short"), weights=tmp_path)
    with pytest.raises(AccordError) as caught:
        texts.run(file, model=entry(tmp_path, mode="mute"), weights=tmp_path)
    assert [one.what for one in caught.value.problems] == [f"makes nothing of prompt {n} of pets, cat" for n in (1, 2)]
    deaf = entry(tmp_path, stub=STUB.replace("embed_texts", "read"))
    with pytest.raises(AccordError, match=r"has no method embed_texts\(\)"):
        texts.run(file, model=deaf, weights=tmp_path)
