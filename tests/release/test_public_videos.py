"""Videos of a release: who is published, what the gates hold, the tree, versions, links and erasure."""

import ast
import hashlib
import json
import math
import shutil
from fractions import Fraction

import mlcroissant
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.audit.records import gates as recorded_gates
from accord.audit.records import histories, index
from accord.engine import table
from accord.errors import AccordError
from accord.files import keep_private
from accord.findings import Findings
from accord.imaging import bundle
from accord.intake.tables import People as Depicted
from accord.intake.tables import Videos
from accord.privacy.tables import PaintedVideos
from accord.privacy.videos import writing
from accord.privacy.videos.proofs import PROOFS
from accord.release import command, gates, measure_videos, select_videos, video_gates
from accord.release.comparing import diff
from accord.release.disclosure import video_gatekeepers
from accord.release.erasing.prune import prune
from accord.release.format import videos
from accord.release.reserve.images import is_held
from accord.release.seal import identity, leaves, revocations, versions
from accord.release.seal.verification import verify
from accord.release.tables import Gates, Keys, People, Verdicts
from accord.release.tree import tree
from accord.sealing import signing

HELD = next(name for name in map(str, range(99)) if is_held(name, 0.5))
FREE = next(name for name in map(str, range(99)) if not is_held(name, 0.5))
NOTHING = [math.nan] * 8


def people(model, *pairs):
    return table.rows([(image, one, True, 31, *NOTHING, "") for image, one in pairs], model)


def verdicts(**of):
    """Of videos by the check that stopped each; "" for none."""
    rows = [
        (name, "s", "fail" if check else "pass", "privacy" if check else "", check, "") for name, check in of.items()
    ]
    return table.rows(rows, Verdicts)


def selected(tmp_path, given, shown, keys, images=()):
    """Video -> verdict, from privacy's verdicts, who is in the videos, states of images, and who is in these."""
    rows = table.rows([(image, "s", state, *[""] * 6) for image, state in keys.items()], Keys)
    account = select_videos.run(
        given, people(Depicted, *shown), rows, people(People, *images), vault=tmp_path, reserve=0.5
    )
    return dict(zip(account.verdicts["image"], account.verdicts["verdict"], strict=True)), account.waterfall


def test_a_video_of_somebody_in_reserve_is_held_until_an_image_of_theirs_is_released(tmp_path):
    shown = [("a", FREE), ("b", HELD), ("c", FREE), ("c", HELD), ("d", FREE)]
    given = verdicts(a="", b="", c="", d="video_fill")
    found, steps = selected(tmp_path, given, shown, {"i": "reserve"}, [("i", HELD)])
    assert found == {"a": "pass", "b": "reserve", "c": "reserve", "d": "fail"}
    told = steps.set_index("check")
    assert told.loc["release.reserve", "stopped"] == 2 and told.loc["video_fill", "stopped"] == 1
    assert (steps["label"].iloc[-1], steps["images_out"].iloc[-1]) == ("Released", 1)
    found, _ = selected(tmp_path, given, shown, {"i": "published"}, [("i", HELD)])
    assert found == {"a": "pass", "b": "pass", "c": "pass", "d": "fail"}


def test_what_the_latest_version_published_stays_published(tmp_path):
    keep_private(tmp_path / versions.HISTORY, json.dumps({"version": "1.0.0"}).encode() + b"\n")
    keep_private(versions.private(tmp_path, "1.0.0") / versions.INDEX, json.dumps({"b": ["0", "0"]}).encode())
    found, _ = selected(tmp_path, verdicts(a="", b=""), [("a", HELD), ("b", HELD)], {})
    assert found == {"a": "reserve", "b": "pass"}


checks = st.sampled_from(["", "consent.scope", "video_fill"])


@given(st.lists(st.tuples(checks, st.sampled_from([HELD, FREE])), max_size=6))
def test_every_video_has_one_verdict_and_none_that_was_stopped_passes(drawn):
    given_ = verdicts(**{f"v{number}": check for number, (check, _) in enumerate(drawn)})
    shown = people(Depicted, *((f"v{number}", who) for number, (_, who) in enumerate(drawn)))
    account = select_videos.run(
        given_, shown, table.empty(Keys), table.empty(People), vault=identity.Path(), reserve=0.5
    )
    wanted = ["fail" if check else "reserve" if who == HELD else "pass" for check, who in drawn]
    assert account.verdicts["verdict"].tolist() == wanted
    assert account.waterfall["images_out"].iloc[-1] == wanted.count("pass")


def test_what_is_said_of_a_video_is_what_its_file_holds(tmp_path):
    """Three frames of an odd size, the second shown four times as long as the others."""
    file, tar = tmp_path / "v.mp4", tmp_path / "videos.tar"
    frame = np.random.default_rng(1).integers(0, 255, (47, 63, 3), np.uint8)
    shown = [(0, 1), (1, 4), (5, 1)]
    writing.write(file, iter([writing.Picture(ticks, long, frame) for ticks, long in shown]), Fraction(1, 10))
    with bundle.BundleWriter(tar) as writer:
        member = writer.add("v.mp4", file.read_bytes())
    painted = table.rows([("v", "ann", *member, "0" * 64, 63, 47, 2)], PaintedVideos)
    [row] = measure_videos.run(painted, tar).to_dict("records")
    assert {name: row[name] for name in ("width", "height", "frames", "painted")} == {
        "width": 64, "height": 48, "frames": 3, "painted": True,
    }  # fmt: skip
    assert row["seconds"] == pytest.approx(0.6) and row["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    tar.write_bytes(tar.read_bytes().replace(b"ftyp", b"ftyq"))
    with pytest.raises(AccordError, match="does not match its sha256"):
        measure_videos.run(painted, tar)


class Room:
    """What the gates of videos look at, of one video of two people; tables can be changed in between."""

    def __init__(self):
        proofs = [("v", check, None, None, "pass", "") for check in sorted(PROOFS)]
        self.given = {
            "verdicts": verdicts(v=""),
            "depicted": people(Depicted, ("v", "ann"), ("v", "bob")),
            "permits": pd.DataFrame([("v", one, "publish_image") for one in ("ann", "bob")],
                                    columns=["image", "subject", "scope"]),
            "findings": table.rows([("v", "consent.scope", None, None, "pass", "")], Findings),
            "taken": table.rows([("v", "ann", "acme", "d", "V", False, "v.mp4", 0, 1, "0" * 64, "")], Videos),
            "proofs": table.rows(proofs, Findings),
            "painted": table.rows([("v", "ann", "v.mp4", 0, 1, "1" * 64, "0" * 64, 2, 2, 0)], PaintedVideos),
        }  # fmt: skip

    def failed(self) -> dict[str, str]:
        judged = video_gates.run(**self.given)
        assert judged["gate"].tolist() == list(video_gatekeepers.GATES)
        return dict(judged.loc[judged["verdict"] == "fail", ["gate", "reason"]].itertuples(index=False))

    def drop(self, name, **where):
        rows = self.given[name]
        self.given[name] = rows[~(rows[list(where)] == pd.Series(where)).all(axis=1)]

    def set(self, name, column, value, rows=slice(None)):
        made = self.given[name].copy()
        made.loc[rows, column] = value
        self.given[name] = made


def test_a_proven_video_of_people_who_consent_passes():
    room = Room()
    assert room.failed() == {}
    judged = video_gates.run(**room.given)
    assert (judged[["images", "subjects"]] == [1, 2]).all(axis=None)


PLANTED = {
    "withdrew": (lambda r: r.set("findings", "verdict", "fail"), "video_consent",
                 "the consent steps stopped the video"),
    "unseen": (lambda r: r.drop("findings", image="v"), "video_consent", "the consent steps never checked the video"),
    "second person": (lambda r: r.drop("permits", subject="bob"), "video_consent",
                      "a person in the video does not permit publish_image"),
    "nobody": (lambda r: r.drop("depicted", image="v"), "video_consent", "no person is recorded in the video"),
    "seen again": (lambda r: r.set("proofs", "verdict", "fail", 0), "video_proof",
                   "the privacy steps stopped the video"),
    "unproven": (lambda r: r.drop("proofs", check="video_fill"), "video_proof",
                 "the privacy steps didn't prove the video"),
    "unpainted": (lambda r: r.drop("painted", image="v"), "video_proof", "there is no painted file of the video"),
    "another": (lambda r: r.set("painted", "source_sha256", "2" * 64), "video_proof",
                "the painted file was made from another one than consent let pass"),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_each_planted_violation_is_found_and_told(name):
    plant, gate, reason = PLANTED[name]
    room = Room()
    plant(room)
    assert f"{reason} (1 in 1 video(s))" in room.failed()[gate]
    room.given["verdicts"] = verdicts(v="video_fill")
    assert room.failed() == {}  # what isn't released stops nothing


def test_the_gates_of_no_videos_pass():
    room = Room()
    room.given = {name: rows.iloc[:0] for name, rows in room.given.items()}
    assert room.failed() == {}


def test_findings_that_are_no_proofs_stop_no_gate():
    """A reviewer may have settled them: the verdicts say so."""
    room = Room()
    more = table.rows([("v", "screen", 0.9, 0.5, "review", "")], Findings)
    room.given["proofs"] = pd.concat([room.given["proofs"], more], ignore_index=True)
    assert room.failed() == {}


FILMS = {"vid-1": (("sub-1", "sub-3"), b"ftyp one" * 999, True), "vid-2": (("sub-4",), b"ftyp two", False)}


@pytest.fixture
def filmed(house, tiny):
    house.videos = {name: tiny.Video(*film) for name, film in FILMS.items()}
    return house


def rows_of(house, version="1.0.0"):
    return pd.read_csv(house.releases / version / videos.TABLE)


def test_a_release_holds_the_painted_bytes_and_says_what_they_are(filmed):
    told = filmed.publish()
    assert [told[name] for name in ("images", "videos", "video_subjects", "painted_videos")] == [3, 2, 3, 1]
    rows, root = rows_of(filmed), filmed.releases / "1.0.0"
    assert list(rows) == list(videos.COLUMNS) and len(rows) == 3
    first = rows[rows["people_painted"]]
    assert len(first) == 2 and first["is_primary"].sum() == 1 and first["filepath"].nunique() == 1
    [path] = first["filepath"].unique()
    ids = identity.ids(versions.private(filmed.vault, "1.0.0"))
    assert path == f"data/videos/{ids.subject('sub-1')}/{ids.image('vid-1')}.mp4"
    assert (root / path).read_bytes() == FILMS["vid-1"][1]
    numbers = rows[["video_width", "video_height", "frames", "frame_rate", "seconds"]].drop_duplicates()
    assert numbers.values.tolist() == [[64, 48, 24, 9.6, 2.5]]
    entries = map(json.loads, (root / tree.MANIFEST).read_text().splitlines())
    assert [one["sha256"] for one in entries if one["media"] == "video/mp4" and one["path"] == path] == [
        hashlib.sha256(FILMS["vid-1"][1]).hexdigest()
    ]
    assert {"vid-1", "vid-2"} <= versions.index(filmed.vault, "1.0.0").keys()


def test_its_documents_tell_of_them(filmed):
    filmed.publish()
    texts = {
        path: " ".join(data.decode().split())
        for path, data in filmed.bytes_of("1.0.0").items()
        if path.endswith(("md", "json"))
    }
    said = texts["datasheet.md"]
    assert "**Are there videos?** 2 videos of 3 people, under `data/videos/`" in said
    assert "as far as they were found; that was so in 1 of the videos." in said
    assert "Of 2 videos delivered, these were left out: None." in said
    assert "The first version: 3 images and 2 videos." in texts["CHANGES.md"]
    assert "a row per video and subject" in texts["data/protocol/protocol.md"]
    assert "Photographs and videos of people" in texts["ro-crate-metadata.json"]
    filmed.videos = {}
    filmed.publish()
    assert "images and videos removed: 2" in filmed.bytes_of("2.0.0")["CHANGES.md"].decode()


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
def test_croissant_reads_their_table(filmed):
    filmed.publish()
    read = mlcroissant.Dataset(filmed.releases / "1.0.0/croissant.json")
    assert not read.metadata.ctx.issues.errors
    records = list(read.records("videos"))
    assert [one["videos/video_id"].decode() for one in records] == rows_of(filmed)["video_id"].tolist()
    assert {one["videos/seconds"] for one in records} == {2.5} and len(records) == 3
    assert {key.removeprefix("videos/") for key in records[0]} == set(videos.COLUMNS)


def test_its_seal_covers_each_video_and_each_row(filmed):
    filmed.publish()
    root = filmed.releases / "1.0.0"
    assert verify(root).problems == []
    records = [json.loads(line)["record"] for line in (root / leaves.NAME).read_bytes().splitlines()]
    assert [one["kind"] for one in records if one["path"].endswith(".mp4")] == ["video"] * 2
    assert sorted(one["row"] for one in records if one["path"] == videos.TABLE) == [0, 1, 2, 3]
    path = next(root.rglob("*.mp4"))
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-1] + b"*")
    told = {problem.where: problem.what for problem in verify(root).problems}
    assert told[path.relative_to(root).as_posix()] == "its sha256 differs from the signed one"


def test_without_videos_nothing_speaks_of_them(house):
    told = house.publish()
    assert not any("video" in name for name in told)
    of_rules = ("workflow/", "ro-crate", "manifest", "leaves")  # some rules are of videos
    texts = {path: data for path, data in house.bytes_of("1.0.0").items() if not path.startswith(of_rules)}
    assert [path for path, data in texts.items() if b"video" in data.lower()] == []


def test_versions_count_videos_and_link_those_that_stay(filmed):
    images = filmed.videos
    assert filmed.publish()["version"] == "1.0.0"
    assert filmed.publish()["version"] == "1.0.0"
    filmed.videos = {"vid-1": images["vid-1"]}
    gone = filmed.publish()
    assert (gone["version"], gone["removed"], gone["added"], gone["videos"]) == ("2.0.0", 1, 0, 1)
    assert not any(images["vid-2"].data in data for data in filmed.bytes_of("2.0.0").values())
    [left] = (filmed.releases / "2.0.0").rglob("*.mp4")
    assert left.stat().st_nlink == 2 and left.read_bytes() == images["vid-1"].data
    assert verify(filmed.releases / "2.0.0").problems == []
    filmed.videos = {"vid-1": images["vid-1"]._replace(painted=False)}
    assert (filmed.publish()["version"], rows_of(filmed, "2.0.1")["people_painted"].any()) == ("2.0.1", False)
    filmed.videos = {}
    last = filmed.publish()
    assert (last["version"], last["removed"]) == ("3.0.0", 1) and "videos" not in last


def test_no_video_is_linked_to_one_that_is_not_as_published(filmed):
    filmed.publish()
    path = next(path for path in (filmed.releases / "1.0.0").rglob("*.mp4") if path.stat().st_size > 99)
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-1] + b"*")
    path.chmod(0o444)
    filmed.videos["vid-3"] = filmed.videos["vid-2"]._replace(data=b"ftyp three")
    filmed.publish()
    made = {path.read_bytes(): path.stat().st_nlink for path in (filmed.releases / "1.1.0").rglob("*.mp4")}
    assert made == {FILMS["vid-1"][1]: 1, FILMS["vid-2"][1]: 2, b"ftyp three": 1}


def test_a_release_is_restored_with_its_videos(filmed):
    first = filmed.publish()
    whole = filmed.bytes_of("1.0.0")
    next((filmed.releases / "1.0.0").rglob("*.mp4")).unlink()
    assert filmed.publish() == first and filmed.bytes_of("1.0.0") == whole


def test_a_video_that_changed_since_it_was_proven_is_not_published(filmed, monkeypatch):
    real = bundle.Window.open
    monkeypatch.setattr(
        bundle.Window, "open", lambda self, mode="rb": real(self._replace(offset=self.offset + 1), mode)
    )
    with pytest.raises(AccordError, match="content does not match its sha256"):
        filmed.publish()
    assert [path.name for path in filmed.releases.iterdir() if not path.name.startswith(".")] == []
    assert versions.history(filmed.vault) == []


def test_a_run_that_is_killed_within_a_video_leaves_nothing_half(filmed, monkeypatch):
    class Killed(BaseException):
        pass

    def killed(target, chunks):
        if target.suffix != ".mp4":
            return real(target, chunks)

        def first():
            yield next(iter(chunks))[:100]
            raise Killed

        return real(target, first())

    real = tree._stream
    with monkeypatch.context() as patch:
        patch.setattr(tree, "_stream", killed)
        with pytest.raises(Killed):
            filmed.publish()
    assert versions.history(filmed.vault) == []
    assert filmed.publish()["version"] == "1.0.0"
    assert [path.name for path in filmed.releases.iterdir()] == ["1.0.0"]
    assert verify(filmed.releases / "1.0.0").problems == []


def test_videos_whose_gates_nobody_checked_are_not_published(filmed, monkeypatch):
    given_, passed = filmed.of_videos()
    monkeypatch.setattr(filmed, "of_videos", lambda shards: (given_, passed.iloc[:1]))
    with pytest.raises(AccordError, match="gate video_proof: was not checked"):
        filmed.publish()
    with pytest.raises(AccordError, match="gate video_consent: was not checked"):
        gates.must_pass(passed.iloc[1:], video_gatekeepers.GATES)


def test_a_video_that_passes_and_lies_in_no_shard_is_told(filmed, monkeypatch):
    given_, passed = filmed.of_videos()
    lost = {"public_videos": given_["public_videos"][:1], "video_files": given_["video_files"][:1]}
    monkeypatch.setattr(filmed, "of_videos", lambda shards: (given_ | lost, passed))
    with pytest.raises(AccordError, match=r"1 video\(s\) passed, but no shard has them"):
        filmed.publish()
    assert not filmed.releases.exists()


def test_a_large_video_is_never_held_whole(filmed, monkeypatch):
    asked = []
    real = bundle._Section.readinto

    def noted(self, buffer):
        asked.append(len(buffer))
        return real(self, buffer)

    monkeypatch.setattr(bundle._Section, "readinto", noted)
    large = filmed.videos["vid-1"]._replace(data=b"ftyp" + bytes(5 * tree.PIECE))
    filmed.videos = {"vid-1": large}
    filmed.publish()
    assert max(asked) <= tree.PIECE
    [path] = (filmed.releases / "1.0.0").rglob("*.mp4")
    assert path.stat().st_size == len(large.data)


def test_revoked_leaves_take_the_video_and_its_rows_alone(filmed):
    filmed.publish()
    root = filmed.releases / "1.0.0"
    video = identity.ids(versions.private(filmed.vault, "1.0.0")).image("vid-1")
    lines = (root / leaves.NAME).read_bytes().splitlines()
    fallen = [leaves.parse(line).hash for line in lines if video.encode() in line]
    assert len(fallen) == 3  # the file and a row for each of its two people
    prune(root, revocations.revoke(verify(root).statement, fallen, signing.signing_key(filmed.vault)))
    assert (verify(root).problems, verify(root).erased) == ([], 3)
    assert [path.read_bytes() for path in root.rglob("*.mp4")] == [FILMS["vid-2"][1]]
    left = rows_of(filmed)
    assert len(left) == 1 and video not in (root / videos.TABLE).read_text()
    assert all(isinstance(ast.literal_eval(str(one)), bool) for one in left["people_painted"])


def test_exports_leave_videos_out_and_say_so(filmed, tmp_path, capsys):
    filmed.publish()
    release, out = filmed.releases / "1.0.0", tmp_path / "out"
    assert command.main(["export", "coco", str(release), str(out), "--vault", str(filmed.vault)]) == 0
    assert "2 videos of the release left out: coco exports hold images" in capsys.readouterr().out
    assert list(out.rglob("*.mp4")) == []


def test_a_diff_knows_videos_by_their_bytes(filmed, tiny):
    filmed.publish()
    filmed.videos = {"vid-2": filmed.videos["vid-2"], "vid-3": tiny.Video(("sub-4",), b"ftyp three")}
    filmed.publish()
    told = diff.diff(filmed.releases / "1.0.0", filmed.releases / "2.0.0", filmed.vault)["counts"]
    assert told["video"] == {"before": 2, "after": 2, "kept": 1, "removed": 1, "added": 1, "changed": None}
    assert told["whole images and videos"] == {
        "before": 5,
        "after": 5,
        "kept": 4,
        "removed": 1,
        "added": 1,
        "changed": 0,
    }


def test_an_audit_holds_videos_against_the_private_index(filmed):
    told = filmed.publish()
    root = filmed.releases / "1.0.0"
    held, checks = index.read(root, filmed.vault, "1.0.0")
    assert held.videos == {"vid-1", "vid-2"} and held.live == held.images == {*filmed.videos, "img-1", "img-2", "img-3"}
    assert [check.verdict for check in checks] == ["pass", "pass"] and "5 indexed images and videos" in checks[0].what
    of_index = {"images": len(held.images - held.videos), "videos": len(held.videos)}
    [counts] = histories.against_counts(told, of_index)
    assert counts.what == "2 counts match the release"
    [wrong] = histories.against_counts(told | {"videos": 3}, of_index)
    assert (wrong.verdict, wrong.what) == ("fail", "has 2 videos, the history 3")
    path = versions.private(filmed.vault, "1.0.0") / versions.INDEX
    keep_private(path, json.dumps({k: v for k, v in json.loads(path.read_text()).items() if k != "vid-1"}).encode())
    _, [strange, _] = index.read(root, filmed.vault, "1.0.0")
    assert strange.what == "3 leaves belong to images that are not in the index"


def test_an_audit_reads_the_gates_of_videos_too(tmp_path):
    folder = tmp_path / "release"
    (folder / "videos").mkdir(parents=True)
    for name, gate, verdict in (("gates", "consent", "pass"), ("videos/gates", "video_proof", "fail")):
        table.write(table.rows([(gate, 1.0, 0.0, verdict, "", 1, 1)], Gates), Gates, folder / f"{name}.parquet")
    [told] = recorded_gates.checks(tmp_path)
    assert (told.verdict, told.where) == ("fail", "video_proof")


def test_a_release_has_the_same_bytes_however_many_shards_its_videos_come_from(filmed, tmp_path, shards, tiny):
    filmed.publish()
    whole = filmed.bytes_of("1.0.0")
    for count in (1, 3):
        other = tiny.House(tmp_path / str(count), shards)
        shutil.copytree(filmed.vault, other.vault, ignore=shutil.ignore_patterns(versions.HISTORY, "log"))
        other.videos = filmed.videos
        other.publish(shards=count)
        found = other.bytes_of("1.0.0")
        assert {path for path in found.keys() | whole if found.get(path) != whole.get(path)} == set()


@pytest.mark.parametrize("damage", ["changed", "cut", "writable"])
def test_a_damaged_video_is_written_again_and_no_other(filmed, damage):
    filmed.publish()
    whole = filmed.bytes_of("1.0.0")
    path, other = sorted((filmed.releases / "1.0.0").rglob("*.mp4"))
    kept = other.stat().st_ino
    path.chmod(0o644)
    if damage != "writable":
        path.write_bytes(path.read_bytes()[:-1] + (b"*" if damage == "changed" else b""))
        path.chmod(0o444)
    filmed.publish()
    assert filmed.bytes_of("1.0.0") == whole
    assert (path.stat().st_mode & 0o777, other.stat().st_ino) == (0o444, kept)
