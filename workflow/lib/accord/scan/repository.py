"""Git: every object of a repository, also those that nothing refers to any more."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from accord.scan.limits import Unopened

HEADER = 200


def is_repository(folder: Path) -> bool:
    """Whether a folder is what `.git` is, or a bare repository."""
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def enclosing(folder: Path) -> Path | None:
    """The repository that a folder lies in, if any: that of all work trees."""
    if not shutil.which("git"):
        return None
    asked = ["git", "-C", str(folder), "rev-parse", "--path-format=absolute", "--git-common-dir"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False)
    return Path(told.stdout.strip()) if told.returncode == 0 else None


def objects(repository: Path, limit: int) -> Iterator[tuple[str, bytes]]:
    """(first digits of its name, content) of every object, loose or packed. Raises Unopened where git can't."""
    if not shutil.which("git"):
        raise Unopened("git is not installed")
    asked = ["git", "--git-dir", str(repository), "cat-file", "--batch", "--batch-all-objects", "--unordered"]
    quiet = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_NO_LAZY_FETCH": "1"}
    large = 0
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=quiet) as git:
        assert git.stdout is not None  # it is piped
        while header := git.stdout.readline(HEADER):
            fields = header.split()
            if len(fields) != 3:
                continue
            size = int(fields[2])
            if size > limit:
                large += 1
                _skip(git.stdout, size + 1)
                continue
            content = git.stdout.read(size + 1)[:size]
            yield fields[0][:12].decode(), content
    if git.returncode or large:
        raise Unopened(f"{large} object(s) over the limit" if large else "git can't read all of its objects")


def _skip(stream: IO[bytes], count: int) -> None:
    while count > 0 and (chunk := stream.read(min(count, 1 << 20))):
        count -= len(chunk)
