"""The tables of a shard of an archive of sources, from its list and the pictures that were taken of it."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.engine import table
from accord.imaging import fingerprint
from accord.imaging.bundle import Member
from accord.release.archives import shared
from accord.release.making.shard_tables import Derived, assemble
from accord.release.source_tables import FacePrints, Listed, Sources
from accord.release.tables import Terms
from accord.shards import opaque_id

ANNOTATORS = "annotators"
"""Who said what is said of faces: the dataset names nobody."""
SKIN_TONE = "skin_tone"
"""A tone of Monk's scale."""
NO_BOX, NO_CAMERA, NO_PLACE = (None,) * 4, (None,) * 4 + ("",) * 2, ("", None, "", "", "")


class Taken(NamedTuple):
    """A picture that was taken into the bundle: its name there, its sides in px, the box of the face in it (left, top,
    width, height) where that is known, and what tells whether it is a copy."""

    image: str
    member: Member
    width: int
    height: int
    box: tuple
    prints: tuple[str, str, int]


class OfSources(NamedTuple):
    """The tables of a shard, the sources of its pictures, and their fingerprints."""

    derived: Derived
    sources: DataFrame[Sources]
    prints: DataFrame[FacePrints]


def member_of(image: str, ending: str) -> str:
    """The name of a picture in a bundle: paths can be longer than a tar has room for, and can name people."""
    return f"{opaque_id(image)}{ending}"


def prints(pixels: np.ndarray) -> tuple[str, str, int]:
    """What tells whether a picture is a copy: sha256 of its pixels, PDQ hash and its quality."""
    import hashlib

    hashed, quality = fingerprint.pdq(fingerprint.thumbnail(pixels))
    return hashlib.sha256(np.ascontiguousarray(pixels).data).hexdigest(), hashed, quality


def assembled(listed: DataFrame[Listed], taken: Iterable[Taken], stated: dict[str, bool]) -> OfSources:
    """The tables of the pictures that were taken, of all that are listed. stated: terms of the run, which can forbid
    what a source allows, and never allow more."""
    made = {one.image: one for one in taken}
    here = listed[listed["image"].isin(made)].sort_values("image", ignore_index=True)
    images, subjects = here["image"].tolist(), here["subject"].tolist()
    rows = list(here.itertuples(index=False))
    derived = assemble(
        derivatives=[row for one in made.values() for row in _files(one)],
        faces=[],
        people=[row for one in rows for row in _people(one, made[one.image].box)],
        attributes=[row for one in rows for row in _said(one)],
        keypoints=[],
        segments=[],
        public=[(image, subject, *NO_CAMERA, *NO_PLACE) for image, subject in zip(images, subjects, strict=True)],
        aggregate=[],
        checked=[],
        terms=_terms(here, stated),
    )
    printed = table.rows(sorted((one.image, *one.prints) for one in made.values()), FacePrints)
    return OfSources(derived, table.check(here[list(_columns())], Sources, "sources"), printed)


def _files(one: Taken) -> list[tuple]:
    """Rows of Derivatives: the picture, which nothing makes smaller."""
    return [
        (one.image, "", kind, "", *one.member, one.member.sha256, one.width, one.height)
        for kind in ("original", "downsampled")
    ]


def _people(one: Any, box: tuple) -> list[tuple]:
    """Rows of People: the face is the first person's, whose identity the picture has."""
    first, *others = one.people.split("\n")
    return [
        (one.image, first, True, None, *box, *NO_BOX, ""),
        *((one.image, other, False, None, *NO_BOX, *NO_BOX, "") for other in others),
    ]


def _said(one: Any) -> list[tuple[str, str, str, str, str]]:
    told = {shared.GENDER: one.gender, shared.AGE_PRESENTATION: one.age, shared.SKIN: one.skin, SKIN_TONE: one.tone}
    return [(one.image, one.subject, name, value, ANNOTATORS) for name, value in told.items() if value]


def _terms(here: pd.DataFrame, stated: dict[str, bool]) -> pd.DataFrame:
    may = {name: here[name] & stated.get(name, True) for name in ("train", "external")}
    return table.check(here[["image"]].assign(**may), Terms, "terms")


def _columns() -> Iterable[str]:
    return Sources.to_schema().columns
