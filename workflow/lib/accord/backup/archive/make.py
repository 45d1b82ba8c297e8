"""Making a backup of deliveries: what it holds already is not written again."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from accord.backup.archive import contents, index, keys, packing, sealing
from accord.backup.archive.contents import Contents
from accord.backup.archive.index import Held, Kept
from accord.backup.archive.keys import Ring
from accord.backup.archive.sealing import Secret
from accord.errors import AccordError, Collector, Problem, all_problems
from accord.files import PRIVATE_FILE, make_private, replace
from accord.intake.redacting import verbatim


class Made(NamedTuple):
    """How many objects a backup holds, how many were written and removed now, how many items were left out because
    they show somebody who was erased."""

    objects: int
    written: int
    removed: int
    refused: int


def make(vault: Path, deliveries: list[Path], folder: Path, refused: Callable[[str], bool] = lambda _: False) -> Made:
    """Back up deliveries to a folder. `refused`: whether a person (an opaque id) may be backed up no more.

    Each object is written whole or not at all, the index last; started again, it goes on. Raises AccordError, with all
    problems and before anything is written, where the folder and the vault are nested or a delivery is broken.
    """
    apart(vault, folder, deliveries)
    held = _contents(deliveries)
    people = {person for _, found in held for item in found.items for person in item.people}
    barred = frozenset(person for person in people if refused(person))
    ring, backup = keys.make(vault, people - barred), index.begin(folder)
    index.read(folder, ring.general)  # raises where the folder is another vault's
    before = {file.name for file in index.objects(folder)}
    kept = [[_keep(root, item, ring, backup, folder, barred) for item in found.items] for root, found in held]
    named = _folders(deliveries)
    all_held = [Held(named[root], items, found.order) for (root, found), items in zip(held, kept, strict=True)]
    index.write(vault, folder, ring.general, all_held)
    names = {one.name for items in kept for one in items if one.name}
    for file in index.objects(folder):
        if file.name not in names:
            file.unlink()
    left_out = sum(not one.name for items in kept for one in items)
    return Made(len(names), len(names - before), len(before - names), left_out)


def apart(vault: Path, folder: Path, deliveries: list[Path]) -> None:
    """Raise AccordError where keys would lie in the backup, or the backup in what it is made of."""
    here = folder.resolve()
    with all_problems() as problems:
        for what, path in [("vault", vault), *(("delivery", path) for path in deliveries)]:
            other = path.resolve()
            if here == other or here in other.parents or other in here.parents:
                hint = "name a folder elsewhere, best on another machine's disk: keys and backups never lie together"
                problems.add(str(folder), f"the backup and the {what} are nested in each other", hint)


def _contents(deliveries: list[Path]) -> list[tuple[Path, Contents]]:
    problems, found = Collector(), []
    if not deliveries:
        hint = "name the folders of your deliveries in the config: intake: {deliveries: [...]}"
        problems.append(Problem("intake.deliveries", "is empty", hint))
    for root in deliveries:
        try:
            found.append((root, contents.of_delivery(root, verbatim.load(root))))
        except AccordError as error:
            problems += error.problems
    if problems:
        raise AccordError(problems)
    return found


def _keep(root: Path, item: packing.Item, ring: Ring, backup: str, folder: Path, barred: frozenset[str]) -> Kept:
    """Write the object of an item, if it isn't there."""
    if item.people & barred:
        return Kept("", ())
    ids = sorted({ring.needed(person) for person in item.people})
    secret = Secret(backup, ring.general, {name: ring.keys[name] for name in ids})
    payload = packing.pack(root, item)
    name = sealing.name(secret, payload)
    path = index.path(folder, name)
    if not path.is_file():
        make_private(path.parent)
        replace(path, sealing.seal(secret, name, payload), PRIVATE_FILE)
    return Kept(name, tuple(ids))


def _folders(deliveries: list[Path]) -> dict[Path, str]:
    """Delivery -> the name of its folder in a restored backup; numbered where two have the same."""
    found: dict[Path, str] = {}
    for root in deliveries:
        name, number = root.resolve().name, 2
        while name in found.values():
            name, number = f"{root.resolve().name}-{number}", number + 1
        found[root] = name
    return found
