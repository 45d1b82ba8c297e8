"""Propose what may have to be painted out: plates, cards, screens, addresses and numbers, and bystanders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.checks.files.pixels import Picture, Shown, by_image, shown
from accord.checks.personal import identifiers
from accord.checks.personal.bystanders import Known, likely_body, strangers
from accord.checks.personal.overlaps import overlaps
from accord.checks.personal.panels import Panel, blocks, ink, panels
from accord.checks.personal.proposals import Seen, box, proposals, questions
from accord.checks.tables.findings import Findings, Images, Proposals, Texts
from accord.imaging.masks import rasterise
from accord.intake.tables import FACE, PERSON, People, Regions, Segments
from accord.models.detectors import THRESHOLDS, Found

CHECK, WHAT = "personal_data", "personal data or bystanders"
HALF = 0.5
NOBODY = np.empty((0, 4))
CARD = {identifiers.ZONE, identifiers.PAYMENT, identifiers.DOCUMENT, identifiers.BIRTH}
WORDS = {
    identifiers.PLATE: "a number plate", identifiers.EMAIL: "an e-mail address", identifiers.PHONE: "a phone number",
    identifiers.IBAN: "an account number", identifiers.PAYMENT: "a payment card number",
    identifiers.ZONE: "the machine-readable zone of a document", identifiers.DOCUMENT: "an identity document",
    identifiers.BIRTH: "a date of birth", identifiers.ADDRESS: "an address", identifiers.HANDLE: "an account name",
}  # fmt: skip


class Proposed(NamedTuple):
    """What people are asked about, and where it is."""

    findings: DataFrame[Findings]
    proposals: DataFrame[Proposals]


def run(
    images: DataFrame[Images],
    bundle: Path | Shown,
    texts: DataFrame[Texts],
    people: DataFrame[People],
    segments: DataFrame[Segments],
    regions: DataFrame[Regions],
    *,
    min_text_score: float,
    min_bystander: float,
    max_pixels: int,
) -> Proposed:
    """Finding personal_data of each image, and the proposals behind it.

    What was read is looked through for what tells of a person (`identifiers`), and all that it stands on is proposed;
    so is everybody whom no annotator outlined. `min_text_score`: how sure the reading must be; `min_bystander`: width
    of the smallest face to look for, as a share of the longer side. No reason repeats what was read. Raises AccordError
    where a picture does not decode, is not as it was written, or a model is not installed.
    """
    drawn = dict(_tables(texts=texts, people=people, segments=segments, regions=regions))
    seen: dict[str, list[Seen]] = {}
    doubtful: list[str] = []
    for row, picture in shown(images, bundle, max_pixels):
        pixels = picture.pixels
        own = {name: parts.get(row.image) for name, parts in drawn.items()}
        known = _known(own, pixels.shape[:2])
        doubtful += _doubtful(own, pixels.shape[:2])
        seen[row.image] = [*things(pixels, own["texts"], min_text_score), *_people(picture, known, min_bystander)]
    proposed = proposals(seen, regions[~regions["region"].isin(doubtful)])
    return Proposed(questions(images["image"], proposed, CHECK, WHAT), proposed)


def _tables(**tables: pd.DataFrame) -> Iterator[tuple[str, dict[str, pd.DataFrame]]]:
    """Each table cut into its images."""
    for name, table in tables.items():
        yield name, by_image(table)


def _doubtful(drawn: dict[str, pd.DataFrame | None], shape: tuple[int, int]) -> list[str]:
    """The regions over which subjects lie: what is seen there is asked about, whatever they cover."""
    return [one.region.region for one in overlaps(drawn, shape)]


def things(pixels: np.ndarray, texts: pd.DataFrame | None, threshold: float) -> list[Seen]:
    """What lines of text stand on, where one of them, or some together, tell of a person."""
    if texts is None:
        return []
    lines = [np.asarray(polygon, float).reshape(4, 2) for polygon in texts["polygon"]]
    read = list(zip(texts["text"], texts["score"], strict=True))
    held = {block: _held([read[line] for line in block], threshold) for block in blocks(lines)}
    if not any(held.values()):
        return []
    seen = ((panel, held[panel.lines]) for panel in panels(pixels, lines))
    return [_seen(panel, [lines[i] for i in panel.lines], *told, threshold) for panel, told in seen if told]


def _held(read: list[tuple[str, float]], threshold: float) -> tuple[set[str], float] | None:
    """The kinds of personal data that lines which stand together hold, and the best score of those that hold them; None
    where they hold none. read: text and score of each."""
    sure = [(text, float(score)) for text, score in read if score >= threshold]
    told = [(kinds, score) for text, score in sure if (kinds := identifiers.kinds(text))]
    broken = identifiers.over_lines(text for text, _ in sure)
    if not told and not broken:
        return None
    return broken.union(*(kinds for kinds, _ in told)), max(score for _, score in told or sure)


def _seen(panel: Panel, lines: list[np.ndarray], found: set[str], score: float, threshold: float) -> Seen:
    if found & CARD:
        kind = "card"
    elif found == {identifiers.PLATE}:
        kind = "license_plate"
    else:
        kind = "screen" if panel.shines else "other"
    polygon = tuple(round(float(value), 1) for value in panel.corners.ravel())
    reason = f"looks like {', '.join(sorted(WORDS[name] for name in found))}"
    parts = tuple(tuple(ink(line).ravel().tolist()) for line in lines)
    return Seen(kind, polygon, "text", score, threshold, reason, parts)


def _people(picture: Picture, known: Known, smallest_face: float) -> list[Seen]:
    out = []
    for found, body in strangers(picture.pixels, known, smallest_face, picture.faces):
        who = "a face" if found.check.startswith("face") else "a body"
        polygon = tuple(round(value, 1) for value in box(*body))
        reason = f"{who} outside all annotated people"
        score, threshold = min(found.score, 1.0), THRESHOLDS[found.check]
        out.append(Seen("bystander", polygon, found.check, score, threshold, reason, (box(*found.box),)))
    return out


def _known(drawn: dict[str, pd.DataFrame | None], shape: tuple[int, int]) -> Known:
    """Whom annotators told of: subjects' boxes of faces and persons, and all regions.

    Where a subject's segment lies over a region, the region explains nobody, nor does a face box there: one of both
    outlines is wrong.
    """
    people, segments, regions = drawn["people"], drawn["segments"], drawn["regions"]
    hidden = rasterise([] if regions is None else regions["polygon"], shape)
    over = hidden & rasterise([] if regions is None or segments is None else segments["polygon"], shape)
    if people is None:
        return Known(NOBODY, NOBODY, hidden & ~over)
    faces = _corners(people[FACE])
    is_doubtful = [_share(over, face) >= HALF for face in faces]
    persons = [*_corners(people[PERSON]), *_bodies(people, shape)]
    return Known(faces[~np.array(is_doubtful, bool)], np.reshape(persons, (-1, 4)), hidden & ~over)


def _bodies(people: pd.DataFrame, shape: tuple[int, int]) -> list[tuple[float, ...]]:
    """Where the bodies of those are likely to be whose person has no box, but whose face has one."""
    faces = _corners(people.loc[people[PERSON].isna().any(axis=1), FACE])
    return [likely_body(Found("face", 1.0, tuple(face)), shape) for face in faces]


def _corners(boxes: pd.DataFrame) -> np.ndarray:
    """left, top, right, bottom, float (n, 4), of the boxes that are there."""
    found = boxes.dropna().to_numpy(float)
    return np.hstack([found[:, :2], found[:, :2] + found[:, 2:]])


def _share(mask: np.ndarray, face: np.ndarray) -> float:
    """Share of a box, left, top, right, bottom, that lies in a mask."""
    left, top, right, bottom = np.clip(np.round(face), 0, None).astype(int)
    part = mask[top:bottom, left:right]
    return float(part.mean()) if part.size else 0.0
