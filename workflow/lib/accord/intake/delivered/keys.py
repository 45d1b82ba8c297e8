"""The keys of an annotation file: each is known, and given once."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any

FILE = ("image", "people", "regions", "units", "boxes")
PERSON = ("subject", "face_bbox", "person_bbox", "keypoints", "segments", "annotators")
DRAWN = ("face_bbox", "person_bbox", "keypoints", "segments")
SEGMENT = ("class_name", "num", "polygon")
REGION = ("region", "kind", "polygon", "annotator")
ALL = frozenset((*FILE, *PERSON, *SEGMENT, *REGION))
LIKE = 0.7


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object of its pairs (`object_pairs_hook`). Raises KeyError where a key is given twice."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise KeyError(name)
        found[name] = value
    return found


def named(key: str) -> str:
    """A key as a reason may name it: by its name where the format has one, else not, since it can say anything."""
    return f"the key `{key}`" if key in ALL else "a key"


def unknown(document: dict) -> list[str]:
    """A reason for each kind of object that has unknown keys; a reason quotes none, but names the known ones alike."""
    people = list(_objects(document.get("people")))
    kinds = (
        ("the file", FILE, [document]),
        ("a person", PERSON, people),
        ("`annotators`", DRAWN, [found for person in people for found in _objects([person.get("annotators")])]),
        ("a segment", SEGMENT, [found for person in people for found in _objects(person.get("segments"))]),
        ("a region", REGION, _objects(document.get("regions"))),
    )
    return [reason for what, known, objects in kinds for reason in _reasons(what, known, objects)]


def _objects(given: Any) -> Iterator[dict]:
    return (one for one in given if isinstance(one, dict)) if isinstance(given, list) else iter(())


def _reasons(what: str, known: tuple[str, ...], objects: Iterable[dict]) -> Iterator[str]:
    strange = sorted({key for one in objects for key in one if key not in known})
    if strange:
        meant = sorted({near for key in strange[:100] for near in _alike(key, known)})
        names = " or ".join(f"`{name}`" for name in meant)
        yield f"{what} has an unknown key" + (f" (is {names} meant?)" if names else "")


def _alike(key: str, known: tuple[str, ...]) -> list[str]:
    return get_close_matches(key[:100].casefold().strip(), known, 1, LIKE)
