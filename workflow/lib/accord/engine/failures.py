"""Why the last run failed: `accord failures` tells each reason once, which Snakemake buries in commands and traces."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from accord import command_line, commands
from accord.engine import run_lock, snakemake_files
from accord.queues import AWAITS_REVIEW

PROBLEMS = re.compile(r"\d+ problems? found\n((?:  (?!File \").*(?:\n|$))+)")
EACH = re.compile(r"^  (?:- )?(?=\S)", re.M)
CRASH = re.compile(r"^Traceback \(most recent call last\):\n(?:.*\n)*?^(\w[\w.]*(?:: .*)?)$", re.M)
LOCKED = "Error: Directory cannot be locked."
ONE_LINE = re.compile(r"^accord: (?![0-9]+ problems? found)(.+)$", re.M)
SHARD = re.compile(r"(?<=/)[0-9a-f]{1,4}(?=[/.])")
"""A shard in a path: jobs that differ in it alone fail for one reason."""
MISSING = re.compile(
    r"^WorkflowError in rule (\w+)\b.*\nOSError: Missing files after .*\n(.+?) \(missing locally", re.M
)
GONE = (
    "went missing while the run needed it\n"
    "    hint: run again: an opt-out or an erasure takes away what is then made anew"
)
UNLOCK = f"this folder was locked by a run that has ended since\n    hint: run again; if that fails: {run_lock.UNLOCK}"
SHOWN = 20


class Failure(NamedTuple):
    """A reason, in the words of whoever gave it, with its hint; the rules whose jobs had it, and how many jobs."""

    reason: str
    rules: list[str]
    jobs: int


def main(argv: list[str]) -> int:
    """Print each reason once. FAILED where the last run failed and left one; OPEN where it only waits for reviews."""
    flags = parser().parse_args(argv)
    found = failures(flags.folder, flags.since)
    command_line.say(found, "\n".join(_lines(found)), flags)
    if awaits_review(found):
        return command_line.OPEN
    return command_line.FAILED if found else command_line.DONE


def parser():
    """The command line."""
    made = commands.begun("failures", "`make run` prints it at the end of a run that failed.")
    made.add_argument("--folder", type=Path, default=Path(), help="folder of the run (default: this one)")
    made.add_argument(
        "--since", type=int, default=0, metavar="SECONDS", help="runs since then, from 1970 on (default: all)"
    )
    command_line.json_flag(made)
    return made


def failures(folder: Path, since: int = 0) -> list[Failure]:
    """Why the last run in a folder failed, in the order in which it is told there; empty where it didn't, or wrote
    nothing since a time (seconds from 1970 on): some mistakes stop Snakemake before it has a log."""
    logs = [path for path in snakemake_files.logs(folder) if path.stat().st_mtime >= since]
    text = logs[-1].read_text(errors="replace") if logs else ""
    jobs, rules, told = Counter[str](), dict[str, dict[str, None]](), dict[str, str]()
    for rule, reason, log in [*_at_start(text, folder), *_of_jobs(text, folder)]:
        cause = SHARD.sub("", reason.replace(log, "") if log else reason)
        jobs[cause] += bool(rule)
        rules.setdefault(cause, {}).update({rule: None} if rule else {})
        told.setdefault(cause, reason)
    return [Failure(told[cause], list(rules[cause]), jobs[cause]) for cause in rules]


def awaits_review(found: Iterable[Failure]) -> bool:
    """Whether a run has ended early only because people must decide something first."""
    reasons = [failure.reason for failure in found]
    return bool(reasons) and all(AWAITS_REVIEW in reason for reason in reasons)


def _at_start(text: str, folder: Path) -> Iterator[tuple[str, str, str]]:
    """What stopped a run before its first job."""
    head = text.partition("\nError in rule ")[0]
    yield from (("", reason, "") for reason in _problems(head))
    if LOCKED in head:
        yield "", str(run_lock.live(folder / run_lock.SNAKEMAKE) or UNLOCK), ""


def _of_jobs(text: str, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Rule, reason and log of each job that failed."""
    yield from ((rule, f"{path}: {GONE}", "") for rule, path in MISSING.findall(text))
    for job in snakemake_files.failed(text):
        yield from ((job.rule, reason, job.log) for reason in _reasons(folder, job.log))


def _reasons(folder: Path, log: str) -> list[str]:
    """The problems that a job's log tells; of a crash its last line; of a job that was killed where to look."""
    path = folder / log
    text = path.read_text(errors="replace") if log and path.is_file() else ""
    crashes = [
        f"{said}\n    hint: an error of the program, or of an adapter: {log}" for said in CRASH.findall(text)[-1:]
    ]
    silent = f"ended without a word: it was killed, by hand or for memory\n    hint: {log or 'it has no log'}"
    return _problems(text) or crashes or ONE_LINE.findall(text)[-1:] or [silent]


def _problems(text: str) -> list[str]:
    """The problems of the last AccordError in a text, each with its hint."""
    found = PROBLEMS.findall(text)
    return [part.rstrip() for part in EACH.split(found[-1]) if part.strip()] if found else []


def _lines(found: list[Failure]) -> Iterator[str]:
    if found:
        yield "this run is done, as far as it can be:" if awaits_review(found) else "why this run failed:"
    for failure in found[:SHOWN]:
        more = f", {failure.jobs} jobs" if failure.jobs > 1 else ""
        of = f"{', '.join(failure.rules)}{more}: " if failure.rules else ""
        yield f"  - {of}{failure.reason}"
    if len(found) > SHOWN:
        yield f"  ... and {len(found) - SHOWN} more"
