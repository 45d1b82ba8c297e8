"""Vectors that a model of pictures and texts makes of the prompts of all probes; no picture is looked at."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.engine.table import rows
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answers, probes
from accord.evaluate.asking.probes import Probe
from accord.evaluate.tables.predictions import Texts
from accord.models import loading

METHOD = "embed_texts"


def run(file: Path, *, model: dict, weights: Folder) -> DataFrame[Texts]:
    """A vector of length 1 of each prompt of a file of probes.

    model: an entry of models.yaml as JSON, of task image_text. Raises AccordError where the file is wrong, the model
    can't be had, or it makes nothing of a prompt.
    """
    wanted = list(_prompts(probes.read(file)))
    encoder = loading.load(model, weights, METHOD)
    vectors = answers.one_each(model, encoder.embed_texts([text for *_, text in wanted]), len(wanted), "texts")
    _check(model, wanted, vectors)
    pairs = zip(wanted, vectors, strict=True)
    return rows(((model["name"], *prompt, answers.unit(model, vector)) for prompt, vector in pairs), Texts)


def _prompts(asked: Sequence[Probe]) -> Iterator[tuple[str, str, str, str]]:
    """Probe, label, number within the label and text of each prompt."""
    for probe in asked:
        for label in probe.labels:
            for number, text in enumerate(label.prompts, 1):
                yield probe.name, label.name, str(number), text


def _check(model: dict, wanted: Sequence[tuple], vectors: Sequence[Any]) -> None:
    empty = [prompt for prompt, vector in zip(wanted, vectors, strict=True) if vector is None or not np.any(vector)]
    if empty:
        hint = "write it in words that the model knows"
        raise AccordError(
            Problem(f"model {model['name']}", f"makes nothing of prompt {number} of {probe}, {label}", hint)
            for probe, label, number, _ in empty
        )
