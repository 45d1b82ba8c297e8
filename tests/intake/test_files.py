"""Files of a delivery: attacks by path, link and size."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.intake.delivered import files
from accord.intake.delivered.files import FileRefusedError


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "delivery"
    (folder / "images").mkdir(parents=True)
    (folder / "images/a.jpg").write_bytes(b"inside")
    (tmp_path / "secret").write_bytes(b"outside")
    return folder


def refusal(root, path, limit=100):
    with pytest.raises(FileRefusedError) as caught:
        files.read(root, path, limit)
    return caught.value.check, str(caught.value)


def test_a_plain_file_is_read(root):
    assert files.read(root, "images/a.jpg", 6) == b"inside"


@pytest.mark.parametrize(
    "path",
    ["../secret", "images/../../secret", "/etc/passwd", "images/./a.jpg", "images//a.jpg", "images\\a.jpg", "a\0b",
     "./images/a.jpg", "images/a.jpg/", "x/" * 300],
)  # fmt: skip
def test_paths_that_could_lead_out_are_refused(root, path):
    assert refusal(root, path) == ("path", "the path is outside the delivery, or not a plain relative path")


def test_a_link_is_not_followed(root):
    (root / "images/link.jpg").symlink_to(root.parent / "secret")
    assert refusal(root, "images/link.jpg") == ("path", "the path goes through a link or a file")


def test_a_linked_folder_is_not_followed(root):
    (root / "more").symlink_to(root.parent)
    assert refusal(root, "more/secret") == ("path", "the path goes through a link or a file")


def test_a_link_within_the_delivery_is_not_followed_either(root):
    (root / "images/same.jpg").symlink_to("a.jpg")
    assert refusal(root, "images/same.jpg")[0] == "path"


def test_a_pipe_does_not_block(root):
    os.mkfifo(root / "images/pipe.jpg")
    assert refusal(root, "images/pipe.jpg") == ("path", "the path is not a regular file")


def test_a_folder_is_no_file(root):
    assert refusal(root, "images") == ("path", "the path is not a regular file")


def test_missing_files_and_missing_names_are_told_apart(root):
    assert refusal(root, "images/b.jpg") == ("missing_file", "the file does not exist")
    assert refusal(root, "") == ("missing_file", "no file is named")


def test_size_is_bounded(root):
    (root / "big").write_bytes(bytes(2 * files.MEBIBYTE + 1))
    assert refusal(root, "big", 2 * files.MEBIBYTE) == ("header", "the file is larger than 2 MiB")


@given(st.lists(st.sampled_from(["..", ".", "", "images", "a.jpg", "secret", "~", "link"]), min_size=1, max_size=6))
def test_no_path_reads_what_is_outside(tmp_path_factory, parts):
    folder = tmp_path_factory.getbasetemp() / "walk"
    (folder / "delivery/images").mkdir(parents=True, exist_ok=True)
    (folder / "delivery/images/a.jpg").write_bytes(b"inside")
    (folder / "secret").write_bytes(b"outside")
    if not (folder / "delivery/link").is_symlink():
        (folder / "delivery/link").symlink_to(folder)
    try:
        assert files.read(folder / "delivery", "/".join(parts), 100) == b"inside"
    except FileRefusedError as refused:
        assert refused.check in ("path", "missing_file")
