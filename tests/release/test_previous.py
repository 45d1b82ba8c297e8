"""Pictures that versions share: stored once, erased everywhere, verified in each."""

import errno
import os
import shutil
import subprocess
import uuid
from collections import Counter
from pathlib import Path

import pytest

from accord.files import attributes
from accord.release.erasing.prune import prune
from accord.release.seal import leaves, revocations
from accord.release.seal.verification import verify
from accord.release.tree import previous
from accord.release.tree.previous import Previous
from accord.release.tree.tree import MANIFEST, Tree, settle, unfinished
from accord.sealing import signing


@pytest.fixture(scope="module")
def made(tmp_path_factory, shards, tiny):
    """A house with two versions: the second has one image more."""
    house = tiny.House(tmp_path_factory.mktemp("made"), shards)
    house.publish({name: tiny.IMAGES[name] for name in ("img-1", "img-2")})
    house.publish()
    return house


@pytest.fixture
def two(made, tmp_path, shards, tiny):
    """A copy of it that may be changed, with its hard links."""
    subprocess.run(["cp", "-a", made.folder, tmp_path / "house"], check=True)
    return tiny.House(tmp_path / "house", shards)


def pictures(house, version: str) -> list[Path]:
    return sorted((house.releases / version).rglob("*.png"))


def inodes(paths: list[Path]) -> Counter:
    return Counter(path.stat().st_ino for path in paths)


def test_a_picture_that_is_the_same_is_stored_once(made):
    old, new = (inodes(pictures(made, version)) for version in ("1.0.0", "1.1.0"))
    assert old.keys() < new.keys() and len(old) > 4
    assert {*new.values()} == {1}  # within a version no file is another
    others = [path for path in (made.releases / "1.1.0").rglob("*") if path.is_file() and path.suffix != ".png"]
    assert {path.stat().st_nlink for path in others} == {1}
    assert all(verify(made.releases / version).problems == [] for version in ("1.0.0", "1.1.0"))


def test_a_version_has_the_same_bytes_whether_it_shares_pictures_or_not(two):
    linked = two.bytes_of("1.1.0")
    shutil.rmtree(two.releases / "1.0.0")
    shutil.rmtree(two.releases / "1.1.0")
    two.publish()
    assert {path.stat().st_nlink for path in pictures(two, "1.1.0")} == {1}
    assert two.bytes_of("1.1.0") == linked


PICTURES = {"a/x.png": b"one", "a/y.png": b"two", "b/x.png": b"one", "b/z.png": b"one"}


@pytest.fixture
def releases(tmp_path):
    """A version of four pictures, three of them the same, and a text."""
    write(tmp_path, "1.0.0", {**PICTURES, "x.txt": b"one"})
    return tmp_path


def write(
    releases: Path, version: str, files: dict[str, bytes], before: str = "", ids: dict[str, str] | None = None
) -> Path:
    """Write a version; returns its folder."""
    tree = Tree(unfinished(releases, version), Previous(releases / before, ids) if before else None)
    for path, data in files.items():
        tree.write(path, data)
    tree.close()
    settle(tree, releases / version)
    return releases / version


def shared(folder: Path) -> list[str]:
    """The files of a version that have other names."""
    found = [path for path in folder.rglob("*") if path.is_file() and path.stat().st_nlink > 1]
    return sorted(path.relative_to(folder).as_posix() for path in found)


def test_the_same_pictures_are_shared_and_texts_are_not(releases):
    new = {"a/y.png": b"two", "b/x.png": b"new", "b/z.png": b"one", "c/1.png": b"one", "x.txt": b"one"}
    folder = write(releases, "1.1.0", new, "1.0.0")
    assert shared(folder) == ["a/y.png", "b/z.png"]
    assert {path: (folder / path).read_bytes() for path in new} == new
    assert {(folder / path).stat().st_mode & 0o777 for path in new} == {0o444}
    without = write(releases / "alone", "1.1.0", new)
    assert (folder / MANIFEST).read_bytes() == (without / MANIFEST).read_bytes()


@pytest.mark.parametrize("number", [errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP])
def test_pictures_are_copied_where_they_can_not_be_linked(releases, monkeypatch, number):
    def refused(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(previous.os, "link", refused)
    folder = write(releases, "1.1.0", PICTURES, "1.0.0")
    assert shared(folder) == []
    assert {path: (folder / path).read_bytes() for path in PICTURES} == PICTURES


def test_a_name_is_not_given_twice(releases):
    tree = Tree(unfinished(releases, "1.1.0"), Previous(releases / "1.0.0"))
    tree.write("a.png", b"one")
    with pytest.raises(FileExistsError):
        tree.write("a.png", b"one")


def changed(path: Path) -> None:
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-1] + b"*")
    path.chmod(0o444)


def behind_a_link(path: Path) -> None:
    path.parent.rename(path.parent.with_name("moved"))
    path.parent.symlink_to("moved")


def to_a_link(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to("moved")


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o444)


def with_attributes(path: Path) -> None:
    path.chmod(0o644)
    try:
        os.setxattr(path, "user.note", b"Jane Doe")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    path.chmod(0o444)


DAMAGE = [changed, behind_a_link, to_a_link, a_pipe, with_attributes, Path.unlink, lambda path: path.chmod(0o644)]


@pytest.mark.parametrize("damage", DAMAGE)
def test_nothing_is_shared_with_a_picture_that_is_not_as_published(releases, damage):
    damage(releases / "1.0.0/a/y.png")
    folder = write(releases, "1.1.0", {"a/y.png": b"two"}, "1.0.0")
    made = folder / "a/y.png"
    assert made.is_file() and not made.is_symlink() and made.read_bytes() == b"two"
    assert (shared(folder), attributes(made), made.stat().st_mode & 0o777) == ([], [], 0o444)


def test_nothing_is_shared_with_a_picture_of_somebody_else(releases, monkeypatch):
    monkeypatch.setattr(previous.os, "geteuid", lambda: os.getuid() + 1)
    assert shared(write(releases, "1.1.0", PICTURES, "1.0.0")) == []


def test_a_picture_is_found_by_the_names_that_it_had(tmp_path):
    old, new = ([str(uuid.uuid4()) for _ in range(2)] for _ in range(2))
    before, now = ("data/{0}/{1}/faces_{1}_{0}.png".format(*ids) for ids in (old, new))
    write(tmp_path, "1.0.0", {before: b"one", f"data/{old[0]}/other.png": b"two"})
    names = dict(zip(new, old, strict=True))
    folder = write(tmp_path, "1.1.0", {now: b"one", f"data/{uuid.uuid4()}/other.png": b"two"}, "1.0.0", names)
    assert shared(folder) == [now]
    assert (folder / now).samefile(tmp_path / "1.0.0" / before)


def revocation(house, version: str, image: str) -> bytes:
    """The publisher's revocation of all that speaks of an image (its id in the release)."""
    folder = house.releases / version
    lines = (folder / leaves.NAME).read_bytes().splitlines()
    fallen = [leaves.parse(line).hash for line in lines if image.encode() in line]
    return revocations.revoke(verify(folder).statement, fallen, signing.signing_key(house.vault))


def test_pixels_leave_the_disk_with_the_last_version_that_is_pruned(two):
    path = pictures(two, "1.0.0")[0]
    same = next(other for other in pictures(two, "1.1.0") if other.samefile(path))
    with path.open("rb") as file:
        left = []
        for version, picture in (("1.0.0", path), ("1.1.0", same)):
            prune(two.releases / version, revocation(two, version, picture.parent.name))
            left.append(os.fstat(file.fileno()).st_nlink)
            assert not picture.exists()
            assert all(verify(two.releases / each).problems == [] for each in ("1.0.0", "1.1.0"))
    assert left == [1, 0]


def test_a_version_after_an_erasure_shares_what_is_left(two, tiny):
    shown = pictures(two, "1.1.0")[0]
    prune(two.releases / "1.1.0", revocation(two, "1.1.0", shown.parent.name))
    two.settings = tiny.SETTINGS | {"dataset": "other"}
    two.publish()
    left, new = inodes(pictures(two, "1.1.0")), inodes(pictures(two, "1.1.1"))
    assert left.keys() < new.keys()
    assert verify(two.releases / "1.1.1").problems == []


def test_tampering_with_a_shared_picture_is_found_in_each_version(two):
    path = next(path for path in pictures(two, "1.1.0") if path.stat().st_nlink == 2)
    changed(path)
    for version in ("1.0.0", "1.1.0"):
        (problem,) = [p for p in verify(two.releases / version).problems if p.where.endswith(".png")]
        assert problem.what == "its sha256 differs from the signed one"
    two.publish()  # the latest version is restored, from what it was made from
    assert verify(two.releases / "1.1.0").problems == []
    assert verify(two.releases / "1.0.0").problems != []
