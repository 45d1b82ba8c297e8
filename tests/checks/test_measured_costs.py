"""What a run cost is read from a whole run: what can't be right is refused, what wasn't counted is told."""

import json
import shutil

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from accord.checks.costs.logged import logged
from accord.checks.costs.measured import measured
from accord.checks.costs.model import Plan, cost
from accord.checks.estimate_command import main
from accord.errors import AccordError

USED = "usage: 2.0 s, 3.0 CPU s, 400 MB\n"
WIDTHS = {
    "none": pd.array([None, 5], "Int64"),
    "negative": [-5, 5],
    "zero": [0, 5],
    "infinite": [float("inf"), 5.0],
    "larger than any that is read": [10**12, 5],
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
    return measured(folder / "results", logged(folder / "results", folder / "logs"), folder / "releases")


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


@pytest.mark.parametrize(("seconds", "told"), [(15.0, 0), (2.0, 1)])
def test_a_run_that_used_results_of_earlier_ones_is_told(run, capsys, seconds, told):
    """Looking at 120 pictures of half a megapixel takes some 26 CPU s."""
    for shard in ("00", "01"):
        images(run, shard, image=[f"{shard}{n}" for n in range(60)])
        log(run, f"checks/look/{shard}", f"usage: 9.0 s, {seconds} CPU s, 400 MB\n")
    log(run, "checks/verdicts", "usage: 0.1 s, 0.1 CPU s, 400 MB\n")
    assert main(["cost", "--images", "1000", "--megapixels", "2", "--measured"]) == 0
    assert capsys.readouterr().out.count("not counted: what was there before that run: checks.look took 1") == told


def uncounted(capsys, key="not_counted", line="not counted"):
    """What the command tells that it didn't count: as JSON, after it has looked for it in the lines."""
    asked = ["cost", "--images", "10", "--megapixels", "1", "--measured"]
    main([*asked, "--json"])
    found = json.loads(capsys.readouterr().out)[key]
    main(asked)
    told = capsys.readouterr().out
    assert all(f"{line}: {one}" in told for one in found) and told.count(line) == len(found)
    return found


def guessed(capsys):
    """What it tells that it took to be like the rest."""
    return uncounted(capsys, "taken_as_others", "taken to be like others of their steps")


def recorded(run, name, step):
    """A table that a step wrote."""
    file = run / f"results/{name}.parquet"
    file.parent.mkdir(parents=True, exist_ok=True)
    made = pa.table({"a": [1]}).replace_schema_metadata({"provenance": json.dumps({"step": step})})
    pq.write_table(made, file)


def test_of_a_whole_run_all_is_counted(run, capsys):
    recorded(run, "checks/verdicts", "checks.verdicts")
    recorded(run, "checks/00/looks", "checks.look")
    log(run, "analyse/face_verification")
    recorded(run, "analyse/scores/face_verification", "analyse.verification")
    recorded(run, "analyse/verification", "analyse.verification")
    recorded(run, "evaluate/00/service.boxes", "evaluate.service_boxes")
    assert uncounted(capsys) == guessed(capsys) == []


@pytest.mark.parametrize("text", ["", "\xff\x00garbage", "usage: -1.0 s, 3.0 CPU s, 4 MB\n",
                                  "usage: 1.2.3 s, 3.0 CPU s, 4 MB\n"])  # fmt: skip
def test_jobs_whose_logs_say_nothing_are_told_and_taken_to_be_like_others(run, capsys, text):
    whole = of(run)
    log(run, "checks/look/01", text)
    assert uncounted(capsys) == [] and guessed(capsys) == ["jobs of shards without a usable log: 1 of checks.look"]
    assert of(run) == whole
    log(run, "checks/look/00", text)
    log(run, "checks/verdicts", text)
    assert uncounted(capsys) == ["jobs without a usable log: 2 of checks.look, 1 of checks.verdicts"]
    assert guessed(capsys) == []


def test_jobs_whose_logs_are_missing_are_told(run, capsys):
    whole = of(run)
    (run / "logs/checks/look/01.log").unlink()
    (run / "logs/evaluate/service/00.boxes.log").unlink()
    assert of(run) == whole
    (run / "logs/checks/verdicts.log").unlink()
    recorded(run, "checks/verdicts", "checks.verdicts")
    recorded(run, "consent/00/findings", "consent.apply")
    recorded(run, "analyse/scores/person_parsing", "analyse.parsing")
    told = "1 of analyse.person_parsing, 1 of checks.verdicts, 2 of consent.apply"
    assert uncounted(capsys) == [f"jobs without a usable log: {told}"]
    assert guessed(capsys) == ["jobs of shards without a usable log: 1 of checks.look, 1 of evaluate.service"]


def test_a_run_of_one_shard_grows_with_shards_and_cores_as_well(run):
    shutil.rmtree(run / "results/intake/01")
    for name in ("checks/look/01", "evaluate/service/01.boxes"):
        (run / f"logs/{name}.log").unlink()
    log(run, "checks/look/00", "usage: 9.0 s, 9.0 CPU s, 400 MB\n")
    assert of(run).sharded == {"checks.look", "evaluate.service"}
    serial, spread = (cost(of(run), Plan(1000, 1.0, shards, shards, 1)) for shards in (1, 10))
    assert spread.jobs == {"checks.look": 10, "evaluate.service": 10, "checks.verdicts": 1}
    assert spread.days < serial.days


def test_a_run_without_a_release_is_told(run, capsys):
    (run / "releases/1.0.0/a.png").unlink()
    assert uncounted(capsys) == ["the disk of a release: that run has none"]
