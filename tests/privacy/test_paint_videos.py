"""Videos of a delivery on their way: taken, judged by the ledger, painted and proven; and gone with who withdraws."""

import sys
from pathlib import Path

import av
import cv2
import numpy as np
import pandas as pd
import pytest

from accord.consent import record, videos
from accord.consent.ledger import ledger
from accord.consent.ledger.ledger import SUBJECT
from accord.consent.ledger.records import COMMAND, WITHDRAWN, ConsentEvent
from accord.engine import table
from accord.engine.parameter_types import Former
from accord.errors import AccordError
from accord.imaging import video
from accord.imaging.bundle import window
from accord.intake import shard, tables
from accord.intake import videos as intake
from accord.intake.delivered.delivery import SCHEMA
from accord.intake.redacting.redact import redact
from accord.models.detectors import find
from accord.privacy import paint_videos, video_waterfall
from accord.privacy.videos import bystanders
from accord.shards import opaque_id
from accord_demo.people_of_delivery import people
from accord_demo.recording import record as filmed

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "intake")]

from intake_cases import filled  # noqa: E402

from video_cases import write_video  # noqa: E402

ROOT = Path(__file__).parents[2]
HOW = {"smallest_face": 0.1, "every": 0.2, "gap": 1.0, "pad": 0.5}
SIDE = 128


def video_id(reference):
    return opaque_id("acme", "2026-03", reference)


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    """A rendered person, filmed; and a photograph's face, which nobody has boxes of, with sound nowhere."""
    folder = tmp_path_factory.mktemp("films")
    [someone] = people(ROOT / "tests/data/demo/delivery", 1)
    filmed(folder / "VID_1.mp4", someone, dark=False, turned=0, rng=np.random.default_rng(1))
    face = cv2.imread(str(ROOT / "tests/data/photographs/astronaut.jpg"))[:, :340, ::-1]
    small = np.ascontiguousarray(cv2.resize(face, (80, 120), interpolation=cv2.INTER_AREA))
    write_video(folder / "VID_2.mp4", [small] * 4)
    return folder


def drawn(path):
    """What a vendor's annotators say of a film of ann: her face as a detector finds it, her body everywhere."""
    seen = [(one.seconds, find(one.pixels())) for one in video.every(path)]
    faces = [[t, *box[:2], box[2] - box[0], box[3] - box[1]] for t, found in seen for box in [found[0].box]]
    return {"subject": "ann", "face": faces, "person": [[t / 2, 0, 0, SIDE, SIDE] for t in range(7)]}


def paint(videos, boxes, originals, painted):
    """The tables of the step, from nothing."""
    made = paint_videos.run(videos, boxes, originals, painted, Former(), **HOW)
    return paint_videos.Painted(*(part.rows for part in made))


class Run:
    """A delivery with two videos through intake, ledger, consent and privacy, in one shard."""

    def __init__(self, folder, films):
        self.folder, self.vault = folder, folder / "vault"
        self.maker = filled(folder / "delivery")
        boxes = drawn(films / "VID_1.mp4")
        self.maker.video("VID_1", "ann", data=(films / "VID_1.mp4").read_bytes(), people=[boxes])
        self.maker.video("VID_2", "bob", "ann", data=(films / "VID_2.mp4").read_bytes())
        self.root = self.maker.write()

    def to_privacy(self):
        """(Painted, bundle of what was painted, Consent)."""
        tar, made = self.folder / "videos.tar", self.folder / "painted.tar"
        of_images = shard.run([self.root], SCHEMA, self.folder / "i.tar", shard="00", shards=1, max_pixels=10**8)
        found = intake.run([self.root], SCHEMA, tar, shard="00", shards=1)
        paths = {}
        for name, rows, model in (
            ("forms", of_images.forms, tables.Forms), ("people", of_images.people, tables.People),
            ("video_people", found.people, tables.People), ("annotators", of_images.annotators, tables.Annotators),
            ("refused", of_images.refused, tables.Refused),
        ):  # fmt: skip
            paths[name] = self.folder / f"{name}.parquet"
            table.write(rows, model, paths[name])
        record.run(
            [paths["forms"]], [paths["people"], paths["video_people"]], [paths["annotators"]], [paths["refused"]],
            vault=self.vault, inbox=[], proof_required=False,
        )  # fmt: skip
        consent = videos.run(
            found.videos, found.people, of_images.forms, found.refused, vault=self.vault, as_of="2026-11-01",
            held_on="", min_age=18,
        )  # fmt: skip
        return paint(consent.videos, found.boxes, tar, made), made, consent


@pytest.fixture(scope="module")
def whole(films, tmp_path_factory):
    run = Run(tmp_path_factory.mktemp("run"), films)
    return run, *run.to_privacy()


def test_a_subject_with_boxes_stays_and_others_are_painted(whole, films):
    _, painted, bundle, consent = whole
    assert set(consent.videos["source"]) == {"VID_1", "VID_2"} and (consent.findings["verdict"] == "pass").all()
    assert (painted.findings["verdict"] == "pass").all() and len(painted.findings) == 10
    kept = {row.source: row for row in painted.videos.merge(consent.videos[["image", "source"]]).itertuples()}
    before = [one.pixels().astype(int) for one in video.every(films / "VID_1.mp4")]
    after = [one.pixels().astype(int) for one in video.every(window(bundle, kept["VID_1"]))]
    assert len(after) == len(before) and max(np.abs(a - b).mean() for a, b in zip(after, before, strict=True)) < 6
    other = kept["VID_2"]
    assert other.tracks >= 1 and kept["VID_1"].tracks == 0
    assert all(find(one.pixels()) == [] for one in video.every(window(bundle, other)))
    assert not list(bundle.parent.glob("*.mp4"))
    with av.open(window(bundle, other).open()) as container:
        assert [stream.type for stream in container.streams] == ["video"]


def test_the_same_videos_give_the_same_bytes(whole, tmp_path):
    run, painted, bundle, consent = whole
    boxes = intake.run([run.root], SCHEMA, tmp_path / "v.tar", shard="00", shards=1).boxes
    again = paint(consent.videos, boxes, tmp_path / "v.tar", tmp_path / "p.tar")
    assert again.videos.equals(painted.videos) and (tmp_path / "p.tar").read_bytes() == bundle.read_bytes()


def test_a_video_that_is_not_proven_is_in_no_bundle(whole, tmp_path, monkeypatch):
    run, _, _, consent = whole
    monkeypatch.setattr(bystanders, "faces_yunet", lambda picture: [])
    monkeypatch.setattr(bystanders.bystanders, "trunks", lambda picture: [])
    tar = tmp_path / "v.tar"
    taken = intake.run([run.root], SCHEMA, tar, shard="00", shards=1)
    boxes = taken.boxes
    made = paint(consent.videos, boxes, tar, tmp_path / "p.tar")
    assert made.videos["image"].tolist() == [video_id("VID_1")]
    failed = made.findings[made.findings["verdict"] == "fail"]
    assert failed[["image", "check"]].values.tolist() == [[video_id("VID_2"), "face_blazeface"]]
    found = pd.concat([consent.findings, made.findings], ignore_index=True)
    account = video_waterfall.run(taken.videos, taken.people, taken.refused, found, made.videos)
    checks = dict(zip(account.verdicts["image"], account.verdicts["check"], strict=True))
    assert checks == {video_id("VID_1"): "", video_id("VID_2"): "face_blazeface"}
    assert b"ftyp" not in (tmp_path / "p.tar").read_bytes()[made.videos["size"].sum() + 2048 :]
    changed = bytearray(tar.read_bytes())
    changed[consent.videos["offset"].min() + 100] ^= 1
    tar.write_bytes(changed)
    with pytest.raises(AccordError, match="does not match its sha256"):
        paint(consent.videos, boxes, tar, tmp_path / "p.tar")


def test_who_withdraws_takes_all_videos_of_hers_out(films, tmp_path):
    run = Run(tmp_path, films)
    run.to_privacy()
    gone = ConsentEvent(SUBJECT, opaque_id("acme", "bob"), "", "publish_image", WITHDRAWN, "2026-05-01", "",
                        COMMAND, "", "", "")  # fmt: skip
    with ledger.writing(run.vault) as opened:
        ledger.append(opened, [gone])
    painted, _, consent = run.to_privacy()
    assert consent.videos["source"].tolist() == ["VID_1"] and painted.videos["image"].tolist() == [video_id("VID_1")]
    assert set(consent.permits["image"]) == {video_id("VID_1")}
    redact(run.root, opaque_id("acme", "bob"))
    assert [path.name for path in (run.root / "videos").iterdir()] == ["VID_1.mp4"]


def test_somebody_with_boxes_who_is_unknown_stops_a_video(films, tmp_path):
    run = Run(tmp_path, films)
    run.maker.files["annotations/VID_2.json"] = (
        b'{"image": "VID_2", "people": [{"subject": "eve", "face": [[0, 1, 1, 9, 9]]}]}'
    )
    run.maker.tables["videos.csv"][1].pop("annotations_sha256")
    run.maker.write()
    painted, _, consent = run.to_privacy()
    assert consent.videos["source"].tolist() == ["VID_1"] and len(painted.videos) == 1
