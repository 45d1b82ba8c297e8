"""The card of a trained model: what it learnt from, by whose terms, how, and how that went; no person's data."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

import pandas as pd

from accord.errors import AccordError, Problem
from accord.train.learning.plan import Plan
from accord.train.planning import pretrained

ROWS = 10
"""Rows of the history in the Markdown at most; the JSON has them too, the whole is in the history's own table."""
DETECTOR, ANNOTATOR = "detector", "annotator"
TOLD = ("name", "detector", "attribute", "encoder", "trained_as", "code")
"""Of a spec, what the card says elsewhere, and the digest of code, which the lineage has."""
LIMITS = {
    DETECTOR: "It tells pictures like those it learnt from. A score is no evidence about a person.",
    ANNOTATOR: "It repeats what its labels say of faces like these, which no person has said of themselves to it.",
}


def card(
    name: str,
    what: str,
    spec: dict[str, Any],
    plan: Plan,
    sources: pd.DataFrame,
    history: pd.DataFrame,
    kind: str = DETECTOR,
) -> dict[str, Any]:
    """The card as plain values.

    what: the detector, or what an annotator says; spec: its settings, of which those in `plan` count as they are there
    (a batch is no larger than the pictures are many); sources: image, subject ("": nobody known), subset, terms of each
    picture that was learnt from, one row per person in it; history: step, loss, rate, metric. Raises AccordError where
    either is empty.
    """
    if not len(sources) or not len(history):
        raise AccordError(Problem("model card", "a training without pictures or steps", "train the model first"))
    return {
        "name": name,
        "kind": kind,
        kind: what,
        "settings": {key: value for key, value in spec.items() if key not in TOLD} | asdict(plan),
        **({"begins": pretrained.described(spec)} if kind == DETECTOR else {}),
        "images": int(sources["image"].nunique()),
        "people": _people(sources),
        "data": [_source(subset, terms, some) for (subset, terms), some in sources.groupby(["subset", "terms"])],
        "history": [_row(row) for row in _chosen(history).to_dict("records")],
        "limits": LIMITS[kind],
    }


def to_json(told: dict[str, Any]) -> str:
    """The card as JSON: the same card, the same text."""
    return json.dumps(told, indent=2, sort_keys=True, allow_nan=False) + "\n"


def to_markdown(told: dict[str, Any]) -> str:
    """The card as Markdown."""
    settings = sorted(told["settings"].items())
    data = [tuple(one[key] for key in ("subset", "terms", "images", "people")) for one in told["data"]]
    history = [tuple(one[key] for key in ("step", "loss", "rate", "metric")) for one in told["history"]]
    kind = told["kind"]
    parts = [
        f"# {_safe(told['name'])}\n\n{kind.capitalize()}: {_safe(told[kind])}. It learnt from {told['images']} images "
        f"of {told['people']} people.{_beginning(told)} {told['limits']}",
        "## Training data\n\n" + _table(("subset", "terms", "images", "people"), data),
        "## Settings\n\n" + _table(("setting", "value"), settings),
        "## History\n\n" + _table(("step", "loss", "rate", "metric"), history),
    ]
    return "\n\n".join(parts) + "\n"


def _beginning(told: dict[str, Any]) -> str:
    return f" Its first weights: {_safe(told['begins'])}." if "begins" in told else ""


def _source(subset: str, terms: str, some: pd.DataFrame) -> dict[str, Any]:
    return {"subset": subset, "terms": terms, "images": int(some["image"].nunique()), "people": _people(some)}


def _people(some: pd.DataFrame) -> int:
    return len(set(some["subject"]) - {""})


def _chosen(history: pd.DataFrame) -> pd.DataFrame:
    """The last step and those before it, evenly spaced; where the metric was measured if it was often enough."""
    measured = history[history["metric"].notna()]
    rows = measured if len(measured) > 1 else history
    return rows.iloc[sorted({round(n * (len(rows) - 1) / (ROWS - 1)) for n in range(ROWS)})]


def _row(row: dict) -> dict[str, Any]:
    return {str(key): None if isinstance(value, float) and math.isnan(value) else value for key, value in row.items()}


def _table(head: tuple[str, ...], rows: list[tuple]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, dict | list):
        return _safe(json.dumps(value, sort_keys=True))
    return f"{value:.4g}" if isinstance(value, float) else _safe(str(value))


def _safe(text: str) -> str:
    """Text of a source in one cell: no new line, column or tag of its own."""
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("[", "\\[")
