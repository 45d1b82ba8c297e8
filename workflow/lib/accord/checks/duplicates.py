"""Find copies among all images that the shards let through, and say which of them stay."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord import table
from accord.checks.copies import bits_apart, find_copies
from accord.checks.tables import Findings, Fingerprints, Images, Pairs
from accord.findings import FAIL


class Duplicates(NamedTuple):
    """Findings on the copies that go, and all pairs of copies."""

    findings: DataFrame[Findings]
    pairs: DataFrame[Pairs]


def run(images: DataFrame[Images], fingerprints: DataFrame[Fingerprints], *, max_distance: int) -> Duplicates:
    """Findings duplicate_exact (the same pixels) and duplicate_near (PDQ hashes close, also turned or mirrored).

    Only `images` take part: one that another check stopped must not push out a good one. The best copy stays
    (accord.checks.copies); of images that are no copies nothing is said.
    """
    pairs, kept = find_copies(images, fingerprints, max_distance)
    gone = kept[kept.index != kept]
    by_image = fingerprints.set_index("image")
    return Duplicates(_findings(by_image.loc[gone.index], by_image.loc[gone], max_distance), pairs)


def _findings(gone: pd.DataFrame, kept: pd.DataFrame, max_distance: int) -> pd.DataFrame:
    """Findings on the images `gone`, row by row copies of `kept`."""
    exact = (gone["pixels"].to_numpy() == kept["pixels"].to_numpy()) & (gone["width"].to_numpy() == kept["width"])
    distance = np.where(exact, 0, bits_apart(kept, gone))
    whose = np.where(gone["subject"].to_numpy() == kept["subject"], "the same subject", "another subject")
    facts = zip(gone.index, kept.index, exact, distance, whose, strict=True)
    return table.rows([_finding(*fact, max_distance) for fact in facts], Findings)


def _finding(image: str, kept: str, exact: bool, distance: int, whose: str, max_distance: int) -> tuple:
    if exact:
        return image, "duplicate_exact", 0.0, 0.0, FAIL, f"the same pixels as {kept} of {whose}, which stays"
    reason = f"{distance} of 256 bits from {kept} of {whose}, which stays; at most {max_distance} make a copy"
    return image, "duplicate_near", float(distance), float(max_distance), FAIL, reason
