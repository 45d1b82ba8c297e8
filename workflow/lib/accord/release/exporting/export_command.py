"""`accord release export FORMAT RELEASE OUT`: a release in the format of another tool, as a copy that can be pruned."""

import argparse
from datetime import date
from pathlib import Path

from accord import command_line
from accord.engine import configuration
from accord.errors import AccordError, Problem
from accord.text.nouns import counted, images_of

CROISSANT = "croissant"
KINDS = ("coco", "fiftyone", "huggingface", "webdataset", CROISSANT)


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the action."""
    parser.add_argument("format", choices=KINDS, metavar="FORMAT", help=", ".join(KINDS))
    parser.add_argument("release", type=Path, help="a release's folder")
    parser.add_argument("out", type=Path, help="folder to create (croissant: file); must not exist yet")
    parser.add_argument("--key", type=Path, help="the publisher's public key (PEM), from a separate source")
    parser.add_argument(
        "--published", type=command_line.day, default=date.today(), help="day on which it is offered (default: today)"
    )
    parser.add_argument("--url", default="", help="where it is offered (croissant only)")
    parser.add_argument(
        "--vault", type=Path, help="the publisher's vault, which lists the copy (default: as configured)"
    )
    command_line.config_flag(parser)
    command_line.json_flag(parser)


def run(flags: argparse.Namespace) -> int:
    """Carry the action out; returns the exit code."""
    if flags.format == CROISSANT:
        _croissant(flags)
        return 0
    if flags.url:
        raise AccordError(Problem("--url", f"doesn't apply to {flags.format}", "leave it out"))
    from accord.release.exporting.export import export  # it loads pyarrow and pycocotools, which `verify` doesn't need

    vault = configuration.folder(configuration.read(configuration.used(flags.config)), "vault", flags.vault)
    with command_line.writing(flags.out, "OUT"):
        made = export(flags.format, flags.release, flags.out, day=flags.published, vault=vault, key=flags.key)
    size = images_of(made.images, made.people)
    text = f"{flags.out}: {size}; {counted(made.appearances, 'appearance')}, {made.without_box:,} without a box"
    if made.videos_left_out:
        text += (
            f"\n{counted(made.videos_left_out, 'video')} of the release left out: {flags.format} exports hold images"
        )
    text += f"\nAfter a withdrawal: accord prune {flags.out} --revocations FILE"
    command_line.say({"out": flags.out, "format": flags.format, **made._asdict()}, text, flags)
    return 0


def _croissant(flags: argparse.Namespace) -> None:
    from accord.release.papers import croissant

    path = flags.release / croissant.NAME
    if flags.out.exists():
        raise AccordError(Problem(str(flags.out), "already exists", "give another file, or delete it"))
    try:
        told = croissant.offered(path.read_bytes(), flags.published.isoformat(), flags.url)
    except (OSError, ValueError):
        raise AccordError(Problem(str(path), "can't be read", "is it a complete release?")) from None
    with command_line.writing(flags.out, "OUT"), flags.out.open("x", encoding="utf-8") as file:
        file.write(told)
    command_line.say({"out": flags.out, "format": CROISSANT}, f"{flags.out}: published {flags.published}", flags)
