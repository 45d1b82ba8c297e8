"""Frames of untrusted mp4 videos, upright, one at a time: a video's length doesn't matter to memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import av
import numpy as np
from av.sidedata.sidedata import SideDataContainer

from accord.errors import AccordError, Problem
from accord.imaging.bundle import Window

Openable = Path | Window
"""A file, or a member of a bundle."""
CONTAINER = "mp4"
"""Nothing else is tried: playlists and lists of files can name what lies elsewhere."""
CODECS = frozenset({"h264", "hevc", "mpeg4", "mjpeg", "vp9", "av1", "libdav1d"})
OPTIONS = {"enable_drefs": "0", "use_absolute_path": "0"}
"""No track may refer to another file."""
UNIT = 1 << 16
"""One, in a display matrix (16.16 fixed point, ISO/IEC 14496-12 section 6.2.2)."""
SLACK = 0.1
"""Seconds by which the declared length may exceed the last frame's end: lengths are rounded by those who write them."""


class VideoRefusedError(AccordError):
    """A video that can't be read, or may not be."""


class Limits(NamedTuple):
    """The largest frame in pixels, the longest video in seconds, and the most frames that are decoded of one."""

    pixels: int = 4096 * 4096
    seconds: float = 2 * 3600
    frames: int = 2 * 3600 * 120


class Frame(NamedTuple):
    """What is shown at a wanted time: the number of that time, the time in seconds from the start, and the pixels,
    uint8 RGB (height, width, 3), upright."""

    index: int
    seconds: float
    pixels: np.ndarray


class Stored(NamedTuple):
    """A frame as it is stored: its number, its begin and duration in ticks of `unit` seconds from the start, and its
    begin in seconds."""

    index: int
    ticks: int
    duration: int
    unit: Fraction
    seconds: float
    frame: Any

    def pixels(self) -> np.ndarray:
        """uint8 RGB (height, width, 3), upright. Raises AccordError for other angles than quarters."""
        return _upright(self.frame)


class Measured(NamedTuple):
    """What the header of a video declares: width and height of a frame in px, the number of frames, the length in
    seconds."""

    width: int
    height: int
    frames: int
    seconds: float


def measured(file: Openable, limits: Limits | None = None) -> Measured:
    """What a video's header declares, without decoding it: true of files that we wrote and proved ourselves.

    Raises AccordError as `frames` does.
    """
    limits = limits or Limits()
    with _opened(file) as container:
        stream = _stream(container, limits)
        _, length = _span(container, stream, limits)
        if not stream.frames:
            raise _refusal("has no frames")
        return Measured(stream.codec_context.width, stream.codec_context.height, stream.frames, length)


def frames(file: Openable, count: int, limits: Limits | None = None) -> Iterator[Frame]:
    """The `count` frames of a video that are shown at (i + 0.5) / count of its length.

    The frame shown at a time is the last one that starts no later, so a variable frame rate needs nothing more. Frames
    that aren't wanted are decoded but not converted. Raises AccordError where the file is no mp4 video, is truncated or
    exceeds the limits (VideoRefusedError); the error names no file.
    """
    limits = limits or Limits()
    with _opened(file) as container:
        stream = _stream(container, limits)
        start, length = _span(container, stream, limits)
        wanted = [(index + 0.5) / count * length for index in range(count)]
        for index, frame in _shown(_timed(container, stream, start, limits), wanted, length):
            yield Frame(index, wanted[index], _upright(frame))


def every(file: Openable, limits: Limits | None = None) -> Iterator[Stored]:
    """All frames of a video, in the order in which they are shown. Raises AccordError as `frames` does."""
    limits = limits or Limits()
    with _opened(file) as container:
        stream = _stream(container, limits)
        start, length = _span(container, stream, limits)
        end, last, shown = 0.0, -1, 0
        for begin, ends, frame in _timed(container, stream, start, limits):
            ticks = frame.pts - (stream.start_time or 0)
            if ticks <= last or frame.time_base != stream.time_base:
                raise _refusal("has frames out of order", "is the file whole?")
            yield Stored(shown, ticks, frame.duration or 0, stream.time_base, begin, frame)
            end, last, shown = max(end, ends), ticks, shown + 1
        _check_whole(shown, end, length)


def check_header(data: BinaryIO, limits: Limits | None = None) -> None:
    """Raise VideoRefusedError where an open file is no mp4 video within the limits, as its header has it."""
    limits = limits or Limits()
    with _explained(), av.open(data, format=CONTAINER, container_options=OPTIONS) as container:
        _span(container, _stream(container, limits), limits)


@contextmanager
def _opened(file: Openable) -> Iterator[Any]:
    with (
        _explained(),
        file.open("rb") as data,
        av.open(data, format=CONTAINER, container_options=OPTIONS) as container,
    ):
        yield container


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise
    except (av.FFmpegError, OSError, ValueError) as error:
        raise _refusal("can't be decoded: it is truncated, damaged or no mp4", "is the file whole?") from error


def _refusal(what: str, hint: str = "") -> VideoRefusedError:
    return VideoRefusedError(Problem("video", what, hint))


def _stream(container: Any, limits: Limits) -> Any:
    if not container.streams.video:
        raise _refusal("has no video stream")
    stream = container.streams.video[0]
    coder = stream.codec_context
    if coder is None or coder.name not in CODECS:
        raise _refusal("has a codec that isn't read", f"one of {', '.join(sorted(CODECS))}")
    _check_size(coder.width, coder.height, limits)
    coder.options = {"max_pixels": str(limits.pixels)}
    coder.thread_count = 1
    return stream


def _check_size(width: int, height: int, limits: Limits) -> None:
    if width * height > limits.pixels:
        raise _refusal(f"has frames of {width} x {height} pixels, the limit is {limits.pixels} pixels")


def _span(container: Any, stream: Any, limits: Limits) -> tuple[float, float]:
    """The start and the length of a video, in seconds."""
    whole = (container.duration or 0) / av.time_base
    length = float(stream.duration * stream.time_base) if stream.duration else whole
    if length <= 0:
        raise _refusal("has no frames")
    if length > limits.seconds:
        raise _refusal(f"lasts {length:.0f} seconds, the limit is {limits.seconds:.0f}")
    return float((stream.start_time or 0) * stream.time_base), length


def _timed(container: Any, stream: Any, start: float, limits: Limits) -> Iterator[tuple[float, float, Any]]:
    """Begin, end and frame, in the order in which they are shown."""
    for number, frame in enumerate(container.decode(stream)):
        if number >= limits.frames:
            raise _refusal(f"has more than {limits.frames} frames")
        if frame.pts is None:
            raise _refusal("has frames without a time")
        _check_size(frame.width, frame.height, limits)
        begin = float(frame.pts * frame.time_base) - start
        if begin > limits.seconds:
            raise _refusal(f"has a frame after {limits.seconds:.0f} seconds, the limit, whatever length it declares")
        yield begin, begin + float((frame.duration or 0) * frame.time_base), frame


def _shown(timed: Iterator[tuple[float, float, Any]], wanted: list[float], length: float) -> Iterator[tuple[int, Any]]:
    """Number of a wanted time and the frame shown then; before the first frame, that one is."""
    following, end, shown = 0, 0.0, None
    for begin, ends, frame in timed:
        while shown is not None and following < len(wanted) and wanted[following] < begin:
            yield following, shown
            following += 1
        shown, end = frame, max(end, ends)
    _check_whole(shown is not None, end, length)
    for rest in range(following, len(wanted)):
        yield rest, shown


def _check_whole(shown: int, end: float, length: float) -> None:
    if not shown:
        raise _refusal("has no frames")
    if end + SLACK < length:
        raise _refusal(f"ends after {end:.1f} of {length:.1f} seconds", "is the file whole?")


def _upright(frame: Any) -> np.ndarray:
    """RGB, turned and mirrored as the display matrix says. Raises AccordError for other angles than quarters."""
    pixels = frame.to_ndarray(format="rgb24")
    # frame.side_data would keep the container in the frame, and both in memory until garbage is collected
    found = SideDataContainer(frame).get("DISPLAYMATRIX")  # pyrefly: ignore[bad-argument-count]
    if found is None:
        return pixels
    across, down, _, over, along = np.frombuffer(bytes(found), dtype="=i4")[:5].tolist()
    if {abs(across), abs(along)} == {UNIT} and not (down or over):
        signs = across, along
    elif {abs(down), abs(over)} == {UNIT} and not (across or along):
        pixels, signs = pixels.transpose(1, 0, 2), (over, down)
    else:
        raise _refusal("is turned by an angle that is no quarter, or scaled")
    return np.ascontiguousarray(pixels[:: _step(signs[1]), :: _step(signs[0])])


def _step(sign: int) -> int:
    return 1 if sign > 0 else -1
