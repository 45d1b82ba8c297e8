"""What is kept of Google Vision's answers: addresses of the same picture, logos with their boxes; per file, once."""

import json
import math
from pathlib import Path
from typing import Any, TypeGuard

from accord.errors import AccordError, Problem
from accord.files import keep_private

FULL, PARTIAL, LOGO, NOTHING, REFUSED = KINDS = ("full", "partial", "logo", "nothing", "refused")
LISTS = {"fullMatchingImages": FULL, "partialMatchingImages": PARTIAL}
LONGEST_NAME = 2000


def parsed(answer: dict[str, Any], features: list[str]) -> list[dict[str, Any]]:
    """What an answer says, for each of the features: rows of kind, name, score and polygon (px of what was sent).

    Parts that are not as documented are left out; nothing found is a row too.
    """
    rows = []
    if "web" in features:
        rows += _web(answer) or [row(NOTHING, "web")]
    if "logos" in features:
        rows += _logos(answer) or [row(NOTHING, "logos")]
    return rows


def row(kind: str, name: str, score: float | None = None, polygon: list[float] | None = None) -> dict[str, Any]:
    """One thing that was said; `name`: an address, a brand, or the feature of which nothing was found."""
    return {"kind": kind, "name": name[:LONGEST_NAME], "score": score, "polygon": polygon or []}


class Cache:
    """Answers by the sha256 of the file that was sent: a file of JSON each, which names the images that it is of.

    It lies beside the results of its shard, so that an erasure finds it by these names, and each file carries the
    record of how it came about, so that an audit knows it.
    """

    def __init__(self, folder: Path, record: dict[str, Any]) -> None:
        self._folder, self._record = Path(folder), record

    def get(self, sha256: str, image: str) -> dict[str, Any]:
        """feature -> rows, as far as they are known; the image is noted. Raises AccordError on a broken file."""
        path = self._path(sha256)
        if not path.exists():
            return {}
        try:
            kept = json.loads(path.read_text())
            images, answers = list(kept["images"]), dict(kept["answers"])
        except (ValueError, KeyError, TypeError):
            raise AccordError(
                Problem(str(path), "is damaged", "delete it; the image will be requested again")
            ) from None
        if image not in images:
            self._write(sha256, [*images, image], answers)
        return answers

    def put(self, sha256: str, image: str, answers: dict[str, Any]) -> None:
        """Keep the answers to some features beside those that are there."""
        known = self.get(sha256, image)
        path = self._path(sha256)
        images = json.loads(path.read_text())["images"] if path.exists() else [image]
        self._write(sha256, images, {**known, **answers})

    def _path(self, sha256: str) -> Path:
        return self._folder / f"{sha256}.json"

    def _write(self, sha256: str, images: list[str], answers: dict[str, Any]) -> None:
        content = {"images": sorted(images), "answers": answers, "provenance": self._record}
        keep_private(self._path(sha256), json.dumps(content, sort_keys=True).encode() + b"\n")


def _web(answer: dict[str, Any]) -> list[dict[str, Any]]:
    web = answer.get("webDetection")
    found: dict[str, dict[str, Any]] = {}
    for key, kind in LISTS.items():
        for one in _dicts(web.get(key) if isinstance(web, dict) else None):
            address = one.get("url")
            if isinstance(address, str) and address:
                found.setdefault(address, row(kind, address))
    return list(found.values())


def _logos(answer: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    for one in _dicts(answer.get("logoAnnotations")):
        name, score = one.get("description"), one.get("score")
        corners = _corners(one.get("boundingPoly"))
        if isinstance(name, str) and _is_share(score) and len(corners) >= 6:
            found.append(row(LOGO, name, float(score), corners))
    return found


def _corners(poly: Any) -> list[float]:
    """x0, y0, x1, y1, ...; the service leaves out coordinates that are 0."""
    points = _dicts(poly.get("vertices") if isinstance(poly, dict) else None)
    flat = [point.get(axis, 0) for point in points for axis in ("x", "y")]
    fine = all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in flat)
    return [float(value) for value in flat] if fine else []


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _is_share(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
