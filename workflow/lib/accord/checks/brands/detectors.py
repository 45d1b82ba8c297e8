"""Detectors of logos: one protocol, three ways to see one."""

import json
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import pandas as pd

from accord.checks.brands import gallery, logo_brands, names
from accord.checks.brands.model import FOLDER
from accord.checks.personal.proposals import Seen, box
from accord.errors import AccordError, Problem
from accord.models import loading
from accord.models.adapters.transformers_prompted import Prompted

PROMPTS = ("a logo", "a brand name")


class View(NamedTuple):
    """An image as detectors see it: upright pixels, uint8 RGB (height, width, 3), None where no detector looks at
    them; its rows of Texts."""

    pixels: np.ndarray | None
    texts: pd.DataFrame


def _pixels(view: View) -> np.ndarray:
    assert view.pixels is not None  # they are read where any detector looks at them
    return view.pixels


class LogoDetector(Protocol):
    """Sees logos. What is below its threshold it may leave out."""

    def detect(self, view: View) -> list[Seen]: ...


class Brands:
    """Lines of text that read like a brand of a list."""

    def __init__(self, path: Path, threshold: float) -> None:
        self._brands, self._threshold = names.read(path), threshold

    def detect(self, view: View) -> list[Seen]:
        lines = [(row.text, list(row.polygon), row.score) for row in view.texts.itertuples()]
        return logo_brands.find(lines, self._brands, self._threshold)


class Gallery:
    """Shapes that a user put into a folder."""

    def __init__(self, paths: list[Path], threshold: float) -> None:
        self._logos, self._threshold = gallery.read(paths), threshold

    def detect(self, view: View) -> list[Seen]:
        return gallery.find(_pixels(view), self._logos, self._threshold)


class OpenVocabulary:
    """OWLv2, Grounding DINO, or whatever transformers takes for a zero-shot object detector.

    `model`: an entry of models.yaml, as `logo_model.spec` tells it, whose own least score counts; or a folder as the
    hub keeps it, of which only model.safetensors is read, and no code is run. weights: where fetched weights lie.
    Raises AccordError where it can't be loaded.
    """

    def __init__(self, model: dict, weights: Path, threshold: float) -> None:
        if FOLDER in model:
            files = _files(Path(model[FOLDER]))
            self._name = str(json.loads(files["config"].read_text()).get("model_type", FOLDER))
            self._threshold = threshold
            self._net = Prompted(files, PROMPTS, label="logo", min_score=threshold)
        else:
            self._name = model["name"]
            self._threshold = float(model["options"].get("min_score", threshold))
            self._net = loading.load(model, weights, "detect")

    def detect(self, view: View) -> list[Seen]:
        (found,) = self._net.detect([_pixels(view)])
        reason = f"{self._name} detects a logo"
        return [
            Seen("logo", box(*edges.round(1).tolist()), self._name, round(float(score), 4), self._threshold, reason)
            for edges, score in zip(found.boxes, found.scores, strict=True)
            if (edges[2:] - edges[:2] >= 1).all() and score >= self._threshold
        ]


def _files(folder: Path) -> dict[str, Path]:
    """The files of a folder by their names; the configuration and the weights by what adapters call them."""
    known = {"config": folder / "config.json", "model": folder / "model.safetensors"}
    if not all(path.is_file() for path in known.values()):
        hint = "see docs/checks-content.md for the folder's contents; download it on a machine with network access"
        raise AccordError(Problem(str(folder), "lacks config.json and model.safetensors", hint))
    others = {path.name: path for path in folder.iterdir() if path.suffix in (".json", ".txt", ".model")}
    return {**others, **known}
