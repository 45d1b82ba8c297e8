"""The demo's planted bias: it hangs on no choice, was large enough to be seen, and no pair of groups turns round."""

import json

import pandas as pd
import pytest

from house import DEMO, ROOT


@pytest.fixture(scope="module")
def tables(demo):
    names = ("multiverse", "power", "reversals")
    return {name: pd.read_parquet(demo.folder / f"results/analyse/{name}.parquet") for name in names}


@pytest.fixture(scope="module")
def planted():
    return json.loads((ROOT / DEMO / "ground_truth.json").read_text())["bias"]


def test_the_planted_bias_survives_most_other_choices(tables, planted):
    ways = tables["multiverse"]
    of = ways[(ways["model"] == "yunet") & (ways["attribute"] == planted["attribute"]) & (ways["note"] == "")]
    assert set(of["worst"]) == {planted["group"]} and of["holds"].mean() > 0.9
    assert of.loc[of["changed"] <= 1, "holds"].all()


def test_it_is_larger_than_what_could_be_found(tables, planted):
    power = tables["power"]
    of = power[(power["model"] == "yunet") & (power["attribute"] == planted["attribute"])]
    told = of[of["worst"] == planted["group"]]
    assert len(told) == 4 and (told["difference"] > told["detectable_in_report"]).all()
    others = of[(of["worst"] != planted["group"]) & (of["best"] != planted["group"])]
    assert (others["difference"] < others["detectable_in_report"]).all()


def test_no_pair_of_groups_turns_round(tables):
    assert not tables["reversals"]["claimed"].any()
