"""Predictions of a run as a model_outputs.json, by the public file names of the release that the run made or read."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from accord.engine import table
from accord.errors import AccordError, Problem
from accord.evaluate.asking import pictures
from accord.evaluate.exchange import api_form, formats, names
from accord.evaluate.tables.predictions import Evaluated
from accord.release.seal import identity, versions
from accord.release.tables import Derivatives, People


class Exported(NamedTuple):
    """What a model_outputs.json is made of: the task, and path -> entry, by path; how many pictures have none."""

    task: str
    entries: dict[str, dict[str, Any]]
    lacking: int = 0


class Shard(NamedTuple):
    """What is known of a model in a shard."""

    asked: pd.DataFrame
    predictions: Path
    derivatives: pd.DataFrame
    people: pd.DataFrame


def export(results: Path, vault: Path, model: str, reader: Path | None = None) -> Exported:
    """What a model answered about the pictures of the release in `results`, and about no other.

    Pictures about whose people the model wasn't asked (those that came after outputs were taken) have no entry.
    reader: the folder that the FHIBE Evaluation API will read, the release or a view of it; the entries are then those
    that it reads there (`api_form`). Raises AccordError where there are no such results, or no such release.
    """
    root, ids = _release(results, vault)
    root = root if reader is None else _readable(reader)
    shards = [_shard(results, asked) for asked in _asked(results, model)]
    task = _task(shards, model)
    form = formats.FORMATS[task]
    paths = names.paths(root, form.kind)
    listed = names.listed_people(root) if form.persons else {}
    found = {}
    for shard in shards:
        found |= _entries(shard, form, task, ids, paths, listed)
    if paths and not found:
        hint = "give the vault that published it (--vault)"
        raise AccordError(Problem(str(root), "has none of the pictures shown to the model", hint))
    if reader is None:
        return Exported(task, dict(sorted(found.items())))
    entries = api_form.entries(task, found, reader)
    return Exported(task, dict(sorted(entries.items())), len(paths) - len(entries))


def text(exported: Exported) -> str:
    """The content of the file, as the API writes it: one object, whole numbers and decimals as Python prints them."""
    return json.dumps(exported.entries, indent=1, allow_nan=False) + "\n"


def _release(results: Path, vault: Path) -> tuple[Path, names.Ids]:
    """The folder of the release (or archive) that a run made (or read), and its ids."""
    record = results / "release" / "release.json"
    if not record.is_file():
        raise AccordError(Problem(str(record), "is missing", "run the workflow first: make run"))
    release = json.loads(record.read_text())
    root = Path(release["path"])
    if not (root / names.TABLES["downsampled"]).is_file():
        hint = "reproduce it byte for byte: snakemake --forcerun release_pack (with the flags of `make run`)"
        raise AccordError(Problem(release["path"], "the release is missing", hint))
    private = versions.private(vault, release["version"])
    ours = "root" in release
    if ours and not (private / versions.INDEX).is_file():
        hint = "give the vault that published it (--vault)"
        raise AccordError(Problem(f"version {release['version']}", "is not in the vault", hint))
    return root, (identity.ids(private) if ours else names.SameIds())


def _readable(reader: Path) -> Path:
    """The folder that the API will read. Raises AccordError where it has no table."""
    if not (reader / names.TABLES["downsampled"]).is_file():
        hint = "--root must be a release, or a view from `accord release view`"
        raise AccordError(Problem(str(reader), f"has no {names.TABLES['downsampled']}", hint))
    return reader


def _asked(results: Path, model: str) -> list[Path]:
    found = sorted(results.glob(f"evaluate/*/{model}.asked.parquet")) if model.isidentifier() else []
    if not found:
        known = sorted({path.name.split(".")[0] for path in results.glob("evaluate/*/*.asked.parquet")})
        hint = f"the results have {', '.join(known)}" if known else "run the workflow first: make run"
        raise AccordError(Problem(f"model {model}", f"{results} has no predictions by it", hint))
    return found


def _shard(results: Path, asked: Path) -> Shard:
    release = results / "release" / asked.parent.name
    derivatives = table.read(release / "derivatives.parquet", Derivatives)
    people = table.read(release / "people.parquet", People)
    predictions = asked.with_name(asked.name.replace(".asked.", "."))
    return Shard(table.read(asked, Evaluated), predictions, derivatives, people)


def _task(shards: list[Shard], model: str) -> str:
    tasks = {task for shard in shards for task in shard.asked["task"]}
    if len(tasks) != 1 or not tasks <= formats.FORMATS.keys():
        hint = f"outputs can be exported for {', '.join(sorted(formats.FORMATS))}"
        told = ", ".join(sorted(tasks)) or "nothing: it was shown no people"
        raise AccordError(Problem(f"model {model}", f"is a model for {told}", hint))
    return tasks.pop()


def _entries(
    shard: Shard, form: formats.Format, task: str, ids: names.Ids, paths: dict[str, str], listed: dict[str, tuple]
) -> dict[str, dict[str, Any]]:
    """Path -> entry of the published pictures of a shard."""
    wanted = pictures.of_kind(shard.derivatives, form.kind)
    left_out = _not_asked(shard, task)
    predictions = table.read(shard.predictions, form.table)
    columns = ["image", "subject"] if form.kind == "face_aligned" else ["image"]
    of_picture = dict(list(predictions.groupby(columns)))
    nothing = predictions.iloc[:0]
    found = {}
    for name, picture in names.of_shard(wanted, form.kind, ids, _in_order(shard, form, ids, listed)).items():
        if name in paths and picture.image not in left_out:
            place = (picture.image, picture.subject) if form.kind == "face_aligned" else (picture.image,)
            found[paths[name]] = form.write(of_picture.get(place, nothing), picture)
    return found


def _in_order(shard: Shard, form: formats.Format, ids: names.Ids, listed: dict[str, tuple]) -> dict[str, tuple]:
    """Image -> its people as the release's table lists them, by the ids of the run."""
    if not form.persons:
        return {}
    own = {ids.subject(subject): subject for subject in shard.people["subject"]}
    images = {ids.image(image): image for image in shard.people["image"]}
    return {images[i]: tuple(own[s] for s in subjects if s in own) for i, subjects in listed.items() if i in images}


def _not_asked(shard: Shard, task: str) -> set[str]:
    """Images with people whom the model should have been asked about, and wasn't."""
    if formats.FORMATS[task].kind == "face_aligned":
        due = pictures.of_kind(shard.derivatives, "face_aligned")
    else:
        due = pictures.face_boxes(shard.people) if task == "face_localization" else pictures.person_boxes(shard.people)
    return set(due["image"]) - set(shard.asked["image"])
