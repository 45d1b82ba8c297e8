"""`accord outputs export|check|prune`: a run's predictions as a model_outputs.json; a file from elsewhere, checked and
kept free of who is no longer in the release."""

import argparse
import json
from pathlib import Path

from accord import command_line, commands
from accord.engine import configuration, provenance
from accord.errors import AccordError, Collector, Problem, all_problems
from accord.files import PRIVATE_FILE, replace

HELP = {
    "export": "export a model's predictions of the last run, for FHIBE's tools",
    "check": "check a model_outputs.json before listing it in models.yaml",
    "prune": "remove entries from a model_outputs.json that were erased from its release",
}
BIOMETRIC = """\
These vectors identify people. Protect the file like the release, don't share it with unauthorised people, and
prune it when a person in the release withdraws: docs/exchange.md explains how erasures reach it."""

BOXES = {"face_localization": "face_bbox", "person_localization": "person_bbox"}
"""Task -> the column of a release's table with the boxes that its predictions are of."""
LACKING = "the model was not shown them, or returned no vector (docs/exchange.md explains what the API does then)"


def main(argv: list[str]) -> int:
    """Run the command."""
    flags = parser().parse_args(argv)
    return {"export": _export, "check": _check, "prune": _prune}[flags.action](flags)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("outputs")
    export, check, prune = command_line.actions(made, HELP, dest="action").values()
    export.add_argument("--model", required=True, help="name of the model in models.yaml")
    export.add_argument("--out", type=Path, required=True, help="output file; must not exist yet")
    export.add_argument(
        "--root", type=Path, help="the FHIBE Evaluation API's data_rootdir: a release, or a view of one"
    )
    export.add_argument("--results", type=Path, help="results folder (default: as configured)")
    export.add_argument("--vault", type=Path, help="vault of the release, which has its ids (default: as configured)")
    command_line.config_flag(export)
    command_line.json_flag(check)
    for action in (check, prune):
        action.add_argument("file", type=Path)
        action.add_argument("--task", required=True)
        action.add_argument("--release", type=Path, required=True, help="a release's folder, or an FHIBE archive")
    return made


def _export(flags: argparse.Namespace) -> int:
    from accord.evaluate.exchange.export import export, text

    if flags.out.exists():
        raise AccordError(Problem(str(flags.out), "already exists", "give another file, or delete it"))
    config = configuration.read(configuration.used(flags.config))
    results, vault = (configuration.folder(config, name, getattr(flags, name)) for name in ("results", "vault"))
    made = export(results, vault, flags.model, flags.root)
    with command_line.writing(flags.out):
        flags.out.parent.mkdir(parents=True, exist_ok=True)
        replace(flags.out, text(made).encode(), PRIVATE_FILE)
    print(f"{flags.out}: {made.task}, {len(made.entries)} pictures")
    if flags.root:
        print(f"data_rootdir: {flags.root.absolute()}")
    if made.lacking:
        print(f"no entry for {made.lacking} pictures of {flags.root}: {LACKING}")
    if made.task == "face_verification":
        print(BIOMETRIC)
    return 0


def _check(flags: argparse.Namespace) -> int:
    import pandas as pd

    from accord.evaluate.exchange import left_out, names, parse_outputs, units, values

    form, pictures = _given(flags)
    optional = left_out.left_out(flags.task, left_out.of_release(flags.release), pictures.values())
    with all_problems() as problems:
        answers = parse_outputs.take(flags.file, form, pictures, names.image_ids(pictures), problems, optional)
        if (column := BOXES.get(flags.task)) and not problems:
            rows = pd.DataFrame(answers.rows, columns=["image", "x0", "y0", "x1", "y1", "score", "label"])
            if wrong := units.misread(rows, names.boxes(flags.release, column), pictures.values()):
                problems.add(flags.file.name, wrong, "boxes are [x0, y0, x1, y1] in px of the release's pictures")
    found, lacking, ignored = answers
    digest, asked = provenance.sha256(flags.file), len(pictures) - len(lacking)
    lines = [f"{flags.file}: {len(found)} answers about {asked} pictures"]
    if ignored:
        lines.append(f"ignored {ignored.total():,} detections that are not of people: {values.named(ignored)}")
    if lacking:
        lines.append(f"no entry for {len(lacking)} pictures that the FHIBE Evaluation API leaves out")
    told = {
        "answers": len(found),
        "pictures": asked,
        "not_asked": len(lacking),
        "ignored": dict(ignored),
        "sha256": digest,
    }
    if not found:
        lines.append(f"the model detects nobody in any of {asked} pictures: is this right?")
    command_line.say(told, "\n".join([*lines, f"sha256: {digest}"]), flags)
    return 0


def _prune(flags: argparse.Namespace) -> int:
    from accord.evaluate.exchange import names
    from accord.evaluate.exchange.json_stream import entries

    _, pictures = _given(flags)
    try:
        given = list(entries(flags.file))
    except ValueError as error:
        raise AccordError(Problem(flags.file.name, str(error))) from None
    left = {path: entry for path, entry in given if names.key(path) in pictures}
    replace(flags.file, (json.dumps(left, indent=1) + "\n").encode(), PRIVATE_FILE)
    print(f"{flags.file}: {len(given) - len(left)} of {len(given)} entries dropped")
    print(f"sha256: {provenance.sha256(flags.file)}   (state it in models.yaml)")
    return 0


def _given(flags: argparse.Namespace) -> tuple:
    """The format of the task, and key -> picture of the release."""
    from accord.evaluate.exchange.formats import FORMATS

    if flags.task not in FORMATS:
        raise AccordError(
            Problem(f"--task {flags.task}", "is not exchanged in files", f"use one of {', '.join(FORMATS)}")
        )
    for path, there in ((flags.file, flags.file.is_file()), (flags.release, flags.release.is_dir())):
        if not there:
            raise AccordError(Problem(str(path), "does not exist"))
    return FORMATS[flags.task], _pictures(flags.release, FORMATS[flags.task].kind)


def _pictures(release: Path, kind: str) -> dict:
    from accord.evaluate.exchange import names

    problems = Collector()
    try:
        found = names.of_release(release, kind)
    except (ValueError, KeyError) as error:
        problems.add(str(release), f"its table can't be read ({error})", "is the release complete and unchanged?")
        raise AccordError(problems) from None
    if not found:
        raise AccordError(Problem(str(release), f"has no {names.TABLES[kind]}, or it is empty", "is it a release?"))
    return found
