"""A person's videos in the answer to a request for access: hers, and nobody else's face."""

import hashlib
import io
import sys
import zipfile
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pyarrow
import pyarrow.parquet as pq
import pytest

from accord.engine import table
from accord.engine.parameter_types import Former
from accord.erase.access import command, page, pictures, videos
from accord.erase.access.answer import Answer
from accord.imaging import video
from accord.imaging.bundle import BundleWriter
from accord.intake.tables import VideoBoxes, Videos
from accord.models.detectors import find
from accord.privacy import paint_videos
from accord.privacy.tables import PaintedVideos

sys.path.insert(0, str(Path(__file__).parents[1]))

from video_cases import write_video

PHOTOGRAPH = Path(__file__).parents[1] / "data/photographs/astronaut.jpg"
HOW = {"smallest_face": 0.1, "every": 0.2, "gap": 1.0, "pad": 0.5}
OWN, PASSER_BY, SHARED, BROKEN, BOBS, NEW, TRIMMED = (f"v{number}" for number in range(7))
MINE = frozenset({OWN, PASSER_BY, SHARED, BROKEN, NEW, TRIMMED})


def face():
    pixels = cv2.imread(str(PHOTOGRAPH))[:, :340, ::-1]
    return np.ascontiguousarray(cv2.resize(pixels, (80, 120), interpolation=cv2.INTER_AREA))


def write_tracks(path, *tracks, hidden=0):
    """An mp4 of several video tracks and a title; an edit list hides the first `hidden` frames of each."""
    with av.open(str(path), "w", format="mp4", options={"avoid_negative_ts": "disabled"}) as container:
        container.metadata["title"] = "with bob"
        streams = [container.add_stream("mpeg4", rate=10) for _ in tracks]
        for stream, pictures in zip(streams, tracks, strict=True):
            stream.height, stream.width = pictures[0].shape[:2]
            stream.pix_fmt, stream.codec_context.gop_size = "yuv420p", 1
            stream.codec_context.bit_rate = 4_000_000
        for stream, pictures in zip(streams, tracks, strict=True):
            packets = []
            for number, pixels in enumerate(pictures):
                frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
                frame.pts, frame.time_base = number, Fraction(1, 10)
                packets += stream.encode(frame)
            for packet in packets + stream.encode():
                earlier = int(hidden / (10 * packet.time_base))
                packet.pts, packet.dts = packet.pts - earlier, packet.dts - earlier
                container.mux(packet)
    return path


def everything(data, folder):
    """Title and tracks of a video, each with all frames that are coded, whatever an edit list says."""
    path = folder / "all.mp4"
    path.write_bytes(data)
    with av.open(str(path), options={"ignore_editlist": "1"}) as container:
        title, count = container.metadata.get("title"), len(container.streams)
    tracks = []
    for number in range(count):
        with av.open(str(path), options={"ignore_editlist": "1"}) as container:
            tracks.append([frame.to_ndarray(format="rgb24") for frame in container.decode(container.streams[number])])
    return title, tracks


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """ann alone, where nobody is seen but in a second track; the same where an edit list hides somebody; ann and a
    passer-by, whom no box explains; ann with bob, who has boxes; a broken file; bob alone; and one of ann that no run
    has painted."""
    folder = tmp_path_factory.mktemp("access")
    empty = [np.full((120, 80, 3), 90 + number, np.uint8) for number in range(4)]
    films = {
        name: write_video(folder / f"{name}.mp4", frames).read_bytes() for name, frames in ((PASSER_BY, [face()] * 4),)
    }
    films[OWN] = write_tracks(folder / f"{OWN}.mp4", empty, [face()] * 4).read_bytes()
    films[TRIMMED] = write_tracks(folder / f"{TRIMMED}.mp4", [face()] * 4 + empty, hidden=4).read_bytes()
    films |= {SHARED: films[PASSER_BY], BROKEN: b"....ftyp", BOBS: films[PASSER_BY], NEW: films[PASSER_BY]}
    shard = folder / "results/intake/00"
    shard.mkdir(parents=True)
    with BundleWriter(shard / "videos.tar") as tar:
        rows = [
            (name, "bob" if name == BOBS else "ann", "acme", "d", name, False, *tar.add(f"{name}.mp4", data), "")
            for name, data in sorted(films.items())
        ]
    taken = table.rows(rows, Videos)
    table.write(taken, Videos, shard / "videos.parquet")
    shown = [(name, "ann") for name in MINE] + [(SHARED, "bob"), (BOBS, "bob")]
    people = [{"image": name, "subject": who} for name, who in shown]
    pq.write_table(pyarrow.Table.from_pylist(people), shard / "video_people.parquet")
    seen = [(round(one.seconds, 3), find(one.pixels())[0].box) for one in video.every(folder / f"{PASSER_BY}.mp4")]
    around = [(SHARED, "bob", "face", at, x, y, right - x, down - y) for at, (x, y, right, down) in seen]
    around += [(SHARED, "bob", "person", at / 10, 0.0, 0.0, 80.0, 120.0) for at in range(5)]
    boxes = table.rows(around, VideoBoxes)
    table.write(boxes, VideoBoxes, shard / "video_boxes.parquet")
    privacy = folder / "results/privacy/00"
    privacy.mkdir(parents=True)
    run = taken[~taken["image"].isin([NEW])]
    made = paint_videos.run(run, boxes, shard / "videos.tar", privacy / "videos.tar", Former(), **HOW)
    table.write(made.videos.rows, PaintedVideos, privacy / "videos.parquet")
    assert set(made.videos.rows["image"]) == {OWN, PASSER_BY, SHARED, BOBS, TRIMMED}
    assert any(find(one.pixels()) for one in video.every(folder / f"{PASSER_BY}.mp4"))
    return folder / "results", films


@pytest.fixture
def found(results, tmp_path):
    return {one.image: one for one in videos.find(results[0], "ann", MINE, {}, HOW, tmp_path)}


def content(one):
    with one.file.open("rb") as file:
        return file.read()


def test_what_is_delivered_shows_others_where_privacy_does_not_look(results, tmp_path):
    for name in (OWN, TRIMMED):
        title, tracks = everything(results[1][name], tmp_path)
        assert title == "with bob" and any(find(pixels) for track in tracks for pixels in track)


@pytest.mark.parametrize("name", [OWN, TRIMMED])
def test_hers_alone_is_given_as_the_frames_that_privacy_looked_at(found, tmp_path, name):
    title, [track] = everything(content(found[name]), tmp_path)
    assert title is None and not found[name].painted and len(track) == 4
    levels = [float(pixels.mean()) for pixels in track]
    assert levels == pytest.approx([90, 91, 92, 93], abs=3)


def test_so_is_one_that_no_run_has_painted(results, tmp_path):
    privacy = results[0] / "privacy/00/videos.parquet"
    before = privacy.read_bytes()
    privacy.unlink()
    try:
        [one] = videos.find(results[0], "ann", frozenset({OWN}), {}, HOW, tmp_path)
    finally:
        privacy.write_bytes(before)
    title, [track] = everything(content(one), tmp_path)
    assert (title, len(track), one.painted) == (None, 4, False)


def decision(image, said, kind="", queue="videos"):
    return {"queue": queue, "image": image, "decision": said, "kind": kind}


def test_what_a_reviewer_withheld_is_withheld(results, tmp_path):
    said = [
        decision(OWN, "uphold", "person_visible"), decision(OWN, "dismiss"), decision(PASSER_BY, "dismiss"),
        decision(TRIMMED, "drop"), decision(SHARED, "uphold", "logo", queue="logos"),
    ]  # fmt: skip
    stopped = videos.withheld(said)
    assert stopped.keys() == {OWN, TRIMMED}
    [one] = videos.find(results[0], "ann", frozenset({OWN}), stopped, HOW, tmp_path)
    assert (one.file, one.withheld) == (None, "was withheld by a reviewer (person visible)")
    [one] = videos.find(results[0], "ann", frozenset({TRIMMED}), stopped, HOW, tmp_path)
    assert (one.file, one.withheld) == (None, "was withheld by a reviewer")


@pytest.mark.parametrize("name", [PASSER_BY, SHARED, NEW])
def test_others_are_painted_out_listed_or_not_painted_before_or_not(found, name):
    assert found[name].painted and not found[name].withheld
    assert all(find(one.pixels()) == [] for one in video.every(found[name].file))


def test_the_published_one_of_two_people_would_show_the_other(results):
    """What is painted for everybody keeps bob, who consents: she gets another."""
    rows = pq.read_table(results[0] / "privacy/00/videos.parquet", filters=[("image", "=", SHARED)]).to_pylist()
    assert rows[0]["tracks"] == 0


def test_what_cannot_be_proven_is_withheld(found, results, tmp_path, monkeypatch):
    assert (found[BROKEN].file, found[BROKEN].withheld) == (None, videos.UNPROVEN)
    from accord.privacy.videos import bystanders

    monkeypatch.setattr(bystanders, "faces_yunet", lambda picture: [])
    monkeypatch.setattr(bystanders.bystanders, "trunks", lambda picture: [])
    folder = tmp_path / "again"
    folder.mkdir()
    [one] = videos.find(results[0], "ann", frozenset({SHARED}), {}, HOW, folder)
    assert (one.file, one.withheld) == (None, videos.UNPROVEN)
    assert list(folder.iterdir()) == []


def test_a_barred_one_is_not_opened(results, tmp_path):
    barred = {hashlib.sha256(results[1][OWN]).hexdigest(): pictures.BARRED}
    [one] = videos.find(results[0], "ann", frozenset({OWN}), barred, HOW, tmp_path)
    assert (one.file, one.withheld) == (None, "was barred by the safety check")


def test_the_zip_file_has_them_under_numbers(found, results, tmp_path):
    document = {
        "vendor": "acme",
        "reference": "r",
        "images": 5,
        "not_delivered": "",
        "withheld_rows": {},
        "results": {},
    }
    empty = ("erased", "published", "decisions", "views", "consent", "delivered", "pictures")
    document |= {name: [] for name in empty}
    document |= {"model_answers": {}, "model_scores": {}}
    shown = [found[name] for name in sorted(MINE)]
    told = [
        {"file": f"videos/{n}.mp4" if one.file else "", "withheld": one.withheld, "others_painted_out": one.painted}
        for n, one in enumerate(shown, 1)
    ]
    path = tmp_path / "answer.zip"
    command._write(path, Answer(document | {"videos": told}, [], shown, {}))
    archive = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    assert archive.testzip() is None and path.stat().st_mode & 0o077 == 0
    assert [name for name in archive.namelist() if "video" in name] == [f"videos/{n}.mp4" for n in (1, 2, 3, 5, 6)]
    assert archive.read("videos/1.mp4") == content(found[OWN])
    shown_page = archive.read("index.html").decode()
    assert "written anew from the pictures" in shown_page
    assert "Video 4 is not here: it could not be painted" in shown_page and 'href="videos/1.mp4"' in shown_page


def test_an_answer_that_fails_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "write", lambda made, file: file.write(b"half") and 1 / 0)
    with pytest.raises(ZeroDivisionError):
        command._write(tmp_path / "answer.zip", None)
    assert list(tmp_path.iterdir()) == []
