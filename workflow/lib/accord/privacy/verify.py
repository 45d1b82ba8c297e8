"""Proves, on the files themselves, that pictures carry no metadata and that nothing is left of what was painted over.

Detectors find nobody in it, SFace takes nothing for the face that was there, OCR reads nothing of what it said.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord import bundle as bundles
from accord.decode import decode
from accord.findings import FAIL, PASS, REVIEW, Findings
from accord.intake.tables import Images, Segments
from accord.privacy import detectors, faces, legible, metadata
from accord.privacy.candidates import MEMBRANE
from accord.privacy.regions import rasterise, region_mask
from accord.privacy.tables import Edits, Pictures
from accord.table import rows

BYSTANDER = "bystander"
FACE, TEXT, INPAINTING = "face_sface", "text_ppocr", "inpainting"


class Verified(NamedTuple):
    """The pictures that may go on, and what was found in all of them."""

    pictures: DataFrame[Pictures]
    findings: DataFrame[Findings]


class Painted(NamedTuple):
    """A picture before and after, uint8 (H, W, 3), where subjects are, bool (H, W), and its regions: kind and mask."""

    before: np.ndarray
    after: np.ndarray
    subjects: np.ndarray
    regions: list[tuple[str, np.ndarray]]


def run(
    pictures: DataFrame[Pictures],
    edits: DataFrame[Edits],
    segments: DataFrame[Segments],
    images: DataFrame[Images],
    bundle: Path,
    originals: Path,
    *,
    max_seam: float,
) -> Verified:
    """One finding per picture on its metadata; for a painted one also one per detector, and on faces and text.

    A picture with a finding that fails does not go on. A face that may be the one that was there is for people to see.
    Finding `inpainting` asks for a review where no candidate of a region was good, or its seam scores more than
    `max_seam`. `bundle`: the pictures; `originals`: the images.
    """
    found = []
    sources = {row.image: row for row in images.itertuples()}
    theirs = dict(iter(edits.groupby("image")))
    for row in pictures.sort_values("image").itertuples():
        data = bundles.read(bundle, row)
        found.append(_metadata(row.image, data))
        if row.image in theirs:
            before = decode(bundles.read(originals, sources[row.image]))
            polygons = segments.loc[segments["image"] == row.image, "polygon"]
            painted = _painted(before, decode(data), theirs[row.image], polygons)
            found += [*_people(row.image, painted), *_remains(row.image, painted)]
            found += _to_review(row.image, theirs[row.image], max_seam)
    findings = rows(found, Findings)
    failed = set(findings.loc[findings["verdict"] == FAIL, "image"])
    return Verified(pictures[~pictures["image"].isin(failed)].sort_values("image"), findings)


def _painted(before: np.ndarray, after: np.ndarray, edits: pd.DataFrame, segments: pd.Series) -> Painted:
    subjects = rasterise(segments, after.shape[:2])
    masks = [(row.kind, region_mask(row.polygon, after.shape[:2]) & ~subjects) for row in edits.itertuples()]
    return Painted(before, after, subjects, [(kind, mask) for kind, mask in masks if mask.any()])


def _metadata(image: str, data: bytes) -> dict:
    found = metadata.violations(data)
    reason = "; ".join(found) if found else "the file holds pixels and nothing else"
    return _finding(image, "metadata", float(len(found)), 0.0, bool(found), reason)


def _people(image: str, painted: Painted) -> Iterator[dict]:
    """The strongest score of each detector in what was painted; 0 where it finds nobody."""
    best = dict.fromkeys(detectors.THRESHOLDS, 0.0)
    for _, mask in painted.regions:
        for found in detectors.left_over(painted.after, mask, painted.subjects):
            best[found.check] = max(best[found.check], found.score)
    for check, score in best.items():
        threshold = detectors.THRESHOLDS[check]
        who = "a face" if check.startswith("face") else "a person"
        nobody = f"finds nobody in {len(painted.regions)} painted region(s)"
        reason = f"{who} is left in a painted region" if score else nobody
        yield _finding(image, check, score, threshold, score >= threshold, reason)


def _remains(image: str, painted: Painted) -> Iterator[dict]:
    """What faces and text that were painted over have in common with what is there now."""
    before, after, subjects, regions = painted
    seen = [faces.likeness(before, after, mask, subjects) for kind, mask in regions if kind == BYSTANDER]
    read = [legible.likeness(before, after, mask) for kind, mask in regions if kind != BYSTANDER]
    told = ((FACE, seen, faces.SAME_PERSON, "face(s)"), (TEXT, read, legible.LIKE, "text(s)"))
    for check, all_found, threshold, what in told:
        scores = [score for score in all_found if score is not None]
        score = max(0.0, *scores, 0.0)
        nothing = f"{len(scores)} {what} painted over, and none is left"
        reason = f"a painted region still shows its {what}" if score >= threshold else nothing
        finding = _finding(image, check, score, threshold, score >= threshold, reason)
        is_doubtful = check == FACE and threshold <= score < faces.CERTAIN
        yield {**finding, "verdict": REVIEW} if is_doubtful else finding


def _to_review(image: str, edits: pd.DataFrame, max_seam: float) -> Iterator[dict]:
    """A finding where a person should look, and none where all is well."""
    worst = float(edits["seam"].max())
    failed = int((edits["method"] == MEMBRANE).sum())
    if failed or worst > max_seam:
        plain = f"{failed} painted region(s) have a plain fill, since all candidates failed"
        reason = plain if failed else "the seam of a painted region shows"
        values = {"score": worst, "threshold": max_seam, "verdict": REVIEW, "reason": reason}
        yield {"image": image, "check": INPAINTING, **values}


def _finding(image: str, check: str, score: float, threshold: float, failed: bool, reason: str) -> dict:
    verdict = FAIL if failed else PASS
    values = {"score": score, "threshold": threshold, "verdict": verdict, "reason": reason}
    return {"image": image, "check": check, **values}
