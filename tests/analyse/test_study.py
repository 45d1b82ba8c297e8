"""The study of annotations: who is asked about, majorities of blind votes, accuracy by stratum and weighted, alpha."""

import numpy as np
import pandas as pd
import pytest

from accord.analyse import study
from accord.engine import table
from accord.evaluate import look_items
from accord.evaluate.tables.annotations import Annotations
from accord.queues import LOOKS
from accord.release.source_tables import Sources
from accord.release.tables import Attributes
from accord.report.generated import annotated
from accord.review.tables import LookVotes

COUNT = 60


def world(said=lambda number: "female", true=lambda number: ["female", "male"][number % 2], learnt=()):
    images = [f"i{number:02d}" for number in range(COUNT)]
    rows = {
        Annotations: [("g", image, f"p{number // 2}", "gender", said(number), 0.9, number in learnt, "")
                      for number, image in enumerate(images)],
        Sources: [(image, "A" if number < 40 else "B", "real", "real", 0, "test")
                  for number, image in enumerate(images)],
        Attributes: [(image, f"p{number // 2}", "gender", true(number), "annotators")
                     for number, image in enumerate(images) if true(number)],
    }  # fmt: skip
    return [table.rows(some, model) for model, some in rows.items()]


def test_so_many_faces_of_each_stratum_are_drawn_and_items_tell_no_annotation():
    found = look_items.run(*world(learnt=(0, 1)), study=5)
    counts = found.studied.groupby(["subset", "drawn"])["size"].agg(["size", "first"]).to_dict("index")
    assert counts == {
        ("A", "agree"): {"size": 5, "first": 19}, ("A", "differ"): {"size": 5, "first": 19},
        ("B", "agree"): {"size": 5, "first": 10}, ("B", "differ"): {"size": 5, "first": 10},
    }  # fmt: skip
    assert set(found.review_items["item"]) == set(found.studied["item"])
    assert set(found.review_items["kind"]) == {"gender"} and set(found.review_items["queue"]) == {LOOKS}
    told = found.review_items.drop(columns=["item", "image"]).astype(str)
    assert not told.apply(lambda column: column.str.contains("female|agree|differ")).any().any()
    assert not {"i00", "i01"} & set(found.studied["image"])


def test_a_withdrawal_moves_few_and_other_labels_keep_the_item():
    before = look_items.run(*world(), study=5).studied
    annotations, sources, attributes = world()
    gone = before["image"][0]
    kept = [one[one["image"] != gone] for one in (annotations, sources, attributes)]
    after = look_items.run(*kept, study=5).studied
    assert gone not in set(after["image"]) and len(set(before["image"]) - set(after["image"])) == 1
    unlabelled = look_items.run(*world(true=lambda number: ""), study=COUNT).studied
    assert set(unlabelled["drawn"]) == {"unlabelled"} and set(before["item"]) <= set(unlabelled["item"])


def voted(monkeypatch, votes):
    told = table.rows(votes, LookVotes)
    monkeypatch.setattr(study, "_votes", lambda vault, items: told[told["item"].isin(items)])


def test_weighted_accuracy_is_that_of_the_archive_and_not_of_what_was_drawn(monkeypatch, tmp_path):
    """The annotator, who says one thing of all, is wrong on 30 of 60. People see what is true."""
    drawn = look_items.run(*world(), study=4).studied
    votes = [(row.item, f"r{n}", "gender", row.labelled) for row in drawn.itertuples() for n in range(3)]
    voted(monkeypatch, votes)
    found = study.run(drawn, vault=tmp_path, bootstraps=50)
    of = found.accuracy.set_index(["who", "stratum"])
    assert of.loc[("annotator", "A, differ"), "accuracy"] == 0 and of.loc[("annotator", "B, agree"), "accuracy"] == 1
    assert of.loc[("annotator", "weighted"), "accuracy"] == pytest.approx(0.5)
    assert (
        of.loc[("archive", "weighted"), "accuracy"] == pytest.approx(1) and of.loc[("annotator", "all"), "images"] == 16
    )
    few = drawn[~((drawn["drawn"] == "agree") & drawn["item"].isin(drawn["item"][::2]))]
    again = study.run(few, vault=tmp_path, bootstraps=50).accuracy.set_index(["who", "stratum"])
    assert again.loc[("annotator", "weighted"), "accuracy"] == pytest.approx(0.5)
    (told,) = found.agreement.itertuples()
    assert (told.faces, told.raters, told.voted, told.decided, told.unanimous, told.alpha) == (16, 3, 16, 16, 1.0, 1.0)
    assert np.isnan([told.low, told.high]).all() and told.note == "all draws are alike: no interval"


def test_two_against_one_decide_and_one_against_one_do_not(monkeypatch, tmp_path):
    drawn = look_items.run(*world(), study=1).studied
    a, b, c, d = drawn["item"]
    votes = [(a, "r1", "gender", "female"), (a, "r2", "gender", "female"), (a, "r3", "gender", "male"),
             (b, "r1", "gender", "female"), (b, "r2", "gender", "male"), (c, "r1", "gender", "male")]  # fmt: skip
    voted(monkeypatch, votes)
    found = study.run(drawn, vault=tmp_path, bootstraps=20)
    (told,) = found.agreement.itertuples()
    assert (told.faces, told.voted, told.decided, told.unanimous) == (4, 2, 1, 0.0)
    assert found.accuracy.query("stratum == 'all' and who == 'annotator'")["images"].tolist() == [1]
    weighted = found.accuracy.query("stratum == 'weighted'")
    assert weighted["accuracy"].isna().all() and weighted["note"].str.startswith("no picture was judged in").all()
    assert d not in {vote[0] for vote in votes}


def test_alpha_is_that_of_krippendorffs_nominal_formula(monkeypatch, tmp_path):
    """By hand: units ff, fm, mm: coincidences ff 2, mm 2, fm and mf 1 each; n = 6; observed 2/6, expected 18/30."""
    drawn = look_items.run(*world(), study=1).studied
    said = ["ff", "fm", "mm"]
    names = {"f": "female", "m": "male"}
    votes = [(item, f"r{n}", "gender", names[one]) for item, pair in zip(drawn["item"], said, strict=False)
             for n, one in enumerate(pair)]  # fmt: skip
    voted(monkeypatch, votes)
    found = study.run(drawn, vault=tmp_path, bootstraps=50)
    assert found.agreement["alpha"][0] == pytest.approx(1 - (2 / 6) / (18 / 30))
    told = str(annotated.study(found.accuracy, found.agreement, 1))
    assert "Krippendorff" in told and "weighted" in told


def test_before_anybody_voted_there_is_a_row_that_says_so(tmp_path):
    drawn = look_items.run(*world(), study=2).studied
    found = study.run(drawn, vault=tmp_path / "vault", bootstraps=20)
    assert found.agreement["voted"].tolist() == [0] and np.isnan(found.agreement["alpha"][0])
    assert found.agreement["note"].tolist() == ["nobody has voted yet"]
    told = annotated.study(found.accuracy, found.agreement, 1)
    assert not told.blocks and "People said" not in str(told) and "Nobody has voted yet." in str(told)
    assert found.accuracy["accuracy"].isna().all() and isinstance(found.accuracy, pd.DataFrame)
