"""Collect a dossier from a run's tables and bundles and from the vault's index of releases."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from accord.erase.dossiers import others
from accord.errors import AccordError
from accord.imaging import bundle
from accord.imaging.decode import decode
from accord.release.seal.identity import Ids
from accord.scan.dossier import (
    FILE,
    FORM,
    IMAGE,
    PERCEPTUAL,
    PIXELS,
    REFERENCE,
    RELEASED,
    SUBJECT,
    Dossier,
    Print,
    Value,
)
from accord.scan.pictures import print_of
from accord.scan.videos import KNOWN_TIMES
from accord.text.references import person as id_of_person
from accord.text.references import spellings

BUNDLES = (("intake", "images.parquet", "images.tar"), ("privacy", "pictures.parquet", "images.tar"))
DERIVED = ("release", "derivatives.parquet", "files.tar")
MASK = "mask"


class Person(NamedTuple):
    """Whom a dossier is of: the vendor's reference, the opaque id, and the images that show them."""

    reference: str
    subject: str
    images: frozenset[str]


def collect(results: Path, vault: Path, vendor: str, reference: str) -> Dossier:
    """The dossier of a person, as far as they are still in a run's results and in the vault.

    What other people's images have in common with theirs (an empty mask, a reference used twice) is left out: it would
    accuse others.
    """
    subject = id_of_person(vendor, reference)
    told = (_tables(results, "intake", name) for name in ("people.parquet", "video_people.parquet"))
    images = frozenset(
        image for people in told if len(people) for image in people.loc[people["subject"] == subject, "image"]
    )
    return of(results, vault, Person(reference, subject, images))


def of(results: Path, vault: Path, person: Person) -> Dossier:
    """The dossier of a person of whom ids are known already; `reference` is "" where it isn't."""
    theirs, others = _values(results, person)
    theirs |= set(_released(vault, person))
    prints = tuple(_prints(results, person))
    hashes = {Value(kind, text) for p in prints for kind, text in ((PIXELS, p.pixels), (PERCEPTUAL, p.pdq))}
    return Dossier(frozenset((theirs | hashes) - others), prints, _vectors(results, person))


def _values(results: Path, person: Person) -> tuple[set[Value], set[Value]]:
    """The texts that stand for the person, and those that stand for others."""
    theirs = {Value(SUBJECT, person.subject)}
    theirs |= {Value(REFERENCE, one) for one in spellings(person.reference) if one}
    others: set[Value] = set()
    for table, columns in (source for source in _sources(results) if len(source[0])):
        for row in table[["image", *columns]].itertuples(index=False):
            found = {Value(kind, text) for kind, text in zip(columns.values(), row[1:], strict=True) if text}
            (theirs if row[0] in person.images else others).update(found)
    forms = _tables(results, "intake", "forms.parquet")
    for row in forms.itertuples(index=False):
        found = {Value(FORM, row.form), *([Value(FILE, row.evidence_sha256)] if row.evidence_sha256 else [])}
        (theirs if row.subject == person.subject else others).update(found)
    return theirs, others


def _sources(results: Path) -> Iterator[tuple[pd.DataFrame, dict[str, str]]]:
    """Tables with a row per image, and which of their columns hold which kind of text."""
    yield _tables(results, "intake", "images.parquet"), {"image": IMAGE, "source": REFERENCE, "sha256": FILE}
    yield _tables(results, "intake", "videos.parquet"), {"image": IMAGE, "source": REFERENCE, "sha256": FILE}
    yield _tables(results, "privacy", "videos.parquet"), {"sha256": FILE}
    yield _tables(results, "checks", "fingerprints.parquet"), {"pixels": PIXELS, "pdq": PERCEPTUAL, "phash": PERCEPTUAL}
    yield _tables(results, "privacy", "pictures.parquet"), {"sha256": FILE}
    yield _tables(results, "release", "derivatives.parquet"), {"sha256": FILE}


def _tables(results: Path, room: str, name: str) -> pd.DataFrame:
    """The rows of all shards; an empty frame with no columns where there are none."""
    files = sorted(results.glob(f"{room}/*/{name}"))
    return (
        pd.concat([pq.read_table(file).to_pandas() for file in files], ignore_index=True) if files else pd.DataFrame()
    )


def _released(vault: Path, person: Person) -> Iterator[Value]:
    """The ids that releases gave the person and their images, and the digests that the vault keeps of them."""
    for folder in sorted(vault.glob("releases/*")):
        if not (folder / "secret").is_file():
            continue
        ids = Ids((folder / "secret").read_bytes())
        yield Value(RELEASED, ids.subject(person.subject))
        yield from (Value(RELEASED, ids.image(image)) for image in sorted(person.images))
        index = json.loads((folder / "images.json").read_text()) if (folder / "images.json").is_file() else {}
        for image in sorted(person.images & index.keys()):
            yield from (Value(FILE, digest) for digest in index[image])


def _prints(results: Path, person: Person) -> Iterator[Print]:
    """The pictures of the person: as delivered, as painted over, their faces, and frames of videos; each only once.

    Flat ones are left out: they show nobody, and would be found everywhere.
    """
    known = set()
    pictures = (print_of(pixels) for pixels in _pictures(results, person))
    for made in chain(pictures, _frames(results, person)):
        is_flat = not made.quality and not len(made.points)
        if made.pixels not in known and not is_flat:
            known.add(made.pixels)
            yield made


def _pictures(results: Path, person: Person) -> Iterator[np.ndarray]:
    for data in _files(results, person):
        with suppress(AccordError):
            yield decode(data)


def _frames(results: Path, person: Person) -> Iterator[Print]:
    """Some frames of each video, as delivered and as painted over, without the features of others of whom boxes tell;
    of one that can't be decoded, none."""
    for room in ("intake", "privacy"):
        for table in sorted(results.glob(f"{room}/*/videos.parquet")):
            rows = pq.read_table(table).to_pandas()
            boxes = results / "intake" / table.parent.name / "video_boxes.parquet"
            for row in rows[rows["image"].isin(person.images)].itertuples():
                from accord.imaging import video

                known = others.of_video(boxes, row.image, person.subject)
                with suppress(AccordError):
                    file = bundle.window(table.with_name("videos.tar"), row)
                    for frame in video.frames(file, KNOWN_TIMES):
                        yield known.left_out(print_of(frame.pixels), frame.seconds, frame.pixels.shape)


def _files(results: Path, person: Person) -> Iterator[bytes]:
    for room, name, tar in (*BUNDLES, DERIVED):
        for table in sorted(results.glob(f"{room}/*/{name}")):
            rows = pq.read_table(table).to_pandas()
            rows = rows[rows["image"].isin(person.images)]
            if room == "release":
                rows = rows[(rows["kind"] != MASK) & rows["subject"].isin(["", person.subject])]
            yield from (bundle.read(table.with_name(tar), row) for row in rows.itertuples())


def _vectors(results: Path, person: Person) -> dict[int, np.ndarray]:
    """Embeddings of the person's face, and of the images that show them."""
    found: dict[int, list[np.ndarray]] = {}
    for row in _embedded([*results.glob("evaluate/*/*.parquet"), *results.glob("checks/*/faces.parquet")]):
        if row["image"] in person.images and row["subject"] in ("", person.subject):
            vector = np.asarray(row["vector"], np.float32)
            found.setdefault(len(vector), []).append(vector)
    return {length: np.unique(np.array(rows), axis=0) for length, rows in sorted(found.items())}


def _embedded(files: Iterable[Path]) -> Iterator[dict]:
    for file in sorted(files):
        if "vector" in pq.read_schema(file).names:
            yield from pq.read_table(file, columns=["image", "subject", "vector"]).to_pylist()
