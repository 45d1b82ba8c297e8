"""A plain table is compared by numbers and texts that are kept once: nothing of what is found depends on it."""

import numpy as np
import pandas as pd
import pytest

from accord.analyse import conditioning, disparities, extremes, groups
from accord.analyse.comparing.intersections import intersections
from accord.analyse.plain.compare_table import analyse
from accord.analyse.plain.roles import numeric
from accord.analyse.tables.causes import Causes
from accord.analyse.tables.scores import Verification
from accord.engine.table import empty

HOW = {"min_subjects": 5, "bootstraps": 100, "seed": 3}


@pytest.fixture
def plain(rng):
    """Scores of 60 people, with two attributes; no row is where it would be by name."""
    who = rng.integers(0, 60, 300)
    made = pd.DataFrame(
        {"image": rng.permutation([f"i{n:03d}" for n in range(300)]), "subject": [f"s{n}" for n in who]}
    )
    made["hair"], made["skin"] = np.array(["long", "none", "short"])[who % 3], np.array(["II", "I"])[who % 2]
    return made.assign(score=np.round(np.clip(rng.beta(6, 2, 300) - 0.2 * (who % 3 == 1), 0, 1), 2))


@pytest.mark.parametrize("most", [1, 2])
def test_what_is_found_is_what_the_steps_find_in_tables_of_texts(plain, most):
    key = plain[["image", "subject"]]
    scores = key.assign(task="table", model="table", metric="score", value=plain["score"], note="")
    single = [key.assign(attribute=name, group=plain[name]) for name in ("hair", "skin")]
    members = pd.concat([*single, *(intersections(single, most) if most > 1 else [])], ignore_index=True)
    found = analyse(plain, most=most, **HOW)
    told = disparities.run(scores, members, **HOW)
    ends = extremes.run(scores, members, crossed=["hair", "skin"], most=most, **HOW)
    pd.testing.assert_frame_equal(
        found.groups, groups.run(scores, members, empty(Verification), min_subjects=HOW["min_subjects"])
    )
    pd.testing.assert_frame_equal(found.disparities, told)
    pd.testing.assert_frame_equal(found.extremes, ends.extremes)
    pd.testing.assert_frame_equal(found.intersections, ends.intersections)
    assert told["claimed"].any()
    features = pd.concat(single).rename(columns={"attribute": "feature", "group": "label"})
    features = features.assign(kind="category", number=np.nan)
    cause = {"task": "table", "model": "table", "metric": "score", "feature": "skin", "claimed": True, "side": ""}
    causes = pd.DataFrame([cause]).reindex(columns=list(empty(Causes).columns)).assign(side="")
    strongest = told[(told["attribute"] == "hair") & told["claimed"]]
    how = {"resamples": HOW["bootstraps"], "min_subjects": 5, "seed": 3}
    fixed = conditioning.run(scores, features, members, strongest, causes, **how)
    mine = found.conditioned[
        (found.conditioned["attribute"] == "hair") & found.conditioned["feature"].isin(["", "skin"])
    ]
    pd.testing.assert_frame_equal(mine.reset_index(drop=True), fixed)


@pytest.mark.parametrize("cells", [["1", " 2.5", "", "1"], ["1", "x"], ["", " "], [], [None, "3"]])
def test_texts_are_numbers_as_each_cell_alone_would_be(cells):
    plain = pd.Series(cells, index=range(5, 5 + len(cells)), dtype=object, name="n")
    one, other = numeric(plain), numeric(plain.astype("str"))
    assert (one is None) == (other is None)
    if one is not None:
        pd.testing.assert_series_equal(one, other)
