"""Regions to paint out over which subjects lie, by segments or by the box of a face: one of both outlines is sloppy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.checks.deciding.limits import Finding, passed
from accord.checks.tables.findings import Findings, Proposals
from accord.engine import table
from accord.findings import REVIEW
from accord.imaging.boxes import corners
from accord.imaging.masks import rasterise
from accord.intake.tables import FACE

CHECK = DETECTOR = "region_overlap"
DEEP, LEAST_DEEP = 0.003, 2.0
"""How deep a segment may lie over a region: a share of the picture's longer side, and px at least. Outlines that
annotators drew along each other overlap by 1.0 px in the demo's pictures of 512 to 817 px."""
MOST = 0.25
"""Share of a region that segments may cover, however thin they are."""
LARGEST = 2048
"""Px of the longer side of what is looked at: a larger region is scaled down."""
NOT_PERSONAL = ("logo",)
"""Kinds of regions that lie on subjects as a rule, as logos on clothes do: they are painted there, too."""


class Overlap(NamedTuple):
    """A region (a row of Regions), and the share of it, 0 to 1, that segments cover."""

    region: Any
    share: float


def overlaps(drawn: Mapping[str, pd.DataFrame | None], shape: tuple[int, int]) -> list[Overlap]:
    """The regions of an image, (height, width) px, over which subjects lie so far that people have to decide.

    drawn: its rows of Regions, Segments and People, by the names of these tables; None where there are none.
    """
    regions, outlines = drawn["regions"], [*_outlines(drawn)]
    if regions is None or not outlines:
        return []
    asked = regions[~regions["kind"].isin(NOT_PERSONAL)]
    found = [Overlap(row, _share(row.polygon, outlines, shape)) for row in asked.itertuples()]
    return [one for one in found if one.share]


def _outlines(drawn: Mapping[str, pd.DataFrame | None]) -> Iterator[Sequence[float]]:
    """Polygons of segments, and of the boxes of faces."""
    if (segments := drawn["segments"]) is not None:
        yield from segments["polygon"]
    if (people := drawn["people"]) is not None:
        yield from (corners(*box) for box in people[FACE].to_numpy(float) if np.isfinite(box).all())


def hidden(region: np.ndarray, bodies: np.ndarray, deep: float) -> float:
    """Share of a region that bodies cover; 0 where they lie over it by no more than `deep` px (`deepest`), and over no
    more than MOST of it. Masks: bool (height, width).
    """
    import cv2

    both = region & bodies
    if not both.any():
        return 0.0
    share = float(both.sum() / region.sum())
    rows, columns = np.flatnonzero(both.any(axis=1)), np.flatnonzero(both.any(axis=0))
    part = both[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.uint8)
    depth = cv2.distanceTransform(np.pad(part, 1), cv2.DIST_L2, cv2.DIST_MASK_PRECISE).max()
    return share if share > MOST or depth > deep else 0.0


def deepest(longer: float) -> float:
    """How deep segments may lie over a region in a picture with a longer side of `longer` px."""
    return max(LEAST_DEEP, DEEP * longer)


def _share(polygon: Sequence[float], segments: list[Sequence[float]], shape: tuple[int, int]) -> float:
    """`hidden` of a region's polygon, looked at in the part of the picture around it, at LARGEST px at most."""
    points = np.asarray(polygon, float).reshape(-1, 2)
    low = np.clip(np.floor(points.min(axis=0)), 0, shape[::-1])
    high = np.clip(np.ceil(points.max(axis=0)) + 1, 0, shape[::-1])
    if not (high > low).all():
        return 0.0
    times = min(1.0, LARGEST / float((high - low).max()))
    height, width = np.ceil((high - low) * times).astype(int)[::-1].tolist()
    placed = [((np.asarray(one, float).reshape(-1, 2) - low) * times).ravel() for one in (polygon, *segments)]
    region, bodies = rasterise(placed[:1], (height, width)), rasterise(placed[1:], (height, width))
    return hidden(region, bodies, deepest(times * max(shape)))


def findings(found: dict[str, list[Overlap]]) -> pd.DataFrame:
    """Table Findings: one row of each image."""
    return table.rows([_finding(image, found[image]) for image in sorted(found)], Findings)


def proposals(found: dict[str, list[Overlap]]) -> pd.DataFrame:
    """Table Proposals of the regions themselves: is all of each to be painted?"""
    return table.rows([row for image in sorted(found) for row in _proposals(image, found[image])], Proposals)


def _finding(image: str, found: list[Overlap]) -> Finding:
    if not found:
        return passed(image, CHECK, "no subject overlaps a region")
    worst = max(one.share for one in found)
    reason = f"subjects overlap {len(found)} region(s), covering up to {worst:.0%} of one"
    return Finding(image, CHECK, worst, 0.0, REVIEW, reason)


def _proposals(image: str, found: list[Overlap]) -> Iterator[dict]:
    for row, share in sorted(found, key=lambda one: one.region.region):
        reason = f"a subject covers {share:.0%} of this region: should all of it be painted over?"
        told = {"detector": DETECTOR, "score": share, "threshold": 0.0, "covered": 0.0, "reason": reason}
        yield {"image": image, "region": row.region, "kind": row.kind, "polygon": list(row.polygon), **told}
