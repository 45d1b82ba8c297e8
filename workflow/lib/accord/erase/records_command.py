"""`accord records`: a draft of the record of processing activities (GDPR, Article 30)."""

import argparse
from pathlib import Path

from accord import command_line, commands
from accord.erase.cases import places
from accord.erase.executing.effects import Effects
from accord.erase.processing import officer_page, record, text
from accord.files import PRIVATE_FILE, replace

CODES = "Exit code 3: something is left for the controller to state."


def main(argv: list[str]) -> int:
    """Print the record; returns the exit code."""
    flags = parser().parse_args(argv)
    stated = record.statements(flags.stated) if flags.stated else {}
    given = places.read(flags.config)
    told = record.make(given, stated)
    if flags.report:
        with command_line.writing(flags.report, "--report"):
            replace(flags.report, officer_page.render(given, told, Effects().now()).encode(), PRIVATE_FILE)
    command_line.say(told, text.text(told), flags)
    return command_line.OPEN if told["missing"] else command_line.DONE


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("records", CODES)
    made.add_argument("--stated", type=Path, help="YAML file of the controller's statements (docs/compliance.md)")
    made.add_argument(
        "--report", type=Path, metavar="FILE", help="also write a page for the officer, which prints on two (FILE.html)"
    )
    command_line.config_flag(made)
    command_line.json_flag(made)
    return made
