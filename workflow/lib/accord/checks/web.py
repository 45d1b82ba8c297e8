"""Check whether images are on the web already: by a list of hashes that someone made, and by an outside service."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord import table
from accord.checks.copies import MIN_QUALITY
from accord.checks.hamming import HEX_DIGITS, nearest, words
from accord.checks.limits import Finding
from accord.checks.tables import Answers, Findings, Fingerprints, Images
from accord.checks.vision_answers import FULL, PARTIAL, REFUSED
from accord.errors import all_problems
from accord.findings import INFO, PASS, REVIEW

CHECK = "web_match"
COLUMN = "pdq"
SIBLING = "another image of its subject was found on the web"
MOST_BITS = 256


def run(
    images: DataFrame[Images],
    fingerprints: DataFrame[Fingerprints],
    answers: DataFrame[Answers],
    *,
    web_list: Path | None = None,
    max_distance: int,
) -> DataFrame[Findings]:
    """Finding web_match of each image. A person looks at what was found on the web, and what they say holds for all
    images of its (primary) subject, which have a finding too.

    `web_list`: CSV with a column `pdq`, 64 hexadecimal digits per row; answers: what a service said of where else the
    picture or a part of it is. Without either nothing is said of any image. Raises AccordError with every row that is
    no hash.
    """
    if web_list is None and answers.empty:
        return table.empty(Findings)
    listed = words(read_hashes(web_list)) if web_list else words([])
    trusted = fingerprints[fingerprints["pdq_quality"] >= MIN_QUALITY]
    _, distance = nearest(words(trusted["pdq"]), listed)
    away = pd.Series(distance, index=trusted["image"].to_numpy())
    elsewhere = answers[answers["kind"].isin((FULL, PARTIAL))].groupby("image").size()
    hit = {*away.index[away <= max_distance], *elsewhere.index}
    refused = set(answers.loc[(answers["feature"] == "web") & (answers["kind"] == REFUSED), "image"])
    found = set(images.loc[images["image"].isin(hit), "subject"])
    rows = images.sort_values("image")
    findings = [
        _finding(
            row,
            away.get(row.image),
            elsewhere.get(row.image, 0),
            row.subject in found,
            row.image in refused,
            max_distance,
        )
        for row in rows.itertuples()
    ]
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


def _finding(
    row, distance: float | None, addresses: int, subject_found: bool, refused: bool, max_distance: int
) -> Finding:
    score = np.nan if distance is None or distance > MOST_BITS else float(distance)
    if distance is not None and distance <= max_distance:
        verdict, reason = REVIEW, "is near to a listed image"
    elif addresses:
        verdict, reason = REVIEW, f"the picture or a part of it is at {addresses} address(es) on the web"
    elif subject_found:
        verdict, reason = INFO, SIBLING
    elif refused:
        verdict, reason = INFO, "the service refuses the picture, and no list has it"
    else:
        verdict, reason = PASS, "was not found on the web"
    return Finding(row.image, CHECK, score, float(max_distance), verdict, reason)
