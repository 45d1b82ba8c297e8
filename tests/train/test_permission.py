"""The gate: nobody's picture is learnt from without the scope `train`, and nobody is in training and test."""

import pandas as pd
import pytest

from accord.errors import AccordError
from accord.train.permission.gate import keep_apart, require, split

PEOPLE = pd.DataFrame(
    [("a", "ann"), ("b", "ann"), ("b", "ben"), ("c", "ben"), ("d", "cem")], columns=["image", "subject"]
)
PERMITS = pd.DataFrame(
    [("a", "ann", "train"), ("b", "ann", "train"), ("c", "ben", "publish_image"), ("d", "ann", "train")],
    columns=["image", "subject", "scope"],
)


def pictures(*images: str) -> pd.DataFrame:
    return pd.DataFrame({"image": list(images), "label": 0})


def terms(**train: bool) -> pd.DataFrame:
    return pd.DataFrame([(image, may, False) for image, may in train.items()], columns=["image", "train", "external"])


def test_all_people_of_a_picture_must_permit_it():
    """b: ben says nothing; c: another scope; d: another person's; e: of nobody known."""
    found = split(pictures("a", "b", "c", "d", "e"), PEOPLE, PERMITS)
    assert found.allowed["image"].tolist() == ["a"]
    assert found.refused["image"].tolist() == ["b", "c", "d", "e"]
    assert set(found.refused["reason"]) == {"models may not be trained with this image"}


def test_a_picture_without_the_scope_stops_the_training():
    require(pictures("a"), terms(a=True))
    with pytest.raises(AccordError) as caught:
        require(
            pictures("a", "ben/b", "ben/c", "d", "z"), terms(**{"a": True, "ben/b": False, "ben/c": False, "d": False})
        )
    assert "4 pictures may not be learnt from: the scope `train` is missing" in str(caught.value)
    assert "ben" not in str(caught.value), "paths of pictures name people"
    with pytest.raises(AccordError, match="there are none"):
        require(pictures(), terms(a=True))


def test_who_was_learnt_from_does_not_judge():
    learnt = pd.DataFrame([("a", "ann"), ("x", "")], columns=["image", "subject"])
    keep_apart(learnt, pd.DataFrame([("c", "ben"), ("y", "")], columns=["image", "subject"]))
    with pytest.raises(AccordError) as caught:
        keep_apart(learnt, pd.DataFrame([("b", "ann"), ("x", "")], columns=["image", "subject"]))
    told = str(caught.value)
    assert "1 picture in the test was learnt from" in told and "1 person in the test was learnt from" in told
    assert "ann" not in told and "(x)" not in told
