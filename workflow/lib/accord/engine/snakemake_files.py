"""What Snakemake keeps of a run in `.snakemake`: a log of each start, and a record of each output."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LOGS = Path(".snakemake/log")
METADATA, INCOMPLETE = "metadata", "incomplete"
NAME_LENGTH = 254
"""Characters from which Snakemake cuts the name of a record into folders."""
STARTED = re.compile(r"^(?P<indent> *)(?:local)?(?:rule|checkpoint) (\w+):\n((?:(?P=indent) .*\n)*)", re.M)
ERROR = re.compile(r"^(?P<indent> *)Error in rule (\w+):\n((?:(?P=indent) .*\n)*)", re.M)
FINISHED = re.compile(r"^Finished jobid: (\d+)\b", re.M)
JOB, OUTPUT = re.compile(r"^ +jobid: (\d+)$", re.M), re.compile(r"^ +output: (.*)$", re.M)
FLAG = re.compile(r" \([a-z :]+(?:, [a-z ]+)?\)(?=, |$)")
"""What stands behind an output that is flagged: `(update)`."""
LOG = re.compile(r"^ +log: (.*?)(?: \(check log file.*)?$", re.M)


class Job(NamedTuple):
    """A job of one start: Snakemake's number of it, its rule, its outputs, and its log ("" for none)."""

    number: str
    rule: str
    outputs: list[str]
    log: str


def logs(folder: Path) -> list[Path]:
    """The logs of all starts in a folder, the oldest first; the last may still be written."""
    return sorted((folder / LOGS).glob("*.snakemake.log"))


def failed(text: str) -> list[Job]:
    """The jobs of a log that failed, and didn't succeed when they were tried again."""
    finished = set(FINISHED.findall(text))
    found = {job.number: job for job in _jobs(ERROR, text)}
    return [job for number, job in found.items() if number not in finished]


def made(text: str) -> list[Job]:
    """The jobs of a log that ended well."""
    finished = set(FINISHED.findall(text))
    return [job for job in _jobs(STARTED, text) if job.number in finished]


def record(folder: Path, kind: str, output: str) -> Path:
    """Where Snakemake's record of an output lies. kind: METADATA, or INCOMPLETE of a job that did not end."""
    name = base64.urlsafe_b64encode(output.encode()).decode()
    *above, last = (name[start : start + NAME_LENGTH] for start in range(0, len(name), NAME_LENGTH))
    return Path(folder, kind, *(f"@{part}" for part in above), last)


def _jobs(block: re.Pattern, text: str) -> Iterator[Job]:
    for _, rule, about in block.findall(text):
        number, outputs, log = (found[1] if (found := one.search(about)) else "" for one in (JOB, OUTPUT, LOG))
        yield Job(number, rule, FLAG.sub("", outputs).split(", ") if outputs else [], log.split(", ")[0])
