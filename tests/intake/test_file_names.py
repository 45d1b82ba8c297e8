"""Files whose names the disk spells in other Unicode forms than the tables: read, sealed, backed up and erased."""

import os
import time

import pytest

from accord.delivery import command
from accord.delivery.making import seal
from accord.errors import AccordError
from accord.imaging.bundle import Member
from accord.intake.delivered import delivery, digests, file_names, files
from accord.intake.delivered.files import FileRefusedError
from accord.intake.delivered.records import Records
from accord.intake.reading import images
from accord.intake.redacting import redact
from accord.shards import opaque_id

NFC, NFD = "images/Zo\u00eb.jpg", "images/Zoe\u0308.jpg"


def refusals(root):
    records = Records()
    images.collect(delivery.load(root), records, 1_000_000, lambda name, data: Member(name, 0, len(data), "0" * 64))
    return [(row.item, row.reference, row.check, row.reason) for row in sorted(records.refused)]


@pytest.fixture
def spelled(maker):
    """A delivery whose table names the picture of bob alone in one form; writes it, with the file in another."""

    def write(table, disk):
        maker.files[table] = maker.files.pop("images/IMG_3.jpg")
        maker.row("images.csv", image="IMG_3")["file"] = table
        root = maker.write()
        (root / table).rename(root / disk)
        return root

    return write


@pytest.mark.parametrize(("table", "disk"), [
    (NFC, NFD), (NFD, NFC), (NFC, NFC),
    ("images/\u00e9\u00e8.jpg", "images/e\u0301\u00e8.jpg"), ("images/Å.jpg", "images/\u212b.jpg"),
    ("images/한.jpg", "images/\u1112\u1161\u11ab.jpg"),
    ("images/a.jpg", "images/a.jpg "), ("images/ab.jpg", "images/\uff41b.jpg"),
])  # fmt: skip
def test_a_file_is_found_in_any_spelling(spelled, table, disk):
    root = spelled(table, disk)
    assert refusals(root) == []
    assert seal.seal(root) > 0 and seal.unnamed(root) == []
    assert command.check(root).valid
    redact.redact(root, opaque_id("acme", "bob"))
    assert [path.name for path in (root / "images").iterdir()] == ["IMG_1.jpg"]


def test_folders_are_found_in_any_spelling(maker):
    for name in list(maker.files):
        if name.startswith("forms/"):
            maker.files[name.replace("forms/", "f\u00f6rms/")] = maker.files.pop(name)
    for row in maker.tables["forms.csv"]:
        row["file"] = row["file"].replace("forms/", "f\u00f6rms/")
    root = maker.write()
    (root / "f\u00f6rms").rename(root / "fo\u0308rms")
    assert command.check(root).valid
    told = redact.redact(root, opaque_id("acme", "bob"))
    assert told.files["form"] == 2 and not list(root.rglob("*-bob.txt"))


def test_two_files_of_one_name_are_refused_and_neither_is_read(spelled):
    root = spelled(NFC, NFD)
    (root / NFC).write_bytes((root / "images/IMG_1.jpg").read_bytes())
    reason = "several files have this name, in different Unicode spellings"
    assert refusals(root) == [("image", "IMG_3", "name", reason)]
    with pytest.raises(
        AccordError, match=rf"images.csv, column file: {reason}\n    line 4: .*\n    hint: rename all but one of them"
    ):
        seal.seal(root)


@pytest.mark.parametrize("disk", ["images/BOB.JPG", "images/bob .jpg", "images/Bob.jpg"])
def test_a_file_whose_name_is_near_is_not_taken_but_told(spelled, disk):
    root = spelled("images/bob.jpg" if " " not in disk else "images/bob  .jpg", disk)
    reason = "the file does not exist: one whose name differs only in case, blanks or leading zeros does"
    assert refusals(root) == [("image", "IMG_3", "missing_file", reason)]


def test_a_link_in_another_spelling_is_no_file(spelled):
    root = spelled(NFC, NFD)
    (root / NFD).rename(root / "images/there.jpg")
    (root / NFD).symlink_to("there.jpg")
    assert refusals(root) == [("image", "IMG_3", "path", "the path goes through a link or a file")]


def test_digests_see_the_file_in_any_spelling(spelled):
    root = spelled(NFC, NFC)
    before = digests.read([str(root)], 4).digests
    (root / NFC).rename(root / NFD)
    assert digests.read([str(root)], 4).digests == before
    (root / NFD).unlink()
    assert digests.read([str(root)], 4).digests != before


def test_a_folder_is_listed_once(tmp_path, monkeypatch):
    for number in range(50):
        (tmp_path / f"\u00eb{number}.jpg").write_bytes(b"x")
    os.utime(tmp_path, (time.time() - 60,) * 2)  # long ago
    listed, listdir = [], os.listdir
    monkeypatch.setattr(file_names.os, "listdir", lambda at: listed.append(at) or listdir(at))
    for number in range(50):
        assert files.read(tmp_path, f"e\u0308{number}.jpg", 10) == b"x"
        with pytest.raises(FileRefusedError):
            files.read(tmp_path, f"none{number}.jpg", 10)
    assert len(listed) == 1
    (tmp_path / "new\u00eb.jpg").write_bytes(b"y")
    assert files.read(tmp_path, "newe\u0308.jpg", 10) == b"y"
