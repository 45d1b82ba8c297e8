"""Datasets side by side: shares and distances by hand, against a simulation, and on the command line."""

import json

import dataset_cases as cases
import numpy as np
import pandas as pd
import pytest

from accord import cli
from accord.analyse.datasets.compare import Side, by_chance, compare, total_variation
from accord.analyse.tables.composition import GroupSizes, Layout, Spreads
from accord.analyse.tables.datasets import Distances, Shares
from accord.engine import table
from accord.errors import AccordError


def side(name: str, counts: dict[tuple[str, str], int], bins=(), subjects=1) -> Side:
    """A dataset of which only numbers of subjects count, with one feature in two bins."""
    groups = [(*key, count, count, 0.0, 0.0, 1.0) for key, count in counts.items()]
    layout = [("person_share", n, n / 2, (n + 1) / 2, 1, share) for n, share in enumerate(bins)]
    spreads = [("person_share", subjects, subjects, subjects, *[0.5] * 6)] if bins else []
    return Side(name, table.rows(groups, GroupSizes), table.rows(layout, Layout), table.rows(spreads, Spreads))


def test_shares_and_distances_by_hand():
    whole = {("all", "all"): 10, ("gender", "not given"): 3, ("gender x skin", "female x dark"): 2}
    one = side("one", {("gender", "female"): 6, ("gender", "male"): 2, ("skin", "dark"): 1} | whole, [0.25, 0.75], 8)
    two = side("two", {("gender", "female"): 1, ("gender", "other"): 1} | whole, [1.0, 0.0], 2)
    found = compare([one, two])
    shares = found.shares.set_index(["attribute", "group", "dataset"])["share"].to_dict()
    assert shares == {
        ("gender", "female", "one"): 0.75, ("gender", "female", "two"): 0.5,
        ("gender", "male", "one"): 0.25, ("gender", "other", "two"): 0.5,
    }  # fmt: skip
    told = found.distances.set_index("name")
    assert told.loc["gender", "distance"] == pytest.approx((0.25 + 0.25 + 0.5) / 2)
    assert told.loc["gender", ["kind", "first_subjects", "second_subjects"]].tolist() == ["attribute", 8, 2]
    assert told.loc["person_share", ["kind", "distance"]].tolist() == ["layout", 0.75]


def test_two_samples_of_one_distribution_are_as_far_apart_as_by_chance(rng):
    shares, first, second = np.array([0.1, 0.2, 0.3, 0.4]), 60, 150
    drawn = (rng.multinomial(first, shares, 4000) / first, rng.multinomial(second, shares, 4000) / second)
    apart = [total_variation(*pair) for pair in zip(*drawn, strict=True)]
    assert by_chance(shares, first, second) == pytest.approx(np.mean(apart), rel=0.03)


def test_order_changes_nothing_but_the_order(rng):
    names = [("gender", group) for group in ("female", "male", "other")]
    one, two = (side(name, dict(zip(names, rng.integers(1, 50, 3).tolist(), strict=True))) for name in ("a", "b"))
    here, there = compare([one, two]), compare([two, one])
    pd.testing.assert_frame_equal(here.shares, there.shares)
    assert here.distances["distance"].tolist() == there.distances["distance"].tolist()


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """Folders of three datasets that were read."""
    tmp_path = tmp_path_factory.mktemp("read")
    for name in ("facet", "ccv2", "coco"):
        getattr(cases, name)(tmp_path / "given" / name)
        cli.main(["dataset", name, str(tmp_path / "given" / name), "--out", str(tmp_path / name)])
    return tmp_path


def test_the_command_prints_and_writes_the_comparison(read, capsys):
    capsys.readouterr()
    folders = [str(read / name) for name in ("facet", "ccv2", "coco")]
    assert cli.main(["dataset", "compare", *folders, "--out", str(read / "compared")]) == 0
    told = capsys.readouterr().out.splitlines()
    start = told.index("skin")
    assert [line.split() for line in told[start + 1 : start + 3]] == [["dataset", "ccv2", "facet"], ["group"]]
    assert [line.split() for line in told[start + 3 : start + 7]] == [
        ["dark", "50.0%", "33.3%"], ["light", "-", "33.3%"], ["medium", "50.0%", "-"], ["unknown", "-", "33.3%"],
    ]  # fmt: skip
    shares = table.read(read / "compared/shares.parquet", Shares)
    assert set(shares["attribute"]) == {"gender", "monk_tone", "skin", "skin_halves"}
    distances = table.read(read / "compared/distances.parquet", Distances)
    assert {("facet", "coco", "person_share"), ("facet", "coco", "gender"), ("ccv2", "coco", "gender")} <= set(
        zip(distances["first"], distances["second"], distances["name"], strict=True)
    )
    assert any(line.startswith("layout person_aspect: facet and coco are ") for line in told)


def test_what_can_t_be_compared(read):
    with pytest.raises(AccordError, match="give two or more folders with different names"):
        cli.main(["dataset", "compare", str(read / "facet")])
    with pytest.raises(AccordError, match="give two or more folders with different names"):
        cli.main(["dataset", "compare", str(read / "facet"), str(read / "given/facet")])
    with pytest.raises(AccordError) as failure:
        cli.main(["dataset", "compare", str(read / "facet"), str(read / "given")])
    assert "3 problems" in str(failure.value) and "given/layout.parquet: is missing" in str(failure.value)


def test_datasets_without_anything_in_common(tmp_path, capsys):
    cases.ccv2(tmp_path / "given")
    cases.wider_face(tmp_path / "faces")
    cli.main(["dataset", "ccv2", str(tmp_path / "given"), "--out", str(tmp_path / "ccv2")])
    cli.main(["dataset", "wider_face", str(tmp_path / "faces"), "--out", str(tmp_path / "wider")])
    capsys.readouterr()
    cli.main(["dataset", "compare", str(tmp_path / "ccv2"), str(tmp_path / "wider")])
    assert capsys.readouterr().out == "these datasets have no attribute and no feature in common\n"


def test_machines_are_told_the_tables(read, capsys):
    capsys.readouterr()
    assert cli.main(["dataset", "compare", *(str(read / name) for name in ("facet", "ccv2")), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    dark = {
        row["dataset"]: row["share"] for row in told["shares"] if (row["attribute"], row["group"]) == ("skin", "dark")
    }
    assert dark == {"ccv2": 0.5, "facet": pytest.approx(1 / 3)}
    assert {(row["first"], row["second"]) for row in told["distances"]} == {("facet", "ccv2")}
