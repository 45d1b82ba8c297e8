"""What jobs used: each step writes a line of it into its log, and `accord usage` adds the lines up."""

import argparse
import re
import resource
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from accord import command_line, commands
from accord.errors import AccordError, Problem
from accord.text.nouns import counted

LINE = "usage: {wall:.1f} s, {cpu:.1f} CPU s, {memory:.0f} MB"
SAID = re.compile(r"^usage: (\d+\.\d) s, (\d+\.\d) CPU s, (\d+) MB(?:, (\d+) GPUs?)?$", re.M)
ASKED = re.compile(r"^\s*log: (\S+)\.log\b|^\s*resources:.*?\bmem_mb=(\d+)", re.M)
SLURM = "slurm"
TO_MB = 1e-3 if sys.platform == "linux" else 1e-6
"""Of ru_maxrss, which is KiB on Linux and bytes elsewhere."""
_noted = [0]
"""Numbers of GPUs that were noted in this process."""


class Job(NamedTuple):
    """What one job used. wall, cpu: s; memory: MB at its largest; gpus: on how many it computed."""

    wall: float
    cpu: float
    memory: float
    gpus: int = 0

    @property
    def gpu(self) -> float:
        """GPU s: those it had while it ran."""
        return self.wall * self.gpus


def note_gpus(count: int) -> None:
    """Note that this process, or one that it starts, computes on so many GPUs. What torch does in it is known."""
    _noted.append(count)


def line(begun: float) -> str:
    """What this process and its children used since `begun` (time.monotonic)."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(each.ru_utime + each.ru_stime for each in used)
    memory = max(each.ru_maxrss for each in used) * TO_MB
    gpus = f", {counted(some, 'GPU')}" if (some := _gpus()) else ""
    return LINE.format(wall=time.monotonic() - begun, cpu=cpu, memory=memory) + gpus


def _gpus() -> int:
    torch = sys.modules.get("torch")  # importing it would take longer than most steps
    return max(*_noted, int(torch is not None and torch.cuda.is_initialized()))


def main(argv: list[str]) -> None:
    """Print per step how many jobs ended, what they took, and how much of the memory that Slurm was asked for."""
    flags = parser().parse_args(argv)
    from accord.engine import configuration  # steps, which import this module, need none of it

    folder = flags.logs or configuration.folder(configuration.read(configuration.used(flags.config)), "logs")
    found = jobs(folder)
    if not found:
        hint = "steps record it in their logs when they end; give the log folder of a run"
        raise AccordError(Problem(str(folder), "no log contains the resource usage of a job", hint))
    wanted = asked(folder / SLURM)
    command_line.say(document(found, wanted), told(found, wanted), flags)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("usage", "Also shows the share of the memory requested from Slurm.")
    made.add_argument("logs", type=Path, nargs="?", help="log folder of a run (default: as configured)")
    command_line.config_flag(made)
    command_line.json_flag(made)
    return made


def jobs(folder: Path) -> dict[str, list[Job]]:
    """room.step -> what its jobs used, read from the logs <room>/<step>/... and <room>/<step>.log."""
    return by_step(by_log(folder))


def by_step(said: dict[Path, Job | None]) -> dict[str, list[Job]]:
    """room.step -> what its jobs used, of those that say it."""
    found = defaultdict(list)
    for log, job in said.items():
        if job is not None:
            found[step_of(log)].append(job)
    return dict(found)


def by_log(folder: Path) -> dict[Path, Job | None]:
    """Log, named from the folder and without its ending -> what its job used; None where it doesn't say."""
    found: dict[Path, Job | None] = {}
    for path in sorted(folder.rglob("*.log")):
        name = path.relative_to(folder).with_suffix("")
        if name.parts[0] != SLURM:
            said = SAID.findall(path.read_text(errors="replace"))
            found[name] = _job(*said[-1]) if said else None
    return found


def _job(wall: str, cpu: str, memory: str, gpus: str) -> Job:
    return Job(float(wall), float(cpu), float(memory), int(gpus or 0))


def asked(folder: Path) -> dict[str, int]:
    """room.step -> the most memory (MB) that a job of it asked Slurm for, read from Slurm's logs `<logs>/slurm`."""
    found: dict[str, int] = {}
    for path in sorted(folder.rglob("*.log")):
        name = ""
        for log, memory in ASKED.findall(path.read_text(errors="replace")):
            name = step_of(Path(log.rpartition(f"{folder.parent.name}/")[2])) if log else name
            if memory and name:
                found[name] = max(found.get(name, 0), int(memory))
    return found


def step_of(log: Path) -> str:
    """room.step of a log `<room>/<step>/...`: its rule may be called otherwise, as those of models are."""
    room, step, *_ = (*log.parts, "")
    return f"{room}.{step}"


def shard_of(log: Path) -> str:
    """The shard of a log `<room>/<step>/<shard>` or `<shard>.<kind>`, if it is of one: what its name begins with."""
    return log.name.partition(".")[0]


def document(found: dict[str, list[Job]], wanted: dict[str, int]) -> dict[str, dict]:
    """room.step -> its jobs and the most memory (MB) that Slurm was asked for, None for not asked."""
    return {name: {"jobs": of, "asked": wanted.get(name)} for name, of in sorted(found.items())}


def told(found: dict[str, list[Job]], wanted: dict[str, int]) -> str:
    """A table as lines: what took most processor time first."""
    lines = [f"{'step':32}{'jobs':>6}{'CPU s':>10}{'longest s':>11}{'cores':>7}{'most MB':>9}  of the request"]
    for name, of in sorted(found.items(), key=lambda item: -sum(job.cpu for job in item[1])):
        cpu, wall = sum(job.cpu for job in of), sum(job.wall for job in of)
        memory = max(job.memory for job in of)
        share = f"{memory / wanted[name]:.0%} of {wanted[name]} MB" if wanted.get(name) else ""
        longest, on_gpu = max(job.wall for job in of), sum(job.gpu for job in of)
        share = ", ".join(filter(None, [share, f"{on_gpu:.1f} GPU s" if on_gpu else ""]))
        lines.append(f"{name:32}{len(of):6}{cpu:10.1f}{longest:11.1f}{cpu / max(wall, 0.1):7.2f}{memory:9.0f}  {share}")
    return "\n".join(line.rstrip() for line in lines)
