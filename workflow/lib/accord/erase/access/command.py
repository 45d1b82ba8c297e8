"""`accord consent access`: all that is held about a person, in plain words and as data, in one zip file for her."""

import os
import tempfile
from pathlib import Path

from accord import command_line
from accord.consent.showing.flags import parser as of_consent
from accord.engine import configuration
from accord.erase.access import answer, delivered, page
from accord.erase.access.answer import Answer
from accord.erase.cases import places
from accord.errors import AccordError, Problem
from accord.files import PRIVATE_FILE
from accord.text.nouns import counted


def main(argv: list[str]) -> int:
    """Write the file; returns the exit code. What is printed names nobody."""
    flags = of_consent().parse_args(argv)
    if flags.out.exists():
        raise AccordError(Problem("--out", "already exists", "give another file, or delete it"))
    given = places.read(flags.config)
    if flags.vault:
        given = given._replace(vault=flags.vault)
    how = _how(flags.config)
    with command_line.writing(flags.out), tempfile.TemporaryDirectory(dir=flags.out.parent) as folder:
        made = answer.make(given, flags.vendor, flags.subject, how, Path(folder))
        _write(flags.out, made)
    pictures, videos = (sum(not one.withheld for one in some) for some in (made.pictures, made.videos))
    withheld = len(made.pictures) + len(made.videos) - pictures - videos
    told = {"images": made.document["images"], "pictures": pictures, "videos": videos, "withheld": withheld}
    told |= {"versions": len(made.document["published"]), "receipts": len(made.receipts)}
    gap = made.document["not_delivered"]
    command_line.say(told | {"incomplete": gap}, _text(told, gap), flags)
    return command_line.OPEN if gap else command_line.DONE


def _text(told: dict[str, int], gap: str) -> str:
    counts = [str(n) + " withheld" if name == "withheld" else counted(n, name[:-1]) for name, n in told.items()]
    lines = [f"wrote the answer: {', '.join(counts)}"]
    lines += [f"INCOMPLETE: {gap}\n  -> {delivered.HINT}, and write it anew"] if gap else []
    return "\n".join([*lines, "Read it before you hand it on, and then delete this copy."])


def _how(files: list[Path]) -> dict[str, float]:
    """How videos are painted, as the settings say it."""
    said = configuration.section(configuration.read(configuration.used(files)), "privacy").get("videos", {})
    return {name: float(said[name]) for name in ("smallest_face", "every", "gap", "pad") if name in said}


def _write(path: Path, made: Answer) -> None:
    """Write the file whole or not at all."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE), "wb") as file:
        try:
            page.write(made, file)
        except BaseException:
            path.unlink()
            raise
