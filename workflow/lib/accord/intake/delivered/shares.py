"""Shares: which rows of a delivery's tables belong to which shard.

An image or video, its people and its annotators' notes go where its primary subject lives; forms and subjects go
wherever one shows them. Nothing outside its share has any influence on a shard.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from accord.intake.delivered.row import Row
from accord.intake.delivered.sheets import PICTURED, SHEETS
from accord.shards import names, opaque_id, shard_of
from accord.text.references import lookalikes as references_alike

Tables = dict[str, list[Row]]
PERSON, ANNOTATOR, IMAGE = "person", "annotator", "image"
COLUMNS = {
    PERSON: tuple((name, "subject") for name in (*PICTURED, "people.csv", "subjects.csv", "forms.csv")),
    ANNOTATOR: (("annotators.csv", "annotator"), ("annotated.csv", "annotator"), ("annotated.csv", "qa_annotator")),
    IMAGE: tuple((name, "image") for name in PICTURED),
}
"""Where tables name people, annotators, and images or videos."""
Alike = dict[tuple[str, ...], dict[str, list[str]]]
"""(kind, vendor), or (image, vendor, delivery) -> reference -> others that look like it."""


def split(vendor: str, tables: Tables, count: int) -> dict[str, Tables]:
    """Shard -> its share of the tables of a delivery. Rows keep their order; annotators go to every shard."""

    def home(reference: str) -> str:
        return shard_of(opaque_id(vendor, reference), count)

    of_image = {row["image"]: home(row["subject"]) for name in PICTURED for row in tables[name]}
    shown = _shown(tables, of_image)
    asked = defaultdict(set, {subject: set(places) for subject, places in shown.items()})
    places: dict[str, Iterable[set[str]]] = {
        **{name: [{of_image[row["image"]]} for row in tables[name]] for name in PICTURED},
        "people.csv": ({of_image.get(row["image"]) or home(row["image"])} for row in tables["people.csv"]),
        "annotated.csv": ({of_image.get(row["image"]) or home(row["image"])} for row in tables["annotated.csv"]),
        "forms.csv": list(_of_forms(tables["forms.csv"], of_image, shown, asked, home)),
        "subjects.csv": (asked[row["subject"]] | {home(row["subject"])} for row in tables["subjects.csv"]),
    }
    everywhere = {"annotators.csv": tables["annotators.csv"]}
    shares: dict[str, Tables] = {shard: {name: [] for name in SHEETS} | everywhere for shard in names(count)}
    for name, found in places.items():
        for row, shards in zip(tables[name], found, strict=True):
            for shard in shards:
                shares[shard][name].append(row)
    return shares


def lookalikes(deliveries: Iterable[tuple[str, str, Tables]]) -> Alike:
    """References of deliveries (vendor, name, tables) that look like another of the vendor's, or of images in one."""
    given: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for vendor, delivery, tables in deliveries:
        for kind in COLUMNS:
            given[scope(kind, vendor, delivery)] |= references(kind, tables)
    return {key: alike for key, known in given.items() if (alike := references_alike(known))}


def scope(kind: str, vendor: str, delivery: str) -> tuple[str, ...]:
    """Within what references of a kind must differ: people's in all deliveries of a vendor, images' in one."""
    return (kind, vendor, delivery) if kind == IMAGE else (kind, vendor)


def references(kind: str, tables: Tables) -> set[str]:
    """The references of a kind that tables hold."""
    return {row[column] for name, column in COLUMNS[kind] for row in tables[name]} - {""}


def _shown(tables: Tables, of_image: dict[str, str]) -> dict[str, set[str]]:
    """Subject reference -> the shards that hold an image of them."""
    shown = defaultdict(set)
    for name in (*PICTURED, "people.csv"):
        for row in tables[name]:
            if row["image"] in of_image:
                shown[row["subject"]].add(of_image[row["image"]])
    return shown


def _of_forms(forms: list[Row], of_image: dict, shown: dict, asked: dict, home: Any) -> Iterator[set[str]]:
    """The shards of each form; `asked` gets the shards that must know a form's subject."""
    for row in forms:
        everywhere = shown.get(row["subject"], set())
        only = {of_image[row["image"]]} if row["image"] in of_image else everywhere
        shards = only or {home(row["subject"])}
        asked[row["subject"]] |= shards
        yield shards
