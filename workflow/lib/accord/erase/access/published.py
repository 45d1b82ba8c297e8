"""Where a person was published: versions, the ids that they gave her, and to whom they went."""

from pathlib import Path
from typing import Any

from accord.erase.cases.person import Person
from accord.erase.cases.places import Places
from accord.erase.planning import revoked_leaves
from accord.holders.register import listing
from accord.release.exporting import register
from accord.release.seal import leaves, versions


def find(places: Places, person: Person) -> list[dict[str, Any]]:
    """Each version that published an image of her, or did before an erasure: its images, ids, recipients, exports."""
    known = listing.holders(places.vault)
    found = []
    for entry in versions.history(places.vault):
        version = entry["version"]
        published = person.images & versions.index(places.vault, version).keys()
        if not published:
            continue
        shown = person._replace(images=frozenset(published))
        own, *images = revoked_leaves.released(places.vault, version, shown)
        found.append({
            "version": version, "images": len(published), "her_id": own, "image_ids": images,
            "files": _files(places.releases / version, [own, *images]),
            "recipients": _recipients(known, version), "exports": _exports(places.vault, version),
        })  # fmt: skip
    return found


def _files(release: Path, ids: list[str]) -> list[str]:
    """The paths in the publisher's copy that speak of her images alone."""
    if not (release / leaves.NAME).is_file():
        return []
    paths = {leaf.content["path"] for leaf in revoked_leaves.live(release) if "row" not in leaf.content}
    return sorted(path for path in paths if any(one in path for one in ids[1:]))


def _recipients(known: list[dict[str, Any]], version: str) -> list[dict[str, str]]:
    told = ("until", "ended", "acknowledged")
    return [
        {"name": holder["name"] or "(forgotten)", **{name: one[name] for name in told}}
        for holder in known
        for one in holder["releases"]
        if one["version"] == version
    ]


def _exports(vault: Path, version: str) -> list[dict[str, str]]:
    copies = register.read(vault / register.NAME)
    return [{"format": one.format, "day": one.day.isoformat()} for one in copies if one.version == version]
