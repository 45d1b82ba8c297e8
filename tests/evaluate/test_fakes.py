"""Detectors of generated faces: pictures degraded, scores of the test alone, models of this run and of others."""

import numpy as np
import pytest
from PIL import Image

import grid_faces as faces
from accord.engine import table
from accord.errors import AccordError
from accord.evaluate import fakes
from accord.evaluate.detecting.degraded import KINDS, degraded, names
from accord.evaluate.tables.predictions import Fakes
from accord.release.tables import Derivatives
from accord.train.tables import Learnt

SIDE = 64
MODEL = {"name": "mine", "task": "fake_detection", "batch": 3, "weights": {}, "options": {}}
ADAPTER = '''
class Even:
    """1 where the first pixel's red is even, 0 where odd, None where it is 255."""
    def __init__(self, weights): pass
    def score(self, pictures):
        return [None if p[0, 0, 0] == 255 else float(p[0, 0, 0] % 2 == 0) for p in pictures]
'''


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    return faces.make(tmp_path_factory.mktemp("faces"))


def smooth() -> np.ndarray:
    row = np.linspace(40, 200, SIDE)
    return np.stack([row[:, None] + 0 * row, row + 0 * row[:, None], 120 + 0 * row[:, None] + 0 * row], 2).astype(
        np.uint8
    )


def run(shards, shard=0, learnt=None, trained=None, **given):
    derivatives = table.read(shards.derivatives[shard], Derivatives)
    known = table.empty(Learnt) if learnt is None else learnt
    settings = {"model": MODEL, "weights": None, "degradations": ["none"]} | given
    return table.check(
        fakes.run(derivatives, shards.sources, shards.people, known, shards.files[shard], trained, **settings),
        Fakes,
        "",
    )


def adapted(tmp_path, code=ADAPTER) -> dict:
    (tmp_path / "even.py").write_text(code)
    return MODEL | {"adapter": f"{tmp_path}/even.py:Even"}


def test_degradations_are_named_by_kind_and_degree():
    assert names({"jpeg": [60, 80], "blur": [7]}) == ["none", "jpeg60", "jpeg80", "blur7"]
    assert names({}) == ["none"]
    for wrong in ("fog3", "jpeg", "80"):
        with pytest.raises(AccordError, match="is unknown"):
            degraded(smooth(), wrong, "a", 1)


@pytest.mark.parametrize(
    "kind, degree", [("jpeg", 80), ("blur", 7), ("hsv", 30), ("light", 40), ("crop", 88), ("rotate", 30)]
)
def test_a_degradation_depends_on_the_picture_and_the_seed(kind, degree):
    once, again = (degraded(smooth(), f"{kind}{degree}", "a", 1) for _ in range(2))
    assert once.dtype == np.uint8 and np.array_equal(once, again) and not np.array_equal(once, smooth())
    drawn = {degraded(smooth(), f"{kind}{degree}", image, seed).tobytes() for image in "abc" for seed in (1, 2)}
    assert len(drawn) == (1 if kind in ("jpeg", "blur") else 6)
    assert degraded(smooth(), "none", "a", 1) is not None and set(KINDS) >= {kind}


def test_each_kind_does_what_it_says():
    picture = smooth()
    assert degraded(picture, "crop88", "a", 1).shape == (56, 56, 3)
    sharp = np.zeros((SIDE, SIDE, 3), np.uint8)
    sharp[32, 32] = 255
    line = degraded(sharp, "blur7", "a", 1)[32, :, 0].astype(float)
    sigma = 0.3 * ((7 - 1) * 0.5 - 1) + 0.8
    weights = np.exp(-(np.arange(-3, 4) ** 2) / (2 * sigma**2))
    weights /= weights.sum()
    assert line[29:36] == pytest.approx(255 * weights[3] * weights, abs=1.5)
    assert not line[:29].any() and not line[36:].any()
    grey = np.full((8, 8, 3), 100, np.uint8)
    assert len(np.unique(degraded(grey, "light40", "a", 1))) == 1
    moved = np.asarray(Image.fromarray(degraded(picture, "hsv30", "a", 1)).convert("HSV"))
    assert not np.array_equal(moved, np.asarray(Image.fromarray(picture).convert("HSV")))
    assert degraded(np.full((9, 9, 3), 7, np.uint8), "rotate30", "a", 1).tolist() == np.full((9, 9, 3), 7).tolist()


def test_higher_degrees_go_further_in_the_same_direction():
    grey = np.full((4, 4, 3), 128, np.uint8)
    moves = [degraded(grey, f"light{percent}", "c", 5)[0, 0, 0] - 128.0 for percent in (20, 40, 80)]
    assert moves == sorted(moves) or moves == sorted(moves, reverse=True)
    assert moves[2] == pytest.approx(4 * moves[0], abs=3)


def test_the_test_alone_is_scored_and_who_was_learnt_from_is_refused(shards, tmp_path):
    found = run(shards, model=adapted(tmp_path))
    test = shards.sources.query("split == 'test'")["image"]
    assert set(found["image"]) == {image for image in test if image[8:10] == "00"} and len(found) > 2
    assert set(found["score"]) <= {0.0, 1.0} and set(found["degradation"]) == {"none"}
    both = run(shards, model=adapted(tmp_path), degradations=["none", "light40"])
    assert both[both["degradation"] == "none"].reset_index(drop=True).equals(found) and len(both) == 2 * len(found)
    person = shards.people.set_index("image")["subject"][found["image"][0]]
    seen = table.rows([("other", person, "a", "b", "c", 0, "train", "g")], Learnt)
    with pytest.raises(AccordError, match="1 person in the test was"):
        run(shards, learnt=seen, model=adapted(tmp_path))


def test_a_model_without_a_score_has_a_row_that_says_so_and_nonsense_is_refused(shards, tmp_path):
    found = run(shards, model=adapted(tmp_path, ADAPTER.replace("== 255", ">= 0")))
    assert found["score"].isna().all() and set(found["note"]) == {fakes.SILENT}
    with pytest.raises(AccordError, match="answers with what is no probability"):
        run(shards, model=adapted(tmp_path, ADAPTER.replace("float(", "2.5 + float(")))
    with pytest.raises(AccordError, match="has no trained file"):
        run(shards, model={"name": "x", "task": "fake_detection", "batch": 2, "trained": "x"})
