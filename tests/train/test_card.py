"""Model cards: counts of images and people, terms, the history; no names, and no markup of a source."""

import json

import numpy as np
import pandas as pd
import pytest

from accord.errors import AccordError
from accord.train.cards.card import card, to_json, to_markdown
from accord.train.learning.plan import Plan

PLAN = Plan(seed=0, steps=40, batch=2, rate=0.1)
SPEC = {
    "name": "grid", "detector": "xception.Xception", "trained_as": "Xception", "code": "c0de", "batch": 32,
    "epochs": 18, "momentum": 0.9, "decay": 0.005, "side": 64, "options": {"width": 0.5, "middle": 1},
}  # fmt: skip
SOURCES = pd.DataFrame(
    [("a", "ann", "own", "scope train"), ("b", "ann", "own", "scope train"), ("b", "ben", "own", "scope train"),
     ("c", "", "gan|<b>x", "CC BY 4.0")],
    columns=["image", "subject", "subset", "terms"],
)  # fmt: skip


def history(measured=()) -> pd.DataFrame:
    metric = [0.5 if step in measured else np.nan for step in range(1, 41)]
    return pd.DataFrame({"step": range(1, 41), "loss": np.linspace(1, 0, 40), "rate": 0.1, "metric": metric})


def test_a_card_counts_images_and_people_once():
    told = card("grid", "Xception", SPEC, PLAN, SOURCES, history())
    assert (told["images"], told["people"]) == (3, 2)
    own, generated = told["data"][1], told["data"][0]
    assert own == {"subset": "own", "terms": "scope train", "images": 2, "people": 2}
    assert (generated["images"], generated["people"]) == (1, 0)
    assert told["settings"]["steps"] == 40


def test_the_history_is_thinned_and_keeps_its_ends():
    steps = [row["step"] for row in card("grid", "Xception", SPEC, PLAN, SOURCES, history())["history"]]
    assert len(steps) == 10 and (steps[0], steps[-1]) == (1, 40)
    steps = [row["step"] for row in card("grid", "Xception", SPEC, PLAN, SOURCES, history({10, 20, 40}))["history"]]
    assert steps == [10, 20, 40]


def test_json_is_the_card_and_has_nobody_in_it():
    told = card("grid", "Xception", SPEC, PLAN, SOURCES, history())
    assert json.loads(to_json(told)) == told
    assert told["history"][0]["metric"] is None
    assert "ann" not in to_json(told) + to_markdown(told)


def test_markdown_has_a_table_whatever_a_source_is_called():
    text = to_markdown(card("grid", "Xception", SPEC, PLAN, SOURCES, history()))
    assert text.startswith("# grid\n\nDetector: Xception. It learnt from 3 images of 2 people.")
    assert r"| gan\|&lt;b>x | CC BY 4.0 | 1 | 0 |" in text
    assert "| own | scope train | 2 | 2 |" in text


def test_all_settings_are_told_as_they_were_in_the_training():
    told = card("grid", "Xception", SPEC, PLAN, SOURCES, history())
    assert told["settings"] == {
        "batch": 2, "decay": 0.005, "epochs": 18, "every": 500, "momentum": 0.9, "options": {"width": 0.5, "middle": 1},
        "precision": "float32", "rate": 0.1, "schedule": "constant", "seed": 0, "side": 64, "steps": 40,
    }  # fmt: skip
    text = to_markdown(told)
    assert '| options | {"middle": 1, "width": 0.5} |' in text and "| momentum | 0.9 |" in text and "c0de" not in text


def test_a_card_of_nothing_is_refused():
    with pytest.raises(AccordError, match="train the model first"):
        card("grid", "Xception", SPEC, PLAN, SOURCES.head(0), history())
