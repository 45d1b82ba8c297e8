"""The processes of a run on this machine: Snakemake, the steps that it started, and the server that forks steps."""

import os
from pathlib import Path


def jobs(folder: Path, snakemake: int | None = None) -> list[int]:
    """The ids of living processes of a run in a folder, in order; neither this process nor those that started it.

    snakemake: the process that locked the folder. Any other one is a job, or only starting: it locks the folder later.
    """
    import psutil

    own = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
    found = []
    for process in psutil.process_iter():
        try:
            words = [] if process.pid in own else process.cmdline()
            is_ours = _is_job(words) or (process.pid == snakemake and "snakemake" in " ".join(words))
            if is_ours and Path(process.cwd()) == folder:
                found.append(process.pid)
        except psutil.Error:  # it has ended, or is another user's
            continue
    return sorted(found)


def _is_job(words: list[str]) -> bool:
    """Whether a command line is that of a step (`python -m accord room.step`), of the fork server, or of a Snakemake
    that runs a job of another one."""
    names = [Path(word).name for word in words[:3]]
    if "fork_server.py" in names:
        return True
    following = words[words.index("-m") + 1 :] if "-m" in words else []
    if "snakemake" in names or following[:1] == ["snakemake"]:
        return "--mode" in words
    return following[:1] == ["accord"] and "." in "".join(following[1:2])
