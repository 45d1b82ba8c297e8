"""Datasets on the disk: from annotation files to tables in a folder, and from such folders to a comparison."""

import importlib
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from accord.analyse.datasets import scores as dataset_scores
from accord.analyse.datasets.compare import Compared, Side, compare
from accord.analyse.datasets.gathered import Dataset, members
from accord.analyse.describing.describe import Described, describe
from accord.analyse.tables.composition import Areas, AttributeSizes, GroupSizes, Heat, Layout, Pictures, Spreads
from accord.analyse.tables.datasets import Distances, Shares
from accord.analyse.tables.scores import Members
from accord.command_line import writing
from accord.engine import provenance, source, table
from accord.errors import AccordError, Problem
from accord.files import replace
from accord.imaging.coordinates import mistake, points_by_image
from accord.release.archives.reading import Bounded
from accord.release.tables import Attributes, Keypoints, People
from accord.text.identity import clashes, near
from accord.text.nouns import counted
from accord.text.spreadsheets import csv_text

MODELS = {
    "people": People,
    "pictures": Pictures,
    "attributes": Attributes,
    "keypoints": Keypoints,
    "areas": Areas,
    "members": Members,
    "layout": Layout,
    "spreads": Spreads,
    "heat": Heat,
    "group_sizes": GroupSizes,
    "attribute_sizes": AttributeSizes,
    "shares": Shares,
    "distances": Distances,
}
"""Name of a file -> the model of the table in it."""


class Read(NamedTuple):
    """The files that were read and their sha256, a dataset, the groups of its people, and how it is made up."""

    files: dict[str, str]
    dataset: Dataset
    members: pd.DataFrame
    described: Described


def load(name: str, folder: Path) -> Read:
    """The dataset `name` whose annotation files lie in a folder. Raises AccordError with all that can't be read."""
    folder = Path(folder)
    if not folder.is_dir():
        raise AccordError(
            Problem(str(folder), "is not a folder", "give the folder with the dataset's annotation files")
        )
    problems = Bounded()
    dataset = importlib.import_module(f"accord.analyse.datasets.archives.{name}").read(folder, problems)
    if problems:
        raise AccordError(problems)
    if not len(dataset.people):
        raise AccordError(
            Problem(str(folder), "describes no people", "see docs/datasets.md for the files that are read")
        )
    if wrong := _mistaken_unit(dataset):
        raise AccordError(Problem(str(folder), wrong, "convert the boxes and keypoints of the annotation files"))
    groups = members(dataset)
    files = {path.relative_to(folder).as_posix(): provenance.sha256(path) for path in sorted(set(problems.files))}
    told = describe(dataset.people, dataset.pictures, dataset.areas, dataset.keypoints, groups)
    return Read(files, dataset, groups, told)


def _mistaken_unit(dataset: Dataset) -> str:
    """What is wrong with the unit of boxes or keypoints, in pictures whose size in px is known; "" if nothing."""
    pictures = dataset.pictures[dataset.pictures["in_pixels"]]
    sizes = {row.image: (row.width, row.height) for row in pictures.itertuples()}
    for rows in (dataset.people, dataset.keypoints):
        if wrong := mistake(points_by_image(rows[rows["image"].isin(sizes)]), sizes):
            return wrong
    return ""


def read(name: str, folder: Path, out: Path) -> list[str]:
    """Write the tables of a dataset to `out`; what it tells, in lines."""
    found = load(name, folder)
    tables = {**found.dataset._asdict(), "members": found.members, **found.described._asdict()}
    tables.pop("left_out")
    _write(tables, out, f"analyse.datasets.archives.{name}", found.files)
    people = found.dataset.people
    counts = f"{people['image'].nunique():,} images of them, {people['subject'].nunique():,} subjects"
    told = [f"{name}: {len(people):,} people in images, {counts}"]
    told += _near_names(people["image"])
    told += [f"  left out: {count:,} {reason}" for reason, count in found.dataset.left_out.items()]
    told += [
        f"  {row.feature}: median {row.median:.3g} of {row.people:,}" for row in found.described.spreads.itertuples()
    ]
    return told


def _near_names(images: pd.Series) -> list[str]:
    """A line where images have names that are near one another."""
    count = sum(map(len, clashes(images.unique(), near)))
    what = "differ from another only in case, blanks or leading zeros: are they other pictures?"
    return [f"  note: {counted(count, 'image')} {what}"] if count else []


def compared(folders: list[Path], out: Path | None) -> tuple[Compared, list[str]]:
    """Write the comparison of folders that `read` wrote to `out`; the comparison, and what it tells, in lines."""
    found = _compared(folders)
    if out is not None:
        _write(found._asdict(), out, "analyse.datasets.compare", {})
    told = []
    for name, some in found.shares.groupby("attribute"):
        wide = some.pivot(index="group", columns="dataset", values="share")
        told += [name, *(f"  {line}" for line in wide.to_string(float_format="{:.1%}".format, na_rep="-").splitlines())]
    for row in found.distances.itertuples():
        apart = f"{row.distance:.3f} apart, {row.by_chance:.3f} by chance"
        told.append(f"{row.kind} {row.name}: {row.first} and {row.second} are {apart}")
    return found, told or ["these datasets have no attribute and no feature in common"]


def join(folder: Path, scores: Path, names: list[str] | None, out: Path) -> str:
    """Write scores with the attributes of the people in `folder` to `out`; what it tells."""
    path = Path(folder) / "members.parquet"
    if not path.is_file():
        raise AccordError(Problem(str(path), "is missing", "run `accord dataset NAME` first"))
    found = dataset_scores.joined(dataset_scores.read(scores), table.read(path, Members), names)
    with writing(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    is_parquet = out.suffix == ".parquet"
    data = found.to_parquet(index=False) if is_parquet else csv_text(found).encode()
    with writing(out):
        replace(out, data)
    return f"{len(found):,} rows, {len(found.columns)} columns: {', '.join(found.columns)}"


def _compared(folders: list[Path]) -> Compared:
    folders = [Path(folder) for folder in folders]
    names = [folder.resolve().name for folder in folders]
    if len(set(names)) != len(names) or len(names) < 2:
        what = "give two or more folders with different names"
        raise AccordError(Problem("accord dataset compare", what, "the folders' names are used as the datasets' names"))
    kinds = ("group_sizes", "layout", "spreads")
    paths = [[folder / f"{kind}.parquet" for kind in kinds] for folder in folders]
    missing = [
        Problem(str(path), "is missing", "run `accord dataset NAME`")
        for of in paths
        for path in of
        if not path.is_file()
    ]
    if missing:
        raise AccordError(missing)
    tables = [[table.read(path, MODELS[kind]) for path, kind in zip(of, kinds, strict=True)] for of in paths]
    return compare([Side(name, *of) for name, of in zip(names, tables, strict=True)])


def _write(tables: dict[str, pd.DataFrame], out: Path, step: str, files: dict[str, str]) -> None:
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    record = provenance.record(step, source.digest(step), {}, {}) | {"inputs": files}
    partial = {name: out / f"{name}.parquet.partial" for name in tables}
    for name, frame in tables.items():
        table.write(frame, MODELS[name], partial[name], record)
    for path in partial.values():
        path.replace(path.with_suffix(""))
