"""The reserve: images that pass and are held back, to replace those of people who withdraw.

Which image replaced which is never written down: only that an image is to be released.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from accord.release.claims import c2pa
from accord.release.disclosure import memory
from accord.release.reserve import admitted, key_attributes, matching
from accord.release.seal import versions

PUBLISHED, RESERVE = "published", "reserve"


def is_held(subject: str, share: float) -> bool:
    """Whether a subject falls into the reserve: always the same ones for a share, and more of them for a larger one."""
    digest = hashlib.blake2b(b"reserve\0" + subject.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") < share * 2**64


def replacements(vault: Path, gone: frozenset[str]) -> list[str]:
    """The images of the latest version's reserve that replace best those of `gone` that it published; sorted."""
    keys = key_attributes.read(vault, versions.latest(vault))
    fallen = keys[keys["image"].isin(gone) & (keys["state"] == PUBLISHED)]
    taken = gone | admitted.read(vault)
    theirs = set(keys.loc[keys["image"].isin(gone), "subject"])
    free = keys[(keys["state"] == RESERVE) & ~keys["image"].isin(taken) & ~keys["subject"].isin(theirs)]
    return sorted(matching.match(fallen, free).values())


def admit(vault: Path, images: Iterable[str]) -> None:
    """Have these images of the reserve released from now on."""
    admitted.keep(vault, admitted.read(vault) | set(images))


def forget(vault: Path, images: frozenset[str], subjects: frozenset[str]) -> int:
    """Take images and subjects out of all that release remembers; returns how many entries fell.

    That is the keys of all versions, their indexes, the images that were admitted, the aggregates' memory, and what was
    claimed of painted pictures. Numbers stay. It can be stopped anywhere and run again.
    """
    every = versions.kept(vault)
    tables = {version: key_attributes.read(vault, version) for version in every}
    for keys in tables.values():
        images = images | set(keys.loc[keys["subject"].isin(subjects), "image"])
    chosen = admitted.read(vault)
    count = len(chosen & images) + memory.forget(vault, subjects) + c2pa.forget(vault, images)
    admitted.keep(vault, chosen - images)
    count += sum(versions.forget(vault, version, images) for version in every)
    for version, keys in tables.items():
        left = keys[~keys["image"].isin(images)]
        if len(left) < len(keys):
            key_attributes.keep(vault, version, left)
            count += len(keys) - len(left)
    return count
