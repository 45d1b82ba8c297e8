"""The processes of a run on this machine: Snakemake, the steps that it started, and the server that forks steps."""

import os
from pathlib import Path


def jobs(folder: Path) -> list[int]:
    """The ids of living processes of a run in a folder, in order; neither this process nor those that started it."""
    import psutil

    own = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid not in own and _is_job(process.cmdline()) and Path(process.cwd()) == folder:
                found.append(process.pid)
        except psutil.Error:  # it has ended, or is another user's
            continue
    return sorted(found)


def _is_job(words: list[str]) -> bool:
    """Whether a command line is that of Snakemake, of a step (`python -m accord room.step`), or of the fork server."""
    names = [Path(word).name for word in words[:3]]
    if "snakemake" in names or "fork_server.py" in names:
        return True
    following = words[words.index("-m") + 1 :] if "-m" in words else []
    return following[:1] == ["snakemake"] or (following[:1] == ["accord"] and "." in "".join(following[1:2]))
