"""One video without bystanders, proven on the written file: rendered people and a photograph, which move."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from accord.cli import main
from accord.engine.table import rows, write
from accord.errors import AccordError
from accord.imaging.video import every
from accord.models.detectors import find
from accord.privacy import video
from accord.privacy.tables import KnownBoxes
from accord.privacy.videos import bystanders, proving, writing

sys.path.append(str(Path(__file__).parents[1]))

from video_cases import write_video

PHOTOGRAPH = Path(__file__).parents[1] / "data/photographs/astronaut.jpg"
HEIGHT, WIDTH, COUNT = 160, 280, 15
SMALL = 0.03
"""Width of the walking person's face, as a share of a frame's."""
NOBODY = rows([], KnownBoxes)


@pytest.fixture(scope="module")
def walk(bystander):
    """Frames in which a rendered person comes in, walks to the left and goes out, and where they are in each."""
    side = 140
    person = cv2.resize(bystander.pixels, (side, side), interpolation=cv2.INTER_AREA)
    mask = cv2.resize(bystander.mask.astype(np.uint8), (side, side)) > 0
    ramp = np.linspace(90, 170, WIDTH)[None, :, None] + np.linspace(-20, 20, HEIGHT)[:, None, None]
    empty = np.repeat(ramp, 3, 2).astype(np.uint8)
    frames, where = [], []
    for number in range(COUNT):
        wide = np.pad(empty, ((0, 0), (side, side), (0, 0)))
        there = np.zeros(wide.shape[:2], bool)
        left = side + WIDTH - 28 * number
        part = (slice(10, 10 + side), slice(max(left, 0), max(left, 0) + side))
        wide[part][mask] = person[mask]
        there[part] = mask
        frames.append(wide[:, side:-side])
        where.append(there[:, side:-side])
    return frames, where


@pytest.fixture(scope="module")
def face():
    """A photograph of somebody, (120, 80, 3)."""
    with Image.open(PHOTOGRAPH) as image:
        whole = np.asarray(image.convert("RGB"))[:, :340]
    return cv2.resize(whole, (80, 120), interpolation=cv2.INTER_AREA)


def paint(path, tmp_path, known=NOBODY, **settings):
    """(written file, PaintedVideo, check -> verdict); large faces alone are looked for, which takes less time."""
    out = tmp_path / "painted.mp4"
    made = video.run(path, known, out, **{"smallest_face": 0.1, **settings})
    return out, made, made.findings.set_index("check")["verdict"].to_dict()


def test_who_walks_through_is_covered_in_each_frame(walk, tmp_path):
    frames, where = walk
    path = write_video(tmp_path / "a.mp4", frames)
    out, made, verdicts = paint(path, tmp_path, every=0.1, smallest_face=SMALL)
    assert set(verdicts) == {"video", "metadata", "video_frames", "video_fill", "face_blazeface"}
    assert set(verdicts.values()) == {"pass"} and made.findings["image"].str.fullmatch("[0-9a-f]{16}").all()
    shown = [one.pixels() for one in every(out)]
    assert len(shown) == COUNT
    for number, (pixels, there) in enumerate(zip(shown, where, strict=True)):
        covered = np.abs(pixels[there].astype(int) - writing.FILL).max(-1) <= 24
        assert there.sum() == 0 or covered.mean() > 0.97, number
        assert find(pixels) == []
    assert made.tracks["check"].isin(["face_yunet", "person_blazepose"]).all() and len(made.tracks) >= 6


def test_who_is_known_stays_and_who_is_not_goes(face, walk, tmp_path):
    frames = [frame.copy() for frame in walk[0][2:7]]
    for frame in frames:
        frame[40:, :80] = face
    ours = [("a", "face", second, 44, 55, 20, 24) for second in (0, 1)]
    known = rows([*ours, *(("a", "person", second, 0, 40, 80, 120) for second in (0, 1))], KnownBoxes)
    out, _, verdicts = paint(write_video(tmp_path / "a.mp4", frames), tmp_path, known, smallest_face=SMALL)
    assert set(verdicts.values()) == {"pass"}
    for number, stored in enumerate(every(out)):
        there = stored.pixels()[40:, :80].astype(int)
        assert np.abs(there - face).mean() < 12, number
    alone, _, verdicts = paint(write_video(tmp_path / "b.mp4", frames), tmp_path, smallest_face=SMALL)
    assert set(verdicts.values()) == {"pass"}
    assert all(find(one.pixels()) == [] for one in every(alone))


def test_a_turned_video_of_variable_rate_is_upright_and_in_time(face, tmp_path):
    lying, times = np.rot90(face, -1), [0, 1, 2, 9]
    path = write_video(tmp_path / "a.mp4", [lying, lying, np.zeros_like(lying), lying], times, turned=90)
    known = rows(
        [("a", "face", t, 44, 15, 20, 24) for t in (0, 1)] + [("a", "person", t, 0, 0, 80, 120) for t in (0, 1)],
        KnownBoxes,
    )
    out, _, verdicts = paint(path, tmp_path, known)
    assert set(verdicts.values()) == {"pass"}
    shown = list(every(out))
    assert [one.seconds for one in shown] == pytest.approx([0, 0.1, 0.2, 0.9])
    assert np.abs(shown[0].pixels().astype(int) - face).mean() < 12
    assert shown[0].frame.rotation == 0


def test_sound_and_tags_of_the_source_are_gone(face, tmp_path):
    path = tmp_path / "a.mp4"
    with av.open(str(path), "w", format="mp4") as container:
        container.metadata.update(title="Anna", location="+48.8577+002.2950/", creation_time="2024-05-01T10:00:00Z")
        seen, heard = container.add_stream("mpeg4", rate=10), container.add_stream("aac", rate=8000)
        seen.width, seen.height, seen.pix_fmt = 64, 48, "yuv420p"
        picture = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 90, np.uint8), format="rgb24")
        picture.pts, picture.time_base = 0, Fraction(1, 10)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        frame.sample_rate = 8000
        container.mux([*seen.encode(picture), *seen.encode(None), *heard.encode(frame), *heard.encode(None)])
    out, _, verdicts = paint(path, tmp_path)
    assert set(verdicts.values()) == {"pass"}
    with av.open(str(out)) as container:
        assert [stream.type for stream in container.streams] == ["video"]
    assert b"Anna" in path.read_bytes() and b"Anna" not in out.read_bytes()


def test_the_same_video_gives_the_same_bytes_in_another_process(face, tmp_path):
    path = write_video(tmp_path / "a.mp4", [face] * 3)
    write(NOBODY, KnownBoxes, tmp_path / "known.parquet")
    first, second = (alone(path, tmp_path, f"{name}.mp4").read_bytes() for name in ("b", "c"))
    assert len(first) > 500 and second == first


def alone(path, tmp_path, name):
    """The video that the command paints, in a process of its own, as steps are run."""
    words = ["privacy.video", "--file", path, "--known", tmp_path / "known.parquet", "--painted", tmp_path / name]
    words += ["--out-findings", tmp_path / "findings.parquet", "--out-tracks", tmp_path / "tracks.parquet"]
    subprocess.run([sys.executable, "-m", "accord", *map(str, words)], check=True, capture_output=True)
    return tmp_path / name


def test_whom_the_first_detectors_miss_another_one_finds(face, tmp_path, monkeypatch):
    monkeypatch.setattr(bystanders, "faces_yunet", lambda picture: [])
    monkeypatch.setattr(bystanders.bystanders, "trunks", lambda picture: [])
    path = write_video(tmp_path / "a.mp4", [np.zeros_like(face)] * 2 + [face] * 3)
    out, made, verdicts = paint(path, tmp_path)
    assert verdicts.pop("face_blazeface") == "fail" and set(verdicts.values()) == {"pass"}
    reason = made.findings.set_index("check").loc["face_blazeface", "reason"]
    assert reason == "a face of nobody known is in 3 frames, first at 0.2 s"
    assert out.read_bytes() == b"" and len(made.tracks) == 0


def test_what_is_not_painted_is_not_proven(face, tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "painted", lambda pixels, boxes: pixels)
    out, _, verdicts = paint(write_video(tmp_path / "a.mp4", [face] * 3), tmp_path)
    assert (verdicts["video_fill"], verdicts["face_blazeface"]) == ("fail", "fail") and out.read_bytes() == b""


@pytest.mark.parametrize(
    "changed", [lambda all_of: all_of[1:], lambda all_of: [*all_of[:2], all_of[2]._replace(ticks=9999)]]
)
def test_a_frame_that_is_lost_or_late_is_not_proven(face, tmp_path, monkeypatch, changed):
    whole = writing.write
    monkeypatch.setattr(writing, "write", lambda file, pictures, unit: whole(file, iter(changed(list(pictures))), unit))
    out, _, verdicts = paint(write_video(tmp_path / "a.mp4", [np.zeros_like(face)] * 3), tmp_path)
    assert verdicts.pop("video_frames") == "fail" and set(verdicts.values()) == {"pass"} and out.read_bytes() == b""


def truncated(path, face):
    write_video(path, [np.roll(face, 7 * number, 1) for number in range(30)])
    path.write_bytes(path.read_bytes()[: int(0.6 * path.stat().st_size)])


def endless(path, face):
    write_video(path, [face, face], [0, 10 * 3600 * 10])


def frameless(path, face):
    data = bytearray(write_video(path, [face]).read_bytes())
    at = data.index(b"stsz") + 4 + 8
    data[at : at + 4] = bytes(4)
    path.write_bytes(data)


def playlist(path, face):
    path.write_bytes(b"#EXTM3U\n/etc/passwd\n")


@pytest.mark.parametrize(("made", "told"), [
    (truncated, "truncated|ends after"), (endless, "lasts 36000 seconds"), (frameless, "has no frames"),
    (playlist, "no mp4"),
])  # fmt: skip
def test_what_cannot_be_read_is_a_row_and_an_empty_file(face, tmp_path, made, told):
    path, out = tmp_path / "a.mp4", tmp_path / "painted.mp4"
    made(path, face)
    out.write_bytes(b"of an earlier run")
    _, found, verdicts = paint(path, tmp_path)
    assert verdicts == {"video": "fail"} and found.findings["reason"].str.contains(told).all()
    assert "passwd" not in found.findings["reason"][0] and out.read_bytes() == b""


def test_an_error_that_is_not_the_videos_leaves_nothing(face, tmp_path, monkeypatch):
    def full(*_):
        raise OSError("disk full")

    monkeypatch.setattr(proving, "findings", full)
    path = write_video(tmp_path / "a.mp4", [face] * 2)
    with pytest.raises(OSError, match="disk full"):
        paint(path, tmp_path)
    assert not (tmp_path / "painted.mp4").exists()


def test_settings_that_make_no_sense_are_told_together(tmp_path):
    with pytest.raises(AccordError) as caught:
        video.run(tmp_path / "a.mp4", NOBODY, tmp_path / "b.mp4", smallest_face=0, every=2, pad=-1)
    told = str(caught.value)
    assert all(
        words in told for words in ("--smallest-face", "--pad: must be more than 0", "--every: must not be more")
    )


def test_a_person_runs_it_alone(face, tmp_path):
    path = write_video(tmp_path / "a.mp4", [face] * 2)
    write(NOBODY, KnownBoxes, tmp_path / "known.parquet")
    outs = {"findings": tmp_path / "findings.parquet", "tracks": tmp_path / "tracks.parquet"}
    words = ["privacy.video", "--file", path, "--known", tmp_path / "known.parquet", "--painted", tmp_path / "b.mp4"]
    words += [word for name, out in outs.items() for word in (f"--out-{name}", out)]
    assert main(list(map(str, words))) == 0
    assert (pd.read_parquet(outs["findings"])["verdict"] == "pass").all() and (tmp_path / "b.mp4").stat().st_size > 500
