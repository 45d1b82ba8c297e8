"""What a run costs, from what a run used: it gives back the run that it was fitted on, and grows as stated."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from pandas import DataFrame

from accord.checks.costs import action, model
from accord.checks.costs.logged import logged
from accord.checks.costs.measured import demo, measured
from accord.checks.costs.model import (
    BY_CELLS,
    CLUSTER_START,
    FEW,
    GATHERS,
    HOUR,
    LOOKED,
    MEGAPIXEL,
    PAIRWISE,
    SHOWN,
    Plan,
    Run,
    Step,
    cost,
)
from accord.checks.estimate_command import main
from accord.errors import AccordError

RUN = Run(
    100,
    200.0,
    4,
    1000.0,
    50.0,
    {
        "checks.look": Step(4, 44.0, 50.0),
        "checks.settle": Step(4, 4.0, 8.0),
        "analyse.compared": Step(1, 3.0, 4.0),
        "evaluate.detect": Step(4, 24.0, 36.0, gpu=36.0),
        "evaluate.small": Step(4, 14.0, 16.0),
    },
    frozenset({"checks.look", "checks.settle", "evaluate.detect", "evaluate.small"}),
)
"""A job takes 1 CPU s to start."""
SAME = Plan(100, 2.0, 4, 1, 1)


@pytest.mark.parametrize("run", [RUN, demo()])
def test_the_run_itself_is_given_back(run):
    found = cost(run, Plan(run.images, run.megapixels / run.images, run.shards, 1, 1))
    assert {name: hours * HOUR for name, hours in found.cpu.items()} == pytest.approx(
        {name: step.cpu for name, step in run.steps.items()}
    )
    assert found.disk_gb == pytest.approx((run.pixel_mb + run.other_mb) / 1000)
    assert found.days == pytest.approx((found.cpu_hours + found.gpu_hours) / 24)


def test_work_grows_with_pixels_or_images_and_starts_with_shards():
    larger = cost(RUN, SAME._replace(megapixels=6.0)).cpu
    slower = 40 / (100 * (LOOKED + 2 * MEGAPIXEL["checks.look"]))
    assert larger["checks.look"] * HOUR == pytest.approx(44 + slower * 100 * 4 * MEGAPIXEL["checks.look"])
    shown = slower * 100 * (SHOWN - 2) * MEGAPIXEL["evaluate.small"]
    assert larger["evaluate.small"] * HOUR == pytest.approx(14 + shown)
    assert larger["evaluate.detect"] * HOUR == pytest.approx(24)
    assert larger["analyse.compared"] * HOUR == pytest.approx(3)
    more = cost(RUN, SAME._replace(images=1000)).cpu
    assert more["analyse.compared"] * HOUR == pytest.approx(1 + 10 * 2)
    finer = cost(RUN, SAME._replace(shards=40)).cpu
    assert finer["checks.settle"] * HOUR == pytest.approx(40) and finer["checks.look"] * HOUR == pytest.approx(80)


def test_each_job_of_a_cluster_starts_anew():
    jobs = {name: step.jobs for name, step in RUN.steps.items()}
    assert cost(RUN, SAME).jobs == jobs
    finer = cost(RUN, SAME._replace(shards=40))
    assert finer.jobs == {name: count if count == 1 else count * 10 for name, count in jobs.items()}
    assert finer.cluster_hours * HOUR == pytest.approx(sum(finer.jobs.values()) * CLUSTER_START)


def test_the_cost_model_knows_up_to_how_many_all_are_compared():
    config = yaml.safe_load((Path(__file__).parents[2] / "config/config.yaml").read_text())
    assert config["checks"]["all_pairs_up_to"] == model.ALL_PAIRS_UP_TO


def test_pairs_grow_with_the_square_of_the_images_until_cells_propose_them():
    steps = {"checks.crops": Step(1, 40.0, 40.0), "checks.verdicts": Step(1, 1.0, 1.0)}
    run = RUN._replace(images=2000, steps=steps)
    pairs = PAIRWISE["checks.crops"] * 2000**2
    found = cost(run, SAME._replace(images=4000)).cpu["checks.crops"] * HOUR
    assert found == pytest.approx(1 + (39 - pairs) * 2 + pairs * 4)
    found = cost(run, SAME._replace(images=40_000)).cpu["checks.crops"] * HOUR
    assert found == pytest.approx(1 + (39 - pairs) * 20 + BY_CELLS * 40_000)
    found = cost(run, SAME._replace(images=40_000, all_pairs_up_to=40_000)).cpu["checks.crops"] * HOUR
    assert found == pytest.approx(1 + (39 - pairs) * 20 + pairs * 400)
    found = cost(run, SAME._replace(images=4000, all_pairs_up_to=0)).cpu["checks.crops"] * HOUR
    assert found == pytest.approx(1 + (39 - pairs) * 2 + BY_CELLS * 4000)


def test_the_command_takes_from_the_configuration_up_to_how_many_all_are_compared(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    args = ["cost", "--images", "100000", "--megapixels", "1", "--json"]
    seen = {}
    for up_to in (None, 12_000, 100_000):
        Path("mine.yaml").write_text(json.dumps({"checks": {"all_pairs_up_to": up_to}} if up_to else {}))
        assert main([*args, "--config", "mine.yaml"]) == 0
        told = json.loads(capsys.readouterr().out)
        seen[up_to] = told["cpu_hours_by_step"]["checks.crops"]
        assert told["all_pairs_up_to"] == (up_to or model.ALL_PAIRS_UP_TO)
    assert seen[None] == seen[12_000] and seen[100_000] > 0.7
    Path("config").mkdir()
    Path("mine.yaml").rename("config/config.yaml")
    assert main(args) == 0
    assert json.loads(capsys.readouterr().out)["cpu_hours_by_step"]["checks.crops"] == seen[100_000]


@pytest.mark.parametrize("run", [RUN, demo()])
def test_no_step_costs_less_for_more_images_or_larger_ones(run):
    sizes = [100, 428, 4_999, 5_000, 5_001, 20_000, 20_001, 10**6]
    for one, other in pairwise([Plan(images, 0.5, 4, 1, 1) for images in sizes]):
        less, more = (cost(run, plan).cpu for plan in (one, other))
        assert all(less[name] <= more[name] for name in run.steps)
    for one, other in pairwise([Plan(1000, megapixels, 4, 1, 1) for megapixels in (0.01, 0.5, 3, 3.2, 12, 100)]):
        less, more = (cost(run, plan).cpu for plan in (one, other))
        assert all(less[name] <= more[name] for name in run.steps)


def test_gathers_of_a_small_run_grow_as_measured_and_of_a_large_one_as_it_says():
    small = RUN._replace(steps={"checks.verdicts": Step(1, 3.0, 3.0), "checks.look": Step(4, 4.0, 4.0)})
    rate = GATHERS["checks.verdicts"]
    more, none = (cost(small, SAME._replace(images=n)).cpu["checks.verdicts"] * HOUR for n in (10_100, 1))
    assert more == pytest.approx(3 + 10_000 * rate) and 1 <= none <= 3
    large = small._replace(images=FEW)
    more = cost(large, SAME._replace(images=4 * FEW)).cpu["checks.verdicts"] * HOUR
    assert more == pytest.approx(1 + 4 * 2)


def test_what_was_on_a_gpu_takes_gpu_hours_and_cores_share_what_has_shards():
    assert cost(RUN, SAME).gpu_hours * HOUR == pytest.approx(36)
    painted = {"privacy.paint": Step(4, 9.0, 9.0, gpu=8.0), "evaluate.detect": Step(4, 24.0, 36.0)}
    assert cost(RUN._replace(steps=painted), SAME._replace(images=200)).gpu_hours * HOUR == pytest.approx(16)
    one, three, many = (cost(RUN, SAME._replace(cores=cores)).days * 24 * HOUR - 36 for cores in (1, 3, 400))
    assert (one, three, many) == pytest.approx((89, 3 + 86 / 2, 3 + 86 / 4))
    few, more = (cost(RUN, SAME._replace(gpus=gpus)).days * 24 * HOUR - 89 for gpus in (3, 64))
    assert (few, more) == pytest.approx((36 / 2, 36 / 4))
    gathering = RUN._replace(steps={"analyse.diversity": Step(1, 2.0, 100.0, gpu=100.0)})
    assert cost(gathering, SAME).gpu_hours * HOUR == pytest.approx(100)


def test_a_run_is_read_from_its_results_and_logs(tmp_path):
    for shard, width in (("00", 1000), ("01", 3000)):
        (tmp_path / "results/intake" / shard).mkdir(parents=True)
        made = DataFrame({"image": ["a", "b"], "width": width, "height": 1000})
        made.to_parquet(tmp_path / "results/intake" / shard / "images.parquet")
        log = tmp_path / f"logs/checks/look/{shard}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("usage: 2.0 s, 3.0 CPU s, 400 MB\n")
    (tmp_path / "releases/1.0.0").mkdir(parents=True)
    (tmp_path / "releases/1.0.0/a.png").write_bytes(b"0" * 3_000_000)
    (tmp_path / "releases/1.0.1").mkdir()
    (tmp_path / "releases/1.0.1/a.png").hardlink_to(tmp_path / "releases/1.0.0/a.png")
    (tmp_path / "results/analyse").mkdir()
    (tmp_path / "results/analyse/b").write_bytes(b"0" * 1_000_000)
    run = measured(tmp_path / "results", logged(tmp_path / "results", tmp_path / "logs"), tmp_path / "releases")
    assert (run.images, run.megapixels, run.shards) == (4, 8.0, 2)
    assert run.steps == {"checks.look": Step(2, 6.0, 4.0)}
    assert run.pixel_mb == pytest.approx(3, abs=0.1) and run.other_mb == pytest.approx(1)


def test_what_a_run_lacks_is_said(tmp_path):
    with pytest.raises(AccordError, match="has no images that were taken in"):
        measured(tmp_path, logged(tmp_path, tmp_path), tmp_path)


def test_the_command_prints_the_estimate_and_refuses_what_cannot_be(capsys):
    asked = ["cost", "--images", "1000000", "--megapixels", "12"]
    main(asked)
    told = capsys.readouterr().out
    assert "1,000,000 images of 12 megapixels in 2,000 shards" in told and "extrapolated from the demo" in told
    assert "none: that run computed on no GPU" in told
    main([*asked, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["cpu_hours"] == pytest.approx(sum(found["cpu_hours_by_step"].values()))
    with pytest.raises(AccordError) as error:
        main(["cost", "--images", "0", "--megapixels", "nan", "--shards", "5", "--cores", "-1"])
    for what in ("--images: 0 is not", "--megapixels: nan is not", "--cores: -1 is not"):
        assert what in str(error.value)
    with pytest.raises(AccordError, match="--shards: 5 is more than the 2 images of the plan"):
        main(["cost", "--images", "2", "--megapixels", "1", "--shards", "5"])
    with pytest.raises(AccordError, match="--shards: 65,537 is more than the 65,536 that a run can have"):
        main([*asked, "--shards", "65537"])
    main(["cost", "--images", "1000000000", "--megapixels", "1"])
    assert "1,000,000,000 images of 1 megapixel in 2,000 shards" in capsys.readouterr().out


@pytest.mark.parametrize(("flag", "number"), [("--images", "1" + "0" * 400), ("--megapixels", "1e300"),
                                              ("--cores", "9" * 30)])  # fmt: skip
def test_numbers_that_no_run_has_are_told(flag, number):
    asked = {"--images": "10", "--megapixels": "1", "--cores": "2"} | {flag: number}
    with pytest.raises(AccordError, match=rf"{flag}: is more than 1,000,000,000,000"):
        main(["cost", *(word for pair in asked.items() for word in pair)])


def test_a_configuration_that_is_not_there_is_told(tmp_path):
    with pytest.raises(AccordError, match=r"nope\.yaml"):
        main(["cost", "--images", "10", "--megapixels", "1", "--config", str(tmp_path / "nope.yaml")])


def test_a_run_that_computed_on_no_gpu_needs_none(capsys, monkeypatch):
    asked = ["cost", "--images", "1000", "--megapixels", "2", "--gpus", "0"]
    main(asked)
    assert "on 16 cores and 0 GPUs" in capsys.readouterr().out
    monkeypatch.setattr(action, "demo", lambda: RUN)
    with pytest.raises(AccordError, match="--gpus: 0, though that run computed on a GPU"):
        main(asked)
    with pytest.raises(AccordError, match="--gpus: -1 is not 0 or more"):
        main([*asked[:-1], "-1"])


def test_one_is_told_in_the_singular_and_no_figure_as_nothing(capsys):
    main(["cost", "--images", "1", "--megapixels", "1", "--cores", "1"])
    told = capsys.readouterr().out
    assert "1 image of 1 megapixel in 1 shard:" in told and "on 1 core and 1 GPU," in told
    assert "  days       less than 0.01 on" in told and "  disk       less than 0.1 GB" in told
    assert "most CPU hours:\n" in told and not re.search(r"\b0\.0+\b", told)
    with pytest.raises(AccordError, match="--shards: 5 is more than the 1 image of the plan"):
        main(["cost", "--images", "1", "--megapixels", "1", "--shards", "5"])
