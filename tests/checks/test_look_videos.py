"""Frames of videos are looked at as pictures are: known abuse material stops, what else is seen waits for a person."""

import hashlib
import sys
from pathlib import Path

import cv2
import numpy as np
import pandas as pd
import pytest

from accord.abuse import quarantine
from accord.checks import flagged_videos, look_videos
from accord.checks.looking import filmed, known
from accord.checks.tables.findings import Findings
from accord.engine import table
from accord.engine.parameter_types import Former
from accord.imaging import bundle, fingerprint, video
from accord.intake.tables import Videos

sys.path.insert(0, str(Path(__file__).parents[1]))

from video_cases import write_video

BRANDS = Path(__file__).parents[2] / "config/brands.csv"
SETTINGS = {"text_side": 640, "min_text_score": 0.5, "max_nudity": 0.8, "logo_score": 0.6, "models": {"logo": None}}


def scene(number, text=""):
    """A picture of soft shapes, another one for each number; with a line of text."""
    noise = np.random.default_rng(number).integers(0, 255, (9, 16, 3), np.uint8)
    pixels = cv2.resize(noise, (640, 360), interpolation=cv2.INTER_CUBIC)
    if text:
        pixels[140:230] = 255
        cv2.putText(pixels, text, (20, 200), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (0, 0, 0), 3, cv2.LINE_AA)
    return pixels


FILMS = {
    "v1": [scene(1)] * 8,
    "v2": [*[scene(2)] * 4, *[scene(2, "jane.doe@example.org")] * 4],
    "v3": [scene(3), scene(4), scene(5), scene(6)],
}


@pytest.fixture(scope="module")
def shard(tmp_path_factory):
    """(Videos, bundle): nothing, a mail address in the second half, four scenes, no video."""
    folder = tmp_path_factory.mktemp("films")
    rows = []
    with bundle.BundleWriter(folder / "videos.tar") as writer:
        files = {name: write_video(folder / f"{name}.mp4", frames).read_bytes() for name, frames in FILMS.items()}
        for name, data in {**files, "v4": b"....ftyp no video"}.items():
            member = writer.add(f"{name}.mp4", data)
            rows.append((name, f"s{name[1:]}", "acme", "2026-03", name, False, *member, ""))
    return table.rows(rows, Videos), folder / "videos.tar"


def look(shard, folder, *lists, count=8):
    path = folder / "hotline.txt"
    path.write_text("".join(f"{line}\n" for line in lists))
    given = [path] if lists else []
    made = look_videos.run(*shard, given, [], [], BRANDS, Former(), video_frames=count, weights=folder,
                           vault=folder / "vault", **SETTINGS)  # fmt: skip
    return look_videos.Looked(made.videos, made.seen.rows, made.findings.rows)


@pytest.fixture(scope="module")
def seen(shard, tmp_path_factory):
    return look(shard, tmp_path_factory.mktemp("seen"))


def row(shard, number):
    return list(shard[0].itertuples())[number]


def verdicts(findings):
    return {(row.image, row.check): row.verdict for row in findings.itertuples()}


def test_what_frames_show_waits_for_a_person_and_says_when(seen):
    found = verdicts(seen.findings)
    assert found["v2", "personal_data"] == "review" and found["v1", "personal_data"] == "pass"
    assert {verdict for (image, _), verdict in found.items() if image in ("v1", "v3")} == {"pass"}
    said = seen.findings.set_index(["image", "check"]).loc[("v2", "personal_data"), "reason"]
    assert said == "possibly personal data in 4 of 8 frames, first at 0.5 s"
    mails = seen.seen[seen.seen["check"] == "personal_data"]
    assert set(zip(mails["image"], mails["reason"], strict=True)) == {("v2", "looks like an e-mail address")}
    np.testing.assert_allclose(mails["seconds"], [0.45, 0.55, 0.65, 0.75], atol=0.002)
    mail = mails.iloc[0]
    box = np.reshape(mail.polygon, (-1, 2))
    assert (box.min(0) < (60, 215)).all() and (box.max(0) > (400, 180)).all()
    assert "jane" not in seen.seen.to_csv() + seen.findings.to_csv()


def test_a_frame_that_stays_is_looked_at_once(shard, seen):
    """Four frames, at eight times."""
    said = seen.findings[(seen.findings["image"] == "v3") & (seen.findings["check"] == "logo")]["reason"].tolist()
    assert said == ["nothing in 4 frames"]
    assert seen.seen[seen.seen["image"] == "v2"]["frame"].unique().tolist() == [4, 5, 6, 7]
    assert len(list(video.frames(bundle.window(shard[1], row(shard, 2)), 8))) == 8


def test_what_does_not_decode_is_stopped_and_goes_no_further(seen):
    assert verdicts(seen.findings)["v4", "decode"] == "fail"
    assert seen.videos["image"].tolist() == ["v1", "v2", "v3"]
    assert [check for image, check in verdicts(seen.findings) if image == "v4"] == ["decode"]


@pytest.mark.parametrize("kind", ["md5", "sha1"])
def test_a_file_on_a_list_is_stopped_before_anything_decodes_it(shard, tmp_path, kind, monkeypatch):
    data = bundle.read(shard[1], row(shard, 1))
    decoded = []
    real = video.frames
    monkeypatch.setattr(filmed.video, "frames", lambda file, count: decoded.append(file) or real(file, 1))
    found = look(shard, tmp_path, f"{kind} {hashlib.new(kind, data).hexdigest()}", count=1)
    assert len(decoded) == 3
    check(found, tmp_path)


def test_a_frame_on_a_list_stops_its_video(shard, tmp_path):
    last = list(video.frames(bundle.window(shard[1], row(shard, 1)), 8))[-1].pixels
    hashed, quality = fingerprint.pdq(fingerprint.thumbnail(last))
    assert quality >= known.MIN_QUALITY
    check(look(shard, tmp_path, f"pdq {hashed}"), tmp_path)


def check(found, folder):
    """v2 is on a list, and nothing else of it is told."""
    assert found.videos["image"].tolist() == ["v1", "v3"]
    told = verdicts(found.findings)
    assert [check for image, check in told if image == "v2"] == ["safety_known"] and told[
        "v2", "safety_known"
    ] == "fail"
    assert told["v1", "safety_known"] == "pass" and "v2" not in set(found.seen["image"])
    [record] = quarantine.records(folder / "vault")
    assert (record["image"], record["subject"], record["delivery"]) == ("v2", "s2", "2026-03")


def test_a_match_holds_its_subject_and_its_delivery(shard, tmp_path):
    data = bundle.read(shard[1], row(shard, 0))
    others = shard[0].assign(subject="s1").iloc[:2]
    found = look((others, shard[1]), tmp_path, f"md5 {hashlib.md5(data).hexdigest()}", count=1)
    assert verdicts(found.findings)["v2", "safety_known"] == "fail" and found.videos.empty
    other = shard[0].iloc[2:3].assign(delivery="2026-04")
    videos = pd.concat([others, other], ignore_index=True)
    held = flagged_videos.run(videos, found.findings, cleared=[], vault=tmp_path / "vault")
    assert verdicts(held) == {(f"v{n}", "safety_delivery"): "fail" if n < 3 else "pass" for n in (1, 2, 3)}
    strange = pd.concat([videos, other.assign(image="v4", subject="s1")], ignore_index=True)
    free = flagged_videos.run(strange, found.findings, cleared=["acme/2026-03"], vault=tmp_path / "vault")
    assert verdicts(free) == {(f"v{n}", "safety_delivery"): "pass" if n == 3 else "fail" for n in (1, 2, 3, 4)}


def test_a_shard_without_videos(tmp_path):
    with bundle.BundleWriter(tmp_path / "videos.tar"):
        pass
    found = look((table.empty(Videos), tmp_path / "videos.tar"), tmp_path, "pdq " + "f" * 64)
    assert all(part.empty for part in found)
    table.check(found.findings, Findings, "findings")


def test_a_bundle_that_was_changed_is_refused(shard, tmp_path):
    changed = tmp_path / "videos.tar"
    data = bytearray(shard[1].read_bytes())
    data[shard[0]["offset"].iloc[0] + 50] ^= 1
    changed.write_bytes(data)
    with pytest.raises(Exception, match="does not match its sha256"):
        look((shard[0], changed), tmp_path)
