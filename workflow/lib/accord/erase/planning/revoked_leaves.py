"""What is revoked of a version: the leaves that commit to a person's images, and the ids by which it names them."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from accord.erase.cases.person import Person
from accord.erase.cases.places import Places
from accord.errors import AccordError, Problem
from accord.release.seal import identity, leaves, seal, versions


class RevokedLeaves(NamedTuple):
    """Of one version: whether the publisher's copy is there, what its statement says, the hashes of the leaves that
    fall (hexadecimal), how many of these are files, and the ids that it gave the person and the images."""

    there: bool
    root: str
    leaves: list[str]
    files: int
    ids: list[str]


def of_all(places: Places, person: Person) -> dict[str, RevokedLeaves]:
    """Version -> what falls of it, for all versions that published an image of the person.

    A version of which the publisher has no copy any more has no leaves to revoke: they are in the copies of others
    alone. Raises AccordError where a copy's leaves can't be read.
    """
    found = {}
    for entry in versions.history(places.vault):
        version = entry["version"]
        ids = released(places.vault, version, person)
        fallen = _of_version(places.releases / version, entry.get("root") or "", ids)
        if fallen.leaves or (not fallen.there and person.images & versions.index(places.vault, version).keys()):
            found[version] = fallen
    return found


def released(vault: Path, version: str, person: Person) -> list[str]:
    """The ids that a version gave the person and the images, whether it published them or not.

    Raises AccordError where the version's secret is gone: what it says of them could not be told.
    """
    folder = versions.private(vault, version)
    if not (folder / "secret").is_file():
        hint = "restore the vault from a backup"
        raise AccordError(Problem(f"version {version}", "its secret is missing from the vault", hint))
    ids = identity.ids(folder)
    return [ids.subject(person.subject), *(ids.image(image) for image in sorted(person.images))]


def live(folder: Path) -> list[leaves.Leaf]:
    """The leaves of a release that were not erased."""
    lines = (folder / leaves.NAME).read_bytes().splitlines()
    return [leaf for leaf in map(leaves.parse, lines) if leaf.record]


def _of_version(folder: Path, root: str, ids: Iterable[str]) -> RevokedLeaves:
    if not (folder / seal.ENVELOPE).is_file():
        return RevokedLeaves(False, root, [], 0, list(ids))
    try:
        known = live(folder)
    except (OSError, ValueError) as error:
        hint = f"run `accord release verify {folder}` for details"
        raise AccordError(Problem(str(folder / leaves.NAME), str(error), hint)) from None
    told = [(leaf, f"{leaf.content['path']} {leaf.content.get('of', '')}") for leaf in known]
    going = [leaf for leaf, of in told if any(one in of for one in ids)]
    files = sum("row" not in leaf.content for leaf in going)
    return RevokedLeaves(True, root, sorted(leaf.hash.hex() for leaf in going), files, list(ids))
