"""`accord delivery validate PATH`: everything that is wrong with a delivery, before it is sent."""

import argparse
import json
from pathlib import Path

from accord.bundle import Member
from accord.errors import AccordError, Problem
from accord.intake import delivery, images
from accord.intake.records import Records
from accord.intake.refusals import HINTS, Refusal

FLAWED = 2
MAX_PIXELS = 200_000_000


def main(argv: list[str]) -> int:
    """Run the command; returns 0 for a delivery without a problem, 2 for any other."""
    parser = argparse.ArgumentParser(prog="accord delivery", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    validate = actions.add_parser("validate", help="say everything that is wrong with a delivery")
    validate.add_argument("path", type=Path, help="the folder that holds delivery.yaml")
    validate.add_argument("--json", action="store_true", help="say it as JSON")
    validate.add_argument("--max-pixels", type=int, default=MAX_PIXELS, help="pixels of the largest image taken")
    flags = parser.parse_args(argv)
    problems, taken, total = check(flags.path, flags.max_pixels)
    print(_as_json(problems, taken, total) if flags.json else _as_text(flags.path, problems, taken, total))
    return FLAWED if problems else 0


def check(path: Path, max_pixels: int = MAX_PIXELS) -> tuple[list[Problem], int, int]:
    """All problems of the delivery in a folder; how many of its images would be taken; how many it has."""
    try:
        opened = delivery.load(path)
    except AccordError as error:
        return sorted(error.problems), 0, 0
    records = Records()
    images.collect(opened, records, max_pixels, _weigh)
    return (
        sorted({_problem(refusal) for refusal in records.refused}),
        len(records.images),
        len(opened.tables["images.csv"]),
    )


def _weigh(member: str, data: bytes) -> Member:
    """Where an image would lie in a bundle, if one were written."""
    return Member(member, 0, len(data), "")


def _problem(refusal: Refusal) -> Problem:
    effect = "the image is refused: " if refusal.fatal else ""
    return Problem(f"{refusal.item} {refusal.reference}", f"{effect}{refusal.reason}", HINTS[refusal.check])


def _as_text(path: Path, problems: list[Problem], taken: int, total: int) -> str:
    if not problems:
        return f"{path}: a valid delivery of {total} images"
    lines = [f"{path}: {len(problems)} problem(s); {taken} of {total} images would be taken"]
    return "\n".join([*lines, *(f"  - {problem}" for problem in problems)])


def _as_json(problems: list[Problem], taken: int, total: int) -> str:
    told = [{"where": problem.where, "what": problem.what, "hint": problem.hint} for problem in problems]
    return json.dumps({"valid": not problems, "images": total, "taken": taken, "problems": told}, indent=1)
