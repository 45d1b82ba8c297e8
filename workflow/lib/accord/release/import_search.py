"""Searching the web for the people of a shard: pictures under ids without a name, which live until they were used."""

import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from accord.engine.parameter_types import Private, Sink
from accord.errors import AccordError
from accord.imaging import decode
from accord.imaging.bundle import BundleWriter
from accord.release.archives import formats
from accord.release.making.shard_tables import Derived, assemble
from accord.release.making.terms import of_archive
from accord.release.searching import fetching, guards, register, searchers
from accord.release.searching.register import Register, Search
from accord.release.searching.searchers import Searcher
from accord.text import days

SIDE, MAX_PIXELS = 1024, 50_000_000
DAYS = 365
"""Older pictures may have trained the services."""
NO_CAMERA, NO_PLACE = (None,) * 4 + ("",) * 2, ("", None, "", "", "")
OPTED_OUT, NOTHING = "opted out or erased", "people of whom nothing was found"


def run(*, queries: list[str], terms: dict, search: dict, vault: Private, files: Sink) -> Derived:
    """The pictures that are found for the queries of a shard. A query is a subject; whom a picture shows is not known.

    queries: ids of the list in `vault`, which is asked again before every search, as is whether the basis of `terms`
    still holds; search: `release.archive.search` of the config. Of each query as many pictures as it says, of the last
    twelve months. Raises AccordError where the search can't be asked, or nothing allows it any more.
    """
    searcher, told = searchers.made(search["searcher"], search.get("options", {})), Counter[str]()
    pictures: list[tuple] = []
    people: list[tuple[str, Search]] = []
    with register.opened(vault) as known, BundleWriter(files) as writer:
        for query in queries:
            guards.check_stated(terms, days.today())
            if (wanted := known.search(query)) is None:
                told[OPTED_OUT] += 1
                continue
            for image, pixels in _found(wanted, searcher, search["most"], known, told):
                member = writer.add(f"{image}.png", decode.encode_png(pixels))
                size = (pixels.shape[1], pixels.shape[0])
                pictures.append((image, "", "downsampled", "", *member, member.sha256, *size))
                people.append((image, wanted))
    print("; ".join(f"{count} {what}" for what, count in sorted(told.items()) if count), file=sys.stderr)
    return assemble(
        derivatives=pictures,
        faces=[],
        people=[(image, one.query, True, None, *[None] * 8, "") for image, one in people],
        attributes=[(image, one.query, *said, "search") for image, one in people for said in one.groups.items()],
        keypoints=[],
        segments=[],
        public=[(image, one.query, *NO_CAMERA, *NO_PLACE) for image, one in people],
        aggregate=[],
        checked=[],
        terms=of_archive([image for image, _ in people], formats.terms(formats.SEARCHED, terms)),
    )


def _found(wanted: Search, searcher: Searcher, most: int, known: Register, told: Counter) -> Iterator[tuple[str, Any]]:
    """Image and pixels of what a search finds, each file once."""
    since = date.fromisoformat(days.today()) - timedelta(DAYS)
    words = f"{wanted.name} {wanted.words}".strip()
    read = getattr(searcher, "read", _fetched)
    urls = list(dict.fromkeys(one.url for one in searcher.find(words, since, most)))[:most]
    seen: set[str] = set()
    told[NOTHING] += not urls
    for url, data in _few_at_once(urls, read):
        pixels = _decoded(data) if isinstance(data, bytes) else data
        if isinstance(pixels, str):
            told[f"pictures not taken: {pixels}"] += 1
            continue
        digest = hashlib.sha256(pixels.tobytes()).hexdigest()
        told["pictures found twice" if digest in seen else "pictures taken"] += 1
        if digest not in seen:
            seen.add(digest)
            yield known.picture_of(wanted.query, url), pixels


def _few_at_once(urls: Sequence[str], read: Callable[[Sequence[str]], Sequence]) -> Iterator[tuple[str, Any]]:
    """Each address with its bytes, or why there are none: those of AT_ONCE addresses are in memory."""
    for start in range(0, len(urls), fetching.AT_ONCE):
        some = urls[start : start + fetching.AT_ONCE]
        yield from zip(some, read(some), strict=True)


def _fetched(urls: Sequence[str]) -> list[bytes | str]:
    return fetching.fetched(urls)


def _decoded(data: bytes) -> Any:
    """The pixels of a picture, or why there are none."""
    try:
        return decode.reduced(data, SIDE, MAX_PIXELS)
    except AccordError:
        return "no JPEG or PNG that can be read"
