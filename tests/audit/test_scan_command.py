"""`accord scan` as people run it: its dossier, what it prints, its exit code, its limits."""

import gzip
import io
import json
import os
import zipfile
import zlib
from hashlib import sha256
from importlib import import_module
from time import process_time

import numpy as np
import pandas as pd
import pytest

from accord.erase import scan_command
from accord.errors import AccordError
from accord.imaging.bundle import BundleWriter
from accord.release.seal.identity import Ids
from accord.scan import progress
from accord.scan.dossier import FILE, IMAGE, REFERENCE, RELEASED, SUBJECT, Dossier, Value, load, save
from accord.scan.findings import Place
from accord.scan.inspection import Inspector
from accord.scan.limits import Limits, inflate
from accord.scan.planted import picture_leaks
from accord.scan.walk import walk
from accord.shards import opaque_id

WHO = ["--vendor", "acme", "--subject", "P 0001"]
THEIRS, OTHER = opaque_id("acme", "2026-01", "IMG_1"), opaque_id("acme", "2026-01", "IMG_2")
SUBJECTS = {THEIRS: opaque_id("acme", "P 0001"), OTHER: opaque_id("acme", "P 0002")}
PICTURES = {image: picture_leaks.made_up(np.random.default_rng(seed)) for seed, image in enumerate((THEIRS, OTHER))}
SECRET = bytes(range(32))
NAMED = {"bz2": "bzip2", "lzma": "xz"}
"""What the scan calls what Python's modules pack."""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of two people, one image each, in one release."""
    monkeypatch.chdir(tmp_path)
    shard, vault = tmp_path / "results/intake/00", tmp_path / "vault/releases/1.0.0"
    shard.mkdir(parents=True)
    vault.mkdir(parents=True)
    with BundleWriter(shard / "images.tar") as tar:
        members = {image: tar.add(f"{image}.png", picture_leaks.encoded(PICTURES[image])) for image in SUBJECTS}
    images = [{"image": i, "source": f"IMG_0000{n}", **m._asdict()} for n, (i, m) in enumerate(members.items(), 1)]
    pd.DataFrame(images).to_parquet(shard / "images.parquet")
    pd.DataFrame([{"image": i, "subject": s} for i, s in SUBJECTS.items()]).to_parquet(shard / "people.parquet")
    (vault / "secret").write_bytes(SECRET)
    (vault / "images.json").write_text(json.dumps({image: [sha256(image.encode()).hexdigest()] for image in SUBJECTS}))
    return tmp_path


def scan(capsys, *more):
    """The exit code, the document, and all that was printed."""
    code = scan_command.main([*WHO, *more, "--json"])
    printed = capsys.readouterr().out
    return code, json.loads(printed), printed


def test_a_dossier_outlives_what_it_was_made_from(project, capsys):
    assert scan_command.main([*WHO, "--keep-dossier", "vault/p.npz"]) == 0
    kept = load(project / "vault/p.npz")
    assert (project / "vault/p.npz").stat().st_mode & 0o077 == 0
    assert {value.text for value in kept.values if value.kind in (SUBJECT, IMAGE)} == {SUBJECTS[THEIRS], THEIRS}
    ids = Ids(SECRET)
    assert {v.text for v in kept.values if v.kind == RELEASED} == {ids.subject(SUBJECTS[THEIRS]), ids.image(THEIRS)}
    assert {v.text for v in kept.values if v.kind == REFERENCE} == {"P 0001", "IMG_00001"}
    assert Value(FILE, sha256(THEIRS.encode()).hexdigest()) in kept.values
    assert not any(OTHER in value.text for value in kept.values)
    capsys.readouterr()

    (project / "clean").mkdir()
    (project / "clean/other.png").write_bytes(picture_leaks.encoded(PICTURES[OTHER]))
    (project / "clean/log").write_text(f"{OTHER} IMG_00002 P 00012 P 0002")
    assert scan(capsys, "--dossier", "vault/p.npz", "--in", "clean")[0] == 0
    (project / "clean/crop.jpg").write_bytes(picture_leaks.encoded(PICTURES[THEIRS][30:230, 40:300], "JPEG"))
    code, document, _ = scan(capsys, "--dossier", "vault/p.npz", "--in", "clean")
    assert code == 1
    assert [(row["place"], row["kind"], row["how"]) for row in document["findings"]] == [
        ("clean/crop.jpg", "picture", "SIFT")
    ]


def test_the_usual_folders_are_searched_and_nothing_personal_is_printed(project, capsys):
    (project / "logs" / THEIRS).mkdir(parents=True)
    (project / "logs" / THEIRS / "IMG_00001 P 0001.log").write_text("")
    code, document, printed = scan(capsys)
    assert code == 1
    places = {row["place"] for row in document["findings"]}
    expected = {"logs/*", "logs/*/* *.log", "results/intake/00/images.tar", "vault/releases/1.0.0/images.json"}
    assert expected <= places
    members = {row["inside"] for row in document["findings"] if row["place"].endswith(".tar")}
    assert members == {"", "*.png"}
    ids = Ids(SECRET)
    private = ("P 0001", "IMG_00001", THEIRS, SUBJECTS[THEIRS], ids.image(THEIRS), sha256(THEIRS.encode()).hexdigest())
    assert not [value for value in private if value in printed]
    inodes = {row["inode"] for row in document["findings"] if row["place"] == "logs/*"}
    assert inodes == {(project / "logs" / THEIRS).stat().st_ino}
    scan_command.main(WHO)
    assert not [value for value in private if value in capsys.readouterr().out]


def test_progress_is_told_apart_from_the_answer_and_names_nobody(project, capsys):
    """All files are counted as the walk meets them; lines are few, and come in the middle of a file as well."""
    (project / "P 0001").mkdir()
    for number in range(30):
        (project / "P 0001" / f"{number}.txt").write_text(f"{number}")
    (project / "P 0001/link").symlink_to("1.txt")
    told, clock = [], iter(range(1_000))
    shown = progress.Progress(told.append, lambda: next(clock))
    inspector = Inspector(dossier("S-0009"), Limits(), shown.thing)
    assert walk([project / "P 0001", project / "results"], inspector, progress=shown) == 33
    assert told[:3] == [
        "33 files in 2 folders",
        "folder 1 of 2: 9 of 30 files; 10 things searched in 10 s",
        "folder 1 of 2: 19 of 30 files; 20 things searched in 20 s",
    ]
    assert len(told) < 8
    scan_command.main([*WHO, "--in", "P 0001", "--json"])
    printed = capsys.readouterr()
    assert json.loads(printed.out)["files"] == 30
    assert printed.err == "accord scan: 30 files in 1 folder\n"


def test_what_cannot_be_looked_into_is_told_and_is_not_called_clean(project, capsys):
    (project / "d").mkdir()
    kept = str(project / "vault/another.npz")
    save(dossier("S-0009"), project / kept, project)
    locked = io.BytesIO()
    with zipfile.ZipFile(locked, "w") as archive:
        archive.writestr("P 0001", "b")
    data = bytearray(locked.getvalue())
    data[data.index(b"PK\x01\x02") + 8] |= 1  # the flag that says that a member is encrypted
    (project / "d/locked.zip").write_bytes(data)
    (project / "d/cut.png").write_bytes(picture_leaks.encoded(PICTURES[OTHER])[:2_000])
    (project / "d/film.mp4").write_bytes(b"\0\0\0\x20ftypisom")
    (project / "d/still.heic").write_bytes(b"\0\0\0\x20ftypheic")
    assert scan(capsys, "--in", "d")[0] == 1
    code, document, _ = scan(capsys, "--in", "d", "--dossier", kept)
    assert code == 3
    assert {(place, reason) for place, _, reason in document["gaps"]} == {
        ("d/locked.zip", "1 encrypted member(s)"),
        ("d/cut.png", "a damaged image (OSError); searched as raw bytes"),
        ("d/film.mp4", "a damaged video (VideoRefusedError); searched as raw bytes"),
        ("d/still.heic", "a format that can't be opened; searched as raw bytes"),
    }


def test_errors_have_hints_and_no_values(project, tmp_path):
    with pytest.raises(AccordError, match="--in: folder 2 does not exist"):
        scan_command.main([*WHO, "--in", "results", "P 0001"])
    with pytest.raises(AccordError, match=r"can't be read .*\n    hint: create it with --keep"):
        scan_command.main([*WHO, "--dossier", "results/intake/00/images.parquet"])
    with pytest.raises(AccordError, match="outside the vault\n    hint: give a path under vault"):
        scan_command.main([*WHO, "--keep-dossier", "results/p.npz"])


def dossier(*values):
    return Dossier(frozenset(Value(REFERENCE, value) for value in values), (), {})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("IMG_12", True), ("of IMG_12.", True), ("img_12", True), ("%20IMG_12%20", True), (r"a\nIMG_12", True),
        ("IMG_123", False), ("XIMG_12", False), ("IMG_1", False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be"])
def test_a_reference_is_found_whole_only(text, found, codec):
    inspector = Inspector(dossier("IMG_12"))
    inspector.content(f"<{text}>".encode(codec), Place("x"))
    assert bool(inspector.findings) == found


def test_short_references_are_not_sought():
    inspector = Inspector(dossier("P1", "123456"))
    inspector.content(b"P1 123456", Place("x"))
    assert inspector.findings == []


def test_a_bomb_and_a_deep_nest_end_in_gaps(tmp_path):
    bomb = gzip.compress(bytes(60_000_000))
    nest = b"S-0001"
    for _ in range(12):
        nest = gzip.compress(nest)
    inspector = Inspector(dossier("S-0001"), Limits(opened=10_000_000))
    for name, data in (("bomb", bomb), ("nest", nest)):
        inspector.content(data, Place(name))
    assert [(gap.place.path, gap.reason) for gap in inspector.gaps] == [
        ("bomb", "expands to more bytes than the limit"),
        ("nest", "containers are nested deeper than the limit"),
    ]


@pytest.mark.parametrize("codec", ["gzip", "bz2", "lzma", "zlib"])
def test_what_lies_deep_in_a_compressed_file_is_found(codec):
    module, far = import_module(codec), np.random.default_rng(0).bytes(1_500_000)
    streams = {"one": module.compress(far + b" S-0001"), "two": module.compress(far) + module.compress(b"S-0001 ")}
    for name, data in {**streams, "and more": streams["two"] + b"behind"}.items():
        inspector = Inspector(dossier("S-0001"))
        inspector.content(data, Place(name))
        assert (NAMED.get(codec, codec),) in [finding.place.inside for finding in inspector.findings]


def test_many_small_streams_are_inflated_in_time_that_grows_with_their_size():
    one = gzip.compress(np.random.default_rng(0).bytes(4_000), 1)
    start = process_time()
    chunks = inflate(lambda: zlib.decompressobj(wbits=31), memoryview(one * 8_000))
    assert sum(map(len, chunks)) == 8_000 * 4_000
    assert process_time() - start < 2  # copying what follows, for each stream, takes some 10 s


def test_links_pipes_and_hard_links(tmp_path):
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "a").write_text("S-0001")
    (inside / "link").symlink_to(outside)
    os.mkfifo(inside / "pipe")
    (inside / "b").write_text("S-0001")
    (inside / "c").hardlink_to(inside / "b")
    inspector = Inspector(dossier("S-0001"))
    assert walk([inside], inspector) == 1
    # Looked at once, and told under each of its names: deleting one of them leaves the file.
    assert [finding.place.path for finding in inspector.findings] == [str(inside / "b"), str(inside / "c")]
    assert inspector.gaps == []


def test_a_gap_is_told_under_each_name_of_a_file(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(60_000_000)))
    (tmp_path / "b.gz").hardlink_to(tmp_path / "a.gz")
    inspector = Inspector(dossier("S-0001"), Limits(opened=10_000_000))
    assert walk([tmp_path], inspector) == 1
    assert [gap.place.path for gap in inspector.gaps] == [str(tmp_path / name) for name in ("a.gz", "b.gz")]


def test_a_saved_dossier_is_the_same(tmp_path):
    person = picture_leaks.person(np.random.default_rng(5))
    made = person.dossier()
    save(made, tmp_path / "d.npz", tmp_path)
    again = load(tmp_path / "d.npz")
    assert again.values == made.values and again.counts() == made.counts()
    for one, other in zip(made.prints, again.prints, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
