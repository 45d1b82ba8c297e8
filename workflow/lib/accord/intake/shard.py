"""One shard of what vendors delivered: checked, typed, with its images in one bundle."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, get_args

from pandera.typing import DataFrame

from accord.abuse import quarantine
from accord.engine import table
from accord.engine.parameter_types import Folder, Private, Sink
from accord.errors import AccordError, Collector, Problem
from accord.imaging.bundle import BundleWriter
from accord.intake.delivered import delivery, shares, spelled
from accord.intake.delivered.delivery import Delivery
from accord.intake.delivered.records import Records
from accord.intake.reading import annotators, evidence, images
from accord.intake.tables import (
    Annotators,
    Attributes,
    Checked,
    Forms,
    Images,
    Keypoints,
    People,
    Refused,
    Regions,
    Segments,
)
from accord.shards import opaque_id

OF_IMAGES = ("images.csv", "people.csv", "annotated.csv")
KNOWN = "the file is on a list of known abuse material: don't look at it, tell the officer"


class Intake(NamedTuple):
    """All that intake knows of a shard."""

    images: DataFrame[Images]
    people: DataFrame[People]
    attributes: DataFrame[Attributes]
    keypoints: DataFrame[Keypoints]
    segments: DataFrame[Segments]
    regions: DataFrame[Regions]
    forms: DataFrame[Forms]
    annotators: DataFrame[Annotators]
    checked: DataFrame[Checked]
    refused: DataFrame[Refused]


def run(
    deliveries: list[Folder], schema: Path, bundle: Sink, *, shard: str, shards: int, max_pixels: int,
    vault: Private | None = None,
) -> Intake:  # fmt: skip
    """The images of the deliveries whose primary subjects live in `shard` (of `shards`), and all that is said of them.

    What isn't taken is a row of `refused` with a reason. Images of more than `max_pixels` by their header are refused
    unopened, and so are files that the vault bars. `schema`: the JSON Schema of delivery.yaml. Raises AccordError, with
    all problems, where a delivery as a whole can't be read.
    """
    opened = across(load_all(deliveries, schema))
    barred = quarantine.barred(vault) if vault else frozenset()
    alike = shares.lookalikes((one.vendor, one.name, one.tables) for one in opened)
    with BundleWriter(bundle) as writer:
        mine = [one._replace(tables=shares.split(one.vendor, one.tables, shards)[shard]) for one in opened]
        return tables(collect(mine, alike, max_pixels, writer.add, barred))


def across(opened: list[Delivery]) -> list[Delivery]:
    """The deliveries, each with what is wrong with forms as evidence by all of them."""
    conflicts = evidence.conflicts(form for delivered in opened for form in delivered.signatures())
    return [delivered._replace(conflicts=conflicts) for delivered in opened]


def collect(
    opened: list[Delivery], alike: shares.Alike, max_pixels: int, store: images.Store, barred: frozenset[str]
) -> Records:
    """All that is said in shares of deliveries.

    `alike`: references of whole deliveries that look like others; `barred`: the sha256 of files that are not opened."""
    records = Records()
    for share in opened:
        images.collect(_without(share, barred, records), records, max_pixels, store)
        spelled.tell(share, alike, records.refused)
    records.annotators = annotators.merge(records.annotators)
    return records


def _without(share: Delivery, barred: frozenset[str], records: Records) -> Delivery:
    """The share without images whose files are on a list of known abuse material: they are not opened, or copied."""
    gone = {row["image"] for row in share.tables["images.csv"] if row["sha256"].lower() in barred}
    for row in share.tables["images.csv"]:
        if row["image"] in gone:
            image, subject = opaque_id(share.vendor, share.name, row["image"]), opaque_id(share.vendor, row["subject"])
            what = {"reference": row["image"], "image": image, "subject": subject, "fatal": True}
            records.refused.add("image", "known", KNOWN, **what)
    kept = {name: [row for row in share.tables[name] if row["image"] not in gone] for name in OF_IMAGES}
    return share._replace(tables={**share.tables, **kept})


def load_all(deliveries: list[Folder], schema: Path) -> list[Delivery]:
    """All deliveries, by vendor and name, wherever they lie. Raises AccordError with the problems of all of them."""
    if not deliveries:
        hint = "name the folders of your deliveries in the config: intake: {deliveries: [...]}"
        raise AccordError(Problem("intake.deliveries", "names no delivery", hint))
    problems, opened = Collector(), {}
    for root in deliveries:
        try:
            one = delivery.load(root, schema)
        except AccordError as error:
            problems += [_named(root, problem) for problem in error.problems]
            continue
        if (one.vendor, one.name) in opened:
            problems.add(f"{one.vendor} {one.name}", "is delivered twice", "give each delivery a name of its own")
        opened[one.vendor, one.name] = one
    if problems:
        raise AccordError(problems)
    return [opened[key] for key in sorted(opened)]


def _named(root: Path, problem: Problem) -> Problem:
    """A problem with a delivery, which says what folder it is in."""
    is_named = problem.where == root.name or problem.where.startswith(f"{root.name}/")
    return problem if is_named else replace(problem, where=f"{root.name}/{problem.where}")


def tables(records: Records) -> Intake:
    """The records as checked tables, sorted by their keys."""
    models = {name: get_args(kind)[0] for name, kind in Intake.__annotations__.items()}
    rows = {name: getattr(records, name) for name in models} | {"refused": [one.row for one in records.refused]}
    return Intake(**{name: table.rows(sorted(rows[name]), model) for name, model in models.items()})
