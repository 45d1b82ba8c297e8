"""`accord records`: a draft of the record of processing activities (GDPR, Article 30)."""

import argparse
from pathlib import Path

from accord import command_line, commands
from accord.erase.cases import places
from accord.erase.processing import record, text

CODES = "Exit code 3: something is left for the controller to state."


def main(argv: list[str]) -> int:
    """Print the record; returns the exit code."""
    flags = parser().parse_args(argv)
    stated = record.statements(flags.stated) if flags.stated else {}
    told = record.make(places.read(flags.config), stated)
    command_line.say(told, text.text(told), flags)
    return command_line.OPEN if told["missing"] else command_line.DONE


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("records", CODES)
    made.add_argument("--stated", type=Path, help="YAML file of the controller's statements (docs/compliance.md)")
    command_line.config_flag(made)
    command_line.json_flag(made)
    return made
