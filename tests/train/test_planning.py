"""What is trained: entries filled from the published settings, experiments, and the pictures that each draws."""

import json

import pandas as pd
import pytest

from accord.errors import AccordError
from accord.train.pictures import drawn
from accord.train.planning import models


def specs(experiments=(), **entries) -> dict:
    return models.specs({"models": entries or {"x": {"detector": "Xception"}}, "experiments": list(experiments)})


def pictures(real: int, fake: int, subset: str = "a") -> pd.DataFrame:
    rows = [(f"{subset}{number:04d}", subset, int(number >= real), "train") for number in range(real + fake)]
    rows += [(f"{subset}v{number}", subset, number, "validation") for number in (0, 1)]
    return pd.DataFrame(rows, columns=["image", "subset", "label", "split"])


def test_an_entry_is_filled_from_the_published_settings():
    found = specs(x={"detector": "F3Net", "options": {"width": 0.1}, "batch": 4})["x"]
    assert found["detector"] == "f3net.F3Net" and found["options"] == {"side": 256, "width": 0.1}
    assert [found[key] for key in ("batch", "side", "epochs", "rate", "momentum", "decay")] == [
        4,
        256,
        10,
        5e-4,
        0.9,
        5e-3,
    ]


def test_what_is_not_as_published_is_told_beside_what_was():
    found = specs(
        small={"detector": "DAW-FDD", "options": {"width": 0.5}, "side": 64, "rate": 0.1, "every": 7, "seed": 3},
        whole={"detector": "Xception", "processes": 2},
        banded={"detector": "F3Net", "side": 128, "options": {"side": 128}},
    )
    unlike = {name: models.unlike_published(spec) for name, spec in found.items()}
    assert {name: one.pop("first weights")[0] for name, one in unlike.items()} == dict.fromkeys(found, "random")
    assert unlike["small"] == {"side": [64, 256], "rate": [0.1, 5e-4], "width": [0.5, None]}
    assert unlike["whole"] == {} and unlike["banded"] == {"side": [128, 256]}


def test_a_detector_of_one_s_own_is_unlike_none_that_was_published(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("class Mine: pass\n")
    assert models.unlike_published(specs(x={"detector": f"{file}:Mine", "side": 8})["x"]) == {}


def test_the_code_of_a_detector_is_part_of_its_spec(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("class Mine: pass\n")
    first = specs(x={"detector": f"{file}:Mine"})["x"]
    file.write_text("class Mine: other = 1\n")
    assert specs(x={"detector": f"{file}:Mine"})["x"]["code"] != first["code"] != specs()["x"]["code"]


def test_a_subset_that_the_archive_lacks_is_told_at_the_start(tmp_path):
    made = specs([{"models": ["x"], "without": ["A", "Nope"]}], x={"detector": "Xception", "data": {"only": ["Bb"]}})
    data = {name: spec["data"] for name, spec in made.items()}
    models.check_subsets(data, tmp_path)
    source = {"category": "gan", "method": "m", "terms": {"train": True, "external": False}}
    entries = [{**source, "subset": name, "folder": name} for name in ("A", "B")]
    (tmp_path / "sources.yaml").write_text(json.dumps({"sources": entries}))
    with pytest.raises(AccordError) as told:
        models.check_subsets(data, tmp_path)
    assert "training pictures of x_without_nope: no subset 'Nope'" in str(told.value)
    assert "training pictures of x: no subset 'Bb'" in str(told.value) and "there are A, B" in str(told.value)
    models.check_subsets({"x": {"without": ["A"], "only": ["B"]}}, tmp_path)


def test_all_wrong_entries_are_told_at_once():
    with pytest.raises(AccordError) as caught:
        specs(a={"detector": "Xcepton"}, b={"detector": "nowhere/mine.py:Mine"})
    assert "did you mean 'Xception'?" in str(caught.value) and "train.models.b: can't be read" in str(caught.value)
    with pytest.raises(AccordError, match="no model"):
        specs([{"models": ["y"], "shares": [0.2]}])
    with pytest.raises(AccordError, match=r"a: is trained as 'z', which train\.models lacks"):
        models.check_trained({"a": {"trained": "z"}, "b": {"adapter": "other"}}, specs())


def test_a_detector_that_learns_from_groups_is_told_where_there_are_none():
    found = specs(a={"detector": "DAW-FDD"}, b={"detector": "PG-FDD"}, c={"detector": "Xception"})
    with pytest.raises(AccordError) as caught:
        models.check_groups(found, [])
    assert [one.where for one in caught.value.problems] == ["train.models.a", "train.models.b"]
    models.check_groups(found, ["gender"])


def test_an_experiment_is_a_training_of_each_variant():
    told = {"models": ["x"], "shares": [0.2, 0.8], "ratios": ["1:10", "10:1"], "without": ["FF++"]}
    found = specs([told])
    assert {name: spec["data"] for name, spec in found.items()} == {
        "x": {}, "x_share20": {"share": 0.2}, "x_share80": {"share": 0.8},
        "x_ratio1to10": {"ratio": "1:10", "among": ["1:10", "10:1"]},
        "x_ratio10to1": {"ratio": "10:1", "among": ["1:10", "10:1"]}, "x_without_ff__": {"without": ["FF++"]},
    }  # fmt: skip
    with pytest.raises(AccordError, match="x_share20 is trained twice"):
        specs([told, told])


def test_a_share_is_of_each_subset_and_label_and_holds_the_smaller_one():
    some = pd.concat([pictures(10, 20), pictures(30, 5, "b")])
    small, large = (set(drawn.draw(some, {"share": share}, 7)["image"]) for share in (0.2, 0.6))
    counts = drawn.draw(some, {"share": 0.6}, 7).query("split == 'train'").groupby(["subset", "label"]).size()
    assert counts.tolist() == [6, 12, 18, 3]
    assert small < large and {"av0", "bv1"} < small
    assert set(drawn.draw(some, {"share": 0.2}, 8)["image"]) != small


def test_who_is_drawn_changes_little_when_somebody_withdraws():
    some = pictures(50, 50)
    before = set(drawn.draw(some, {"share": 0.5}, 1)["image"])
    gone = sorted(before)[0]
    after = set(drawn.draw(some[some["image"] != gone], {"share": 0.5}, 1)["image"])
    assert len(before - after) <= 1 and gone not in after


def test_ratios_that_are_compared_have_one_total():
    """Of 40 real and 100 fake: 10:1 has 44 at most (40 real), 1:10 110, and 1:1 80."""
    among = ["1:10", "1:1", "10:1"]
    found = {ratio: drawn.draw(pictures(40, 100), {"ratio": ratio, "among": among}, 0) for ratio in among}
    counts = {ratio: some[some["split"] == "train"]["label"].value_counts().to_dict() for ratio, some in found.items()}
    assert counts == {"1:10": {0: 4, 1: 40}, "1:1": {0: 22, 1: 22}, "10:1": {0: 40, 1: 4}}


def test_a_subset_is_left_out_and_an_unknown_one_refused():
    some = pd.concat([pictures(3, 3), pictures(3, 3, "b")])
    assert set(drawn.draw(some, {"without": ["b"]}, 0)["subset"]) == {"a"}
    with pytest.raises(AccordError, match="no subset c"):
        drawn.draw(some, {"without": ["c"]}, 0)
    with pytest.raises(AccordError, match="1:10 can't be drawn from 0 real"):
        drawn.draw(pictures(0, 9), {"ratio": "1:10"}, 0)
