"""Body parts: who has which, against scikit-learn's recall and accuracy, and what is undefined."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import asked_of, by_shards, verdicts_of
from sklearn.metrics import accuracy_score, recall_score

from accord.analyse import part_rates, parts
from accord.analyse.tables.scores import Scores
from accord.engine import table
from accord.vocabularies import BODY_PARTS

TASK = "body_parts_detection"


def segments_of(*drawn) -> pd.DataFrame:
    """image, subject, number of the segment."""
    table = pd.DataFrame(drawn, columns=["image", "subject", "segment"]).assign(num=1, annotator="a")
    return table.assign(polygon=[np.array([0, 0, 1, 0, 1, 1], float)] * len(table))


def keypoints_of(*points) -> pd.DataFrame:
    table = pd.DataFrame(points, columns=["image", "subject", "keypoint", "visible"])
    return table.assign(x=1.0, y=1.0, annotator="a").astype({"visible": bool, "keypoint": int})


def told(*said) -> pd.DataFrame:
    return pd.DataFrame(said, columns=["model", "image", "subject", "part", "score"])


def values(found: pd.DataFrame, metric: str) -> dict:
    some = found[found["metric"] == metric]
    return dict(zip(zip(some["model"], some["image"], strict=True), some["value"], strict=True))


def test_recall_and_accuracy_are_those_of_scikit_learn(rng):
    images, known = [f"i{n:02d}" for n in range(30)], rng.choice(28, 12, replace=False)
    there, scores = rng.random((30, 28)) < 0.4, rng.random((30, 12)).round(1)
    there[:, 6] = True
    drawn = segments_of(
        *((image, "s", part) for image, row in zip(images, there, strict=True) for part in np.flatnonzero(row))
    )
    said = told(*(("m", image, "s", BODY_PARTS[part], score) for image, row in zip(images, scores, strict=True)
                  for part, score in zip(known, row, strict=True)))  # fmt: skip
    asked = asked_of("m", TASK, [(image, "s") for image in images])
    found = parts.run(said, asked, keypoints_of(), drawn, verdicts_of(images))
    recall, accuracy = values(found, "ar_part"), values(found, "accuracy")
    for image, truth, seen in zip(images, there[:, known], scores >= 0.5, strict=True):
        assert accuracy["m", image] == pytest.approx(accuracy_score(truth, seen))
        if truth.any():
            assert recall["m", image] == pytest.approx(recall_score(truth, seen))


def test_a_face_is_always_there_and_a_hand_with_a_visible_knuckle_or_a_glove():
    """The second of five has a visible knuckle, the third a hidden one, the fourth a wrist, the fifth a glove."""
    keys = [(f"i{n}", "s") for n in range(5)]
    drawn = segments_of(*((image, who, 0) for image, who in keys), ("i4", "s", 26))
    points = keypoints_of(("i1", "s", 22, True), ("i2", "s", 17, False), ("i3", "s", 15, True))
    said = told(*(("m", *key, part, 1.0) for key in keys for part in ("Face", "Hand")))
    found = parts.run(said, asked_of("m", TASK, keys), points, drawn, verdicts_of([key[0] for key in keys]))
    assert list(values(found, "ar_part").values()) == [1, 1, 1, 1, 1]
    assert list(values(found, "accuracy").values()) == [0.5, 1, 0.5, 0.5, 1]


def test_a_part_that_the_model_knows_but_leaves_out_is_not_seen():
    keys = [("a", "s"), ("b", "s")]
    said = told(("m", "a", "s", "Face", 0.5), ("m", "b", "s", "Face", 0.49), ("n", "a", "s", "Nose", 1.0))
    asked = pd.concat([asked_of(model, TASK, keys) for model in ("m", "n")])
    drawn = segments_of(("a", "s", 11), ("b", "s", 11))
    found = parts.run(said, asked, keypoints_of(), drawn, verdicts_of("ab"))
    assert values(found, "ar_part") == {("m", "a"): 1, ("m", "b"): 0, ("n", "a"): 1, ("n", "b"): 0}


def test_what_is_undefined_says_why():
    said = told(("m", "a", "s", "Bag", 1.0), ("m", "b", "s", "Bag", 1.0))
    asked = asked_of("m", TASK, [("a", "s"), ("b", "s")])
    found = parts.run(said, asked, keypoints_of(), segments_of(("a", "s", 0)), verdicts_of("ab"))
    notes = {metric: some["note"].tolist() for metric, some in found.groupby("metric")}
    nothing = "no segment of the person is annotated"
    assert notes == {"ar_part": ["no part known to the model is present", nothing], "accuracy": ["", nothing]}
    assert found["value"].notna().sum() == 1


def test_without_anyone_asked_there_is_no_score():
    nobody = asked_of("m", TASK, [])
    assert len(parts.run(told(), nobody, keypoints_of(), segments_of(), verdicts_of([]))) == 0


def test_shard_by_shard_all_is_told_as_of_all_at_once(rng):
    """A part that a model names in one shard alone is one that it knows in all."""
    keys = [(f"i{n:02}", f"s{n // 2:02}") for n in range(24)]
    named = [(model, *key, part) for model in "mn" for key in keys[::2] for part in ("Face", "Hand")]
    said = told(*((*one, rng.random()) for one in named), ("m", *keys[0], "Nose", 1.0))
    drawn = segments_of(*((*key, int(rng.integers(28))) for key in keys[:20]))
    points = keypoints_of(*((*key, 17, bool(rng.random() < 0.5)) for key in keys))
    given = {"predictions": said, "keypoints": points, "segments": drawn, "verdicts": verdicts_of([k for k, _ in keys])}
    given["asked"] = pd.concat([asked_of(model, TASK, keys) for model in "mn"])
    scores, apart = (table.check(of, Scores, "") for of in (parts.run(**given), by_shards(parts.run, **given)))
    pd.testing.assert_frame_equal(scores, apart)
    members = pd.DataFrame(keys, columns=["image", "subject"]).assign(attribute="x", group=["a", "b"] * 12)
    rates = {"members": members, "min_subjects": 2, **given}
    pd.testing.assert_frame_equal(part_rates.run(**rates), by_shards(part_rates.run, **rates))
