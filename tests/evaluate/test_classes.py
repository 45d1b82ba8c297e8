"""Classifiers that name WordNet's nouns: small ViTs built from configurations, held against transformers' own outputs;
which labels stand for which class, by tables written here; and FACET's classes among ImageNet-21k's."""

import csv
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as hf

from accord.engine import provenance
from accord.errors import AccordError
from accord.models import loading
from accord.models.adapters import transformers_classes
from accord.models.adapters.declaring import wordnet_labels
from accord.models.adapters.declaring.wordnet_labels import Noun
from accord.models.protocols import Answer
from accord.release.archives import facet

NURSE, WAITER, SOLDIER = Noun("n00000001", "nurse"), Noun("n00000002", "waiter, server"), Noun("n00000003", "soldier")
NAMES = [
    "organism, being",
    "nurse",
    "waiter, server",
    "cup",
    "soldier",
    "soldier",
    "singer, vocalist, vocalizer, vocaliser",
]
"""Labels as a checkpoint on the hub has them; the classes among them are outputs 1, 2 and 6."""
OUTPUTS = {"nurse": 1, "waiter": 2, "singer": 6}


@pytest.mark.parametrize(
    ("labels", "outputs"),
    [
        (["cup", "nurse", "waiter, server"], {"nurse": [1], "waiter": [2]}),
        (["Waiter", "NURSE "], {"nurse": [1], "waiter": [0]}),
        (["n00000002", "n00000001 nurse, head nurse"], {"nurse": [1], "waiter": [0]}),
        (["nurse", "n00000009 nurse", "waiter, server, tray"], {"nurse": [0]}),
        (["n00000001", "nurse", "waiter_,  server"], {"nurse": [0]}),
    ],
)
def test_a_label_is_a_synset_or_all_words_or_the_first(labels, outputs):
    found = wordnet_labels.matched({"nurse": [NURSE], "waiter": [WAITER]}, dict(enumerate(labels)))
    assert found.outputs == outputs
    assert set(found.lacks) == {"nurse", "waiter"} - set(outputs)


def test_a_class_is_undefined_where_no_label_is_clearly_its():
    classes = {"soldier": [SOLDIER], "nurse": [NURSE], "waiter": [], "runner": [SOLDIER, WAITER]}
    found = wordnet_labels.matched(classes, {0: "soldier", 1: "Soldier", 2: "server", 3: "n00000002"})
    assert found.outputs == {"runner": [3]}
    assert found.lacks == {
        "soldier": "2 labels of the model are called soldier: which one is meant is unknown",
        "nurse": "the model has no label for the class nurse (n00000001)",
        "waiter": "the class waiter has no WordNet name",
    }


def test_a_class_may_have_several_nouns():
    found = wordnet_labels.matched({"carer": [WAITER, NURSE]}, {0: "x", 1: "nurse", 2: "waiter"})
    assert found.outputs == {"carer": [1, 2]}


def test_facets_classes_each_have_a_noun_of_their_own():
    found = wordnet_labels.read(transformers_classes.CLASSES)
    assert tuple(found) == facet.CLASSES
    assert all(found.values())
    assert found["waiter"] == [Noun("n10763383", "waiter, server")]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("class,synset,name\na,n00000001,x\n", "hasn't the columns class, synset, name, note"),
        ("", "hasn't the columns"),
        ("class,synset,name,note\na,n1,x,\n", "line 2: its synset isn't n and eight digits"),
        ("class,synset,name,note\n,n00000001,x,\n", "line 2: has no class, or other cells"),
        ("class,synset,name,note\na,n00000001,x\n", "line 2: has no class, or other cells"),
        ("class,synset,name,note\na,n00000001,x,,more\n", "line 2: has no class, or other cells"),
        ("class,synset,name,note\na,n00000001,x,\nb,n00000001,x,\n", "has n00000001 twice"),
    ],
)
def test_what_is_wrong_with_a_table_is_told(tmp_path, text, what):
    (tmp_path / "own.csv").write_text(text)
    with pytest.raises(AccordError, match=what):
        wordnet_labels.read(tmp_path / "own.csv")


def test_a_class_without_a_noun_is_a_row_of_the_table(tmp_path):
    (tmp_path / "own.csv").write_text("class,synset,name,note\na,,,no such noun\nb,n00000001,nurse,\n")
    assert wordnet_labels.read(tmp_path / "own.csv") == {"a": [], "b": [NURSE]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return saved(tmp_path_factory.mktemp("vit"), NAMES)


def saved(folder: Path, names: list[str]) -> Path:
    """A ViT of random weights that differ enough for pictures to matter, and its processor."""
    torch.manual_seed(3)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    told = {"id2label": dict(enumerate(names)), "label2id": {f"{n} {name}": n for n, name in enumerate(names)}}
    net = hf.ViTForImageClassification(hf.ViTConfig(**sizes, image_size=32, patch_size=8, **told))
    with torch.no_grad():
        for value in net.parameters():
            if value.ndim > 1:
                value.copy_(torch.randn_like(value) * 2 * value[0].numel() ** -0.5)
    net.save_pretrained(folder)
    hf.ViTImageProcessorPil(size={"height": 32, "width": 32}).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def pictures() -> list[np.ndarray]:
    rng = np.random.default_rng(8)
    coarse = [rng.integers(0, 256, (4, 4, 3)) for _ in range(12)]
    sides = [(20, 12) if number % 3 else (9, 16) for number in range(12)]
    return [np.kron(one, np.ones((*side, 1))).astype(np.uint8) for one, side in zip(coarse, sides, strict=True)]


def load(folder: Path, **more):
    names = {"config.json": "config", "model.safetensors": "model", "preprocessor_config.json": "processor"}
    files = {names.get(path.name, path.stem): path for path in sorted(folder.iterdir())}
    files |= more
    listed = {key: {"path": path.name, "sha256": provenance.sha256(path)} for key, path in files.items()}
    entry = {
        "name": "vit",
        "task": "visual_question",
        "adapter": "accord.evaluate.adapters.transformers_classes:Classifier",
    }
    return loading.load({**entry, "weights": listed, "batch": 2, "options": {}}, folder, "answer")


def expected(folder: Path, picture: np.ndarray) -> str:
    """By transformers' documented usage: the highest of the outputs that are classes."""
    net, processor = (
        hf.AutoModelForImageClassification.from_pretrained(folder),
        hf.AutoImageProcessor.from_pretrained(folder),
    )
    with torch.inference_mode():
        logits = net.eval()(**processor(images=picture, return_tensors="pt")).logits[0]
    return max(OUTPUTS, key=lambda name: logits[OUTPUTS[name]].item())


def test_answers_are_the_classes_of_transformers_highest_output(folder, pictures):
    found = load(folder).answer(pictures, [["p1"]] * len(pictures))
    assert [[answer.text for answer in some] for some in found] == [[expected(folder, one)] for one in pictures]
    assert {answer.text for [answer] in found} == set(OUTPUTS)
    assert {answer.status for [answer] in found} == {"said"}


def test_an_answer_is_the_same_alone_and_among_others(folder, pictures):
    made = load(folder)
    together = made.answer(pictures, [["p1"]] * len(pictures))
    assert [made.answer([one], [["p1"]])[0] for one in pictures] == together
    assert made.answer([], []) == []
    assert [len(some) for some in made.answer(pictures[:3], [[], ["a", "b"], ["c"]])] == [0, 2, 1]


def test_what_the_model_cannot_name_is_said(folder):
    made = load(folder)
    assert made.only == ("p1",)
    assert set(made.lacks) == set(facet.CLASSES) - set(OUTPUTS)
    assert made.lacks["soldier"] == "2 labels of the model are called soldier: which one is meant is unknown"
    assert made.lacks["judge"] == "the model has no label for the class judge (n10225219)"


def test_other_classes_are_a_table_among_the_weights(tmp_path, pictures):
    saved(tmp_path, NAMES)
    with (tmp_path / "own.csv").open("w", newline="") as file:
        rows = [("thing", "n00000001", "cup", ""), ("being", "n00000002", "organism, being", "")]
        csv.writer(file).writerows([wordnet_labels.COLUMNS, *rows])
    made = load(tmp_path, classes=tmp_path / "own.csv")
    assert made.lacks == {}
    assert {answer.text for [answer] in made.answer(pictures, [["p1"]] * len(pictures))} <= {"thing", "being"}


def test_a_network_of_other_labels_is_refused(tmp_path):
    with pytest.raises(AccordError, match="names 1 of 52 classes"):
        load(saved(tmp_path, ["nurse", "cat", "dog"]))


def test_outputs_that_are_no_numbers_are_no_class(folder, pictures):
    made = load(folder)
    with torch.no_grad():
        made._model.net.classifier.bias[2] = float("nan")
    [[answer]] = made.answer(pictures[:1], [["p1"]])
    assert answer == Answer("", "failed", "the model's outputs are not finite numbers")
