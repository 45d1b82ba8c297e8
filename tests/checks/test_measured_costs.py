"""What a run cost is read from a whole run: what can't be right is refused, what wasn't counted is told."""

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from accord.checks.costs.measured import measured
from accord.checks.estimate_command import main
from accord.errors import AccordError

USED = "usage: 2.0 s, 3.0 CPU s, 400 MB\n"
WIDTHS = {
    "none": pd.array([None, 5], "Int64"),
    "negative": [-5, 5],
    "zero": [0, 5],
    "infinite": [float("inf"), 5.0],
}


def images(folder, shard, **columns):
    """A shard's table of two images, and its file."""
    file = folder / f"results/intake/{shard}/images.parquet"
    file.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame({"image": ["a", "b"], "width": 1000, "height": 500} | columns).to_parquet(file)
    return file


def log(folder, name, text=USED):
    """A job's log."""
    file = folder / f"logs/{name}.log"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


@pytest.fixture
def run(tmp_path, monkeypatch):
    """The folder of a run of two shards, with a release."""
    monkeypatch.chdir(tmp_path)
    for shard in ("00", "01"):
        images(tmp_path, shard)
        log(tmp_path, f"checks/look/{shard}")
        log(tmp_path, f"evaluate/service/{shard}.boxes")
    log(tmp_path, "checks/verdicts")
    (tmp_path / "releases/1.0.0").mkdir(parents=True)
    (tmp_path / "releases/1.0.0/a.png").write_bytes(b"0")
    return tmp_path


def of(folder):
    """What is read of the run in a folder."""
    return measured(*(folder / name for name in ("results", "logs", "releases")))


@pytest.mark.parametrize("side", ["width", "height"])
@pytest.mark.parametrize("kind", WIDTHS)
def test_sizes_that_no_image_has_are_refused(run, side, kind):
    images(run, "01", **{side: WIDTHS[kind]})
    with pytest.raises(AccordError, match=r"01/images\.parquet: 1 image of 2 without a width and a height above 0"):
        of(run)


@pytest.mark.parametrize("damage", [
    lambda file: file.write_bytes(b""), lambda file: file.write_bytes(file.read_bytes()[:300]),
    lambda file: pd.DataFrame({"width": [1]}).to_parquet(file),
    lambda file: pd.DataFrame({"width": ["1000"], "height": [1]}).to_parquet(file),
])  # fmt: skip
def test_a_damaged_table_is_told_by_its_name(run, damage):
    damage(run / "results/intake/01/images.parquet")
    with pytest.raises(AccordError, match=r"01/images\.parquet: not a readable table"):
        of(run)


def test_all_tables_that_are_wrong_are_told_at_once(run):
    images(run, "00", width=-1)
    (run / "results/intake/01/images.parquet").unlink()
    (run / "results/checks/02").mkdir(parents=True)
    with pytest.raises(AccordError) as error:
        of(run)
    told = str(error.value)
    assert "3 problems" in told and "00/images.parquet: 2 images of 2 without" in told
    assert "01/images.parquet: is missing" in told and "02/images.parquet: is missing" in told


def test_a_shard_may_be_empty_but_not_where_people_are_in_its_images(run, capsys):
    nothing = pa.table({"width": pa.array([], pa.int64()), "height": pa.array([], pa.int64())})
    pq.write_table(nothing, images(run, "01"))
    pq.write_table(nothing, run / "results/intake/01/people.parquet")
    assert (of(run).images, of(run).shards) == (2, 2)
    main(["cost", "--images", "10", "--megapixels", "1", "--measured"])
    assert "not counted" not in capsys.readouterr().out
    pq.write_table(pa.table({"image": ["a"]}), run / "results/intake/01/people.parquet")
    with pytest.raises(AccordError, match=r"01/images\.parquet: has no images, but people\.parquet"):
        of(run)
