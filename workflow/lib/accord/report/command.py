"""`accord summary`: what must be told at once, where release and report of the last run are, what waits for people."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from accord import command_line, commands
from accord.abuse.quarantine import alarm, settings
from accord.engine import configuration
from accord.errors import AccordError, Problem
from accord.release.archives import formats
from accord.release.searching import guards
from accord.release.sources import withdrawn
from accord.report.reading import waiting
from accord.report.telling import words
from accord.text.nouns import counted, images_of

PLAN, HOLDS = Path("release/plan/plan.json"), "hold"
NO_RELEASE = "no release yet: it is published once what holds images is decided (release.publish)"
NEXT_WAITS = "the next version is published once what holds images is decided (release.publish)"


def main(argv: list[str]) -> int:
    """Print an alarm if there is one; where release and report are, what is in them, and what waits for people."""
    flags = parser().parse_args(argv)
    config = configuration.read(configuration.used(flags.config))
    results = configuration.folder(config, "results", flags.results)
    alarmed = alarm(*settings(flags.config))
    if alarmed:
        print(alarmed, file=sys.stderr if flags.json else sys.stdout)
    # A search publishes nothing, and has no page but that of its test.
    record = results / "release" / "release.json"
    report = results / "report" / ("rapid.html" if guards.is_search(results) else "index.html")
    queues, counts = waiting.waiting(results), waiting.counts(results)
    is_held = any(one.waiting and one.policy == HOLDS for one in queues)
    if not record.is_file() and is_held:
        told = {"alarm": alarmed, "release": None, "report": None, "queues": queues, **counts._asdict()}
        command_line.say(told, "\n".join([NO_RELEASE, *_open(queues, counts, _given(flags))]), flags)
        return command_line.DONE
    for file in (record, report):
        if not file.is_file():
            raise AccordError(_missing(file, results))
    release = json.loads(record.read_text())
    if not guards.is_search(results) and not Path(release["path"]).is_dir():
        hint = "recreate it, byte for byte: snakemake --forcerun release_pack (with the flags of `make run`)"
        raise AccordError(Problem(release["path"], "the published release is missing", hint))
    facts = {name: release[name] for name in ("version", "path", "images", "subjects")}
    told = {"alarm": alarmed, "release": facts, "report": report, "queues": queues, **counts._asdict()}
    lines = list(_lines(release, report, queues, counts, _given(flags)))
    if not (results / PLAN).is_file() and is_held:
        lines.append(NEXT_WAITS)
    command_line.say(told, "\n".join(lines), flags)
    return command_line.DONE


def _missing(file: Path, results: Path) -> Problem:
    """A file that the last run didn't make, or that no run could make yet."""
    if results.is_dir() and any(path.is_dir() for path in results.iterdir()):
        return Problem(str(file), "is missing: the last run did not come so far", "`accord failures` says why")
    return Problem(str(file), "is missing", "run the workflow first: make run")


def _given(flags: argparse.Namespace) -> list[str]:
    """The flags with which another command finds the same run."""
    results = ["--results", str(flags.results)] if flags.results else []
    usual = list(flags.config) == configuration.used([])
    return [*results, *(["--config", *map(str, flags.config)] if flags.config and not usual else [])]


def _lines(
    release: dict, report: Path, queues: list[waiting.Waiting], counts: waiting.Counts, given: list[str]
) -> Iterator[str]:
    counts_of = images_of(release["images"], release["subjects"])
    if release.get("dataset") == formats.SEARCHED:
        yield f"pictures of a search, deleted since: {counts_of}\nreport\n  {report}"
    else:
        videos = f", {counted(release['videos'], 'video')}" if release.get("videos") else ""
        yield f"release {release['version']}: {counts_of}{videos}\n  {release['path']}\nreport\n  {report}"
    yield from _open(queues, counts, given)


def _open(queues: list[waiting.Waiting], counts: waiting.Counts, given: list[str]) -> Iterator[str]:
    """What people must decide or look into."""
    if queues:
        yield from ("awaiting review", *waiting.lines(queues), *waiting.how(queues, given))
    if text := words.open_wishes(counts.open_wishes):
        yield text
    if counts.refused_wishes:
        yield words.refused_wishes(counts.refused_wishes)
    if counts.delivered_again:
        yield words.delivered_again(counts.delivered_again)
    if text := withdrawn.told(counts.unmatched_lines):
        yield text


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("summary", "Alarms are shown first.")
    made.add_argument("--results", type=Path, help="results folder (default: as configured)")
    command_line.config_flag(made)
    command_line.json_flag(made)
    return made
