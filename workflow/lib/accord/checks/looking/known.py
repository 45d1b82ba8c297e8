"""Stop what is on a list of known abuse material: nobody looks at it, nothing decodes it again, somebody is told."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.abuse import quarantine
from accord.abuse.hash_lists import Signal, read
from accord.checks.deciding.limits import Finding, failed, passed
from accord.checks.files.pixels import Picture, Shown, shown
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


class Listed(NamedTuple):
    """The signals of lists, ready to be compared with: those of pictures with their hashes, (n, 4) uint64; those of
    files by kind and value."""

    pictures: list[Signal]
    hashes: np.ndarray
    files: dict[tuple[str, str], Signal]

    def of_file(self, image: str, digest: Callable[[str], str]) -> Iterator[Match]:
        """The matches of a file; `digest`: kind of EXACT -> its hash, which is asked for only where lists have some."""
        for kind in sorted({kind for kind, _ in self.files}):
            if (signal := self.files.get((kind, digest(kind)))) is not None:
                yield Match(image, signal, 0)

    def of_picture(self, image: str, pdq: str, quality: int) -> Iterator[Match]:
        """The matches of a picture by its PDQ hash; none where its quality is too low to trust it."""
        if self.pictures and quality >= MIN_QUALITY:
            away = distances(self.hashes, words([pdq]))
            yield from (Match(image, self.pictures[at], int(away[at])) for at in (away <= MATCH).nonzero()[0])


def listed(signals: Iterable[Signal]) -> Listed:
    """Signals by what they are compared with."""
    known = list(signals)
    pictures = [signal for signal in known if signal.kind == "pdq"]
    files = {(signal.kind, signal.value): signal for signal in known if signal.kind in EXACT}
    return Listed(pictures, words(signal.value for signal in pictures), files)


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
    known = listed(signals)
    found = [*_files(images, bundle, known), *_pictures(fingerprints, known)]
    record(found, images, vault)
    return found


def record(found: list[Match], images: pd.DataFrame, vault: Path) -> None:
    """Write matches of images, or videos, down for the officer."""
    quarantine.record(vault, [_hit(match, images) for match in found])


def judged(
    images: pd.DataFrame, fingerprints: pd.DataFrame, found: list[Match], *, are_listed: bool, vault: Path
) -> Known:
    """What `run` returns, of matches that were found; are_listed: whether there are lists."""
    stopped = {match.image for match in found}
    decoded = images[images["image"].isin(fingerprints["image"])]
    cleared = decoded[~decoded["image"].isin(stopped)].sort_values("image", ignore_index=True)
    findings = findings_of(images, found, are_listed=are_listed, vault=vault)
    return Known(findings, table.check(cleared, Images, "cleared"))


def findings_of(images: pd.DataFrame, found: list[Match], *, are_listed: bool, vault: Path) -> DataFrame[Findings]:
    """Finding safety_known of each image, or video, of matches that were found; are_listed: whether there are lists."""
    subjects = {one["subject"] for one in quarantine.records(vault)} & set(images["subject"])
    return _findings(images, found, subjects) if are_listed or subjects else table.empty(Findings)


def _files(images: pd.DataFrame, bundle: Path | Shown, known: Listed) -> list[Match]:
    found = []
    for row, picture in shown(images, bundle, MAX_PIXELS) if known.files else ():
        found += known.of_file(row.image, partial(_digest, picture))
    return found


def _digest(picture: Picture, kind: str) -> str:
    return hashlib.new(kind, picture.data, usedforsecurity=False).hexdigest()


def _pictures(fingerprints: pd.DataFrame, known: Listed) -> list[Match]:
    ordered = fingerprints.sort_values("image")
    prints = zip(ordered["image"], ordered["pdq"], ordered["pdq_quality"], strict=True)
    return [match for image, pdq, quality in prints for match in known.of_picture(image, pdq, quality)]


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
