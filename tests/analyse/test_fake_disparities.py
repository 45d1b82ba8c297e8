"""For whom detectors of made faces are worse: what is planted is claimed, and what chance makes hardly ever."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from accord.analyse import fake_disparities
from accord.analyse.tables.scores import Members
from accord.engine import table
from accord.engine.table import empty, rows
from accord.evaluate.tables.annotations import SkinTones
from accord.evaluate.tables.predictions import Fakes
from accord.release.source_tables import Sources
from accord.release.tables import People, Verdicts

NO_BOX = (None,) * 8
PEOPLE, FACES = 60, 6
"""Each person has half as many real faces, and fakes."""


def world(seed, planted=0.0):
    """Faces of people of three groups of skin and two of gender. planted: what is added to the rate at which real light
    faces are called fake; each person has a rate of their own, so that faces of one person are alike."""
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(PEOPLE), FACES)
    fake = np.tile(np.arange(FACES) % 2 == 1, PEOPLE)
    skin, gender = np.array(["light", "medium", "dark"])[who % 3], np.array(["female", "male"])[who // 3 % 2]
    own = rng.beta(1, 4, PEOPLE)[who]
    wrong = rng.random(len(who)) < np.clip(own + planted * (~fake & (skin == "light")), 0, 1)
    return pd.DataFrame(
        {"image": [f"i{n:03}" for n in range(len(who))], "subject": [f"p{n:02}" for n in who], "fake": fake,
         "skin": skin, "gender": gender, "score": np.where(wrong != fake, 0.9, 0.1)}
    )  # fmt: skip


def told(folder, faces, models=("m",), known=True, **how):
    """The table of `faces`, scored alike by each of `models`. known: whether it is known whom pictures show."""
    subject = faces["subject"] if known else faces["image"]
    pairs = list(zip(faces["image"], subject, strict=True))
    kinds = np.where(faces["fake"], "gan", "real")
    sources = [(i, "S", k, "m", int(f), "test") for i, k, f in zip(faces["image"], kinds, faces["fake"], strict=True)]
    people = [(image, who, True, None, *NO_BOX, "") for image, who in pairs]
    members = [(*pair, name, g) for name in ("skin", "gender") for pair, g in zip(pairs, faces[name], strict=True)]
    verdicts = [(image, who, "pass", "", "", "") for image, who in pairs]
    file, given = folder / "fakes.parquet", zip(faces["image"], faces["score"], strict=True)
    scored = [(model, image, "none", score, "") for image, score in given for model in models]
    table.write(rows(scored, Fakes), Fakes, file)
    release = rows(sources, Sources), rows(people, People), rows(members, Members), empty(SkinTones)
    return fake_disparities.run([file], *release, rows(verdicts, Verdicts), bootstraps=20, **how)


def test_a_planted_gap_is_claimed_with_the_rates_of_people(tmp_path):
    faces = world(1, planted=0.6)
    found = told(tmp_path, faces)
    (claim,) = found[found["claimed"]].itertuples()
    assert (claim.metric, claim.attribute, claim.worst) == ("false_positive_rate", "skin", "light")
    real = faces[~faces["fake"]].assign(wrong=lambda some: some["score"] > 0.5)
    rates = real.groupby(["skin", "subject"])["wrong"].mean().groupby("skin").mean()
    assert (claim.worst_mean, claim.best_mean) == pytest.approx((rates["light"], rates[claim.best]))
    assert claim.worst_subjects == 20 and len(found) == 4


def test_chance_is_hardly_ever_claimed_though_faces_of_a_person_are_alike(tmp_path):
    """5% of worlds may have a claim: more than the 99.9% quantile of that would tell that it isn't held."""
    claims = [told(tmp_path, world(seed))["claimed"].any() for seed in range(40)]
    assert sum(claims) <= binom.ppf(0.999, 40, 0.05)


def test_what_is_said_of_a_model_does_not_depend_on_how_many_others_ran(tmp_path):
    alone = told(tmp_path, world(2, planted=0.45))
    among = told(tmp_path, world(2, planted=0.45), models=["a", "m", *"nopq"])
    pd.testing.assert_frame_equal(among[among["model"] == "m"].reset_index(drop=True), alone)


def test_faces_of_nobody_known_are_one_unit_and_make_no_claim(tmp_path):
    found = told(tmp_path, world(1, planted=0.9), known=False)
    assert not found["claimed"].any() and found["note"].str.contains("fewer than two groups have 10 subjects").all()


def test_a_test_without_fakes_has_rates_of_real_faces_alone(tmp_path):
    faces = world(1, planted=0.6)
    found = told(tmp_path, faces[~faces["fake"]])
    assert set(found["metric"]) == {"false_positive_rate"} and found["claimed"].sum() == 1
