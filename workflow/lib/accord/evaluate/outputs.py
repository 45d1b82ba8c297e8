"""Outputs of a model that was run elsewhere, as the predictions of a model of this run."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.engine import provenance
from accord.engine.parameter_types import Folder, Private, Typed
from accord.engine.table import rows
from accord.errors import AccordError, Collector, Problem, all_problems
from accord.evaluate.asking import answers, pictures
from accord.evaluate.exchange import formats, left_out, names, parse_outputs
from accord.evaluate.tables.predictions import Embeddings, Evaluated
from accord.release.format.fhibe import WHOLE_TABLE
from accord.release.seal import identity, versions
from accord.release.tables import Derivatives, People


class Predictions(NamedTuple):
    """What the model found, in the table of its task, and about whom it was asked."""

    predictions: Typed
    asked: DataFrame[Evaluated]


class Origin(NamedTuple):
    """The release that a file speaks of: its ids, which of our images it holds (None: all), the ids of images that
    may be in the file besides a shard's (None: any)."""

    ids: names.Ids
    images: frozenset[str] | None
    strangers: frozenset[str] | None


def run(
    derivatives: DataFrame[Derivatives],
    people: DataFrame[People],
    *,
    model: dict,
    vault: Private,
    archive: Folder | None = None,
) -> Predictions:
    """What a model_outputs.json says of a shard; model: an entry of models.yaml with `outputs`, as JSON.

    archive: the FHIBE archive that the run evaluates; without one, the file speaks of the version of ours that the
    entry names. Not asked about were images that came after that version, and what the file lacks because the FHIBE
    Evaluation API leaves it out. Raises AccordError with all that is wrong.
    """
    form = _format(model)
    file = _file(model)
    origin = _origin(model, vault, archive)
    wanted = pictures.of_kind(derivatives, form.kind)
    wanted = wanted if origin.images is None else wanted[wanted["image"].isin(origin.images)]
    boxed = pictures.person_boxes(people)
    listed = _listed(form, boxed, origin, archive)
    with all_problems() as problems:
        known = names.of_shard(wanted, form.kind, origin.ids, listed)
        optional = left_out.left_out(model["task"], left_out.of_shard(people), known.values())
        found, lacking, _ = parse_outputs.take(file, form, known, origin.strangers, problems, optional)
        _check_lengths(form, found, file.name, problems)
    table = _ordered(rows(((model["name"], *row) for row in found), form.table), form)
    who = _without(_who(model, wanted, people), lacking)
    return Predictions(Typed(table, form.table), answers.asked(model, who))


def _format(model: dict) -> formats.Format:
    if model["task"] not in formats.FORMATS:
        hint = f"outputs can be imported for {', '.join(sorted(formats.FORMATS))}"
        raise AccordError(Problem(f"model {model['name']}", f"{model['task']} is not exchanged in files", hint))
    return formats.FORMATS[model["task"]]


def _file(model: dict) -> Path:
    """The file of outputs, with the sha256 that models.yaml states."""
    entry, where = model["outputs"], f"model {model['name']}"
    path = Path(entry["path"])
    if not path.is_file():
        raise AccordError(Problem(where, f"its outputs are missing: looked for {entry['path']}", "put the file there"))
    got = provenance.sha256(path)
    if got != entry["sha256"]:
        what = f"its outputs have sha256 {got[:12]}..., but models.yaml has {entry['sha256'][:12]}..."
        raise AccordError(Problem(where, what, "if you trust this file, update its checksum"))
    return path


def _origin(model: dict, vault: Path, archive: Path | None) -> Origin:
    if archive is not None:
        _check_archive(model, archive)
        return Origin(names.SameIds(), None, None)
    version = model["outputs"].get("release")
    if version is None:
        hint = "give the version whose pictures the model was shown, as in releases/<version>"
        raise AccordError(Problem(f"model {model['name']}", "its outputs don't name a release", hint))
    images = frozenset(versions.index(vault, version))
    ids = identity.ids(versions.private(vault, version))
    # What was erased from a version may still be in a file: nothing is left here to know it by.
    erased = any(image.startswith(versions.FORGOTTEN) for image in images)
    return Origin(ids, images, None if erased else frozenset(map(ids.image, images)))


def _check_archive(model: dict, archive: Path) -> None:
    """Raises AccordError for an archive whose pictures have no names in FHIBE's format."""
    if not (archive / WHOLE_TABLE).is_file():
        hint = "outputs are read for releases and for FHIBE archives: leave the model out of evaluate.run"
        raise AccordError(Problem(f"model {model['name']}", "its outputs can't be of this archive", hint))


def _listed(
    form: formats.Format, boxed: pd.DataFrame, origin: Origin, archive: Path | None
) -> dict[str, tuple[str, ...]]:
    if not form.persons:
        return {}
    return names.in_order(boxed, origin.ids) if archive is None else names.listed_people(archive)


def _check_lengths(form: formats.Format, found: list[tuple], where: str, problems: Collector) -> None:
    lengths = sorted({np.size(row[-1]) for row in found}) if form.table is Embeddings else []
    if len(lengths) > 1:
        problems.add(
            where,
            f"has vectors of different lengths: {lengths[:5]}",
            "all vectors of a model must have the same length",
        )


def _ordered(table: pd.DataFrame, form: formats.Format) -> pd.DataFrame:
    columns = [column.removeprefix("-") for column in form.key]
    return table.sort_values(columns, ascending=[not c.startswith("-") for c in form.key], kind="stable")


def _who(model: dict, wanted: pd.DataFrame, people: pd.DataFrame) -> pd.DataFrame:
    if formats.FORMATS[model["task"]].kind == "face_aligned":
        return wanted
    boxed = pictures.face_boxes(people) if model["task"] == "face_localization" else pictures.person_boxes(people)
    return boxed[boxed["image"].isin(wanted["image"])]


def _without(who: pd.DataFrame, lacking: frozenset[names.Picture]) -> pd.DataFrame:
    """Those who were asked about: not of whole images, or faces, that the file leaves out."""
    gone = {(picture.image, picture.subject) for picture in lacking}
    keys = who[["image", "subject"]].itertuples(index=False, name=None)
    return who[[(image, "") not in gone and (image, subject) not in gone for image, subject in keys]]
