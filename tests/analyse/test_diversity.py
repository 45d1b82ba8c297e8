"""Vendi scores, against vendi-score and by hand."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import verdicts_of
from vendi_score import vendi as reference

from accord import table
from accord.analyse import diversity
from accord.analyse.vendi import add, moments, vendi
from accord.evaluate.tables import Embeddings

pytestmark = pytest.mark.filterwarnings("ignore:Please import `csr_matrix`:DeprecationWarning")


@pytest.mark.parametrize(("n", "d"), [(40, 8), (8, 40), (200, 16), (1, 3)])
def test_sums_over_shards_equal_vendi_score(rng, n, d):
    vectors = rng.normal(size=(n, d)) + 1
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    sharded = vendi(add(moments(part) for part in np.array_split(vectors, 3) if len(part)))
    assert sharded == pytest.approx(reference.score_K(unit @ unit.T), abs=1e-6)


def test_a_withdrawn_shard_can_be_subtracted(rng):
    one, two = rng.normal(size=(30, 8)), rng.normal(size=(20, 8))
    both, gone = add([moments(one), moments(two)]), moments(two)
    left = both._replace(total=both.total - gone.total, count=both.count - gone.count)
    assert vendi(left) == pytest.approx(vendi(moments(one)), abs=1e-9)


def test_copies_count_as_one_and_strangers_each():
    assert vendi(moments(np.ones((5, 4)))) == pytest.approx(1)
    assert vendi(moments(np.eye(6))) == pytest.approx(6)


def test_nothing_and_no_direction_are_errors():
    with pytest.raises(ValueError, match="length 0 has no direction"):
        moments(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="of no vectors is undefined"):
        vendi(moments(np.empty((0, 3))))
    with pytest.raises(ValueError, match="Nothing to add"):
        add([])


def test_diversity_is_of_released_whole_images(rng, tmp_path):
    vectors = [v.astype(np.float32) for v in rng.normal(size=(12, 6))]
    images = [f"i{n}" for n in range(12)]
    made = pd.DataFrame({"model": "m", "image": images, "subject": "", "vector": vectors})
    made.loc[5, "subject"] = "s"
    paths = [tmp_path / "00.parquet", tmp_path / "01.parquet"]
    for path, part in zip(paths, (made[:6], made[6:]), strict=True):
        table.write(part, Embeddings, path)
    told = diversity.run(verdicts_of(images, failed=["i3"]), predictions=paths).set_index("part")
    kept = np.array([v for n, v in enumerate(vectors) if n not in (3, 5)], float)
    kept /= np.linalg.norm(kept, axis=1, keepdims=True)
    assert told.loc["image", "images"] == 10
    assert told.loc["image", "vendi"] == pytest.approx(reference.score_K(kept @ kept.T), abs=1e-6)
    assert told.loc["people_masked", "note"] == "no embeddings of this part of the images"
    assert np.isnan(told.loc["background_masked", "vendi"])


def test_without_models_there_are_no_scores():
    assert len(diversity.run(verdicts_of("a"), predictions=[])) == 0
