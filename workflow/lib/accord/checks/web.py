"""Check whether images are on the web already: near to a hash on a list that someone made."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord import table
from accord.checks.copies import MIN_QUALITY
from accord.checks.hamming import HEX_DIGITS, nearest, words
from accord.checks.limits import Finding
from accord.checks.tables import Findings, Fingerprints, Images
from accord.errors import all_problems
from accord.findings import FAIL, PASS

COLUMN = "pdq"


def run(
    images: DataFrame[Images],
    fingerprints: DataFrame[Fingerprints],
    *,
    web_list: Path | None = None,
    max_distance: int,
) -> DataFrame[Findings]:
    """Finding web_match of each image: one image near to the list takes out all images of its (primary) subject.

    `web_list`: CSV with a column `pdq`, 64 hexadecimal digits per row. Without a list nothing is said of any image.
    Raises AccordError with every row that is no hash.
    """
    if web_list is None:
        return table.empty(Findings)
    listed = words(read_hashes(web_list))
    trusted = fingerprints[fingerprints["pdq_quality"] >= MIN_QUALITY]
    _, distance = nearest(words(trusted["pdq"]), listed)
    away = pd.Series(distance, index=trusted["image"].to_numpy())
    found = set(trusted.loc[distance <= max_distance, "subject"])
    rows = images.sort_values("image")
    findings = [_finding(row, away.get(row.image), row.subject in found, max_distance) for row in rows.itertuples()]
    return table.rows(findings, Findings)


def read_hashes(path: Path) -> list[str]:
    """The hashes of a list, in its order."""
    with all_problems() as problems, Path(path).open(newline="", encoding="utf-8-sig") as file:
        rows = csv.DictReader(file)
        hashes = [(row.get(COLUMN) or "").strip().lower() for row in rows]
        if COLUMN not in (rows.fieldnames or []):
            problems.add(str(path), f"has no column {COLUMN!r}", "a list of hashes is a CSV with this column")
        else:
            for line in [line for line, text in enumerate(hashes, start=2) if not _is_hash(text)]:
                problems.add(f"{path}, line {line}", "not a PDQ hash", f"{HEX_DIGITS} hexadecimal digits are wanted")
    return hashes


def _is_hash(text: str) -> bool:
    return len(text) == HEX_DIGITS and set(text) <= set("0123456789abcdef")


def _finding(row, distance: float | None, subject_found: bool, max_distance: int) -> Finding:
    score = np.nan if distance is None else float(distance)
    if distance is not None and distance <= max_distance:
        verdict, reason = FAIL, "is near to a listed image"
    elif subject_found:
        verdict, reason = FAIL, "another image of its subject is near to a listed image"
    else:
        verdict, reason = PASS, "no listed image is near"
    return Finding(row.image, "web_match", score, float(max_distance), verdict, reason)
