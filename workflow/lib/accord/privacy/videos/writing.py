"""Painted videos: H.264 in mp4, pictures alone, the same bytes from the same frames."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import av
import numpy as np
from av.codec.codec import UnknownCodecError

from accord.errors import AccordError, Problem
from accord.imaging.video import CONTAINER, VideoRefusedError

FILL = (127, 127, 127)
"""One plain grey for everybody at all times. It is made of nothing that was there, so no number of frames can undo it,
as they can pixelation that moves over somebody; and it doesn't tell how many people it covers."""
ENCODER = "libx264"
BT709, LIMITED = 1, 1
"""Codes of ITU-T H.273 for the colours, and FFmpeg's for their range."""
OPTIONS = {"crf": "18", "preset": "medium", "bf": "0", "flags": "+bitexact", "x264-params": "threads=1"}
"""bf: no frame waits for a later one, so that packets come in the order of frames. threads: with more of them the bytes
depend on their number."""
WITHOUT_NOTES = "filter_units=remove_types=6"
"""Removes supplemental enhancement information (NAL units of type 6), where the encoder writes its settings."""


class Picture(NamedTuple):
    """A frame to write: its begin and duration in ticks, and its pixels, uint8 RGB (height, width, 3)."""

    ticks: int
    duration: int
    pixels: np.ndarray


def painted(pixels: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """A copy of a frame with boxes, int (n, 4) left, top, right, bottom, filled with FILL."""
    made = pixels.copy()
    for left, top, right, bottom in boxes:
        made[top:bottom, left:right] = FILL
    return made


def write(file: Path, pictures: Iterator[Picture], unit: Fraction) -> None:
    """Write frames, which begin at `ticks` times `unit` seconds. An odd side gains its last row or column once more.

    Raises VideoRefusedError where the size of frames changes, AccordError where PyAV has no encoder.
    """
    first = next(pictures)
    told = {"fflags": "+bitexact", "use_editlist": "0", "video_track_timescale": str(unit.denominator)}
    with av.open(str(file), "w", format=CONTAINER, options=told) as container:
        stream = _stream(container, first.pixels.shape, unit)
        cleaned = av.BitStreamFilterContext(WITHOUT_NOTES, stream)
        last = first
        for picture in _chained(first, pictures):
            if picture.pixels.shape != first.pixels.shape:
                raise VideoRefusedError(Problem("video", "changes the size of its frames", "convert it to one size"))
            last = picture
            for packet in stream.encode(_frame(picture, unit)):
                container.mux(cleaned.filter(packet))
        for packet in stream.encode(None):
            if packet.pts == last.ticks:
                packet.duration = last.duration
            container.mux(cleaned.filter(packet))
        container.mux(cleaned.filter(None))


def _chained(first: Picture, rest: Iterator[Picture]) -> Iterator[Picture]:
    yield first
    yield from rest


def _stream(container: Any, shape: tuple[int, ...], unit: Fraction) -> Any:
    try:
        stream = container.add_stream(ENCODER, options=OPTIONS)
    except UnknownCodecError:
        raise AccordError(
            Problem("PyAV", "has no encoder of H.264 (libx264)", "install PyAV from its wheels")
        ) from None
    coder = stream.codec_context
    stream.height, stream.width = (side + side % 2 for side in shape[:2])
    stream.pix_fmt, stream.time_base, coder.time_base, coder.thread_count = "yuv420p", unit, unit, 1
    coder.colorspace = coder.color_primaries = coder.color_trc = BT709
    coder.color_range = LIMITED
    return stream


def _frame(picture: Picture, unit: Fraction) -> Any:
    height, width = picture.pixels.shape[:2]
    even = np.pad(picture.pixels, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(even), format="rgb24")
    frame = frame.reformat(format="yuv420p", dst_colorspace=BT709, dst_color_range=LIMITED)
    frame.pts, frame.time_base = picture.ticks, unit
    return frame
