"""Videos of a delivery: taken as they are, or refused with a reason; whom they show, and where."""

import json
import sys
import tempfile
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from accord.delivery import command
from accord.errors import AccordError
from accord.imaging import bundle
from accord.intake import shard, videos
from accord.intake.delivered import delivery, digests
from accord.intake.delivered.delivery import SCHEMA
from accord.intake.reading import boxes
from accord.intake.reading import videos as reading
from accord.shards import names, opaque_id, shard_of

sys.path.insert(0, str(Path(__file__).parents[1]))

from video_cases import broken_video, write_video

with tempfile.TemporaryDirectory() as folder:
    GREY = [np.full((32, 32, 3), level, np.uint8) for level in (90, 120)]
    MP4 = write_video(Path(folder, "a.mp4"), GREY).read_bytes()
    CUT = broken_video(Path(folder, "b.mp4"), GREY).read_bytes()
FREE = b"free"
"""Type of a box that readers skip (ISO/IEC 14496-12, section 8.1.2)."""
MORE = (12).to_bytes(4, "big") + FREE + b"more"
COUNT = 4
MANY = 64
"""Shards of which no two people here share one."""


def video(reference):
    return opaque_id("acme", "2026-03", reference)


def person(reference):
    return opaque_id("acme", reference)


def taken(root, tmp_path):
    """VideoIntake of all shards in one, and the paths of the bundles."""
    made = {}
    for name in names(COUNT):
        tar = tmp_path / f"{name}.tar"
        made[name] = videos.run([root], SCHEMA, tar, shard=name, shards=COUNT), tar
    return made


def rows(made, name):
    return [row for of, _ in made.values() for row in getattr(of, name).itertuples(index=False)]


@pytest.fixture
def filmed(maker):
    """The small delivery with a video of ann alone, and one of bob and ann."""
    drawn = [{"subject": "ann", "face": [[0, 1, 2, 30, 40]], "person": [[0, 0, 0, 60, 90], [0.5, 0, 0, 60, 90]]}]
    maker.video("VID_1", "ann", data=MP4, people=drawn)
    maker.video("VID_2", "bob", "ann", data=MP4 + MORE)
    return maker


def test_videos_are_taken_whole_with_people_and_boxes(filmed, tmp_path):
    made = taken(filmed.write(), tmp_path)
    assert rows(made, "refused") == []
    known = {row.image: row for row in rows(made, "videos")}
    assert known.keys() == {video("VID_1"), video("VID_2")}
    assert known[video("VID_1")].source == "VID_1" and known[video("VID_2")].subject == person("bob")
    for of, tar in made.values():
        for row in of.videos.itertuples(index=False):
            wanted = MP4 if row.source == "VID_1" else MP4 + MORE
            assert bundle.read(tar, row) == wanted and bundle.window(tar, row).open().read() == wanted
    told = {(row.image, row.subject, row.is_primary) for row in rows(made, "people")}
    assert told == {
        (video("VID_1"), person("ann"), True), (video("VID_2"), person("bob"), True),
        (video("VID_2"), person("ann"), False),
    }  # fmt: skip
    assert np.isnan([row.face_x for row in rows(made, "people")]).all()
    drawn = [tuple(row)[1:] for row in rows(made, "boxes")]
    assert sorted(drawn) == [
        (person("ann"), "face", 0, 1, 2, 30, 40), (person("ann"), "person", 0, 0, 0, 60, 90),
        (person("ann"), "person", 0.5, 0, 0, 60, 90),
    ]  # fmt: skip


def test_images_are_as_they_are_without_videos(filmed, tmp_path):
    plain = type(filmed)(tmp_path / "plain")
    plain.tables = {name: [dict(row) for row in of] for name, of in filmed.tables.items() if name != "videos.csv"}
    plain.tables["people.csv"] = [row for row in plain.tables["people.csv"] if row["image"].startswith("IMG")]
    plain.files, plain.about = dict(filmed.files), filmed.about
    plain.root.mkdir()
    both = [filmed.write(), plain.write()]
    for name in names(COUNT):
        found = [
            shard.run([root], SCHEMA, tmp_path / "a.tar", shard=name, shards=COUNT, max_pixels=10**8) for root in both
        ]
        # Forms may lie in a shard for a video alone.
        for table in set(shard.Intake._fields) - {"forms"}:
            assert getattr(found[0], table).equals(getattr(found[1], table)), table


def test_a_run_knows_whether_there_are_videos(filmed, tmp_path):
    assert digests.read([str(filmed.write())], COUNT).has_videos
    filmed.tables["videos.csv"] = []
    filmed.tables["people.csv"] = [row for row in filmed.tables["people.csv"] if row["image"].startswith("IMG")]
    assert not digests.read([str(filmed.write())], COUNT).has_videos


def change(column, value):
    def made(maker):
        maker.tables["videos.csv"][0][column] = value

    return made


def drawn(**said):
    def made(maker):
        maker.files["annotations/VID_1.json"] = json.dumps({"image": "VID_1", "people": [], **said}).encode()

    return made


def no_mp4(maker):
    maker.files["videos/VID_1.mp4"] = b"RIFF" + MP4


def of_data(data):
    def made(maker):
        maker.files["videos/VID_1.mp4"] = data

    return made


def renamed(maker):
    maker.files["videos/VID_1.avi"] = maker.files["videos/VID_1.mp4"]
    maker.tables["videos.csv"][0]["file"] = "videos/VID_1.avi"


@pytest.mark.parametrize(("broken", "check", "reason"), [
    (change("file", "videos/none.mp4"), "missing_file", "the file does not exist"),
    (change("file", "../a.mp4"), "path", "outside the delivery"),
    (change("sha256", "0" * 64), "sha256", "does not match its sha256"),
    (no_mp4, "video", "not an mp4"), (renamed, "video", "extension is not .mp4"),
    (of_data(MP4[: len(MP4) * 2 // 3]), "video", "the video can't be decoded: it is truncated"),
    (of_data(b"\0\0\0\x18ftypisom" + bytes(240)), "video", "the video can't be decoded"),
    (of_data(MP4[:32] + b"\xff\xff\xff\xffmdat" + bytes(8 << 10)), "video", "the video can't be decoded"),
    (change("subject", "bob"), "subject", "not its one primary person"),
    (change("annotations", "annotations/none.json"), "boxes", "does not exist"),
    (change("annotations_sha256", "0" * 64), "sha256", "annotations: the file does not match"),
    (drawn(image="VID_2"), "boxes", "about another video"), (drawn(regions=[]), "boxes", "`image` and `people` alone"),
    (drawn(people=[{"subject": "ann", "face": [[0, 1, 1, 0, 1]]}]), "boxes", "a face box of person 1"),
    (drawn(people=[{"subject": "ann", "person": [[0, 1, 1, 1, 1]] * 2}]), "boxes", "two person boxes at one time"),
    (drawn(people=[{"subject": "ann"}] * 2), "boxes", "given twice"),
    (drawn(people=[{"subject": "ann", "face": [[0, 0.2, 0.1, 0.2, 0.3]]}]), "boxes", "shares of the frame's sides"),
])  # fmt: skip
def test_what_is_broken_is_refused_with_a_reason(filmed, tmp_path, broken, check, reason):
    broken(filmed)
    made = taken(filmed.write(), tmp_path)
    [refused] = rows(made, "refused")
    assert (refused.image, refused.check, refused.fatal) == (video("VID_1"), check, True) and reason in refused.reason
    assert [row.source for row in rows(made, "videos")] == ["VID_2"]
    assert {row.image for name in ("people", "boxes") for row in rows(made, name)} == {video("VID_2")}


def same_file(maker):
    maker.tables["videos.csv"][1]["file"] = maker.tables["videos.csv"][0]["file"]


def same_bytes(maker):
    maker.files["videos/VID_2.mp4"] = maker.files["videos/VID_1.mp4"]


@pytest.mark.parametrize("copy", [same_file, same_bytes])
def test_one_video_under_two_references_is_refused_under_both(filmed, tmp_path, capsys, copy):
    copy(filmed)
    made = taken(filmed.write(), tmp_path)
    refused = {row.image for row in rows(made, "refused") if row.check == "copy" and row.fatal}
    assert refused == {video("VID_1"), video("VID_2")} and rows(made, "videos") == []
    assert command.main(["validate", str(filmed.root), "--as-of", "2026-11-01", "--json"]) != 0
    told = json.loads(capsys.readouterr().out)
    assert {"VID_1", "VID_2"} <= set(told["not_publishable"]) and "one file of its own" in json.dumps(told)


def test_an_image_and_a_video_of_one_file_are_refused(filmed, tmp_path):
    filmed.tables["images.csv"][0]["file"] = filmed.tables["videos.csv"][0]["file"]
    made = taken(filmed.write(), tmp_path)
    assert {row.image for row in rows(made, "refused") if row.check == "copy"} == {video("VID_1")}
    given = {"schema": SCHEMA, "shards": 1, "shard": names(1)[0], "max_pixels": 10**8}
    of_images = shard.run([filmed.root], bundle=tmp_path / "i.tar", **given).refused
    image = video(filmed.tables["images.csv"][0]["image"])
    assert of_images.loc[of_images["check"] == "copy", "image"].tolist() == [image]


def test_a_copy_in_another_shard_reruns_a_shard(filmed):
    """bob's row changes; ann's shard has to know, since her video is refused for it."""
    ann, bob = (shard_of(person(one), MANY) for one in ("ann", "bob"))
    before = digests.read([str(filmed.write())], MANY).digests
    del filmed.tables["videos.csv"][1]["sha256"]
    filmed.files["videos/VID_2.mp4"] += MORE
    changed = digests.read([str(filmed.write())], MANY).digests
    del filmed.tables["videos.csv"][1]["sha256"]
    same_bytes(filmed)
    copied = digests.read([str(filmed.write())], MANY).digests
    assert ann != bob and before[ann] == changed[ann] != copied[ann] and before[bob] != changed[bob] != copied[bob]


def test_boxes_of_somebody_unknown_are_told(filmed, tmp_path):
    drawn(people=[{"subject": "eve", "face": [[0, 1, 1, 1, 1]]}])(filmed)
    [refused] = rows(taken(filmed.write(), tmp_path), "refused")
    assert (refused.item, refused.subject, refused.fatal) == ("person", person("eve"), False)


@pytest.mark.parametrize(
    "data", [b"", b"[", b"[" * 100_000, b'{"image": "V", "people": [{"subject": "a", "face": [[NaN, 1, 1, 1, 1]]}]}']
)
def test_boxes_that_are_no_json_are_refused(data):
    with pytest.raises(boxes.BoxesError):
        boxes.parse(data, "V")


def test_memory_does_not_grow_with_a_video(filmed, tmp_path):
    filmed.files["videos/VID_1.mp4"] = MP4 + ((100 << 20) + 8).to_bytes(4, "big") + FREE + bytes(100 << 20)
    root = filmed.write()
    filmed.files.clear()
    tracemalloc.start()
    taken(root, tmp_path)
    # Tables may have 64 MiB, which their reading sets aside.
    assert tracemalloc.get_traced_memory()[1] < 70 << 20
    tracemalloc.stop()


def full(member, file, size):
    raise OSError(28, "No space left on device")


def another(member, file, size):
    return bundle.Member(member, 0, size, "0" * 64)


@pytest.mark.parametrize(("store", "told"), [(full, r"can't be copied: .*ENOSPC"), (another, "changed while it was")])
def test_a_video_that_is_not_copied_whole_ends_the_step(filmed, store, told):
    with pytest.raises(AccordError, match=rf"videos\.csv:[23]: its video {told}"):
        reading.collect(delivery.load(filmed.write()), reading.VideoRecords(), store, frozenset())


def test_what_is_cut_behind_its_header_is_taken(filmed, tmp_path):
    """No frame is decoded here: `checks_look_videos` stops it."""
    of_data(CUT)(filmed)
    assert len(rows(taken(filmed.write(), tmp_path), "videos")) == 2


def test_a_vendor_is_told_what_becomes_of_videos(filmed, capsys):
    filmed.tables["videos.csv"][1]["user_date_captured"] = ""
    filmed.tables["videos.csv"][0]["sha256"] = "0" * 64
    status = command.main(["validate", str(filmed.write()), "--as-of", "2026-11-01", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert status != 0 and set(told["not_publishable"]) == {"VID_1", "VID_2"}
