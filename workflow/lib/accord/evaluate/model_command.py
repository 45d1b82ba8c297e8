"""`accord model new`: begin a model of one's own, which runs at once and answers poorly."""

import argparse
from pathlib import Path

from accord import command_line, commands
from accord.evaluate.own import begin
from accord.evaluate.own.bodies import TASKS

FOLDER = "my-models"
HELP = {"new": "write an adapter that runs, its entry, and a test, into a folder of your own"}


def main(argv: list[str]) -> int:
    """Write the files of a new model, and say how it is run; returns the exit code."""
    flags = parser().parse_args(argv)
    made = begin.files(flags.name, flags.task, flags.folder)
    with command_line.writing(flags.folder, "--folder"):
        flags.folder.mkdir(parents=True, exist_ok=True)
        for path, text in made.items():
            path.write_text(text)
    adapter, entries, test = (path.as_posix() for path in made)
    print(f"{adapter}: the model; change the method\n{entries}: its entry\n{test}: its test, for `python -m pytest`")
    print(f"try it:   accord try {flags.name} picture.jpg --models {entries} --draw drawn")
    models = f"[config/models.yaml, {entries}]"
    print(f"use it:   in your configuration, evaluate: {{models: {models}, run: [{flags.name}]}}")
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("model", "No tracked file is changed.")
    new = command_line.actions(made, HELP)["new"]
    new.add_argument("name", help="name of the model: lower-case letters, digits and _")
    new.add_argument("--task", required=True, help=f"its task: {', '.join(TASKS)}")
    new.add_argument("--folder", type=Path, default=Path(FOLDER), help=f"folder to write to (default: {FOLDER})")
    return made
