"""Frames of small videos, which the tests write: a frame's brightness tells when it is shown."""

import subprocess
import sys
from fractions import Fraction

import av
import numpy as np
import pytest

from accord.errors import AccordError
from accord.imaging.video import Limits, every, frames

SIDE = 32


def level(frame):
    return float(frame.pixels.mean())


def write(path, shades, times=None, *, turned=0, picture=None, options=None):
    """A video whose frame i starts at times[i] tenths of a second and is as bright as shades[i]."""
    with av.open(str(path), "w", format="mp4", options=options or {}) as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height = (picture.shape[1], picture.shape[0]) if picture is not None else (SIDE, SIDE)
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = Fraction(1, 10)
        stream.codec_context.bit_rate = 4_000_000
        if turned:
            stream.set_display_rotation(turned)
        for place, shade in enumerate(shades):
            pixels = picture if picture is not None else np.full((SIDE, SIDE, 3), shade, np.uint8)
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts, frame.time_base = (times or range(len(shades)))[place], Fraction(1, 10)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def test_frames_are_those_shown_at_the_middle_of_each_part(tmp_path):
    shades = [20 * place for place in range(10)]
    found = list(frames(write(tmp_path / "a.mp4", shades), 5))
    assert [one.index for one in found] == [0, 1, 2, 3, 4]
    assert [one.seconds for one in found] == pytest.approx([0.1, 0.3, 0.5, 0.7, 0.9])
    assert [level(one) for one in found] == pytest.approx([20, 60, 100, 140, 180], abs=6)


def test_more_times_than_frames_repeat_frames(tmp_path):
    found = list(frames(write(tmp_path / "a.mp4", [40, 200]), 4))
    assert [level(one) for one in found] == pytest.approx([40, 40, 200, 200], abs=6)


def test_a_variable_frame_rate_is_a_matter_of_time_not_of_count(tmp_path):
    # shown from 0, 0.1, 0.2 and 0.9 s on
    found = list(frames(write(tmp_path / "a.mp4", [20, 80, 140, 220], [0, 1, 2, 9]), 5))
    assert [level(one) for one in found] == pytest.approx([80, 140, 140, 140, 220], abs=6)


def test_every_frame_is_given_at_its_time(tmp_path):
    found = list(every(write(tmp_path / "a.mp4", [20, 80, 140, 220], [0, 1, 2, 9])))
    assert [one.index for one in found] == [0, 1, 2, 3]
    assert [float(one.ticks * one.unit) for one in found] == pytest.approx([0, 0.1, 0.2, 0.9])
    assert [one.seconds for one in found] == pytest.approx([0, 0.1, 0.2, 0.9])
    assert float(found[2].duration * found[2].unit) == pytest.approx(0.7)
    shades = [one.pixels().mean() for one in every(tmp_path / "a.mp4")]
    assert shades == pytest.approx([20, 80, 140, 220], abs=6)


def test_frames_that_are_stored_out_of_order_are_given_in_order(tmp_path):
    """H.264 stores a frame that others point to before them (B-frames), and shifts all times by an edit list."""
    shades = [20 * place for place in range(10)]
    with av.open(str(tmp_path / "a.mp4"), "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=10, options={"bf": "3", "b-adapt": "0"})
        stream.width, stream.height, stream.pix_fmt = SIDE, SIDE, "yuv420p"
        for shade in shades:
            picture = av.VideoFrame.from_ndarray(np.full((SIDE, SIDE, 3), shade, np.uint8), format="rgb24")
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
    assert b"ctts" in (tmp_path / "a.mp4").read_bytes()
    found = [(one.seconds, one.pixels().mean()) for one in every(tmp_path / "a.mp4")]
    assert [seconds for seconds, _ in found] == pytest.approx([place / 10 for place in range(10)])
    assert [shade for _, shade in found] == pytest.approx(shades, abs=6)


@pytest.mark.parametrize("turned", [90, 180, -90])
def test_a_turned_video_is_upright(tmp_path, turned):
    picture = np.zeros((SIDE, 2 * SIDE, 3), np.uint8)
    picture[: SIDE // 2, :SIDE] = 200
    path = write(tmp_path / "a.mp4", [0] * 3, turned=turned, picture=picture)
    # FFmpeg's angle runs counterclockwise, as numpy's does
    wanted = np.rot90(picture, turned // 90)
    (found,) = frames(path, 1)
    assert found.pixels.shape == wanted.shape
    assert np.abs(found.pixels.astype(int) - wanted).mean() < 12


@pytest.mark.parametrize(("limits", "told"), [
    (Limits(pixels=SIDE * SIDE - 1), "frames of 32 x 32 pixels"), (Limits(seconds=0.5), "lasts 1 seconds"),
    (Limits(frames=3), "more than 3 frames"),
])  # fmt: skip
def test_what_exceeds_a_limit_is_refused(tmp_path, limits, told):
    with pytest.raises(AccordError, match=told):
        list(frames(write(tmp_path / "a.mp4", [0] * 10), 2, limits))


def test_ten_hours_are_refused_before_a_frame_is_decoded(tmp_path):
    path = write(tmp_path / "a.mp4", [0, 9], [0, 10 * 3600 * 10])
    with pytest.raises(AccordError, match=r"lasts 36000 seconds, the limit is 7200"):
        next(frames(path, 2))


def box(data, name):
    """Where the content of the first box of a name begins."""
    return data.index(name) + len(name)


def test_a_frame_that_comes_hours_after_the_declared_end_is_told(tmp_path):
    path = write(tmp_path / "a.mp4", [0, 9, 90])
    data = bytearray(path.read_bytes().replace(b"edts", b"free"))  # the edit list would cut it off
    at = box(data, b"stts") + 12  # the duration of the first frames
    data[at : at + 4] = (0xFFFFFFF).to_bytes(4, "big")
    path.write_bytes(data)
    with pytest.raises(AccordError, match="has a frame after 7200 seconds, the limit, whatever length it declares"):
        list(frames(path, 2))


def test_a_track_of_no_samples_has_no_frames(tmp_path):
    path = write(tmp_path / "a.mp4", [0, 9, 90])
    data = bytearray(path.read_bytes())
    at = box(data, b"stsz") + 8
    data[at : at + 4] = bytes(4)
    path.write_bytes(data)
    with pytest.raises(AccordError, match="has no frames"):
        list(frames(path, 2))


def test_of_two_tracks_the_first_is_looked_at(tmp_path):
    with av.open(str(tmp_path / "a.mp4"), "w", format="mp4") as container:
        container.metadata["location"] = "+48.8577+002.2950/"
        tracks = [container.add_stream("mpeg4", rate=10) for _ in range(2)]
        for track in tracks:
            track.width, track.height, track.pix_fmt = SIDE, SIDE, "yuv420p"
        for track, shade in zip(tracks, (40, 200), strict=True):
            frame = av.VideoFrame.from_ndarray(np.full((SIDE, SIDE, 3), shade, np.uint8), format="rgb24")
            container.mux([*track.encode(frame), *track.encode()])
    assert [level(frame) for frame in frames(tmp_path / "a.mp4", 2)] == pytest.approx([40, 40], abs=4)


@pytest.mark.parametrize(
    "data", [b"", b"#EXTM3U\n/etc/passwd\n", b"ffconcat version 1.0\nfile /etc/passwd\n", b"\0" * 999]
)
def test_what_is_no_video_is_told(tmp_path, data):
    (tmp_path / "a.mp4").write_bytes(data)
    with pytest.raises(AccordError, match="can't be decoded"):
        list(frames(tmp_path / "a.mp4", 2))
    with pytest.raises(AccordError, match="can't be decoded"):
        list(every(tmp_path / "a.mp4"))


@pytest.mark.parametrize("options", [{}, {"movflags": "faststart"}])
def test_a_truncated_video_is_told(tmp_path, options):
    rng = np.random.default_rng(0)
    path = write(tmp_path / "a.mp4", rng.integers(0, 255, 60).tolist(), options=options)
    path.write_bytes(path.read_bytes()[: int(0.6 * path.stat().st_size)])
    with pytest.raises(AccordError, match=r"can't be decoded|ends after"):
        list(frames(path, 5))
    with pytest.raises(AccordError, match=r"can't be decoded|ends after"):
        list(every(path))


def test_sound_alone_is_no_video(tmp_path):
    with av.open(str(tmp_path / "a.mp4"), "w") as container:
        stream = container.add_stream("aac", rate=8000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 4096), np.float32), format="fltp", layout="mono")
        frame.sample_rate = 8000
        container.mux(stream.encode(frame))
        container.mux(stream.encode())
    with pytest.raises(AccordError, match="has no video stream"):
        list(frames(tmp_path / "a.mp4", 2))


PEAK = """
import resource, sys
from pathlib import Path
from accord.imaging.video import frames
assert sum(1 for _ in frames(Path(sys.argv[1]), 100)) == 100
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_a_long_video_needs_no_more_memory_than_seconds(tmp_path):
    """One frame a tenth, for 20 minutes: 12,000 frames of 3 kB, which would be 37 MB if they were kept."""
    pair = [write(tmp_path / "a.mp4", [9] * 20), write(tmp_path / "b.mp4", [9] * 12_000)]
    short, long = (int(subprocess.check_output([sys.executable, "-c", PEAK, str(path)])) for path in pair)
    assert long - short < 15_000


def test_a_changed_byte_gives_frames_or_a_reason(tmp_path):
    path = write(tmp_path / "a.mp4", [20, 90, 160])
    whole, rng = path.read_bytes(), np.random.default_rng(0)
    for place in rng.integers(0, len(whole), 300):
        path.write_bytes(whole[:place] + bytes([rng.integers(256)]) + whole[place + 1 :])
        try:
            assert len(list(frames(path, 3))) == 3
        except AccordError as error:
            assert str(tmp_path) not in str(error)
