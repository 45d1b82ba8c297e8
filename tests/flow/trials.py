"""Trials: a copy of a finished project is tampered with and audited; how often it is found, by class."""

import importlib
import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

import tampers
import tampers_custody  # noqa: F401
import tampers_release  # noqa: F401
import tampers_results  # noqa: F401
import tampers_vault  # noqa: F401
from restored import Copy

from accord.audit.evidence import lineage
from accord.audit.targets import target
from accord.audit.targets.places import Places
from accord.audit.telling.checks import FAIL
from accord.engine import configuration

TODAY = "2026-11-21"


class Tally(NamedTuple):
    """Of a class: how often it was tried and found, how often the audit broke down, and the checks that told."""

    name: str
    tried: int
    found: int
    broken: int
    by: tuple[str, ...]


def tally(copy: Copy, kind: tampers.Class, times: int, seed: int) -> Tally:
    """Try a class several times in the working folder, which is a copy, each at another random place."""
    tried = found = broken = 0
    by: set[str] = set()
    for number in range(times):
        told = kind.tamper(Random(f"{seed} {kind.name} {number}"))
        try:
            if told is None:
                continue
            tried += 1
            failed = failures(told)
            found += bool(failed)
            by |= failed
        except Exception as error:
            broken += 1
            by.add(f"{type(error).__name__}: {error}"[:80])
        finally:
            copy.restore()
    return Tally(kind.name, tried, found, broken, tuple(sorted(by)))


def failures(told: dict | None = None) -> set[str]:
    """The themes and names of the checks that fail in an audit of everything in the working folder, or of `target`.

    Every run ends with an attestation, which finds whatever changed: it counts only where it is told to.
    """
    lineage.forget()
    told = dict(told or {})
    shadow, attested, path = told.pop("shadow", False), told.pop("attested", False), told.pop("target", None)
    try:
        config = configuration.read([Path(name) for name in tampers.CONFIG if Path(name).is_file()])
        audit = target.audit(path, Places(config=config, today=TODAY, **told))
    finally:
        if shadow:
            sys.path.pop(0)
            importlib.invalidate_caches()
    failed = (check for check in audit.checks if check.verdict == FAIL)
    return {f"{check.theme}: {check.name}" for check in failed if attested or check.name != "attested"}


def table(tallies: list[Tally]) -> str:
    """A table: class, tried, found, and the checks that told."""
    width = max(len(one.name) for one in tallies)
    rows = [f"{'class':{width}}  tried  found  told by"]
    rows += [f"{one.name:{width}}  {one.tried:5}  {one.found:5}  {'; '.join(one.by)}" for one in tallies]
    tried, found = (sum(getattr(one, name) for one in tallies) for name in ("tried", "found"))
    all_found = sum(one.tried > 0 and one.found == one.tried for one in tallies)
    used = sum(one.tried > 0 for one in tallies)
    return "\n".join(
        [*rows, "", f"{used} classes, {all_found} of them found each time; {found} of {tried} tries found"]
    )
