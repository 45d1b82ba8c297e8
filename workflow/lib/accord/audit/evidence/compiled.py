"""Compiled code: whether each .pyc of this package is what its source compiles to, since Python runs it unseen."""

import marshal
from collections.abc import Iterator
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

from accord.audit.telling import reading
from accord.audit.telling.checks import About, Check
from accord.errors import Problem

COMPILED = About("code")
PACKAGE = Path(__file__).parents[2]
HEADER = 16
HINT = "the audit's own code may have been changed: delete __pycache__, and audit again from a fresh clone"
_told: dict[tuple, bool] = {}


def checks(package: Path = PACKAGE) -> list[Check]:
    """A failure for each .pyc of this Python beside a module of the package that does not match its source."""
    return COMPILED.held("compiled code", _others(package), "compiled code matches its source")


def _others(package: Path) -> Iterator[Problem]:
    for source in sorted(package.rglob("*.py")):
        compiled = Path(cache_from_source(str(source)))
        if compiled.is_file() and not _fits(source, compiled):
            name = compiled.relative_to(package).as_posix() if compiled.is_relative_to(package) else compiled.name
            yield Problem(f"accord/{name}", "does not match its source", HINT)


def _fits(source: Path, compiled: Path) -> bool:
    """`_is_its`, told once in a process as long as neither file changes."""
    both = reading.key(source), reading.key(compiled)
    return reading.once(_told, both, lambda: _is_its(source, compiled.read_bytes()))


def _is_its(source: Path, data: bytes) -> bool:
    """Whether a .pyc holds what a source compiles to, or is another one's or an older one's that Python doesn't run."""
    kind = int.from_bytes(data[4:8], "little")
    facts = source.stat()
    told = tuple(int.from_bytes(data[at : at + 4], "little") for at in (8, 12))
    is_old = kind == 0 and told != (int(facts.st_mtime) & 0xFFFFFFFF, facts.st_size & 0xFFFFFFFF)
    if data[:4] != MAGIC_NUMBER or is_old:
        return True
    try:
        return marshal.loads(data[HEADER:]) == compile(source.read_bytes(), str(source), "exec", dont_inherit=True)
    except (ValueError, EOFError, TypeError):
        return False
