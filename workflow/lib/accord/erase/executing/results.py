"""Results that fall with people: deleted, and of what holds kept rows only what names them is taken out."""

from collections.abc import Iterable
from pathlib import Path

from accord.erase.cases.places import Places
from accord.erase.executing import kept_rows
from accord.erase.planning import closure
from accord.erase.planning.closure import Falling
from accord.errors import AccordError, Problem


def delete(places: Places, falling: Falling, ids: frozenset[str]) -> set[str]:
    """Delete files first, and last the records that tell of logs; returns the results that stay, without these people.

    The jobs of those that stay are to run again. Raises AccordError where one still names somebody.
    """
    stay = _prune(places, falling.results, ids)
    notes = {str(closure.unfinished(places.snakemake, name)) for name in stay}
    for name in (*(falling.results.keys() - stay), *falling.backups, *falling.logs, *falling.records):
        if name not in notes:
            Path(name).unlink(missing_ok=True)
    _refuse_names(stay, ids)
    return stay


def _prune(places: Places, results: Iterable[str], ids: frozenset[str]) -> set[str]:
    """Take people out of the results that stay; those that did. That their jobs are to run again is noted first."""
    stay: set[str] = set()
    for folder in kept_rows.staying(results, ids):
        for name in folder.paths:
            closure.call_unfinished(places.snakemake, name)
        kept_rows.prune(folder)
        stay |= {name for name in folder.paths if Path(name).is_file()}
    return stay


def _refuse_names(stay: Iterable[str], ids: frozenset[str]) -> None:
    named = [name for name in sorted(stay) if closure.rows_naming(Path(name), ids)]
    if named:
        hint = "delete it and run again: it will be recomputed"
        raise AccordError([Problem(name, "still contains erased data", hint) for name in named])
