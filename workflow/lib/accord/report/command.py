"""`accord summary`: what must be told at once, where release and report of the last run are, what waits for people."""

import argparse
import json
from pathlib import Path

from accord import command_line, commands
from accord.checks.quarantine import alarm, settings
from accord.errors import AccordError, Problem
from accord.nouns import images_of
from accord.report import waiting, words


def main(argv: list[str]) -> int:
    """Print an alarm if there is one; where release and report are, what is in them, and what waits for people."""
    flags = parser().parse_args(argv)
    results = flags.results
    if told := alarm(*settings(flags.config)):
        print(told)
    record, report = results / "release" / "release.json", results / "report" / "index.html"
    for file in (record, report):
        if not file.is_file():
            raise AccordError(Problem(str(file), "is not there", "run the workflow first: make run"))
    release = json.loads(record.read_text())
    if not Path(release["path"]).is_dir():
        hint = "make it again, byte for byte: snakemake --forcerun release_publish (with the flags of `make run`)"
        raise AccordError(Problem(release["path"], "the published release is gone", hint))
    print(f"release {release['version']}: {images_of(release['images'], release['subjects'])}")
    print(f"  {release['path']}")
    print(f"report\n  {report}")
    found = waiting.waiting(results)
    if found:
        print("for people to decide", *waiting.lines(found), sep="\n")
    if text := words.open_wishes(waiting.open_wishes(results)):
        print(text)
    if count := waiting.refused_wishes(results):
        print(words.refused_wishes(count))
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("summary", "An alarm comes first, if there is one.")
    made.add_argument("--results", type=Path, default=Path("results"))
    command_line.config_flag(made)
    return made
