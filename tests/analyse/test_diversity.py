"""Vendi scores, against vendi-score and by hand."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import verdicts_of
from vendi_score import vendi as reference

from accord.analyse import diversity
from accord.engine import table
from accord.errors import AccordError
from accord.evaluate.tables.parts import PARTS, PartEmbeddings
from accord.statistics.describing import vendi as vendi_sums
from accord.statistics.describing.vendi import moments, subtract, vendi

pytestmark = pytest.mark.filterwarnings("ignore:Please import `csr_matrix`:DeprecationWarning")


@pytest.mark.parametrize(("n", "d"), [(40, 8), (8, 40), (200, 16), (1, 3)])
def test_sums_over_shards_equal_vendi_score(rng, n, d):
    vectors = rng.normal(size=(n, d)) + 1
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    sums = None
    for part in np.array_split(vectors, 3):
        sums = moments(part, sums)
    assert vendi(sums) == pytest.approx(reference.score_K(unit @ unit.T), abs=1e-6)


def test_sums_onto_sums_are_those_of_all_in_blocks(rng, monkeypatch):
    monkeypatch.setattr(vendi_sums, "ROWS", 7)
    vectors = rng.normal(size=(30, 8)).astype(np.float32)
    unit = vectors.astype(float) / np.linalg.norm(vectors.astype(float), axis=1, keepdims=True)
    whole = moments(vectors[12:], moments(vectors[:12]))
    assert whole.count == 30 and np.triu(whole.total) == pytest.approx(np.triu(unit.T @ unit), abs=1e-12)


def test_a_withdrawal_subtracts(rng):
    stays, goes = rng.normal(size=(30, 8)), rng.normal(size=(20, 8))
    left = subtract(moments(goes, moments(stays)), moments(goes))
    assert left.count == 30
    assert vendi(left) == pytest.approx(vendi(moments(stays)), abs=1e-9)
    with pytest.raises(ValueError, match="not part of the whole"):
        subtract(moments(goes), moments(stays))
    with pytest.raises(ValueError, match="not part of the whole"):
        vendi(subtract(moments(stays), moments(goes)))


def test_copies_count_as_one_and_strangers_each():
    assert vendi(moments(np.ones((5, 4)))) == pytest.approx(1)
    assert vendi(moments(np.eye(6))) == pytest.approx(6)


def test_nothing_and_no_direction_are_errors():
    with pytest.raises(ValueError, match="length 0 has no direction"):
        moments(np.zeros((2, 3)))
    for wrong in (np.nan, np.inf):
        with pytest.raises(ValueError, match="something else than numbers"):
            moments(np.array([[1.0, wrong]]))
    with pytest.raises(ValueError, match="different lengths"):
        moments(np.ones((1, 3)), moments(np.ones((1, 4))))
    with pytest.raises(ValueError, match="of no vectors is undefined"):
        vendi(moments(np.empty((0, 3))))


def test_what_has_no_score_is_told_with_its_files(tmp_path):
    paths = [tmp_path / f"{n}.parquet" for n in range(4)]
    for path, vectors in zip(paths, ([[1, 0]], [[0, 0]], [[1, 0, 0]], [[1, 0], [1, 0, 0]]), strict=True):
        images = [f"i{path.stem}{n}" for n in range(len(vectors))]
        made = {"model": "m", "image": images, "subject": "", "part": "image"}
        vectors = [np.array(one, np.float32) for one in vectors]
        table.write(pd.DataFrame({**made, "vector": vectors}), PartEmbeddings, path)
    with pytest.raises(AccordError) as told:
        diversity.run(verdicts_of(["i00", "i10", "i20", "i30", "i31"]), predictions=paths)
    assert [(one.where, one.what) for one in told.value.problems] == [
        (f"{paths[1]}, m, image", "a vector of length 0 has no direction"),
        (f"{paths[2]}, m, image", "vectors are of different lengths"),
        (f"{paths[3]}, m, image", "vectors are of different lengths"),
    ]


def test_diversity_is_of_each_part_of_the_released_images(rng, tmp_path):
    images = [f"i{n}" for n in range(12)]
    vectors = {part: [v.astype(np.float32) for v in rng.normal(size=(12, 6))] for part in PARTS[:2]}
    made = [pd.DataFrame({"image": images, "subject": "", "part": p, "vector": v}) for p, v in vectors.items()]
    made[1] = made[1].iloc[2:]
    paths = [tmp_path / f"{name}.parquet" for name in ("m0", "m1", "n0", "n1")]
    for model, path, part in zip("mmnn", paths, [pd.concat(made)[:6], pd.concat(made)[6:], made[0], None], strict=True):
        some = table.empty(PartEmbeddings) if part is None else part.assign(model=model)
        table.write(some, PartEmbeddings, path)
    told = diversity.run(verdicts_of(images, failed=["i3"]), predictions=paths).set_index(["model", "part"])
    for part, left in (("image", [n for n in range(12) if n != 3]), ("people_masked", [2, *range(4, 12)])):
        kept = np.array([vectors[part][n] for n in left], float)
        kept /= np.linalg.norm(kept, axis=1, keepdims=True)
        assert told.loc[("m", part), "images"] == len(left)
        assert told.loc[("m", part), "vendi"] == pytest.approx(reference.score_K(kept @ kept.T), abs=1e-6)
    assert told["note"].tolist() == [
        "",
        "2 images have no embedding of this part: a person in them has no box",
        "no embeddings of this part of the images",
        "",
        *["no embeddings of this part of the images"] * 2,
    ]
    assert told["vendi"].isna().tolist() == [False, False, True, False, True, True]


def test_without_models_there_are_no_scores():
    assert len(diversity.run(verdicts_of("a"), predictions=[])) == 0
