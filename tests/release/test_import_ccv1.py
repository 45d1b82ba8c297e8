"""Reading archives of Casual Conversations: small ones in its format, written here."""

import json

import pytest

from accord import shards
from accord.errors import AccordError
from accord.release import describe_archive, import_ccv1
from video_cases import entry, write_annotations

FIRST = [f"A/0001/0001_0{take}.MP4" for take in range(4)]


def taken_in(root, tmp_path, count=1, terms=None):
    """Imported of each shard of an archive."""
    named = [(name, tmp_path / f"{name}.tar") for name in shards.names(count)]
    return [import_ccv1.run(root, shard=n, shards=count, terms=terms or {}, files=files) for n, files in named]


def archive(root, people, there=True):
    for video in {one for told in people.values() for one in told["files"]} if there else ():
        (root / video).parent.mkdir(parents=True, exist_ok=True)
        (root / video).write_bytes(b"video")
    return write_annotations(root, people)


@pytest.fixture
def root(tmp_path):
    """A woman with four videos, one in the dark; somebody who said nothing, with one."""
    nothing = entry(["A/0002/0002_00.mp4"], age="N/A", gender="N/A", skin="N/A")
    return archive(tmp_path / "CC", {"0001": entry(FIRST, FIRST[2:3]), "0002": nothing})


def said(read, video):
    some = read.attributes[read.attributes["image"] == video]
    return dict(zip(some["attribute"], zip(some["value"], some["annotator"], strict=True), strict=True))


def test_a_small_archive_by_hand(root, tmp_path):
    [read] = taken_in(root, tmp_path)
    people = read.people.set_index("image")
    assert people["subject"].to_dict() == dict.fromkeys(FIRST, "0001") | {"A/0002/0002_00.mp4": "0002"}
    assert people["is_primary"].all() and people["face_x"].isna().all()
    assert people.loc[FIRST[0], "age"] == 31 and people["age"].isna().sum() == 1
    by = "annotators"
    assert said(read, FIRST[2]) == {"lighting": ("dark", by), "gender": ("female", ""), "fitzpatrick": ("V", by),
                                    "skin": ("dark", by), "skin_halves": ("darker", by)}  # fmt: skip
    assert said(read, "A/0002/0002_00.mp4") == {"lighting": ("bright", by), "gender": ("unknown", "")}
    assert len(read.derivatives) == 0 and set(read.public["image"]) == set(people.index)
    assert read.terms[["train", "external"]].to_numpy().tolist() == [[False, False]] * 5


def test_the_mini_set_has_the_dark_video_and_a_bright_one(root, tmp_path):
    [read] = taken_in(root, tmp_path)
    mini = read.videos[read.videos["mini"]]
    assert mini.groupby("subject")["lighting"].agg(sorted).to_dict() == {"0001": ["bright", "dark"], "0002": ["bright"]}
    assert read.videos["bytes"].eq(5).all() and len(read.videos) == 5


def test_somebody_is_in_one_shard_with_every_video(root, tmp_path):
    whole = taken_in(root, tmp_path, count=8)
    for name, read in zip(shards.names(8), whole, strict=True):
        here = {subject for subject in ("0001", "0002") if shards.shard_of(subject, 8) == name}
        for table in ("people", "attributes", "videos", "public"):
            assert set(getattr(read, table)["subject"]) == here
    assert sum(read.videos["mini"].sum() for read in whole) == 3


def test_training_is_forbidden_whatever_is_stated(root, tmp_path):
    with pytest.raises(AccordError, match=r"terms\.train: is true, but the licence of Casual Conversations forbids it"):
        taken_in(root, tmp_path, terms={"train": True})
    [read] = taken_in(root, tmp_path, terms={"external": True})
    assert read.terms["external"].all() and not read.terms["train"].any()


def test_everything_that_is_wrong_in_the_annotations_is_told_at_once(tmp_path):
    people = {
        "0001": entry(["../secret.mp4", "/etc/passwd.mp4", "A/./x.mp4", "a\\b.mp4", "C:/x.mp4", "A/x.avi", "A/ok.mp4"]),
        "0002": entry(["A/1.mp4", "A/1.mp4"]),
        "0003": entry(["A/ok.mp4"]),
        "0004": entry([]),
        "0005": entry(["A/5.mp4"], ["A/6.mp4"]),
        "0006": entry(["A/7.mp4"], skin="7"),
        "": entry(["A/8.mp4"]),
        "0008": {"label": {}, "files": "A/9.mp4"},
    }
    with pytest.raises(AccordError) as caught:
        taken_in(write_annotations(tmp_path / "CC", people), tmp_path)
    told = str(caught.value)
    assert told.startswith("8 problems found")
    for place, what in (
        (1, "lists 6 videos that are no plain path to an mp4"),
        (2, "lists 1 videos more than once"),
        (3, "lists 1 videos of somebody before"),
        (4, "has no videos"),
        (5, "lists dark_files that are not among its files"),
        (6, "has a skin-type that is not one of 1 to 6"),
        (7, "has a number that is empty, unprintable or too long"),
        (8, "has no label, files and dark_files"),
    ):
        assert f"CasualConversations.json, entry {place}: {what}" in told
    assert "secret" not in told and "0001:" not in told


def test_every_video_that_is_not_there_is_told_and_no_link_is_followed_out(tmp_path):
    root = archive(tmp_path / "CC", {"0001": entry(FIRST)})
    (root / FIRST[0]).unlink()
    (root / FIRST[1]).write_bytes(b"")
    (tmp_path / "private.mp4").write_bytes(b"private")
    (root / FIRST[2]).unlink()
    (root / FIRST[2]).symlink_to(tmp_path / "private.mp4")
    with pytest.raises(AccordError) as caught:
        taken_in(root, tmp_path)
    told = str(caught.value)
    assert told.startswith("3 problems found")
    for place, what in ((1, "is missing"), (2, "is empty"), (3, "is outside the archive")):
        assert f"entry 1, video {place}: {what}" in told


@pytest.mark.parametrize("text", ["[]", "{", '{"0001": 1e999}', "[" * 100_000, "\x00"])
def test_what_is_no_json_of_people_is_told(tmp_path, text):
    (tmp_path / "CasualConversations.json").write_text(text)
    with pytest.raises(AccordError, match=r"CasualConversations\.json"):
        taken_in(tmp_path, tmp_path)


def test_somebody_who_is_in_the_annotations_twice_is_told(tmp_path):
    one, other = (json.dumps(entry([name])) for name in FIRST[:2])
    (tmp_path / "CasualConversations.json").write_text(f'{{"0001": {one}, "0001": {other}}}')
    with pytest.raises(AccordError, match="json: has a key twice in one object") as caught:
        taken_in(tmp_path, tmp_path)
    assert "0001" not in str(caught.value)


def test_a_folder_that_is_no_archive_is_told(tmp_path):
    with pytest.raises(AccordError, match=r"release\.archive\.path: has no CasualConversations\.json"):
        taken_in(tmp_path, tmp_path)


def test_an_archive_is_described_as_a_release(root, tmp_path):
    [read] = taken_in(root, tmp_path)
    described = describe_archive.run(read.people, read.derivatives, archive=root, format="ccv1")
    assert (described.release["dataset"], described.release["images"], described.release["subjects"]) == ("ccv1", 5, 2)
    assert described.verdicts["verdict"].eq("pass").all() and len(described.verdicts) == 5


def test_of_whoever_is_taken_out_of_the_archive_no_row_is_left(root, tmp_path):
    people = {"0002": entry(["A/0002/0002_00.mp4"])}
    [read] = taken_in(write_annotations(root, people), tmp_path)
    for name, table in read._asdict().items():
        columns = {"image", "subject", "video"} & set(table.columns)
        assert not any(table[column].astype(str).str.contains("0001").any() for column in columns), name
