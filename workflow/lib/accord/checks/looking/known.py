"""Stop what is on a list of known abuse material: nobody looks at it, nothing decodes it again, somebody is told."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.abuse import quarantine
from accord.abuse.hash_lists import Signal, read
from accord.checks.deciding.limits import Finding, failed, passed
from accord.checks.files.pixels import Shown, shown
from accord.checks.matching.copies import MIN_QUALITY
from accord.checks.tables.findings import Findings, Fingerprints, Images
from accord.engine import table
from accord.engine.parameter_types import Private
from accord.findings import FAIL
from accord.imaging.decode import MAX_PIXELS
from accord.imaging.hamming import distances, words

CHECK = "safety_known"
MATCH = 31
"""Bits in which PDQ hashes of one picture differ at most: threatexchange's threshold of a confident match."""
EXACT = ("md5", "sha1")


class Known(NamedTuple):
    """What is known of the images, and the images that later steps may decode: they did once, and are on no list."""

    findings: DataFrame[Findings]
    cleared: DataFrame[Images]


class Match(NamedTuple):
    """An image on a list; distance: bits, 0 for the hash of a file."""

    image: str
    signal: Signal
    distance: int


def run(
    images: DataFrame[Images],
    bundle: Path | Shown,
    fingerprints: DataFrame[Fingerprints],
    *,
    lists: list[Path],
    vault: Private,
) -> Known:
    """Finding safety_known of each image, where lists are given or were: a match takes out all images of its subject.

    Files are compared by MD5 and SHA-1 of their bytes, pictures by PDQ (within 31 bits, quality 50 and more, as
    threatexchange does). Each match is recorded in the vault at once, for the officer (accord.abuse.quarantine).
    Raises AccordError with every line of a list that is no hash.
    """
    found = recorded(images, bundle, fingerprints, read(lists), vault)
    return judged(images, fingerprints, found, are_listed=bool(lists), vault=vault)


def recorded(
    images: pd.DataFrame, bundle: Path | Shown, fingerprints: pd.DataFrame, signals: list[Signal], vault: Path
) -> list[Match]:
    """The matches of images with the signals of lists, each in the vault when this returns."""
    found = [*_files(images, bundle, signals), *_pictures(fingerprints, signals)]
    quarantine.record(vault, [_hit(match, images) for match in found])
    return found


def judged(
    images: pd.DataFrame, fingerprints: pd.DataFrame, found: list[Match], *, are_listed: bool, vault: Path
) -> Known:
    """What `run` returns, of matches that were found; are_listed: whether there are lists."""
    stopped = {match.image for match in found}
    decoded = images[images["image"].isin(fingerprints["image"])]
    cleared = decoded[~decoded["image"].isin(stopped)].sort_values("image", ignore_index=True)
    subjects = {one["subject"] for one in quarantine.records(vault)} & set(images["subject"])
    findings = _findings(images, found, subjects) if are_listed or subjects else table.empty(Findings)
    return Known(findings, table.check(cleared, Images, "cleared"))


def _files(images: pd.DataFrame, bundle: Path | Shown, signals: list[Signal]) -> list[Match]:
    by_hash = {(kind, signal.value): signal for kind in EXACT for signal in signals if signal.kind == kind}
    found = []
    for row, picture in shown(images, bundle, MAX_PIXELS) if by_hash else ():
        for kind in EXACT:
            digest = hashlib.new(kind, picture.data, usedforsecurity=False).hexdigest()
            if (kind, digest) in by_hash:
                found.append(Match(row.image, by_hash[kind, digest], 0))
    return found


def _pictures(fingerprints: pd.DataFrame, signals: list[Signal]) -> list[Match]:
    listed = [signal for signal in signals if signal.kind == "pdq"]
    known = words(signal.value for signal in listed)
    trusted = fingerprints[fingerprints["pdq_quality"] >= MIN_QUALITY].sort_values("image")
    found = []
    for image, hash_ in zip(trusted["image"], words(trusted["pdq"]), strict=True) if listed else ():
        away = distances(known, hash_)
        found += [Match(image, listed[at], int(away[at])) for at in (away <= MATCH).nonzero()[0]]
    return found


def _hit(match: Match, images: pd.DataFrame) -> quarantine.Hit:
    row = images[images["image"] == match.image].iloc[0]
    signal = match.signal
    return quarantine.Hit(
        row["image"], row["subject"], row["vendor"], row["delivery"], row["source"], row["sha256"],
        signal.source, signal.kind, signal.value, match.distance,
    )  # fmt: skip


def _findings(images: pd.DataFrame, found: list[Match], subjects: set[str]) -> pd.DataFrame:
    """`subjects`: of whom something was found, now or in an earlier run, after which intake left it out."""
    best = {match.image: match for match in sorted(found, key=lambda match: -match.distance)}
    rows = []
    for row in images.sort_values("image").itertuples():
        if row.image in best:
            what = "is on a list of known abuse material: don't view it, inform the safety officer"
            rows.append(Finding(row.image, CHECK, float(best[row.image].distance), float(MATCH), FAIL, what))
        elif row.subject in subjects:
            rows.append(failed(row.image, CHECK, "another image of its subject is on a list of known abuse material"))
        else:
            rows.append(passed(row.image, CHECK, "is on no list of known abuse material"))
    return table.rows(rows, Findings)
