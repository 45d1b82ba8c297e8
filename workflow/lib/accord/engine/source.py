"""Digest of a step's code: its module and all that it imports from this package.

Comments, docstrings and layout don't count. Files that a module names by a plain string and that lie beside it
(a vocabulary, a template, model weights) do.
"""

import hashlib
import os
from functools import cache
from pathlib import Path

from accord.engine.ast_digest import KEPT, Meaning, meaning

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT.name


@cache
def digest(step: str) -> str:
    """Twelve hexadecimal digits for the code of the step `room.name`. Raises ValueError where there is none."""
    hashed = hashlib.blake2b(digest_size=6)
    for file in sorted(_closure(file_of(step))):
        hashed.update(str(file.relative_to(ROOT)).encode() + b"\0" + _digest(file))
    return hashed.hexdigest()


def file_of(step: str) -> Path:
    """The module of the step `room.name`. Raises ValueError where there is none."""
    if found := _file(f"{PACKAGE}.{step}"):
        return found
    raise ValueError(f"No step {step!r}: there is no module {PACKAGE}/{step.replace('.', '/')}.py")


def fields(file: Path, name: str) -> list[str]:
    """The fields of a named tuple that a module defines or imports. Raises ValueError where it does neither."""
    told = _meaning(file)
    if name in told.tuples:
        return told.tuples[name]
    for module in (_absolute(file, one) for one in told.imports):
        home, _, last = module.rpartition(".")
        if last == name and (found := _file(home)):
            return fields(found, name)
    raise ValueError(f"{file.relative_to(ROOT)}: there is no named tuple {name}")


def _closure(start: Path) -> set[Path]:
    """All files of this package that are imported from `start`, directly or not."""
    seen, queue = set(), [start]
    while queue:
        file = queue.pop()
        if file not in seen:
            seen.add(file)
            queue += _imported(file)
    return seen


@cache
def _meaning(file: Path) -> Meaning:
    return meaning(file)


@cache
def _imported(file: Path) -> set[Path]:
    """The files of this package that a module imports, those of the packages that they are in included."""
    modules = [_absolute(file, name).split(".") for name in _meaning(file).imports]
    ours = {tuple(parts[:end]) for parts in modules if parts[0] == PACKAGE for end in range(1, len(parts) + 1)}
    return {found for parts in ours if (found := _file(".".join(parts)))}


def _absolute(file: Path, name: str) -> str:
    bare = name.lstrip(".")
    if bare == name:
        return name
    parents = file.relative_to(ROOT.parent).parts[: len(bare) - len(name)]
    return ".".join([*parents, *([bare] if bare else [])])


@cache
def _file(module: str) -> Path | None:
    path = ROOT.joinpath(*module.split(".")[1:])
    candidates = [path / "__init__.py", path.with_suffix(".py")]
    return next((file for file in candidates if file.is_file()), None)


@cache
def _digest(file: Path) -> bytes:
    """Of the code of a module, and of the data files that it names."""
    told, data = _meaning(file), _data()
    named = [os.path.normpath(file.parent / name) for name in told.strings]
    return b"".join([bytes.fromhex(told.digest), *(_sum(data[name]) for name in named if name in data)])


@cache
def _data() -> dict[str, Path]:
    """The files of this package that are no modules, by their paths."""
    code = (".py", ".pyc", KEPT)
    return {str(path): path for path in ROOT.rglob("*") if path.suffix not in code and path.is_file()}


@cache
def _sum(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest() if path.resolve().is_relative_to(ROOT) else b""
