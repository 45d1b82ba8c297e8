"""Check the images of each subject together: taken on different days, and not too many."""

from datetime import date
from typing import Any

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.deciding.limits import Finding, at_least, at_most, passed, unknown
from accord.checks.matching.copies import UNKNOWN_TIME, find_copies
from accord.checks.settling.local import unstopped
from accord.checks.tables.findings import Findings, Fingerprints, Images
from accord.engine import table
from accord.findings import FAIL


def run(
    images: DataFrame[Images],
    fingerprints: DataFrame[Fingerprints],
    findings: DataFrame[Findings],
    *,
    max_images_per_subject: int,
    min_days_between: int,
    max_distance: int,
) -> DataFrame[Findings]:
    """Findings capture_spacing and images_per_subject, in the order of capture times, then ids.

    Images that `findings` fail take no place. Of two images less than `min_days_between` calendar days apart the
    later one fails; an unknown time is no failure. Of those left the first `max_images_per_subject` pass. Copies of a
    subject's better image share its findings where it fails and take no place of their own: which copy stays is for
    `checks.duplicates` to say.
    """
    left = unstopped(images, findings)
    kept = find_copies(left, fingerprints, max_distance, within_subjects=True).kept
    originals = left[~left["image"].isin(kept.index[kept.index != kept])]
    made: list[Finding] = []
    for _, own in originals.groupby("subject"):
        made += _of_subject(own, max_images_per_subject, min_days_between)
    return table.rows(sorted(made + _shared(made, kept), key=lambda finding: finding[:2]), Findings)


def _of_subject(images: pd.DataFrame, max_images: int, min_days: int) -> list[Finding]:
    found, last, count = [], None, 0
    time = images["captured_at"].replace("", UNKNOWN_TIME)
    for row in images.assign(time=time).sort_values(["time", "image"]).itertuples():
        spacing, last = _spacing(row, last, min_days)
        found.append(spacing)
        if spacing.verdict != FAIL:
            count += 1
            what = "is the rank of this image among the subject's"
            found.append(at_most(row.image, "images_per_subject", count, max_images, what))
    return found


def _spacing(row: Any, last: date | None, min_days: int) -> tuple[Finding, date | None]:
    """The finding on an image, and the day of the last one that holds its distance."""
    day = _day(row.captured_at)
    if day is None:
        return unknown(row.image, "capture_spacing", "has no capture time"), last
    if last is None:
        return passed(row.image, "capture_spacing", "is the first image of its subject"), day
    finding = at_least(row.image, "capture_spacing", (day - last).days, min_days, "days after the subject's last image")
    return finding, last if finding.verdict == FAIL else day


def _day(captured_at: str) -> date | None:
    try:
        return date.fromisoformat(captured_at[:10])
    except ValueError:
        return None


def _shared(made: list[Finding], kept: pd.Series) -> list[Finding]:
    """The failures of images, said of their copies too."""
    copies = kept[kept.index != kept].reset_index().groupby("kept")["image"].apply(list).to_dict()
    failures = [finding for finding in made if finding.verdict == FAIL]
    return [finding._replace(image=copy) for finding in failures for copy in copies.get(finding.image, [])]
