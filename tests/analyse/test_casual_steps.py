"""The steps of Casual Conversations as a run calls them: tables of an archive and files of one's own, in one world."""

from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from analyse_cases import verdicts_of

from accord.analyse import deepfakes, disparities, groups, members, videos
from accord.analyse.casual import votes as vote_files
from accord.analyse.tables.scores import Members, Verification
from accord.engine.table import empty, rows
from accord.errors import AccordError
from accord.evaluate.tables.videos import Looks
from accord.release.tables import Attributes, People

PAPER = [Path(__file__).parents[2] / "config/references/casual-conversations.csv"]
HOW = {"min_subjects": 10, "bootstraps": 200}
SUBJECTS, EACH = 72, 12
ATTRIBUTES = ["age_range", "gender", "fitzpatrick", "lighting"]
GENDERS = {"Man": "male", "Woman": "female"}
TYPES = ("I", "II", "III", "IV", "V", "VI")


class World(NamedTuple):
    """The tables of an archive whose images are videos: three of each of 72 people; every third has a dark one."""

    people: pd.DataFrame
    attributes: pd.DataFrame
    verdicts: pd.DataFrame

    def members(self) -> pd.DataFrame:
        found = members.run(self.people, self.attributes, self.verdicts, names=ATTRIBUTES)
        return rows(found.to_dict("records"), Members)


@pytest.fixture(scope="module")
def world() -> World:
    columns = list(People.to_schema().columns)
    people, said = [], []
    for number in range(SUBJECTS):
        subject = f"{number:04}"
        gender = "unknown" if number == 71 else ("male", "female")[number % 2]
        told = {"gender": gender, "fitzpatrick": TYPES[number // EACH]}
        for take in range(3):
            video = f"{subject}/{take}.mp4"
            known = {
                "image": video,
                "subject": subject,
                "is_primary": True,
                "age": 20 + number * 7 % 60,
                "face_annotator": "",
            }
            people.append(dict.fromkeys(columns) | known)
            light = "dark" if take == 0 and number % 3 == 0 else "bright"
            said += [(video, subject, name, value, "") for name, value in {**told, "lighting": light}.items()]
    return World(
        pd.DataFrame(people, columns=columns), rows(said, Attributes), verdicts_of([row["image"] for row in people])
    )


@pytest.fixture(scope="module")
def votes(tmp_path_factory) -> Path:
    rng = np.random.default_rng(5)
    path = tmp_path_factory.mktemp("votes") / "votes.csv"
    lines = ["subject,rater,type,uncertain"]
    for number in range(SUBJECTS):
        for rater in range(8):
            value = int(np.clip(number // EACH + 1 + (rng.random() < 0.2) - (rng.random() < 0.2), 1, 6))
            lines.append(f"{number:04},r{rater},{value},{int(rng.random() < 0.1)}")
    path.write_text("\n".join(lines))
    return path


@pytest.fixture(scope="module")
def predictions(world, tmp_path_factory) -> Path:
    """What a model said of four frames a video: genders of types V and VI wrong every other time, ages 3 too high."""
    path, lines = tmp_path_factory.mktemp("said") / "lightface.csv", ["video,frame,gender,age"]
    for row in world.people.itertuples():
        number = int(row.subject)
        wrong = number >= 48 and number % 4 < 2
        gender = ("Man", "Woman")[number % 2 ^ wrong]
        lines += [f"{row.image},{frame},{gender if frame else ''},{row.age + 3 if frame else ''}" for frame in range(4)]
    path.write_text("\n".join(lines))
    return path


@pytest.fixture(scope="module")
def found(world, votes, predictions) -> videos.Videos:
    return videos.run(*world[:2], world.members(), world.verdicts, PAPER, votes, [predictions], **HOW)


def test_types_agreement_and_groups_come_of_votes(found):
    assert len(found.types) == SUBJECTS and found.types["votes"].eq(8).all()
    alpha = found.agreement.set_index(["votes", "compared", "metric"])["value"]["all", "types", "alpha_ordinal"]
    assert 0.9 < alpha < 1
    typed = found.types[found.types["type"] != ""]
    assert len(found.members) == 3 * (len(typed) + (found.types["skin"] != "").sum())


def test_the_mini_set_has_a_dark_video_where_there_is_one(found):
    lit = found.mini.groupby("subject")["lighting"].agg(sorted)
    assert [lit[f"{number:04}"] == ["bright", "dark"] for number in range(SUBJECTS)] == [
        number % 3 == 0 for number in range(SUBJECTS)
    ]
    counts = found.counts.set_index("figure")
    assert counts.loc["mini.videos"].tolist() == [144, 6022]
    assert counts.loc["mini.dark"].tolist() == [24 / 144, 0.373]


def test_precision_is_of_the_mini_set_by_stated_and_voted_groups(found):
    looks = found.looks[found.looks["attribute"] == "gender"]
    assert len(looks) == 144
    assert looks["note"].value_counts().to_dict() == {"": 142, "it isn't known what is right": 2}
    figures = found.precision.set_index(["predicted", "attribute", "group", "average"])
    whole = figures.loc[("gender", "all", "all", "accuracy")]
    assert whole["precision"] == pytest.approx(looks["right"].mean())
    assert figures.loc[("gender", "all", "all", "macro"), "published"] == 0.4412
    assert figures.loc[("age", "gender", "male", "weighted"), "published"] == 0.5618
    assert {"fitzpatrick", "voted_fitzpatrick", "voted_skin", "lighting"} <= set(found.precision["attribute"])
    dark, light = (figures.loc[("gender", "voted_skin", name, "accuracy"), "precision"] for name in ("dark", "light"))
    assert light == 1 and dark < 0.75


def test_scores_serve_the_steps_that_compare_groups(world, found):
    everyone = pd.concat([world.members(), found.members], ignore_index=True)
    told = groups.run(found.scores, everyone, empty(Verification), min_subjects=HOW["min_subjects"])
    row = told.set_index(["metric", "attribute", "group"]).loc[("gender_right", "voted_skin", "dark")]
    assert row["mean"] < 0.75 and row["low"] < row["mean"] < row["high"]
    compared = disparities.run(found.scores, everyone, **HOW).set_index(["metric", "attribute"])
    assert compared.loc[("gender_right", "voted_skin"), "claimed"]
    assert compared.loc[("gender_right", "voted_skin"), "worst"] == "dark"
    assert not compared.loc[("gender_right", "gender"), "claimed"]


def test_without_files_there_is_a_mini_set_and_nothing_else(world):
    found = videos.run(*world[:2], world.members(), world.verdicts, PAPER)
    assert len(found.mini) == 144
    assert [len(some) for some in (found.types, found.agreement, found.members, found.looks, found.scores)] == [0] * 5
    assert found.precision.empty


def test_votes_from_the_review_page_are_as_those_of_a_file(world, votes, found, tmp_path, monkeypatch):
    said = pd.read_csv(votes, dtype={"subject": str}).assign(uncertain=lambda told: told["uncertain"] == 1)
    stranger = said.tail(1).assign(subject="9999")
    cast = pd.concat([said, stranger]).assign(scale="fitzpatrick")
    asked = pd.DataFrame({"subject": cast["subject"].unique()})
    for given, scale in ((cast, "fitzpatrick"), (cast.assign(scale="monk"), "fitzpatrick")):
        monkeypatch.setattr(vote_files, "skin_votes", lambda db, given=given: given)
        monkeypatch.setattr(vote_files.store, "reading", lambda vault: nullcontext())
        made = videos.run(
            *world[:2], world.members(), world.verdicts, PAPER, asked=asked, vault=tmp_path, scale=scale, **HOW
        )
        if given is cast:
            pd.testing.assert_frame_equal(made.types, found.types)
            pd.testing.assert_frame_equal(made.agreement, found.agreement)
        else:
            assert set(made.types["note"]) == {"no votes"} and made.members.empty
            assert made.agreement["value"].isna().all() and (made.agreement["note"] != "").all()


def test_a_video_that_was_not_released_is_nowhere(world, votes):
    barred = world.people["image"][world.people["subject"] == "0000"]
    verdicts = verdicts_of(world.people["image"], failed=set(barred))
    found = videos.run(*world[:2], world.members(), verdicts, PAPER)
    assert "0000" not in set(found.mini["subject"])
    with pytest.raises(AccordError, match="8 rows, first 1, 2, 3, 4, 5: subject is unknown"):
        videos.run(*world[:2], world.members(), verdicts, PAPER, votes)


@pytest.fixture(scope="module")
def judged(world, tmp_path_factory) -> deepfakes.Deepfakes:
    """Two submissions about six videos a person, three of them fakes; `wm` calls real ones of types V, VI fake."""
    folder, rng = tmp_path_factory.mktemp("dfdc"), np.random.default_rng(7)
    truth, said = ["filename,subject,label,video"], {"wm": ["filename,label"], "mine": ["filename,label"]}
    for number in range(SUBJECTS):
        for take in range(6):
            name, fake = f"f{number}_{take}.mp4", take % 2
            truth.append(f"{name},{number:04},{fake},{number:04}/{take % 3}.mp4")
            biased = number >= 48 and not fake and rng.random() < 0.6
            for which, lines in said.items():
                right = rng.uniform(0.6, 1)
                lines.append(f"{name},{right if (which == 'wm' and biased) or fake else 1 - right:.4f}")
    for which, lines in {"truth": truth, **said}.items():
        (folder / f"{which}.csv").write_text("\n".join(lines))
    files = [folder / "wm.csv", folder / "mine.csv"]
    return deepfakes.run(files, folder / "truth.csv", world.people, world.members(), world.verdicts, PAPER, **HOW)


def test_figures_of_submissions_stand_beside_the_published_ones(judged):
    figures = judged.figures.set_index(["submission", "metric", "attribute", "group"])
    assert figures.loc[("wm", "ln_wp", "all", "all"), "published"] == -2.276
    assert np.isnan(figures.loc[("mine", "ln_wp", "all", "all"), "published"])
    for name in TYPES[:4]:
        assert (
            figures.loc[("wm", "false_alarm_rate", "fitzpatrick", name), "value"]
            != figures.loc[("wm", "false_alarm_rate", "fitzpatrick", "VI"), "value"]
        )
    assert set(figures.loc["wm"].index.get_level_values("attribute")) == {"all", *ATTRIBUTES}
    assert len(judged.members) == 6 * SUBJECTS * 4
    area = judged.curves[(judged.curves["submission"] == "mine") & (judged.curves["attribute"] == "all")]
    assert np.trapezoid(area["hit_rate"], area["false_alarm_rate"]) == pytest.approx(1)


def test_a_planted_gap_of_a_submission_is_claimed_and_no_other(judged):
    found = disparities.run(judged.scores, judged.members, **HOW).set_index(["model", "metric", "attribute"])
    claimed = {key for key, row in found.iterrows() if row["claimed"]}
    assert ("wm", "false_alarm", "fitzpatrick") in claimed
    assert {model for model, *_ in claimed} == {"wm"}
    assert {attribute for _, _, attribute in claimed} == {"fitzpatrick"}


def test_models_of_the_run_are_judged_as_files_are(world, predictions, found):
    given = pd.read_csv(predictions, dtype=str).fillna("")
    looked = rows(
        [
            ("own", row.video, "", int(row.frame), float(row.age or "nan"), GENDERS.get(row.gender, ""),
             1.0 if row.gender else None, "")
            for row in given.itertuples()
        ],
        Looks,
    )  # fmt: skip
    both = videos.run(*world[:2], world.members(), world.verdicts, PAPER, None, [predictions], looked, **HOW)
    columns = ["attribute", "video", "value", "age", "frames", "faces", "right"]
    own, theirs = (both.looks.loc[both.looks["model"] == name, columns] for name in ("own", "lightface"))
    pd.testing.assert_frame_equal(own.reset_index(drop=True), theirs.reset_index(drop=True))
    alone = videos.run(*world[:2], world.members(), world.verdicts, PAPER, None, None, looked, **HOW)
    assert set(alone.precision["model"]) == {"own"}
    with pytest.raises(AccordError, match="a model of the run is called 'lightface', too"):
        same = looked.assign(model="lightface")
        videos.run(*world[:2], world.members(), world.verdicts, PAPER, None, [predictions], same, **HOW)
