"""Painted videos as browsers ask for them: some bytes at a time (RFC 9110, section 14), each read from its bundle."""

import re
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pyarrow
import pyarrow.parquet as pq
from fastapi import Response
from fastapi.responses import StreamingResponse

from accord import check_names
from accord.errors import AccordError, Problem
from accord.imaging import bundle
from accord.imaging.bundle import Window
from accord.queues import DISMISS, VIDEOS
from accord.review.database.items import Item
from accord.review.page.pictures import Place
from accord.review.page.sessions import Session

MOMENTS = "video_moments.parquet"
"""Beside the bundle: what to look at in its videos."""
MOST = 2 << 20
"""Bytes of an answer to a request for a part: browsers ask for the next part when they need it, so that no connection
waits for somebody who has paused."""
KIND = "video/mp4"
NAMES = {"painted": "Painted over", "logo": "Logo", "personal_data": "Personal data"}
"""Checks by what they find in a video, where their labels speak of images; `painted`: by privacy."""
DISTURBING = "safety_nudity"
ONE_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


class Films:
    """Videos in bundles. The sha256 of each is checked once, as long as its bundle stays the same."""

    def __init__(self) -> None:
        self._checked: set[tuple[Place, tuple[int, int, int]]] = set()
        self._lock = threading.Lock()

    def opened(self, place: Place) -> Window:
        """A video as a file. Raises AccordError where its bundle was changed."""
        status = place.bundle.stat()
        key = place, (status.st_mtime_ns, status.st_size, status.st_ino)
        with self._lock:
            if key not in self._checked:
                bundle.window(place.bundle, place)
                self._checked.add(key)
        return Window(place.bundle, place.offset, place.size)


def answer(film: Window, wanted: str, served: Callable[[int, int], None]) -> Response:
    """What answers a request with the header Range: at most MOST bytes of the part that it names, all without one.
    served: is told begin and end of what is sent."""
    told = {"accept-ranges": "bytes"}
    found = ONE_RANGE.fullmatch(wanted.replace(" ", ""))
    if found is None or not (found[1] or found[2]):  # none, or one that is no single range, which may be ignored
        return StreamingResponse(
            _pieces(film, served), media_type=KIND, headers={**told, "content-length": str(film.size)}
        )
    begin, end = _part(found[1], found[2], film.size)
    if begin >= end:
        return Response(status_code=416, headers={**told, "content-range": f"bytes */{film.size}"})
    end = min(end, begin + MOST)
    with film.open() as file:
        file.seek(begin)
        data = file.read(end - begin)
    served(begin, end)
    return Response(data, 206, {**told, "content-range": f"bytes {begin}-{end - 1}/{film.size}"}, KIND)


def check_served(one: Item | None, decision: str, place: Place | None, session: Session) -> None:
    """Raise AccordError where a video is kept of which not all was sent to the session: nobody has watched it there."""
    if one is None or one.queue != VIDEOS or decision != DISMISS:
        return
    if place is None or not session.served.is_whole(place, place.size):
        hint = "play it to its end, then keep it"
        raise AccordError(Problem(one.item, "not all of the video was loaded", hint))


class Moment(NamedTuple):
    """Something to look at in a video: from when to when, in seconds, by which check, and why."""

    begin: float
    end: float
    check: str
    reason: str

    def told(self) -> dict[str, Any]:
        """JSON."""
        return {**self._asdict(), "check": NAMES.get(self.check, check_names.label(self.check))}


def moments(place: Place, image: str) -> list[Moment]:
    """What to look at in a video, in the order of time. Nothing where the results have no such table now."""
    try:
        rows = pq.read_table(place.bundle.with_name(MOMENTS), filters=[("image", "=", image)], partitioning=None)
        return sorted(Moment(*(row[name] for name in Moment._fields)) for row in rows.to_pylist())
    except (OSError, pyarrow.ArrowException, KeyError):
        return []


def _part(first: str, last: str, size: int) -> tuple[int, int]:
    """Begin and end, the latter exclusive, of a range; without a first byte it is the last so many."""
    if not first:
        return max(0, size - int(last)), size
    return int(first), min(size, int(last) + 1) if last else size


def _pieces(film: Window, served: Callable[[int, int], None]) -> Iterator[bytes]:
    with film.open() as file:
        begin = 0
        while data := file.read(MOST):
            yield data
            served(begin, begin + len(data))
            begin += len(data)
