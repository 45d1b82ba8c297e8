"""The difference of two versions of a release, in counts of artefacts. It names nobody, nor what is gone.

Ids are new in each version by design. Pictures and videos are told apart by their sha256, documents by path;
annotations and rows carry ids, so of these only the numbers can be compared, unless the vault says which image is
which.
"""

from collections import Counter
from pathlib import Path

from accord.errors import AccordError, Problem
from accord.release.seal import leaves, versions

PICTURES = ("image", "crop", "mask", "video")


def diff(before: Path, after: Path, vault: Path | None = None) -> dict:
    """Counts by kind of artefact: before, after, and as far as known kept, removed, added, changed.

    Raises AccordError where a folder is no release with leaves, or the vault doesn't know it.
    """
    old, new = _by_kind(before), _by_kind(after)
    counts: dict[str, dict[str, int | None]] = {
        kind: _compared(kind, old.get(kind, {}), new.get(kind, {})) for kind in sorted(old.keys() | new.keys())
    }
    if vault is not None:
        things = "whole images and videos" if "video" in counts else "whole images"
        counts[things] = _by_internal_id(vault, before.resolve().name, after.resolve().name)
    return {"before": before.resolve().name, "after": after.resolve().name, "counts": counts}


def _by_kind(folder: Path) -> dict[str, dict[tuple, str]]:
    """Kind -> (path, row) -> sha256."""
    path, found = folder / leaves.NAME, {}
    if not path.is_file():
        raise AccordError(Problem(str(folder), "has no leaves", "give the folder of a release signed by Accord"))
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            record = leaves.parse(line).record
            if record:
                found.setdefault(record["kind"], {})[record["path"], record.get("row")] = record["sha256"]
        except (ValueError, KeyError) as error:
            where, hint = f"{folder / leaves.NAME}, line {number}", f"run `accord release verify {folder}` for details"
            raise AccordError(Problem(where, str(error), hint)) from None
    return found


def _compared(kind: str, old: dict[tuple, str], new: dict[tuple, str]) -> dict[str, int | None]:
    sizes: dict[str, int | None] = {"before": len(old), "after": len(new)}
    if kind in PICTURES:
        kept = (Counter(old.values()) & Counter(new.values())).total()
        return sizes | {"kept": kept, "removed": len(old) - kept, "added": len(new) - kept, "changed": None}
    if kind == "document":
        return sizes | _sorted_out(old, new)
    return sizes | dict.fromkeys(("kept", "removed", "added", "changed"))


def _by_internal_id(vault: Path, before: str, after: str) -> dict[str, int | None]:
    old, new = versions.index(vault, before), versions.index(vault, after)
    same = {image for image in old.keys() & new.keys() if old[image].pictures == new[image].pictures}
    changed = sum(old[image].all != new[image].all for image in same)
    told = {"kept": len(same) - changed, "removed": len(old) - len(same), "added": len(new) - len(same)}
    return {"before": len(old), "after": len(new), **told, "changed": changed}


def _sorted_out(old: dict, new: dict) -> dict[str, int | None]:
    both = old.keys() & new.keys()
    kept = sum(old[key] == new[key] for key in both)
    changed = len(both) - kept
    return {"kept": kept, "removed": len(old) - len(both), "added": len(new) - len(both), "changed": changed}
