"""Ask an outside service where else pictures are, and what logos they show: only where settings say so."""

import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.abuse.secrets import secret
from accord.checks.brands.vision_answers import REFUSED, Cache, parsed, row
from accord.checks.brands.vision_client import Client
from accord.checks.tables.findings import Answers, Images
from accord.engine import source, table
from accord.engine.parameter_types import Folder
from accord.engine.provenance import record
from accord.errors import AccordError, Problem
from accord.imaging import bundle as bundles
from accord.imaging.decode import decode

STEP = "checks.vision"
LONGEST_SIDE, QUALITY = 1024, 90
AT_ONCE = 16
"""Images in one request: the service's limit."""


class Asked(NamedTuple):
    """What the service said, and what it was asked for: images, units (an image and a feature), refused images."""

    answers: DataFrame[Answers]
    usage: dict


class Question(NamedTuple):
    """An image of which answers are missing, with its row of Images. `features`: those that are missing."""

    image: str
    sha256: str
    features: tuple[str, ...]
    row: object


def run(
    images: DataFrame[Images], bundle: Path, *, cache: Folder, features: list, agreed: str, address: str,
    per_minute: int, most_units: int,
) -> Asked:  # fmt: skip
    """The answers of Google Vision to `features` (web, logos) of each image; what `cache` holds is not asked again.

    Pictures are sent at 1024 px at most and without metadata. `agreed`: what permits it, recorded with the answers;
    `most_units`: units (a picture and a feature) that may be paid for in this shard, cached ones counted. Raises
    AccordError where more would be paid for, or where the service left an image without an answer; what was answered
    by then is kept.
    """
    if not agreed.strip():
        hint = "state the legal basis for sending pictures in checks.vision.agreed"
        raise AccordError(Problem("checks.vision", "no agreement to send pictures to an external service", hint))
    kept = Cache(cache, record(STEP, source.digest(STEP), {}, {"address": address, "agreed": agreed}))
    units = images["sha256"].nunique() * len(features)
    if units > most_units:
        what = f"{units} units would be charged for this shard; the limit is {most_units}"
        raise AccordError(Problem("checks.vision", what, "raise checks.vision.most_units; no request was sent"))
    questions = list(_missing(images, kept, features))
    if questions:
        client = Client(address, secret("ACCORD_VISION_KEY", "an API key"), per_minute=per_minute)
        ask(client, kept, questions, lambda question: shrunk(decode(bundles.read(bundle, question.row))))
    return Asked(*_told(images, kept, features))


def ask(client: Client, kept: Cache, questions: Iterable[Question], picture: Callable[[Question], bytes]) -> None:
    """Put the questions, sixteen images at a time, and keep each answer as soon as it is there.

    Raises AccordError where some images are left without an answer, after all were asked.
    """
    left, by_features = 0, {}
    for question in questions:
        by_features.setdefault(question.features, []).append(question)
    for features, group in by_features.items():
        for some in (group[start : start + AT_ONCE] for start in range(0, len(group), AT_ONCE)):
            replies = client.annotate([picture(question) for question in some], features)
            for question, reply in zip(some, replies, strict=True):
                if reply.answer is None and reply.again:
                    left += 1
                    continue
                said = {
                    feature: [row(REFUSED, feature)] if reply.answer is None else parsed(reply.answer, [feature])
                    for feature in features
                }
                kept.put(question.sha256, question.image, said)
    if left:
        hint = "rerun it: only these are requested again"
        raise AccordError(Problem("Google Vision", f"left {left} image(s) without an answer", hint))


def shrunk(pixels: np.ndarray) -> bytes:
    """A JPEG of the picture at 1024 px at most, with no metadata."""
    from PIL import Image

    picture = Image.fromarray(pixels)
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()


def _missing(images: pd.DataFrame, kept: Cache, features: list[str]) -> Iterable[Question]:
    seen = set()
    for one in images.sort_values("image").itertuples():
        missing = tuple(sorted(set(features) - kept.get(one.sha256, one.image).keys()))
        if missing and one.sha256 not in seen:
            yield Question(one.image, one.sha256, missing, one)
        seen.add(one.sha256)


def _told(images: pd.DataFrame, kept: Cache, features: list[str]) -> tuple[pd.DataFrame, dict]:
    rows, refused, files = [], set(), set()
    for one in images.sort_values("image").itertuples():
        scale = max(1.0, max(one.width, one.height) / LONGEST_SIDE)
        answers = kept.get(one.sha256, one.image)
        for feature in sorted(features):
            for number, said in enumerate(answers[feature]):
                polygon = [value * scale for value in said["polygon"]]
                rows.append({**said, "image": one.image, "feature": feature, "number": number, "polygon": polygon})
                refused |= {one.sha256} if said["kind"] == REFUSED else set()
        files.add(one.sha256)
    usage = {"images": len(files), "units": len(files) * len(features), "refused": len(refused)}
    return table.rows(rows, Answers), usage
