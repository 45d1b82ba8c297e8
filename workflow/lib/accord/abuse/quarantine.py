"""What was found of known abuse material: one private record per image in the vault, for the officer alone.

A record names the image, where it was delivered, and what list and hash it matched; never a picture. It is kept until
the officer says otherwise: the law can want that, so an erasure leaves it.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from accord.engine import configuration
from accord.errors import AccordError, Problem
from accord.files import keep_private
from accord.shards import names, shard_of

FOLDER = "safety"
OFFICER = "your data-protection officer"
_recording = ContextVar("recording", default=True)


class Hit(NamedTuple):
    """A match of an image with a list. `source` and `file_sha256`: the vendor's reference, and the file delivered;
    `list`, `kind`, `hash`: what it is near to; `distance`: bits."""

    image: str
    subject: str
    vendor: str
    delivery: str
    source: str
    file_sha256: str
    list: str
    kind: str
    hash: str
    distance: int


@contextmanager
def unrecorded() -> Iterator[None]:
    """Matches that are found inside are not written down: an audit that does a step again changes nothing."""
    token = _recording.set(False)
    try:
        yield
    finally:
        _recording.reset(token)


def record(vault: Path, hits: Iterable[Hit]) -> None:
    """Write down matches, 0600, all of an image in one file; what the officer noted there stays."""
    if not _recording.get():
        return
    by_image: dict[str, list[Hit]] = {}
    for hit in hits:
        by_image.setdefault(hit.image, []).append(hit)
    for image, of in by_image.items():
        path = Path(vault) / FOLDER / f"{image}.json"
        old = _read(path) if path.exists() else {}
        facts = {name: getattr(of[0], name) for name in ("image", "subject", "vendor", "delivery", "source")}
        matches = [{name: getattr(hit, name) for name in ("list", "kind", "hash", "distance")} for hit in sorted(of)]
        new = {
            **facts,
            "file_sha256": of[0].file_sha256,
            "matches": matches,
            "found": old.get("found") or _now(),
            "reports": old.get("reports", []),
        }
        if new != old:
            _write(path, new)


def records(vault: Path) -> list[dict[str, Any]]:
    """All records, by image. Raises AccordError where one can't be read."""
    return [_read(path) for path in sorted((Path(vault) / FOLDER).glob("*.json"))]


def barred(vault: Path) -> frozenset[str]:
    """The sha256 of the files that nothing may open again."""
    return frozenset(one["file_sha256"] for one in records(vault))


def digests(vault: str, count: int) -> dict[str, str]:
    """Shard (of `count`) -> a digest of the files in it that are barred, "" for none: the next run leaves them out."""
    found: dict[str, list[str]] = {shard: [] for shard in names(count)}
    for one in records(Path(vault)):
        found[shard_of(one["subject"], count)].append(one["file_sha256"])
    return {shard: blake2b("".join(sorted(of)).encode()).hexdigest()[:16] if of else "" for shard, of in found.items()}


def report(vault: Path, image: str, *, to: str, reference: str, by: str) -> None:
    """Note that an image was reported. Raises AccordError where nothing was found of it, or a name is missing."""
    path = Path(vault) / FOLDER / f"{image}.json"
    if not image.isalnum() or not path.is_file():
        hint = "`accord safety status` lists the images"
        raise AccordError(Problem("image", "there is no record of it", hint))
    if not (to.strip() and reference.strip() and by.strip()):
        raise AccordError(
            Problem("report", "lacks a recipient, a reference or a name", "give --to, --reference and --by")
        )
    old = _read(path)
    _write(path, {**old, "reports": [*old["reports"], {"to": to, "reference": reference, "by": by, "at": _now()}]})


def unreported(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records of what nobody reported yet."""
    return [one for one in found if not one["reports"]]


def settings(files: list[Path]) -> tuple[Path, str]:
    """The vault, and who must be told, as configuration files say, later ones over earlier ones.

    Without files: those of config/config.yaml, where there is one. Raises AccordError where a file can't be read.
    """
    # A mistake in the settings must not hide what has to be told at once.
    found = configuration.said(configuration.used(files))
    officer = configuration.section(found, "checks").get("officer") or OFFICER
    return Path(str(found.get("vault") or "vault")), str(officer)


def alarm(vault: Path, contact: str) -> str:
    """What must be said of all records before anything else, and whom to tell; "" where there are none."""
    found = records(vault)
    if not found:
        return ""
    deliveries = sorted({f"{one['vendor']}/{one['delivery']}" for one in found})
    lines = [
        "!" * 78,
        f"KNOWN ABUSE MATERIAL: {len(found)} image(s) of {len({one['subject'] for one in found})} subject(s) match a",
        f"hash list; {len(unreported(found))} not reported yet. Deliveries: {', '.join(deliveries)}.",
        "Do not open, copy or delete these files. Tell at once:",
        f"  {contact}",
        "then: accord safety status",
        "!" * 78,
    ]
    return "\n".join(lines)


def _read(path: Path) -> dict[str, Any]:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        raise AccordError(Problem(f"{FOLDER}/{path.name}", "can't be read", "restore the vault's backup")) from None


def _write(path: Path, content: dict[str, Any]) -> None:
    keep_private(path, json.dumps(content, indent=1, sort_keys=True).encode() + b"\n")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
