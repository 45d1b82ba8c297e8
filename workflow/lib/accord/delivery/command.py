"""`accord delivery init|from-csv|seal|validate`: create a delivery, compute its digests, validate it."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from accord import command_line, commands
from accord.consent.deciding.eligible import Terms
from accord.delivery.judging import validate
from accord.delivery.judging.faults import shown
from accord.delivery.judging.judge import Judged, Settings, judge
from accord.engine import configuration
from accord.errors import AccordError
from accord.imaging.coordinates import CONVENTIONS, EXTENTS, PIXELS, UNITS
from accord.text import days

NAMED = 10
NEXT = "then run `accord delivery seal` and `accord delivery validate`"
MAX_PIXELS, MIN_AGE = 200_000_000, 18
HELP = {
    "init": "write a commented template of a delivery",
    "from-csv": "convert your own table into a delivery, using a mapping file",
    "seal": "compute the sha256 of all files of a delivery, and write them into its tables and delivery.yaml",
    "validate": "list the images that can be published, and all problems; exit code 2 if there are any",
}


def main(argv: list[str]) -> int:
    """Run the command; returns 0 where all is well (validate: everything can be published), else 2."""
    flags = parser().parse_args(argv)
    return ACTIONS[flags.action](flags)


def check(
    path: Path, terms: Terms | None = None, settings: Settings | None = None, other_deliveries: Iterable[Path] = ()
) -> Judged:
    """What becomes of the delivery in a folder beside others, today and by the usual terms where none are given."""
    return judge(path, terms or Terms(days.today(), MIN_AGE), settings or Settings(MAX_PIXELS), other_deliveries)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = commands.begun("delivery")
    of = command_line.actions(parser, HELP, dest="action")
    for name, action in of.items():
        action.add_argument("path", type=Path, help="folder of the delivery, with delivery.yaml")
        if name == "init":
            action.add_argument("--vendor", required=True, help="name of the vendor, the same in all deliveries")
            action.add_argument("--delivery", required=True, help="name of the delivery, unique for the vendor")
    of["from-csv"].add_argument("--table", type=Path, required=True, help="your table: CSV in UTF-8")
    of["from-csv"].add_argument("--mapping", type=Path, required=True, help="mapping of its columns (docs/delivery.md)")
    of["from-csv"].add_argument("--units", choices=UNITS, default=PIXELS, help="of coordinates (default: px)")
    of["from-csv"].add_argument(
        "--boxes", choices=CONVENTIONS, default=EXTENTS, help="x, y, width, height (default), or corners"
    )
    _validate_flags(of["validate"])
    return parser


def _validate_flags(action: argparse.ArgumentParser) -> None:
    command_line.json_flag(action)
    command_line.config_flag(action)
    action.add_argument("--as-of", type=_day, help="reference date of consent (default: the configured one, and today)")
    action.add_argument("--min-age", type=int, help=f"minimum age in years (default: {MIN_AGE})")
    action.add_argument("--max-pixels", type=int, help=f"maximum size of an image in pixels (default: {MAX_PIXELS})")


def _validate(flags: argparse.Namespace) -> int:
    said = configuration.read(configuration.used(flags.config))
    consent, intake, checks, privacy = (
        configuration.section(said, room) for room in ("consent", "intake", "checks", "privacy")
    )
    as_of = flags.as_of or str(consent.get("as_of") or days.today())
    held_on = flags.as_of or days.today()
    terms = Terms(as_of, flags.min_age or int(consent.get("min_age") or MIN_AGE), held_on)
    pixels = flags.max_pixels or int(intake.get("max_pixels") or MAX_PIXELS)
    other_deliveries = [Path(folder) for folder in intake.get("deliveries") or []] if flags.config else []
    judged = check(flags.path, terms, Settings(pixels, str(privacy.get("model", "")), checks), other_deliveries)
    print(validate.as_json(judged) if flags.json else validate.text(flags.path, judged))
    return 0 if validate.is_valid(judged) else command_line.UNUSABLE


def _init(flags: argparse.Namespace) -> int:
    from accord.delivery.making import template

    template.write(flags.path, flags.vendor, flags.delivery)
    print(f"{flags.path}: fill it in (see its README.md), {NEXT}")
    return 0


def _seal(flags: argparse.Namespace) -> int:
    from accord.delivery.making import seal

    print(f"{flags.path}: sealed; computed the sha256 of {seal.seal(flags.path)} files")
    try:
        left = seal.unnamed(flags.path)
    except AccordError:
        return 0  # what else is wrong is for `validate` to tell
    if left:
        more = f" and {len(left) - NAMED} more" if len(left) > NAMED else ""
        names = ", ".join(map(shown, left[:NAMED]))
        print(f"Not part of the delivery, since nothing refers to them; don't send them: {names}{more}")
    return 0


def _from_csv(flags: argparse.Namespace) -> int:
    from accord.delivery.making import convert

    counts = convert.convert(flags.table, flags.mapping, flags.path, flags.units, flags.boxes)
    print(f"{flags.path}: {', '.join(f'{name} {count} rows' for name, count in counts.items())}")
    print(f"Copy the files that its tables list there, {NEXT}")
    return 0


ACTIONS = {"init": _init, "from-csv": _from_csv, "seal": _seal, "validate": _validate}


def _day(text: str) -> str:
    return command_line.day(text).isoformat()
