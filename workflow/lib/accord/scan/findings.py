"""Findings of a scan: where something is left, of what kind, how it was known."""

import base64
from collections import Counter
from typing import NamedTuple

from accord.scan.patterns import BASE64, HEX
from accord.scan.search import Searcher

HIDDEN = "*"
RUN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-_="
MIN_CODED = 8


class Place(NamedTuple):
    """Where something is: a path, the containers inside it, and its inode (`find -inum` finds it).

    The path is the real one, which can hold a personal value: show `masked`.
    """

    path: str
    inside: tuple[str, ...] = ()
    inode: int = 0

    def within(self, name: str) -> "Place":
        """The place of something inside; without a name, this one."""
        return self._replace(inside=(*self.inside, name)) if name else self


class Finding(NamedTuple):
    """One thing that is left. `score`: 1 for an exact match, bits apart for hashes, inliers for SIFT, cosine."""

    place: Place
    kind: str
    how: str
    score: float


class Gap(NamedTuple):
    """Something that could not be looked into, and why: nothing is known of it."""

    place: Place
    reason: str


def masked(text: str, searcher: Searcher) -> str:
    """The text with what stands for the person replaced by `*`, so that it can be shown and still used as a glob."""
    return "/".join(_masked(part, searcher) for part in text.split("/"))


def _masked(name: str, searcher: Searcher) -> str:
    """The same of one name. Of a name that is base64 as a whole, as Snakemake's records are, nothing is kept."""
    data = name.encode(errors="surrogateescape")
    if any(searcher.search(plain).hits for plain in meanings(data)):
        return HIDDEN
    kept, last = b"", 0
    for hit in searcher.search(data).hits:
        start, end = hit.start, hit.end
        if hit.pattern.how in (BASE64, HEX):
            start = len(data[:start].rstrip(RUN))
            end = len(data) - len(data[end:].lstrip(RUN))
        if end > last:
            kept += data[last:start] + (HIDDEN.encode() if start >= last else b"")
            last = end
    return (kept + data[last:]).decode(errors="replace")


def meanings(name: bytes) -> list[bytes]:
    """What a name means if it is base64: in either alphabet, padded or not; nothing where it is not."""
    plain = name.rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
    if len(plain) < MIN_CODED or len(plain) % 4 == 1:
        return []
    try:
        return [base64.b64decode(plain + b"=" * (-len(plain) % 4), validate=True)]
    except ValueError:
        return []


def rows(findings: list[Finding], searcher: Searcher) -> list[dict]:
    """The findings as rows that may be shown: equal ones counted, in the order of their places."""
    counted = Counter(findings)
    shown = [
        {
            "place": masked(finding.place.path, searcher),
            "inside": masked(" > ".join(finding.place.inside), searcher),
            "kind": finding.kind,
            "how": finding.how,
            "score": round(finding.score, 4),
            "count": count,
            "inode": finding.place.inode,
        }
        for finding, count in counted.items()
    ]
    return sorted(shown, key=lambda row: tuple(map(str, row.values())))
