"""Find copies among all images that the shards let through, and say which of them stay."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.checks.matching.copies import bits_apart, find_copies
from accord.checks.tables.findings import Findings, Fingerprints, Pairs
from accord.checks.tables.views import Digests, Ranked, Stopping
from accord.consent.deciding.eligible import SCOPE
from accord.engine import table
from accord.findings import FAIL

EXACT, NEAR = "duplicate_exact", "duplicate_near"
REFUSED = "same file as an image whose publication a person in it refused or withdrew"


class Duplicates(NamedTuple):
    """Findings on the copies that go, and all pairs of copies."""

    findings: DataFrame[Findings]
    pairs: DataFrame[Pairs]


def run(
    images: DataFrame[Ranked], fingerprints: DataFrame[Fingerprints], delivered: DataFrame[Digests],
    consented: DataFrame[Stopping], *, max_distance: int,
) -> Duplicates:  # fmt: skip
    """Findings duplicate_exact (the same pixels) and duplicate_near (PDQ hashes close, also turned or mirrored).

    Only `images` take part: one that another check stopped must not push out a good one. The best copy stays
    (accord.checks.matching.copies); of images that are no copies nothing is said. But no file stays that was delivered
    as well (`delivered`, all images) as an image that somebody in it refused or withdrew (`consented`, consent's
    findings).
    """
    refused = _refused(images, delivered, consented)
    pairs, kept = find_copies(images[~table.is_in(images["image"], refused)], fingerprints, max_distance)
    gone = kept[kept.index != kept]
    by_image = fingerprints.set_index("image")
    found = _findings(by_image.loc[gone.index], by_image.loc[gone], max_distance)
    withdrawn = [(image, EXACT, 0.0, 0.0, FAIL, REFUSED) for image in refused]
    return Duplicates(table.rows([*withdrawn, *found], Findings), pairs)


def _refused(images: pd.DataFrame, delivered: pd.DataFrame, consented: pd.DataFrame) -> list[str]:
    """The images whose very file was delivered as one that consent stops because somebody in it refused or withdrew."""
    is_refused = (consented["check"] == SCOPE) & (consented["verdict"] == FAIL)
    files = delivered.loc[table.is_in(delivered["image"], consented.loc[is_refused, "image"]), "sha256"]
    return sorted(images.loc[table.is_in(images["sha256"], files), "image"])


def _findings(gone: pd.DataFrame, kept: pd.DataFrame, max_distance: int) -> list[tuple]:
    """Findings on the images `gone`, row by row copies of `kept`."""
    exact = (gone["pixels"].to_numpy() == kept["pixels"].to_numpy()) & (gone["width"].to_numpy() == kept["width"])
    distance = np.where(exact, 0, bits_apart(kept, gone))
    whose = np.where(gone["subject"].to_numpy() == kept["subject"], "the same subject", "another subject")
    facts = zip(gone.index, kept.index, exact, distance, whose, strict=True)
    return [_finding(*fact, max_distance) for fact in facts]


def _finding(image: str, kept: str, exact: bool, distance: int, whose: str, max_distance: int) -> tuple:
    if exact:
        return image, EXACT, 0.0, 0.0, FAIL, f"same pixels as {kept} of {whose}, which is kept"
    bits = f"{distance} of 256 bits differ from {kept} of {whose}, which is kept"
    reason = f"{bits}; near duplicates have at most {max_distance}"
    return image, NEAR, float(distance), float(max_distance), FAIL, reason
