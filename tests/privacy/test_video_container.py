"""What a written video holds besides pictures, planted by FFmpeg and by hand."""

import struct
from fractions import Fraction

import av
import numpy as np
import pytest

from accord.errors import AccordError
from accord.imaging.decode import encode_png
from accord.imaging.video import every
from accord.privacy import command
from accord.privacy.proof import independent
from accord.privacy.videos.container import violations
from accord.privacy.videos.writing import FILL, Picture, painted, write

UNIT = Fraction(1, 600)


def pictures(count=4, height=48, width=64):
    """A picture of four colours, which shifts."""
    whole = np.zeros((height, width, 3), np.uint8)
    whole[: height // 2], whole[height // 2 :] = (200, 40, 90), (20, 180, 30)
    return [Picture(20 * number, 20, np.roll(whole, number, 0)) for number in range(count)]


@pytest.fixture
def written(tmp_path):
    write(tmp_path / "a.mp4", iter(pictures()), UNIT)
    return tmp_path / "a.mp4"


def changed(path, before, after):
    data = path.read_bytes()
    assert data.count(before) == 1
    path.write_bytes(data.replace(before, after))
    return violations(path)


def test_a_written_video_holds_pictures_alone(written):
    assert violations(written) == []
    with av.open(str(written)) as found:
        assert len(found.streams) == 1 and found.chapters() == []
        assert set(found.metadata) == {"major_brand", "minor_version", "compatible_brands"}
        assert found.streams.video[0].metadata == {"language": "und", "handler_name": "VideoHandler"}
    data = written.read_bytes()
    assert not any(word in data for word in (b"x264", b"Lav", b"crf", b"edts"))


def test_the_same_frames_give_the_same_bytes(written, tmp_path):
    write(tmp_path / "b.mp4", iter(pictures()), UNIT)
    assert (tmp_path / "b.mp4").read_bytes() == written.read_bytes()


def test_times_and_colours_stay(tmp_path):
    ticks = [0, 7, 300, 301]
    shown = [Picture(tick, 90, one.pixels) for tick, one in zip(ticks, pictures(), strict=True)]
    write(tmp_path / "a.mp4", iter(shown), UNIT)
    found = list(every(tmp_path / "a.mp4"))
    assert [(one.ticks, one.unit) for one in found] == [(tick, UNIT) for tick in ticks]
    assert found[-1].duration == 90
    inside = (slice(4, 16), slice(None))
    assert np.abs(found[0].pixels()[inside].astype(int) - (200, 40, 90)).max() < 8


def test_an_odd_side_gains_its_last_row_or_column(tmp_path):
    write(tmp_path / "a.mp4", iter(pictures(height=47, width=63)), UNIT)
    assert next(every(tmp_path / "a.mp4")).pixels().shape == (48, 64, 3)


def test_frames_of_another_size_are_refused(tmp_path):
    with pytest.raises(AccordError, match="changes the size of its frames"):
        write(tmp_path / "a.mp4", iter([*pictures(1), *pictures(1, width=32)]), UNIT)


def test_boxes_are_filled_and_nothing_else():
    whole = pictures(1)[0].pixels
    made = painted(whole, np.array([[2, 3, 10, 20], [60, 40, 64, 48]]))
    assert (made[3:20, 2:10] == FILL).all() and (made[40:, 60:] == FILL).all()
    assert (made != whole).any(-1).sum() == 17 * 8 + 8 * 4
    assert (whole == pictures(1)[0].pixels).all()


@pytest.mark.parametrize("options", [
    {"metadata": {"title": "Anna"}}, {"metadata": {"location": "+48.85+002.29/"}}, {"turned": 90}, {"sound": True},
    {"metadata": {"creation_time": "2024-05-01T10:00:00Z"}}, {"handler": "Camera of Anna"}, {"chapter": True}, {},
])  # fmt: skip
def test_what_ffmpeg_writes_of_its_own_is_told(tmp_path, options):
    """The last one has nothing but FFmpeg's own name and its encoder's settings."""
    with av.open(str(tmp_path / "a.mp4"), "w", format="mp4") as container:
        container.metadata.update(options.get("metadata", {}))
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        if "handler" in options:
            stream.metadata["handler_name"] = options["handler"]
        if "turned" in options:
            stream.set_display_rotation(options["turned"])
        sound = container.add_stream("aac", rate=8000) if "sound" in options else None
        if "chapter" in options:
            told = {"id": 1, "start": 0, "end": 100, "time_base": Fraction(1, 1000), "metadata": {"title": "Anna"}}
            container.set_chapters([told])
        for one in pictures():
            container.mux(stream.encode(av.VideoFrame.from_ndarray(one.pixels, format="rgb24")))
        container.mux(stream.encode(None))
        if sound is not None:
            frame = av.AudioFrame.from_ndarray(np.zeros((1, 4096), np.float32), format="fltp", layout="mono")
            frame.sample_rate = 8000
            container.mux([*sound.encode(frame), *sound.encode(None)])
    assert violations(tmp_path / "a.mp4")


def test_times_of_creation_are_told(written):
    data = written.read_bytes()
    for name in (b"mvhd", b"tkhd", b"mdhd"):
        at = data.index(name) + 8
        written.write_bytes(data[:at] + b"\xe2" + data[at + 1 :])
        assert violations(written) == [f"box {name.decode()} has a time of creation or change"]


def test_what_is_hidden_by_hand_is_told(written):
    data = written.read_bytes()
    written.write_bytes(data + b"\0\0\0\x0cfreeAnna")
    assert violations(written) == ["box free is there twice"]
    written.write_bytes(data.replace(b"\0\0\0\x08free", b"\0\0\0\x0cfreeAnna"))
    assert violations(written) == ["box free holds more than it should (4 bytes)"]
    written.write_bytes(data + b"Anna")
    assert violations(written) == ["the boxes of the file are damaged"]
    written.write_bytes(data + b"\0\0\0\x0cuuidAnna")
    assert violations(written) == ["box uuid (4 bytes) is not on the allow-list"]
    written.write_bytes(data)
    assert changed(written, b"VideoHandler", b"Anna\0\0\0\0\0\0\0\0") == [
        "box hdlr holds more than it should (37 bytes)"
    ]
    written.write_bytes(data)
    assert changed(written, b"\x55\xc4", b"\x15\xc7") == ["box mdhd names a language"]


def test_notes_among_the_pictures_are_told(written):
    data = bytearray(written.read_bytes())
    at = data.index(b"mdat") + 4 + 4
    data[at] = (data[at] & 0xE0) | 6  # the first NAL unit says that it is a note
    written.write_bytes(data)
    assert violations(written) == ["NAL units that are no pictures, of types [6]"]


def test_a_changed_byte_gives_a_list_and_no_crash(written):
    whole, rng = written.read_bytes(), np.random.default_rng(0)
    for place in rng.integers(0, len(whole), 200):
        written.write_bytes(whole[:place] + bytes([rng.integers(256)]) + whole[place + 1 :])
        assert isinstance(violations(written), list)
    for length in range(0, len(whole), 97):
        written.write_bytes(whole[:length])
        assert violations(written)


def test_the_command_reads_videos_beside_pictures(written, monkeypatch, capsys):
    """ExifTool is asked about pictures alone."""
    monkeypatch.setattr(
        independent, "unexpected", lambda files: {file: ["tag"] for file in files if file.suffix != ".png"}
    )
    (written.parent / "a.png").write_bytes(encode_png(np.zeros((8, 8, 3), np.uint8)))
    assert command.main(["metadata", str(written.parent)]) == 0
    assert "1 video found to hold pictures alone" in capsys.readouterr().out
    with written.open("ab") as file:
        file.write(struct.pack(">I4s", 12, b"uuid") + b"home")
    with pytest.raises(AccordError, match=r"a\.mp4: box uuid \(4 bytes\) is not on the allow-list"):
        command.main(["metadata", str(written.parent)])
