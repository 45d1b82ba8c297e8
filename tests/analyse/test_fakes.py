"""The benchmark of detectors on the pictures of an archive of sources: from small tables, by hand."""

import numpy as np
import pandas as pd
import pytest

from accord.analyse import fakes
from accord.analyse.scoring.detectors import drawn
from accord.analyse.scoring.individual import individual
from accord.analyse.tables.scores import Members
from accord.engine import table
from accord.engine.table import empty, rows
from accord.errors import AccordError
from accord.evaluate.tables.annotations import SkinTones
from accord.evaluate.tables.predictions import Fakes
from accord.release.source_tables import Sources
from accord.release.tables import People, Verdicts

NO_BOX = (None,) * 8
GROUPS = {"gender": ("female", "male"), "skin": ("light", "dark")}


@pytest.fixture(scope="module")
def told():
    """80 real faces of 20 people, 60 fakes of A of the same, 40 of B of nobody known; their groups and scores."""
    rng = np.random.default_rng(5)
    pictures = [(f"r{n:02}", "Real", "real", f"p{n % 20}") for n in range(80)]
    pictures += [(f"a{n:02}", "A", "deepfake", f"p{n % 20}") for n in range(60)]
    pictures += [(f"b{n:02}", "B", "gan", f"b{n:02}") for n in range(40)]
    frame = pd.DataFrame(pictures, columns=["image", "subset", "category", "subject"])
    frame["label"] = (frame["category"] != "real").astype(int)
    for name, values in GROUPS.items():
        frame[name] = rng.choice(values, len(frame))
    frame["score"] = np.clip(np.round(rng.beta(2, 2, len(frame)) + 0.3 * (frame["label"] - 0.5), 3), 0, 1)
    return frame


def tables(told):
    sources = [(*row, "m", label, "test") for *row, label in told[["image", "subset", "category", "label"]].to_numpy()]
    people = [(image, subject, True, None, *NO_BOX, "") for image, subject in told[["image", "subject"]].to_numpy()]
    people += [("a00", "somebody else", False, None, *NO_BOX, "")]
    members = [
        (row.image, row.subject, name, getattr(row, name)) for row in told.itertuples() for name in GROUPS
    ] + [("a00", "somebody else", "gender", "male")]  # fmt: skip
    verdicts = [(image, subject, "pass", "", "", "") for image, subject in told[["image", "subject"]].to_numpy()]
    found = rows(sources, Sources), rows(people, People), rows(members, Members), empty(SkinTones)
    return *found, rows(verdicts, Verdicts)


def written(tmp_path, told, name="fakes", model="m", degradation="none", scores=None):
    given = told["score"] if scores is None else scores
    file = tmp_path / f"{name}.parquet"
    table.write(rows([(model, image, degradation, score, "") for image, score in zip(told["image"], given, strict=True)], Fakes), Fakes, file)  # fmt: skip  # noqa: E501
    return file


def figures(found):
    return found.set_index(["degradation", "subset", "attribute", "metric"])


def rates(some, groups):
    """Group -> accuracy, share called fake, FPR, TPR: by pandas."""
    called = some["score"] >= 0.5
    right = called == (some["label"] == 1)
    one = pd.DataFrame({"group": groups, "acc": right, "said": called, "label": some["label"]})
    by = one.groupby("group")[["acc", "said"]].mean()
    return by.join(one.pivot_table(index="group", columns="label", values="said"))


def test_each_subset_is_its_fakes_with_all_real_faces(told, tmp_path):
    found = fakes.run([written(tmp_path, told)], *tables(told), bootstraps=0)
    fairness, utility = figures(found.fairness), found.utility.set_index(["subset", "attribute", "group"])
    assert set(found.fairness["subset"]) == {"all", "A", "B"}
    for subset in ("all", "A", "B"):
        some = told if subset == "all" else told[told["subset"].isin(["Real", subset])]
        for name in GROUPS:
            by = rates(some, some[name])
            apart = by.max() - by.min()
            got = fairness.loc[("none", subset, name)]["value"]
            assert got["f_oae"] == pytest.approx(apart["acc"]) and got["f_dp"] == pytest.approx(apart["said"])
            assert got["f_meo"] == pytest.approx(max(apart[0], apart[1]))
        assert utility.loc[(subset, "all", "all")][["faces", "fakes"]].tolist() == [len(some), some["label"].sum()]
    share = told.groupby("skin")["label"].mean()
    assert fairness.loc[("none", "all", "skin", "f_dp"), "floor"] == pytest.approx(share.max() - share.min())
    women = told[told["gender"] == "female"]
    assert utility.loc[("all", "gender", "female"), "accuracy"] == pytest.approx(
        ((women["score"] >= 0.5) == (women["label"] == 1)).mean()
    )


def test_intervals_draw_people_and_where_nobody_is_known_sources(told, tmp_path):
    files = [written(tmp_path, told)]
    found = figures(fakes.run(files, *tables(told), bootstraps=300, seed=3).fairness)
    ordered = told.sort_values("image")
    unit = pd.factorize(ordered["subject"].where(ordered["subset"] != "B", "source B").map(
        lambda name: name if name.startswith("source") else f"person {name}"), sort=True)[0]  # fmt: skip
    ends = drawn.intervals((ordered["label"] == 1).to_numpy(), (ordered["score"] >= 0.5).to_numpy(),
                           pd.Categorical(ordered["skin"]), unit, 300, np.random.default_rng(3))  # fmt: skip
    for metric in ("f_meo", "f_dp", "f_oae", "f_eo"):
        row = found.loc[("none", "all", "skin", metric)]
        assert (row["low"], row["high"]) == pytest.approx(ends[metric])
        assert "drawn of 20 people and 1 source" in row["note"]
    without = ordered[ordered["subset"] != "B"]
    ends = drawn.intervals((without["label"] == 1).to_numpy(), (without["score"] >= 0.5).to_numpy(),
                           pd.Categorical(without["skin"]), unit[ordered["subset"] != "B"], 2000,
                           np.random.default_rng(1))  # fmt: skip
    row = figures(fakes.run(files, *tables(told), bootstraps=2000).fairness).loc[("none", "A", "skin", "f_oae")]
    assert (row["low"], row["high"]) == pytest.approx(ends["f_oae"], abs=0.03)


def test_f_ind_is_that_of_pictures_as_they_are_between_logits(told, tmp_path):
    files = [written(tmp_path, told), written(tmp_path, told, "jpeg", degradation="jpeg60")]
    found = figures(fakes.run(files, *tables(told), bootstraps=0).fairness)
    sure = np.clip(told["score"].to_numpy(), 1e-7, 1 - 1e-7)
    expected = individual(told["score"].to_numpy(), np.log(sure / (1 - sure))[:, None], "logits").f_ind
    row = found.loc[("none", "all", "all", "f_ind")]
    assert row["value"] == pytest.approx(expected) and "logits" in row["note"]
    assert "f_ind" not in found.loc["jpeg60"].index.get_level_values("metric")


def test_pictures_outside_of_the_test_or_stopped_are_not_judged(told, tmp_path):
    sources, people, members, tones, verdicts = tables(told)
    sources["split"] = np.where(sources["image"] < "r40", "test", "train")
    verdicts["verdict"] = np.where(verdicts["image"] == "a00", "fail", "pass")
    found = fakes.run([written(tmp_path, told)], sources, people, members, tones, verdicts, bootstraps=0)
    assert found.utility.loc[found.utility["attribute"] == "all", "faces"].max() == 60 + 40 + 40 - 1


def test_a_picture_without_a_score_is_left_out_and_counted(told, tmp_path):
    scores = told["score"].where(told["image"] != "a07")
    found = fakes.run([written(tmp_path, told, scores=scores)], *tables(told), bootstraps=0).utility
    whole = found[found["attribute"] == "all"].set_index("subset")
    assert whole["unscored"].to_dict() == {"all": 1, "A": 1, "B": 0} and whole.loc["all", "faces"] == 179


def test_two_files_of_one_model_are_told(told, tmp_path):
    files = [written(tmp_path, told), written(tmp_path, told.iloc[:3], "again")]
    with pytest.raises(AccordError, match=r"again\.parquet: has 3 scores of pictures that another file scores"):
        fakes.run(files, *tables(told))


def test_an_archive_in_which_no_face_was_found_is_told_as_that(told, tmp_path):
    sources, *rest = tables(told)
    with pytest.raises(AccordError) as caught:
        fakes.run([written(tmp_path, told)], sources.iloc[:0], *rest)
    assert "in which no face was found" in caught.value.problems[0].hint


def test_a_file_that_knows_no_picture_and_one_with_a_row_twice_are_told(told, tmp_path):
    absolute = written(tmp_path, told.assign(image="/data/" + told["image"]))
    with pytest.raises(AccordError, match=r"fakes\.parquet: names no picture of the archive"):
        fakes.run([absolute], *tables(told))
    twice = pd.DataFrame({"model": "m", "image": told["image"], "degradation": "none", "score": 0.5, "note": ""})
    pd.concat([twice, twice]).to_parquet(tmp_path / "twice.parquet")
    with pytest.raises(
        AccordError, match=r"twice\.parquet: 360 row\(s\) have the same model, image, degradation as another"
    ):
        fakes.run([tmp_path / "twice.parquet"], *tables(told))


def test_all_files_that_are_no_tables_of_scores_are_told_with_what_one_is(told, tmp_path):
    right = pd.DataFrame({"model": "m", "image": told["image"], "degradation": "none", "score": 0.5, "note": ""})
    right.assign(score=1.5).to_parquet(tmp_path / "large.parquet")
    right.drop(columns="note").to_parquet(tmp_path / "short.parquet")
    with pytest.raises(AccordError) as caught:
        fakes.run([tmp_path / "large.parquet", tmp_path / "short.parquet"], *tables(told))
    assert [one.where.split("/")[-1] for one in caught.value.problems] == ["large.parquet", "short.parquet"]
    assert all("score from 0 to 1" in one.hint and "docs/ai-face.md" in one.hint for one in caught.value.problems)


def test_a_file_of_pictures_of_no_test_is_no_mistake(told, tmp_path):
    sources, *rest = tables(told)
    sources["split"] = np.where(sources["image"] < "r", "train", "test")
    found = fakes.run([written(tmp_path, told[told["image"] < "r"])], sources, *rest, bootstraps=0)
    assert found.utility["faces"].max() == 0


def test_without_scores_there_are_no_figures(told):
    found = fakes.run([], *tables(told))
    assert len(found.fairness) == len(found.utility) == 0


def test_a_group_of_one_label_is_left_out_of_what_takes_both(told, tmp_path):
    lone = told.assign(skin=np.where(told["label"] == 1, told["skin"], "light"))
    found = figures(fakes.run([written(tmp_path, lone)], *tables(lone), bootstraps=50).fairness)
    row = found.loc[("none", "all", "skin", "f_meo")]
    assert np.isnan(row["value"]) and np.isnan(row["low"]) and row["left_out"] == "dark"
    assert row["note"].startswith("fewer than two groups can be compared")


def test_measured_tones_are_groups_by_both_distances(told, tmp_path):
    """In RGB all are light but one that is dark; in CIE L*a*b* light and medium; one has no face."""
    sources, people, members, _, verdicts = tables(told)
    names = told["image"].tolist()
    tones = [(name, "", 1.0, 1.0, 1.0, 7 if place < 80 else 3, 3 if place % 2 else 4, 0.5, 99, "")
             for place, name in enumerate(names[:-1])]  # fmt: skip
    tones += [(names[-1], "", *(None,) * 6, 0, "no face")]
    found = fakes.run(
        [written(tmp_path, told)], sources, people, members, rows(tones, SkinTones), verdicts, bootstraps=0
    )
    groups = found.utility.groupby("attribute")["group"].agg(list)
    assert groups["measured_skin_rgb"] == ["dark", "light"] and groups["measured_skin_lab"] == ["light", "medium"]
    faces = found.utility.set_index(["attribute", "group"])["faces"]
    assert faces[("measured_skin_rgb", "dark")] == 80 and faces[("measured_skin_rgb", "light")] == 99
    note = figures(found.fairness).loc[("none", "all", "measured_skin_lab", "f_oae"), "note"]
    assert note.startswith("1 face without a value")


def test_an_attribute_that_no_picture_has_is_left_out(told, tmp_path):
    sources, people, members, _, verdicts = tables(told)
    tones = rows([(name, "", *(None,) * 6, 0, "no face") for name in told["image"]], SkinTones)
    found = fakes.run([written(tmp_path, told)], sources, people, members, tones, verdicts, bootstraps=20)
    assert set(found.fairness["attribute"]) == {"gender", "skin", "all"}
