"""The private index of a version, held against the release: every leaf maps to an image of it, and each salt fits."""

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from accord.audit.telling.checks import About, Check
from accord.errors import AccordError, Problem
from accord.release.format import fhibe, videos
from accord.release.seal import identity, leaves, versions
from accord.sealing import canonical

INDEX = About("private index")
EDITED = "the index or the secret in the vault was edited or replaced: restore the vault from its newest backup"
PICTURES = (f"{fhibe.RAW}/", f"{fhibe.FULL}/")
FORGOTTEN = "forgotten-"
"""Beginning of what stands in the index in the place of an erased image."""

UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Held(NamedTuple):
    """What a version holds: images and videos of the private index; those of them that still have a leaf; how many
    leaves were erased; those that are videos."""

    images: frozenset[str]
    live: frozenset[str]
    erased: int
    videos: frozenset[str] = frozenset()


def read(folder: Path, vault: Path, version: str) -> tuple[Held | None, list[Check]]:
    """What a version holds, and whether release and vault agree on it."""
    private = versions.private(vault, version)
    try:
        index = {image for image in versions.index(vault, version) if not image.startswith(FORGOTTEN)}
        known = list(_live(folder / leaves.NAME))
    except AccordError as error:
        return None, INDEX.held("index", error.problems, "")
    except (OSError, ValueError, TypeError, AttributeError):
        return None, [INDEX.failed("index", "index or leaves can't be read", f"version {version}", EDITED)]
    if not (private / "secret").is_file():
        return None, [INDEX.failed("secret", "the version's secret is missing", f"version {version}", EDITED)]
    ids = identity.ids(private)
    live = [(leaf, salt) for leaf, salt in known if leaf.record is not None]
    names = {ids.image(image): image for image in index}
    records = [leaf.content for leaf, _ in live]
    shown, strange = _pictures(records, names)
    filmed = {names.get(videos.video_of(str(record.get("path", ""))), "") for record in records} - {""}
    erased = len(known) - len(live)
    problems = _problems(strange, index - shown, erased, f"version {version}")
    things = "images and videos" if filmed else "images"
    fine = f"every picture among the leaves belongs to one of the {len(index)} indexed {things}"
    found = Held(frozenset(index), frozenset(shown), erased, frozenset(filmed))
    return found, [*INDEX.held("pictures", problems, fine), *_salts(live, ids.secret, version)]


def _live(path: Path) -> Iterator[tuple[leaves.Leaf, str]]:
    """Each leaf with its salt ("" for an erased one)."""
    for line in path.read_bytes().splitlines():
        yield leaves.parse(line), canonical.decode(line).get("salt", "")


def _pictures(records: Iterable[dict], names: dict[str, str]) -> tuple[set[str], int]:
    """Images and videos that leaves show, and how many leaves name an id that is none of theirs."""
    shown, strange = set(), 0
    for record in records:
        path = str(record.get("path", ""))
        if path.startswith(PICTURES):
            image = (*path.split("/"), *[""] * 5)[4]
        elif path.startswith(f"{fhibe.MASKS}/"):
            image = (UUID.findall(path) or [""])[0]
        elif path.startswith(f"{videos.FOLDER}/"):
            image = videos.video_of(path)
        elif record.get("kind") == "row" and path in (fhibe.WHOLE_TABLE, fhibe.FACE_TABLE, videos.TABLE):
            image = (UUID.findall(str(record.get("of"))) or [""])[0]
        else:
            continue
        if image in names:
            shown.add(names[image])
        else:
            strange += 1
    return shown, strange


def _problems(strange: int, lost: set[str], erased: int, where: str) -> list[Problem]:
    found = [Problem(where, f"{strange} leaves belong to images that are not in the index", EDITED)] if strange else []
    if lost and not erased:
        found.append(Problem(where, f"{len(lost)} indexed images have no leaf", EDITED))
    return found


def _salts(live: list[tuple[leaves.Leaf, str]], secret: bytes, version: str) -> list[Check]:
    """Each salt must be the one that the version's secret makes for its record."""
    wrong = 0
    for leaf, salt in live:
        made = hmac.new(secret, b"leaf\0" + canonical.encode(leaf.record), hashlib.sha256).hexdigest()
        wrong += not hmac.compare_digest(made, salt)
    problems = [Problem(f"version {version}", f"{wrong} salts are not derived from the version's secret", EDITED)]
    return INDEX.held("salts", problems[:wrong], f"{len(live)} salts are derived from the version's secret")
