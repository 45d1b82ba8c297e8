"""Bundles give back the bytes that were put in, or say that they can't."""

import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord import shards
from accord.errors import AccordError, Problem, all_problems
from accord.imaging import bundle
from accord.imaging.bundle import BundleWriter


@given(contents=st.lists(st.binary(max_size=1500), max_size=6))
def test_members_are_found_by_offset(tmp_path_factory, contents):
    path = tmp_path_factory.mktemp("b") / "images.tar"
    with BundleWriter(path) as writer:
        members = [writer.add(f"{i}.bin", data) for i, data in enumerate(contents)]
    assert [bundle.read(path, member) for member in members] == contents
    with tarfile.open(path) as tar:
        assert [tar.extractfile(name).read() for name in tar.getnames()] == contents


def test_a_flipped_byte_is_noticed(tmp_path):
    path = tmp_path / "images.tar"
    with BundleWriter(path) as writer:
        member = writer.add("a.bin", b"content")
    data = bytearray(path.read_bytes())
    data[member.offset] ^= 1
    path.write_bytes(data)
    with pytest.raises(AccordError, match=r"a\.bin: content does not match its sha256"):
        bundle.read(path, member)


def test_ids_don_t_confuse_their_parts():
    assert shards.opaque_id("ab", "c") != shards.opaque_id("a", "bc")


def test_all_problems_are_told_at_once():
    with pytest.raises(AccordError) as error, all_problems() as problems:
        problems.add("a.csv", "is missing", "send it")
        problems.append(Problem("b.csv", "is empty"))
    assert str(error.value) == "2 problems found\n  - a.csv: is missing\n    hint: send it\n  - b.csv: is empty"


def test_paths_are_named_from_the_working_folder(tmp_path, monkeypatch):
    from accord.engine.provenance import portable

    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert portable(Path("a/b")) == "a/b"
    assert portable(tmp_path / "other" / "ledger") == "../other/ledger"
    # The local copy of an object in a bucket is called as the object, so that both runs write the same bytes.
    assert portable(Path(".snakemake/storage/s3/bucket/results/a.parquet")) == "results/a.parquet"
    assert portable(tmp_path / "here/.snakemake/storage/s3/bucket/results/a.parquet") == "results/a.parquet"
    assert portable(Path("a/.snakemake/storage/s3/bucket/b")) == "a/.snakemake/storage/s3/bucket/b"
