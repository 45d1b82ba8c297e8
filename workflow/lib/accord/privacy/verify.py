"""Proves, on the files themselves, that pictures carry no metadata and that nobody is left where was painted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord import bundle as bundles
from accord.decode import decode
from accord.findings import FAIL, PASS, Findings
from accord.intake.tables import Segments
from accord.privacy import detectors, metadata
from accord.privacy.regions import rasterise, region_mask
from accord.privacy.tables import Edits, Pictures
from accord.table import rows


class Verified(NamedTuple):
    """The pictures that may go on, and what was found in all of them."""

    pictures: DataFrame[Pictures]
    findings: DataFrame[Findings]


def run(
    pictures: DataFrame[Pictures], edits: DataFrame[Edits], segments: DataFrame[Segments], bundle: Path
) -> Verified:
    """One finding per picture on its metadata; for a painted one also one per detector.

    A picture with a finding that fails does not go on.
    """
    found = []
    for row in pictures.sort_values("image").itertuples():
        data = bundles.read(bundle, row)
        found.append(_metadata(row.image, data))
        theirs = edits[edits["image"] == row.image]
        if len(theirs):
            polygons = segments.loc[segments["image"] == row.image, "polygon"]
            found += _people(row.image, decode(data), theirs, polygons)
    findings = rows(found, Findings)
    failed = set(findings.loc[findings["verdict"] == FAIL, "image"])
    return Verified(pictures[~pictures["image"].isin(failed)].sort_values("image"), findings)


def _metadata(image: str, data: bytes) -> dict:
    found = metadata.violations(data)
    reason = "; ".join(found) if found else "the file holds pixels and nothing else"
    return _finding(image, "metadata", float(len(found)), 0.0, bool(found), reason)


def _people(image: str, pixels: np.ndarray, edits: pd.DataFrame, segments: pd.Series) -> Iterator[dict]:
    """The strongest score of each detector in what was painted; 0 where it finds nobody."""
    subjects = rasterise(segments, pixels.shape[:2])
    best = dict.fromkeys(detectors.THRESHOLDS, 0.0)
    for polygon in edits["polygon"]:
        painted = region_mask(polygon, pixels.shape[:2]) & ~subjects
        if painted.any():
            for found in detectors.left_over(pixels, painted, subjects):
                best[found.check] = max(best[found.check], found.score)
    for check, score in best.items():
        threshold = detectors.THRESHOLDS[check]
        who = "a face" if check.startswith("face") else "a person"
        reason = f"{who} is left in a painted region" if score else f"finds nobody in {len(edits)} painted region(s)"
        yield _finding(image, check, score, threshold, score >= threshold, reason)


def _finding(image: str, check: str, score: float, threshold: float, failed: bool, reason: str) -> dict:
    verdict = FAIL if failed else PASS
    values = {"score": score, "threshold": threshold, "verdict": verdict, "reason": reason}
    return {"image": image, "check": check, **values}
