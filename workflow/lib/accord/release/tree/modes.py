"""Modes of a release's files, which no signature covers: a copy may lie where everybody can change it."""

import os
import stat
from pathlib import Path

from accord.errors import Problem

RUNS_AS_ANOTHER = stat.S_ISUID | stat.S_ISGID
HINT = "chmod -R u=rwX,go=rX FOLDER; then verify again: it may have been changed since"


def remarks(folder: Path) -> list[Problem]:
    """One remark for each kind of mode that lets others change or misuse a file, with the first such path."""
    kinds: dict[str, list[str]] = {}
    for above, _, names in os.walk(folder):
        for path in (Path(above), *(Path(above, name) for name in sorted(names))):
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                continue
            where = path.relative_to(folder).as_posix()
            if mode & stat.S_IWOTH and not (stat.S_ISDIR(mode) and mode & stat.S_ISVTX):
                kinds.setdefault("can be changed by everybody", []).append(where)
            if stat.S_ISREG(mode) and mode & RUNS_AS_ANOTHER:
                kinds.setdefault("set-uid or set-gid: a program that runs as somebody else", []).append(where)
    return [Problem(f"mode of {_named(paths)}", what, HINT) for what, paths in kinds.items()]


def _named(paths: list[str]) -> str:
    return paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1:,} more"
