"""A copy of a project to tamper with, made whole again after each try."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISDIR
from tempfile import mkdtemp

import tampers


class Copy:
    """What changed in it is copied anew. Nobody who changes a file can set the time at which the kernel saw that."""

    def __init__(self, project: Path, folder: Path):
        self._project, self._folder = project, folder
        tampers.copy(project, folder)
        self._made = self._seen()

    def restore(self) -> None:
        seen = self._seen()
        changed = {path for path in self._made.keys() | seen.keys() if self._made.get(path) != seen.get(path)}
        for path in sorted(changed & seen.keys(), reverse=True):
            self._remove(self._folder / path)
        for path in sorted(changed & self._made.keys()):
            self._copy(self._project / path, self._folder / path)
        now = self._seen()
        self._made |= {path: now[path] for path in changed & self._made.keys()}

    def _seen(self) -> dict[str, tuple]:
        """Path -> mode and, of files and links, number and time of the last change."""
        found = {}
        for folder, folders, files in os.walk(self._folder):
            for name in (*folders, *files):
                path = Path(folder, name)
                facts = path.lstat()
                key = () if S_ISDIR(facts.st_mode) else (facts.st_ino, facts.st_ctime_ns)
                found[str(path.relative_to(self._folder))] = (facts.st_mode, *key)
        return found

    def _remove(self, path: Path) -> None:
        """A folder that is not empty only has other rights: they are set with its copy."""
        if not path.is_dir() or path.is_symlink():
            path.unlink()
        elif not any(path.iterdir()):
            path.rmdir()

    def _copy(self, source: Path, target: Path) -> None:
        if source.is_dir() and not source.is_symlink():
            target.mkdir(exist_ok=True)
            shutil.copystat(source, target)
        else:
            shutil.copy2(source, target, follow_symlinks=False)


@contextmanager
def copied(project: Path) -> Iterator[Copy]:
    """A copy of a project as the working folder."""
    folder, before = Path(mkdtemp(dir=project.parent)), Path.cwd()
    copy = Copy(project, folder)
    os.chdir(folder)
    try:
        yield copy
    finally:
        os.chdir(before)
        shutil.rmtree(folder)
