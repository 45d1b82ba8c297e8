"""Detectors of logos: one protocol, four ways to see one."""

from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import pandas as pd

from accord.checks import brand_names, logo_brands, logo_gallery
from accord.checks.proposals import Seen, box
from accord.checks.vision_answers import LOGO
from accord.evaluate.adapters.transformers_prompted import seen

SERVICE = "google_vision"
PROMPTS = ("a logo", "a brand name")


class View(NamedTuple):
    """An image as detectors see it: upright pixels, uint8 RGB (height, width, 3); its rows of Texts and of Answers."""

    pixels: np.ndarray
    texts: pd.DataFrame
    answers: pd.DataFrame


class LogoDetector(Protocol):
    """Sees logos. What is below its threshold it may leave out."""

    def detect(self, view: View) -> list[Seen]: ...


class Brands:
    """Lines of text that read like a brand of a list."""

    def __init__(self, path: Path, threshold: float) -> None:
        self._brands, self._threshold = brand_names.read(path), threshold

    def detect(self, view: View) -> list[Seen]:
        lines = [(row.text, list(row.polygon), row.score) for row in view.texts.itertuples()]
        return logo_brands.find(lines, self._brands, self._threshold)


class Gallery:
    """Shapes that a user put into a folder."""

    def __init__(self, paths: list[Path], threshold: float) -> None:
        self._logos, self._threshold = logo_gallery.read(paths), threshold

    def detect(self, view: View) -> list[Seen]:
        return logo_gallery.find(view.pixels, self._logos, self._threshold)


class Service:
    """What Google Vision said."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold

    def detect(self, view: View) -> list[Seen]:
        said = view.answers[(view.answers["kind"] == LOGO) & (view.answers["score"] >= self._threshold)]
        reason = "an outside service takes it for a logo"
        return [
            Seen("logo", tuple(row.polygon), SERVICE, row.score, self._threshold, reason) for row in said.itertuples()
        ]


class OpenVocabulary:
    """OWLv2, Grounding DINO, or whatever transformers takes for a zero-shot object detector, from a folder.

    The folder is as the hub keeps it; of weights only model.safetensors is read, and no code of it is run. Raises
    AccordError where it can't be loaded.
    """

    def __init__(self, folder: Path, threshold: float) -> None:
        import torch
        from transformers import AutoModelForZeroShotObjectDetection, AutoProcessor

        from accord.errors import AccordError, Problem

        hint = "docs/checks.md says what the folder holds; download it on a machine with network"
        if not (folder / "config.json").is_file() or not any(folder.glob("*.safetensors")):
            raise AccordError(Problem(str(folder), "holds no config.json with safetensors weights", hint))
        torch.set_num_threads(1)
        try:
            self._processor = AutoProcessor.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
            net = AutoModelForZeroShotObjectDetection.from_pretrained(
                folder, local_files_only=True, use_safetensors=True, trust_remote_code=False
            )
        except (OSError, ValueError, KeyError) as error:
            what = f"holds no zero-shot object detector that transformers can load ({type(error).__name__})"
            raise AccordError(Problem(str(folder), what, hint)) from None
        self._net, self._threshold = net.eval().to("cuda" if torch.cuda.is_available() else "cpu"), threshold
        self._name = str(net.config.model_type)

    def detect(self, view: View) -> list[Seen]:
        boxes, scores = seen(self._processor, self._net, view.pixels, PROMPTS, self._threshold)
        reason = f"{self._name} takes it for a logo"
        return [
            Seen("logo", box(*edges.round(1).tolist()), self._name, round(float(score), 4), self._threshold, reason)
            for edges, score in zip(boxes, scores, strict=True)
            if (edges[2:] - edges[:2] >= 1).all()
        ]
