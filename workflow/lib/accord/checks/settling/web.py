"""Check whether images are on the web already: by a list of hashes that someone made, and by an outside service."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.checks.brands.vision_answers import FULL, PARTIAL, REFUSED
from accord.checks.deciding import lists
from accord.checks.deciding.limits import Finding
from accord.checks.matching.copies import MIN_QUALITY
from accord.checks.tables.findings import Answers, Findings, Fingerprints, Images
from accord.engine import table
from accord.errors import all_problems
from accord.findings import INFO, PASS, REVIEW
from accord.imaging.hamming import HEX_DIGITS, nearest, words

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
    away = _distances(fingerprints, words(read_hashes(web_list)) if web_list else words([]))
    of_web = answers[answers["feature"] == "web"]
    elsewhere = of_web[of_web["kind"].isin((FULL, PARTIAL))].groupby("image").size()
    refused = set(of_web.loc[of_web["kind"] == REFUSED, "image"])
    hit = {*away.index[away <= max_distance], *elsewhere.index}
    found = set(images.loc[images["image"].isin(hit), "subject"])
    rows = images.sort_values("image").itertuples()
    findings = [_finding(row, away, elsewhere, found, refused, max_distance) for row in rows]
    return table.rows(findings, Findings)


def _distances(fingerprints: pd.DataFrame, listed: np.ndarray) -> pd.Series:
    """Bits to the nearest listed hash, by image, of those whose hash says something."""
    trusted = fingerprints[fingerprints["pdq_quality"] >= MIN_QUALITY]
    _, distance = nearest(words(trusted["pdq"]), listed)
    return pd.Series(distance, index=trusted["image"].to_numpy())


def read_hashes(path: Path) -> list[str]:
    """The hashes of a list, in its order."""
    with all_problems() as problems:
        hashes = [cell.strip().lower() for cell in lists.column(path, COLUMN, "hashes", problems)]
        for line in [line for line, text in enumerate(hashes, start=2) if not _is_hash(text)]:
            problems.add(f"{path}, line {line}", "not a PDQ hash", f"must be {HEX_DIGITS} hexadecimal digits")
    return hashes


def _is_hash(text: str) -> bool:
    return len(text) == HEX_DIGITS and set(text) <= set("0123456789abcdef")


def _finding(row: Any, away: pd.Series, elsewhere: pd.Series, found: set, refused: set, max_distance: int) -> Finding:
    distance, addresses = away.get(row.image, MOST_BITS + 1), elsewhere.get(row.image, 0)
    score = np.nan if distance > MOST_BITS else float(distance)
    if distance <= max_distance:
        verdict, reason = REVIEW, "is similar to a listed image"
    elif addresses:
        verdict, reason = REVIEW, f"the picture or a part of it was found at {addresses} address(es) on the web"
    elif row.subject in found:
        verdict, reason = INFO, SIBLING
    elif row.image in refused:
        verdict, reason = INFO, "the service refused the picture, and it is on no list"
    else:
        verdict, reason = PASS, "was not found on the web"
    return Finding(row.image, CHECK, score, float(max_distance), verdict, reason)
