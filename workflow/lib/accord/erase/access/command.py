"""`accord consent access`: all that is held about a person, in plain words and as data, in one zip file for her."""

import os
from pathlib import Path

from accord import command_line
from accord.consent.showing.flags import parser as of_consent
from accord.erase.access import answer, delivered, page
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
    made = answer.make(given, flags.vendor, flags.subject)
    with command_line.writing(flags.out):
        _write(flags.out, page.packed(made))
    withheld = sum(bool(one.withheld) for one in made.pictures)
    told = {"images": made.document["images"], "pictures": len(made.pictures) - withheld, "withheld": withheld}
    told |= {"versions": len(made.document["published"]), "receipts": len(made.receipts)}
    gap = made.document["not_delivered"]
    command_line.say(told | {"incomplete": gap}, _text(told, gap), flags)
    return command_line.OPEN if gap else command_line.DONE


def _text(told: dict[str, int], gap: str) -> str:
    counts = [str(n) + " withheld" if name == "withheld" else counted(n, name[:-1]) for name, n in told.items()]
    lines = [f"wrote the answer: {', '.join(counts)}"]
    lines += [f"INCOMPLETE: {gap}\n  -> {delivered.HINT}, and write it anew"] if gap else []
    return "\n".join([*lines, "Read it before you hand it on, and then delete this copy."])


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE), "wb") as file:
        file.write(data)
