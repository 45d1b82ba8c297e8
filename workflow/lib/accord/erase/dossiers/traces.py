"""Traces: by what a person is looked for after the erasure, made before it."""

from collections.abc import Iterator

import numpy as np

from accord.erase.cases.person import Person
from accord.erase.cases.places import Places
from accord.erase.dossiers import collect
from accord.erase.planning import revoked_leaves
from accord.release.seal import versions
from accord.scan.dossier import FORM, IMAGE, RELEASED, Dossier, Value


def dossier(places: Places, person: Person) -> Dossier:
    """The dossier that `accord scan` makes from results and vault, and all ids that the case knows besides."""
    told = collect.Person(person.reference, person.subject, person.images)
    found = collect.of(places.results, places.vault, told)
    return found._replace(values=found.values | frozenset(_known(places, person)))


def joined(known: list[Dossier]) -> Dossier:
    """Several dossiers in one."""
    lengths = sorted({length for one in known for length in one.vectors})
    return Dossier(
        frozenset().union(*(one.values for one in known)),
        tuple({made.pixels: made for one in known for made in one.prints}.values()),
        {n: np.unique(np.concatenate([one.vectors[n] for one in known if n in one.vectors]), axis=0) for n in lengths},
    )


def _known(places: Places, person: Person) -> Iterator[Value]:
    yield from (Value(IMAGE, image) for image in sorted(person.images))
    yield from (Value(FORM, form) for form in sorted(person.forms))
    for entry in versions.history(places.vault):
        yield from (Value(RELEASED, one) for one in revoked_leaves.released(places.vault, entry["version"], person))
