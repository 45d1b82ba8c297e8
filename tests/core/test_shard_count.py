"""The number of shards follows the images of the first run, and stays for the life of a vault."""

import pytest

from accord.engine import shard_count
from accord.engine.shard_count import choose
from accord.shards import by_images


@pytest.mark.parametrize(
    ("images", "number"),
    [(1, 1), (21, 1), (100, 1), (101, 2), (428, 5), (1_600, 16), (8_000, 16), (8_001, 17), (10_318, 21),
     (1_000_000, 2_000), (10_000_000, 2_000)],
)  # fmt: skip
def test_the_number_follows_the_images(images, number):
    assert by_images(images) == number


@pytest.fixture
def config(tmp_path):
    def make(*counts, shards=None, archive=None):
        folders = []
        for number, count in enumerate(counts):
            folder = tmp_path / f"d{number}"
            folder.mkdir(exist_ok=True)
            (folder / "images.csv").write_text("image,file\n" + "".join(f"{n},f\n" for n in range(count)))
            folders.append(str(folder))
        vault = str(tmp_path / "vault")
        return {"shards": shards, "vault": vault, "intake": {"deliveries": folders}, "release": {"archive": archive}}

    return make


def test_the_first_run_decides_and_later_deliveries_change_nothing(config, tmp_path):
    assert choose(config(150), keep=False) == 2
    assert not (tmp_path / "vault").exists()
    assert choose(config(150), keep=True) == 2
    assert (tmp_path / "vault").stat().st_mode & 0o777 == 0o700
    assert choose(config(150, 900), keep=True) == choose(config(), keep=True) == 2
    assert choose(config(150, shards=7), keep=True) == 7


def test_projects_of_before_keep_what_they_had(config, tmp_path):
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / shard_count.LEDGER).write_bytes(b"")
    assert choose(config(150), keep=True) == 64


def test_without_deliveries_nothing_is_decided(config, tmp_path):
    assert choose(config(), keep=True) == choose(config(150, archive={"format": "fhibe"}), keep=True) == 64
    broken = config(1)
    (tmp_path / "d0/images.csv").write_bytes(b"\xff")
    assert choose(broken, keep=True) == 64
    assert not (tmp_path / "vault").exists()
