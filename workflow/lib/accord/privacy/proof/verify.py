"""Proves, on the files themselves, that pictures carry no metadata and that nothing is left of what was painted over.

All that was declared is painted, and nothing of the original shows. Detectors find nobody in it, SFace takes nothing
for the face that was there, OCR reads nothing of what it said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from accord.checks.personal import overlaps
from accord.checks.tables.findings import ASKED, PAINTED_OVER
from accord.findings import FAIL, PASS, REVIEW
from accord.imaging.decode import decode
from accord.models import detectors
from accord.privacy.fitting.flaws import PLAIN, WORDS, Flaws
from accord.privacy.painting.candidates import MEMBRANE
from accord.privacy.proof import declared, faces, legible, metadata, skin, subjects
from accord.privacy.protecting import people as annotated
from accord.privacy.protecting.people import Person

BYSTANDER = "bystander"
FACE, TEXT, INPAINTING = "face_sface", "text_ppocr", "inpainting"
LEFT, SHOWS = "region_left", "region_shows"
SUBJECT, COPIED, SKIN = "subject_in_region", "person_copied", "skin_in_region"
MAX_LEFT = 0.1
"""Share of a region that may be as it was: fills and what they replace have pixels in common by chance."""
ORIGINAL = 0.8
"""Correlation of detail from which on it is the original's (docs/privacy.md)."""


class Painted(NamedTuple):
    """A picture before and after, uint8 (H, W, 3), its people, where they stay, bool (H, W), and its regions: their
    rows, the masks that are to be painted, and the largest shares of one that outlines keep, though nobody decided so
    (`kept`), and that lie in the box of somebody whose body has no outline (`boxed`)."""

    before: np.ndarray
    after: np.ndarray
    people: list[Person]
    subjects: np.ndarray
    regions: list[tuple[Any, np.ndarray]]
    kept: float
    boxed: float

    def hole(self) -> np.ndarray:
        """All that is to be painted."""
        return np.logical_or.reduce([mask for _, mask in self.regions] or [np.zeros_like(self.subjects)])


class Before(NamedTuple):
    """What a picture was made from: pixels, uint8 (H, W, 3), rows of Regions that were to be painted, its people."""

    pixels: np.ndarray
    regions: list[Any]
    people: list[Person]


def findings(image: str, data: bytes, before: Before | None, edits: Sequence[dict], limits: Flaws) -> list[dict]:
    """Findings (records) on a picture, from its file `data`: one on its metadata; where regions were to be painted also
    one per detector, on faces and text, and on the people who stay.

    `before` declares what was to be painted, and `edits` say what was. Findings region_left and region_shows hold the
    pixels of both pictures against that. A picture with a finding that fails does not go on. A face that may be the one
    that was there is for people to see, and so are somebody who stays and is painted over all the same, and a piece of
    anybody in what is painted. Finding `inpainting` asks for a review where no candidate of a region was good, a flaw
    scores more than may be, an outline keeps a part of a region, or a box may.
    """
    found = [_metadata(image, data)]
    if before is None:
        return found
    painted = _painted(before, decode(data))
    found += [*_declared(image, painted, edits), *_people(image, painted), *_remains(image, painted)]
    return [*found, *_subjects(image, painted), *_to_review(image, edits, painted, limits)]


def _painted(before: Before, after: np.ndarray) -> Painted:
    shape, people = after.shape[:2], before.people
    outlines, boxes = (
        declared.bodies(polygons, shape)
        for polygons in (annotated.outlines(people), annotated.bodies_without_outline(people))
    )
    masks = [(row, declared.filled(row.polygon, shape)) for row in before.regions]
    deep = overlaps.deepest(max(shape))
    asked = [overlaps.hidden(mask, outlines, deep) for row, mask in masks if row.segments == ASKED]
    boxed = [overlaps.hidden(mask, boxes, deep) for _, mask in masks]
    staying = declared.rimmed(outlines)
    for row, mask in masks:
        boxes &= ~mask
        if row.segments == PAINTED_OVER:
            staying &= ~mask
    own = [(row, mask & ~staying) for row, mask in masks if not mask.any() or (mask & ~staying).any()]
    largest = max(asked, default=0.0), max(boxed, default=0.0)
    return Painted(before.pixels, after, people, staying | boxes, own, *largest)


def _declared(image: str, painted: Painted, edits: Sequence[dict]) -> Iterator[dict]:
    """Whether all that was declared was painted: by what the painter says, and by the pixels."""
    said = {edit["region"]: edit["painted"] for edit in edits}
    both = painted.before, painted.after
    shares = [_left(both, mask, said.get(row.region, 0)) for row, mask in painted.regions]
    shown = [declared.shows(*both, mask) for _, mask in painted.regions if mask.any()]
    most, clearest = max(shares, default=0.0), max(shown, default=0.0)
    reasons = (
        f"{most:.0%} of a declared region is not painted" if most > MAX_LEFT else "all regions are painted",
        "the original is visible in a painted region" if clearest >= ORIGINAL else "nothing of the original is visible",
    )
    yield _finding(image, LEFT, most, MAX_LEFT, most > MAX_LEFT, reasons[0])
    yield _finding(image, SHOWS, clearest, ORIGINAL, clearest >= ORIGINAL, reasons[1])


def _left(both: tuple[np.ndarray, np.ndarray], mask: np.ndarray, painted: int) -> float:
    """Share of a region that is not painted, by the number of pixels that were, or by the pictures before and after."""
    if not mask.any():
        return 1.0
    return max(1 - min(1.0, painted / int(mask.sum())), declared.left(*both, mask))


def _metadata(image: str, data: bytes) -> dict:
    found = metadata.violations(data)
    reason = "; ".join(found) if found else "the file contains only pixels"
    return _finding(image, "metadata", float(len(found)), 0.0, bool(found), reason)


def _people(image: str, painted: Painted) -> Iterator[dict]:
    """The strongest score of each detector in what was painted; 0 where it finds nobody."""
    best = dict.fromkeys(detectors.THRESHOLDS, 0.0)
    masks = [mask for _, mask in painted.regions if mask.any()]
    for mask in masks:
        for found in detectors.left_over(painted.after, mask, painted.subjects):
            best[found.check] = max(best[found.check], found.score)
    for check, score in best.items():
        threshold = detectors.THRESHOLDS[check]
        who = "a face" if check.startswith("face") else "a person"
        nobody = f"finds no person in {len(masks)} painted region(s)"
        reason = f"{who} is still visible in a painted region" if score else nobody
        yield _finding(image, check, score, threshold, score >= threshold, reason)


def _remains(image: str, painted: Painted) -> Iterator[dict]:
    """What faces and text that were painted over have in common with what is there now."""
    before, after, subjects = painted.before, painted.after, painted.subjects
    regions = [(row.kind, mask) for row, mask in painted.regions if mask.any()]
    seen = [faces.likeness(before, after, mask, subjects) for kind, mask in regions if kind == BYSTANDER]
    read = [legible.likeness(before, after, mask) for kind, mask in regions if kind != BYSTANDER]
    told = ((FACE, seen, faces.SAME_PERSON, "face(s)"), (TEXT, read, legible.LIKE, "text(s)"))
    for check, all_found, threshold, what in told:
        scores = [score for score in all_found if score is not None]
        score = max(0.0, *scores, 0.0)
        nothing = f"{len(scores)} {what} painted over, none remain"
        reason = f"{what} still visible in a painted region" if score >= threshold else nothing
        finding = _finding(image, check, score, threshold, score >= threshold, reason)
        is_doubtful = check == FACE and threshold <= score < faces.CERTAIN
        yield _doubt(image, check, score, threshold, reason) if is_doubtful else finding


def _subjects(image: str, painted: Painted) -> Iterator[dict]:
    """Whether somebody who stays is painted over, and whether a piece of anybody is in what is painted."""
    hole, people, before, after = painted.hole(), painted.people, painted.before, painted.after
    yield _doubt(image, SUBJECT, *_painted_share(painted, hole))
    alike = subjects.copied(before, after, people, hole)
    reason = f"a painted region resembles a piece of somebody by {alike:.0%}"
    yield _doubt(image, COPIED, alike, subjects.ALIKE, reason)
    faces_and_people = subjects.faces(before, people)
    patches = [skin.patch(before, after, mask, *faces_and_people) for _, mask in painted.regions]
    largest = max(patches, default=0.0)
    reason = f"a patch of skin in a painted region is as large as {largest:.0%} of a face"
    yield _doubt(image, SKIN, largest, skin.TOO_MUCH, reason)


def _painted_share(painted: Painted, hole: np.ndarray) -> tuple[float, float, str]:
    """How much of somebody who stays is painted, the limit, and a reason; or of a region that they keep instead."""
    people, limit = painted.people, subjects.MOST
    share = subjects.covered(people, hole)
    if share < limit and subjects.are_lost(painted.before, people, hole):
        return 1.0, limit, "the only people who are found in the picture are in painted regions"
    if share < limit <= painted.kept:
        return painted.kept, limit, f"an annotated person keeps {painted.kept:.0%} of a region without a decision"
    return share, limit, f"a painted region covers {share:.0%} of the face or body of an annotated person"


def _to_review(image: str, edits: Sequence[dict], painted: Painted, limits: Flaws) -> Iterator[dict]:
    """A finding where a person should look, and none where all is well."""
    worst = Flaws(*(max((float(edit[name]) for edit in edits), default=0.0) for name in Flaws._fields))
    failed = sum(edit["method"] == MEMBRANE for edit in edits)
    reasons = (
        (failed, f"{failed} painted region(s) were {PLAIN}"),
        (painted.kept, f"a subject's segments keep {painted.kept:.0%} of a region without a decision"),
        (painted.boxed, f"{painted.boxed:.0%} of a region lies in the box of a subject whose body has no outline"),
        *((score > limit, WORDS[name]) for name, score, limit in zip(worst._fields, worst, limits, strict=True)),
    )
    told = [reason for is_so, reason in reasons if is_so]
    if told:
        score, threshold = max(zip(worst, limits, strict=True), key=lambda pair: pair[0] / pair[1])
        values = {"score": score, "threshold": threshold, "verdict": REVIEW, "reason": "; ".join(told)}
        yield {"image": image, "check": INPAINTING, **values}


def _doubt(image: str, check: str, score: float, threshold: float, reason: str) -> dict:
    """A finding that people are to look at from its threshold on."""
    finding = _finding(image, check, score, threshold, score >= threshold, reason)
    return {**finding, "verdict": REVIEW} if score >= threshold else finding


def _finding(image: str, check: str, score: float, threshold: float, failed: bool, reason: str) -> dict:
    verdict = FAIL if failed else PASS
    values = {"score": score, "threshold": threshold, "verdict": verdict, "reason": reason}
    return {"image": image, "check": check, **values}
