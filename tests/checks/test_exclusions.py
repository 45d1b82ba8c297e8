"""What exclusions do to who is in the dataset: variances over subjects, and the table of groups and checks."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import Table2x2

from accord.checks import exclusions
from accord.checks.tables.findings import Verdicts
from accord.consent.tables import Permits
from accord.engine import table
from accord.intake.tables import Attributes, People
from accord.statistics.describing.clustered_rates import change_of_share, risk

WOMEN, MEN, THEY = "0. She/her/hers", "1. He/him/his", "2. They/them/their"


def cohort(rng, subjects, risks, each=4, share=0.3, together=0.0):
    """Counts by subject: images, of the group, taken, both. `together`: how alike a subject's images fare, 0 to 1."""
    images = rng.integers(1, each + 1, subjects)
    inside = rng.random(subjects) < share
    base = np.where(inside, risks[0], risks[1])
    chance = np.where(rng.random(subjects) < together, rng.random(subjects) < base, base)
    taken = rng.binomial(images, chance)
    return images * 1.0, images * inside * 1.0, taken * 1.0, taken * inside * 1.0


def test_a_share_before_and_after_by_hand():
    """Two of four images are of women; one of theirs goes: from 1/2 to 1/3."""
    found = change_of_share(*map(np.array, ([1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 0, 0], [0, 1, 1, 1])))
    assert (found.before, found.after, found.change) == pytest.approx((1 / 2, 1 / 3, -1 / 6))
    assert found.low < found.change < 0 < found.high


def test_the_variance_of_the_change_is_that_of_the_jackknife():
    images, inside, taken, both = cohort(np.random.default_rng(3), 200, (0.3, 0.15), together=0.6)
    found = change_of_share(inside, images, inside - both, images - taken)

    def change(keep):
        return (inside - both)[keep].sum() / (images - taken)[keep].sum() - inside[keep].sum() / images[keep].sum()

    without = np.array([change(np.arange(200) != one) for one in range(200)])
    error = np.sqrt(199 / 200 * np.sum((without - without.mean()) ** 2))
    assert (found.high - found.low) / 2 == pytest.approx(stats.t.ppf(0.975, 199) * error, rel=0.02)


def test_with_one_image_each_the_ratio_has_katz_interval():
    images = np.ones(200)
    inside, taken = np.repeat([1.0, 0.0], 100), np.repeat([1.0, 0.0, 1.0, 0.0], [30, 70, 10, 90])
    found = risk(taken, inside, taken * inside, images)
    reference = Table2x2([[30, 70], [10, 90]])
    assert found.ratio == pytest.approx(reference.riskratio) == pytest.approx(3)
    error = np.log(found.ratio_high / found.ratio) / stats.t.ppf(0.975, 199)
    assert error == pytest.approx(reference.log_riskratio_se * np.sqrt(200 / 199))
    assert found.p_value == pytest.approx(stats.chi2_contingency([[30, 70], [10, 90]], False)[1], rel=0.15)


def test_p_is_that_of_dealing_out_what_was_taken():
    images, inside, taken, both = cohort(np.random.default_rng(8), 60, (0.4, 0.2), together=0.5)
    found = risk(taken, inside, both, images)
    excess, share = taken - images * taken.sum() / images.sum(), inside / images
    dealt = stats.permutation_test(
        (excess,), lambda x: x @ (share - share.mean()), permutation_type="pairings", n_resamples=4000, rng=1
    )
    assert found.p_value == pytest.approx(dealt.pvalue, abs=0.03)


def test_what_cannot_be_said_is_missing():
    ones = np.ones(10)
    assert np.isnan(risk(ones, ones, ones, ones)).all()
    nobody = risk(ones * 0, np.arange(10) % 2, ones * 0, ones)
    assert np.isnan([nobody.ratio, nobody.p_value]).all()
    assert nobody.difference_low < 0 < nobody.difference_high
    assert np.isnan(change_of_share(ones, ones, ones * 0, ones * 0)).all()


@pytest.mark.parametrize("risks", [(0.15, 0.15), (0.3, 0.15)])
def test_coverage_with_images_that_fare_alike(risks):
    """800 cohorts of 150 people: nominal 95%; the simulation's error is 0.8%."""
    rng = np.random.default_rng(4)
    known = cohort(np.random.default_rng(5), 200_000, risks, together=0.7)
    truth = (known[1] - known[3]).sum() / (known[0] - known[2]).sum() - known[1].sum() / known[0].sum()
    hits = []
    for _ in range(800):
        images, inside, taken, both = cohort(rng, 150, risks, together=0.7)
        change = change_of_share(inside, images, inside - both, images - taken)
        found = risk(taken, inside, both, images)
        hits.append((
            change.low <= truth <= change.high,
            found.ratio_low <= risks[0] / risks[1] <= found.ratio_high,
            found.difference_low <= risks[0] - risks[1] <= found.difference_high,
            found.p_value >= 0.05,
        ))  # fmt: skip
    covered = np.mean(hits, axis=0)
    assert (covered[:3] > 0.925).all()
    assert (covered[:3] < 0.985).all()
    assert covered[3] > 0.93 if risks[0] == risks[1] else covered[3] < 0.6


@pytest.fixture
def given(images):
    """60 people with two images each: 30 women, 24 men, 6 others; half the women lose an image to their boxes."""
    pronouns = [WOMEN] * 30 + [MEN] * 24 + [THEY] * 6
    shots = [{"image": f"s{i:02d}i{j}", "subject": f"s{i:02d}"} for i in range(60) for j in range(2)]
    who = {f"s{i:02d}": pronoun for i, pronoun in enumerate(pronouns)}
    said = [(shot["image"], shot["subject"], "pronoun", who[shot["subject"]], "") for shot in shots]
    people = [(shot["image"], shot["subject"], True, 40, *[None] * 8, "a") for shot in shots]
    permits = [(shot["image"], shot["subject"], "publish_attr:pronoun") for shot in shots]
    stopped = {f"s{i:02d}i0": "boxes_in_image" for i in range(0, 30, 2)} | {"s35i0": "exif"}
    verdicts = [
        (shot["image"], shot["subject"], "fail", "checks", stopped[shot["image"]], "x") if shot["image"] in stopped
        else (shot["image"], shot["subject"], "pass", "", "", "")
        for shot in shots
    ]  # fmt: skip
    verdicts += [("late", "s99", "fail", "consent", "consent.form_missing", "x")]
    verdicts += [("lost", "", "fail", "intake", "intake.header", "x")]
    return {
        "images": images(*shots),
        "people": table.rows(people, People),
        "attributes": table.rows(said, Attributes),
        "permits": table.rows(permits, Permits),
        "verdicts": table.rows(verdicts, Verdicts),
    }


@pytest.fixture
def run(tmp_path):
    """The step, of attributes and permits in two files each."""

    def made(given, **settings):
        paths = {}
        for name, model in (("attributes", Attributes), ("permits", Permits)):
            paths[name] = [tmp_path / f"{name}{part}.parquet" for part in range(2)]
            for part, path in enumerate(paths[name]):
                table.write(given[name][part::2], model, path)
        return exclusions.run(**given | paths, **{"names": ["pronoun"], "min_subjects": 10} | settings)

    return made


def test_whom_a_check_stops_more_often_is_told(run, given):
    found = run(given).set_index(["check", "attribute", "group"]).sort_index()
    women = found.loc["boxes_in_image", "pronoun", WOMEN]
    assert women[["images", "subjects", "excluded_images", "excluded_subjects"]].tolist() == [60, 30, 15, 15]
    assert women[["before", "after"]].tolist() == pytest.approx([60 / 120, 45 / 105])
    assert women["change_high"] < 0
    assert women[["rate", "others"]].tolist() == [0.25, 0]
    assert women["p_value"] < 0.001
    assert women["note"] == "no ratio: one of the two rates is 0"
    both = found.loc["all", "pronoun", WOMEN]
    assert both["ratio"] == pytest.approx(0.25 / (1 / 60))
    assert both["ratio_low"] > 1


def test_nobody_is_left_out(run, given):
    found = run(given).set_index(["check", "attribute", "group"]).sort_index()
    assert found.loc[("all", "all", "all"), ["images", "excluded_images"]].tolist() == [120, 16]
    few = found.loc["boxes_in_image", "pronoun", THEY]
    assert few["note"] == "6 subjects, fewer than 10"
    assert few[["images", "subjects"]].tolist() == [12, 6]
    assert np.isnan(few["before"])
    rare = found.loc["exif", "pronoun", MEN]
    assert rare["note"] == "1 subject loses images to this check, fewer than 5: too few to compare"
    assert rare["change"] == pytest.approx(47 / 119 - 48 / 120)
    assert np.isnan(rare["change_low"])
    for check in ("consent.form_missing", "intake.header"):
        assert found.loc[(check, "all", "all"), "note"] == exclusions.UNSEEN
    groups = found.loc["all", "pronoun"]
    assert groups["images"].sum() == 120


def test_without_a_permit_an_answer_does_not_count(run, given):
    kept = ~(given["permits"]["subject"] < "s12")
    found = run(given | {"permits": given["permits"][kept]}).set_index(["check", "attribute", "group"]).sort_index()
    assert found.loc["all", "pronoun"]["images"].to_dict() == {WOMEN: 36, MEN: 48, THEY: 12, "not given": 24}


def test_what_is_said_of_a_place_needs_no_permit(run, given):
    scenes = [(image, "", "scene", "12. Indoor: Home or hotel", "a") for image in given["images"]["image"]]
    attributes = pd.concat([given["attributes"], table.rows(scenes, Attributes)])
    found = run(given | {"attributes": attributes}, names=["scene"])
    row = found[(found["attribute"] == "scene") & (found["check"] == "all")].iloc[0]
    assert (row["images"], row["note"]) == (120, "all subjects are in this group")


def test_p_values_are_corrected_for_all_rows(run, given):
    found = run(given)
    one = run(given | {"verdicts": given["verdicts"][given["verdicts"]["check"] != "exif"]})
    tested = found["p_value"].notna().sum()
    assert tested == 4
    assert one["p_value"].notna().sum() == 4
    assert (found["p_value"].dropna() <= 1).all()


def test_the_order_of_rows_has_no_say_and_nothing_is_no_trouble(run, given):
    mixed = {name: rows.sample(frac=1, random_state=1).reset_index(drop=True) for name, rows in given.items()}
    pd.testing.assert_frame_equal(run(given), run(mixed))
    nothing = run({name: rows.iloc[:0] for name, rows in given.items()})
    assert nothing[["check", "attribute", "images"]].to_numpy().tolist() == [["all", "all", 0]]
