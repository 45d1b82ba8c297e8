"""A model's answers drawn over the pictures, as PNG files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord import command_line
from accord.errors import AccordError, Problem, all_problems
from accord.imaging import marks
from accord.imaging.decode import encode_png
from accord.imaging.marks import Mark
from accord.models.protocols import Mask


def files(folder: Path, paths: Sequence[Path], pictures: Sequence[np.ndarray], answers: Sequence[Any]) -> list[dict]:
    """Write each picture with its answer into a folder; returns for each {"drawn": its file}.

    Raises AccordError where a file is there already, or the model finds nothing that has a place.
    """
    targets = [folder / f"{path.stem}.png" for path in paths]
    with all_problems() as problems:
        for target in {target for target in targets if target.exists()}:
            problems.add(target.as_posix(), "already exists", "give --draw another folder")
        if len(set(targets)) < len(targets):
            problems.add("--draw", "two pictures have the same name", "try them one after the other")
    found = [of(answer) for answer in answers]
    with command_line.writing(folder, "--draw"):
        folder.mkdir(parents=True, exist_ok=True)
        for target, pixels, some in zip(targets, pictures, found, strict=True):
            target.write_bytes(encode_png(marks.drawn(pixels, some)))
    return [{"drawn": target.as_posix()} for target in targets]


def of(answer: Any) -> list[Mark]:
    """The marks of an answer. Raises AccordError where it has none: vectors, words, probabilities."""
    if hasattr(answer, "labels"):
        rows = zip(answer.boxes, answer.scores, answer.labels, strict=True)
        return [marks.of_box(box, f"{label} {score:.2f}") for box, score, label in rows]
    if hasattr(answer, "keypoints"):
        return [Mark((float(x), float(y))) for x, y in answer.points]
    if isinstance(answer, list) and all(isinstance(one, Mask) for one in answer):
        return [mark for one in answer for mark in marks.of_mask(one.mask, f"{one.label} {one.score:.2f}")]
    if isinstance(answer, np.ndarray) and answer.ndim == 2:
        numbers = [int(number) for number in np.unique(answer) if number]
        return [mark for number in numbers for mark in marks.of_mask(answer == number, str(number))]
    hint = "boxes, keypoints, masks and labelled pixels can be drawn"
    raise AccordError(Problem("--draw", "this model's answers have no place in the picture", hint))
