"""Versions and models compared: by hand, against scipy, in simulation, and by the command's own words."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from analyse_cases import scores_of
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from accord import cli
from accord.analyse import compared, compared_command
from accord.analyse.comparing.unpaired import exchanged, overall
from accord.analyse.scoring import score_files
from accord.analyse.tables.compared import Compared
from accord.engine import table
from accord.errors import AccordError
from accord.statistics.resampling import bootstrap
from accord.statistics.testing.equivalence import paired

KEYS = ["kind", "task", "metric", "model_before", "model_after", "images"]


@pytest.mark.parametrize("values", [[0.3, -0.1, 0.25, 0.4, 0.05, -0.2, 0.6], [1, 1, -1, 2, 2, 3, -3, 4]])
def test_ranks_equal_scipys_exact_wilcoxon(values):
    change = np.array(values, float)
    theirs = stats.permutation_test(
        (change,),
        lambda x: (stats.rankdata(np.abs(x)) * np.sign(x)).sum(),
        permutation_type="samples", vectorized=False, n_resamples=np.inf,
    )  # fmt: skip
    ours = paired(np.zeros(len(change)), change, np.arange(len(change)), 0.1).p_ranks
    assert ours == pytest.approx(theirs.pvalue)
    if len(set(np.abs(values))) == len(values):
        assert ours == pytest.approx(stats.wilcoxon(change, method="exact").pvalue)


def side(means, counts=2):
    """Rows of subjects who have so many scores, all equal to their mean."""
    counts = np.broadcast_to(counts, len(means))
    return np.repeat(np.asarray(means, float), counts), np.repeat(np.arange(len(means)), counts)


def test_rows_of_other_subjects_are_dealt_anew_in_all_ways():
    before, after = np.array([0.1, 0.4, 0.2, 0.35]), np.array([0.5, 0.3, 0.9])
    whole, observed = np.concatenate([before, after]), after.mean() - before.mean()

    def apart(values, chosen):
        return values[list(chosen)].mean() - np.delete(values, list(chosen)).mean()

    ways = [apart(whole, chosen) for chosen in combinations(range(7), 3)]
    lower = [apart(np.concatenate([before, after + 0.5]), chosen) for chosen in combinations(range(7), 3)]
    upper = [apart(np.concatenate([before, after - 0.5]), chosen) for chosen in combinations(range(7), 3)]
    got = exchanged(side(before), side(after), 0.5, np.random.default_rng(1)).found
    larger, smaller = np.mean(np.array(ways) >= observed - 1e-12), np.mean(np.array(ways) <= observed + 1e-12)
    assert got.p_changed == pytest.approx(min(1, 2 * min(larger, smaller)))
    same = [np.mean(np.array(lower) >= observed + 0.5 - 1e-12), np.mean(np.array(upper) <= observed - 0.5 + 1e-12)]
    assert got.p_same == pytest.approx(max(same))
    welch = stats.ttest_ind(after, before, equal_var=False).confidence_interval(0.9)
    assert (got.mean, got.low, got.high) == pytest.approx((observed, welch.low, welch.high))


def test_one_subject_on_a_side_says_nothing():
    rng = np.random.default_rng(1)
    assert np.isnan(exchanged(side(np.ones(1)), side(np.ones(9)), 0.1, rng).found).all()
    one = (np.ones(3), np.zeros(3, int))
    assert np.isnan(overall(one, (np.ones(2), np.arange(2)), 0.1, np.ones((5, 2), int))).all()


def test_only_subjects_with_as_many_images_are_dealt_anew():
    """Of one image: before 0.1, 0.4, 0.3, after 0.9, 0.8; of three: before 0.2, 0.5, after 0.6, 0.7; a subject with
    four is on one side alone. 10 x 6 ways; all scores of a subject are alike, so that three tell no more than one."""
    before, after = side([0.1, 0.4, 0.3, 0.2, 0.5], [1, 1, 1, 3, 3]), side([0.9, 0.8, 0.6, 0.7, 0.0], [1, 1, 3, 3, 4])
    ones, threes = [0.1, 0.4, 0.3, 0.9, 0.8], [0.2, 0.5, 0.6, 0.7]
    weights = np.array([3 * 2 / 5, 2 * 2 / 4])

    def apart(first, second):
        gaps = [np.mean(p) - (sum(w) - sum(p)) / (len(w) - len(p)) for p, w in ((first, ones), (second, threes))]
        return weights @ gaps / weights.sum()

    ways = [apart(*some) for some in product(combinations(ones, 2), combinations(threes, 2))]
    observed = apart((0.9, 0.8), (0.6, 0.7))
    larger = np.mean(np.array(ways) >= observed - 1e-12)
    got, silent = exchanged(before, after, 0.5, np.random.default_rng(1))
    assert got.p_changed == pytest.approx(2 * larger) and silent == 1 and larger == 1 / 60
    assert got.mean == pytest.approx(0.6 - 0.3)


def test_without_subjects_of_as_many_images_the_change_is_told_and_not_tested():
    got, silent = exchanged(side([0.1, 0.2, 0.3], 1), side([0.5, 0.6], 2), 0.1, np.random.default_rng(1))
    assert got.mean == pytest.approx(0.35) and got.low < got.mean < got.high
    assert np.isnan(got.p_changed) and np.isnan(got.p_same) and silent == 5


def test_a_change_of_the_other_sign_among_those_compared_is_none():
    """One image: after is lower in all; but many more of eight came, who score high and have nobody to be held to."""
    before = side(np.linspace(0.5, 0.6, 8), 1)
    after = side([*np.linspace(0.1, 0.2, 8), *np.linspace(0.9, 1, 40)], [1] * 8 + [8] * 40)
    got, silent = exchanged(before, after, 0.05, np.random.default_rng(1))
    assert got.mean > 0.2 and got.p_changed == 1 and silent == 40


def test_images_of_one_and_of_eight_are_no_change(rng):
    """Everyone is right in 90%; mostly subjects with one image went, mostly such with eight came."""
    p = []
    for _ in range(60):
        owners = [np.repeat(np.arange(sum(some)), np.repeat([1, 8], some)) for some in ((40, 10), (5, 25))]
        sides = [(rng.binomial(1, 0.9, len(owner)).astype(float), owner) for owner in owners]
        p.append(exchanged(*sides, 0.05, rng).found.p_changed)
    assert np.mean(np.array(p) < 0.05) <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / 60)


def test_what_is_in_both_versions_moves_together():
    """Scores differ widely between subjects, but not between versions: the interval of the change has no width."""
    values, subjects = np.random.default_rng(1).normal(size=60), np.arange(60)
    drawn = bootstrap.weights(60, 200, np.random.default_rng(2))
    got = overall((values, subjects), (values, subjects), 0.1, drawn)
    assert got == (0, 0, 0, 1, 0)
    assert overall((values, subjects), (values + 0.2, subjects), 0.1, drawn) == pytest.approx((0.2, 0.2, 0.2, 0, 1))


def test_versions_without_a_subject_in_common_give_welchs_test():
    """Then the resamples' standard error is that of two means of their own, but for their n - 1."""
    rng = np.random.default_rng(6)
    before, after = rng.normal(size=60), rng.normal(0.3, 1, 60)
    drawn = bootstrap.weights(120, 20_000, rng)
    got = overall((before, np.arange(60)), (after, np.arange(60, 120)), 0.5, drawn)
    one_sided = (
        stats.ttest_ind(after + shift, before, equal_var=False, alternative=side).pvalue
        for side, shift in (("greater", 0.5), ("less", -0.5))
    )
    assert got.p_same == pytest.approx(max(one_sided), rel=0.1)
    theirs = stats.ttest_ind(after, before, equal_var=False)
    assert got.p_changed == pytest.approx(theirs.pvalue, rel=0.1)
    interval = theirs.confidence_interval(0.9)
    assert (got.low, got.high) == pytest.approx((interval.low, interval.high), abs=0.015)


def test_intervals_of_replaced_and_of_all_images_cover_the_truth():
    """Images of 8 of 30 subjects are replaced by those of 8 others, truly 0.1 better; at 90%, within 2.6 SE.

    Old and new are as noisy, and drawn from the same people.
    """
    rng, hits = np.random.default_rng(4), np.zeros(2)
    for _ in range(150):
        level, more = rng.normal(size=30), 0.1 + rng.normal(size=8)
        kept, gone, come = (
            np.repeat(some, 3) + rng.normal(size=3 * len(some)) for some in (level[8:], level[:8], more)
        )
        found = exchanged((gone, np.repeat(np.arange(8), 3)), (come, np.repeat(np.arange(8), 3)), 0.1, rng).found
        before = (np.concatenate([gone, kept]), np.repeat(np.arange(30), 3))
        after = (np.concatenate([kept, come]), np.repeat(np.arange(8, 38), 3))
        whole = overall(before, after, 0.1, bootstrap.weights(38, 100, rng))
        hits += [found.low <= 0.1 <= found.high, whole.low <= 0.1 * 8 / 30 <= whole.high]
    assert (np.abs(hits / 150 - 0.9) < 2.6 * np.sqrt(0.9 * 0.1 / 150)).all()


def version(values, gone=(), come=()):
    """A score table of 20 subjects with 2 images each, without the rows `gone`, with new images of new subjects."""
    whole = scores_of(values, np.repeat(np.arange(20), 2)).drop(index=list(gone))
    if not len(come):
        return whole
    new = scores_of(list(come), 100 + np.arange(len(come)) // 2)
    return pd.concat([whole, new.assign(image="new" + new["image"])], ignore_index=True)


def test_a_version_with_replaced_images_has_three_rows():
    rng = np.random.default_rng(0)
    values = np.round(rng.uniform(0.3, 0.6, 40), 3)
    before, after = version(values), version(values, gone=range(8), come=[0.9, 1.0, 0.95, 0.9, 0.85, 0.95, 1.0, 0.9])
    found = compared.run(before, after).set_index("images")
    same, replaced, whole = (found.loc[name] for name in ("same images", "replaced images", "all images"))
    assert (same["images_before"], same["subjects"], same["change"], same["verdict"]) == (32, 16, 0, "same")
    assert (replaced["images_before"], replaced["images_after"], replaced["subjects"]) == (8, 8, 8)
    assert replaced["change"] == pytest.approx(0.93125 - values[:8].mean())
    assert whole["change"] == pytest.approx(whole["after"] - whole["before"])
    assert whole["before"] == pytest.approx(values.mean()) and whole["images_after"] == 40
    assert (replaced["verdict"], replaced["better"], whole["verdict"]) == ("open", "", "open")
    assert found["note"].tolist() == ["", "", ""] and np.isnan(replaced["p_ranks"])


def test_whom_replaced_images_leave_out_is_told():
    """Four subjects with two images go; of those who come one has two, six have one."""
    values = np.linspace(0.3, 0.6, 40)
    come = scores_of(np.full(8, 0.9), [100, 100, *range(101, 107)])
    after = pd.concat([version(values, gone=range(8)), come.assign(image="new" + come["image"])], ignore_index=True)
    row = compared.run(version(values), after).set_index("images").loc["replaced images"]
    assert row["note"] == "without 6 of 11 subjects, who have no counterpart with equally many images"
    assert row["subjects"] == 11 and row["p_changed"] >= 2 / 5
    after = after[~after["subject"].eq("s0100")]
    row = compared.run(version(values), after).set_index("images").loc["replaced images"]
    assert row["note"] == "not tested: no two subjects, before and after, have equally many images"
    assert np.isnan(row["p_changed"]) and row["verdict"] == "open" and row["change"] > 0.5


def test_nothing_replaced_has_one_row_and_nothing_that_came_says_so():
    values = np.linspace(0.2, 0.8, 40)
    assert compared.run(version(values), version(values))["images"].tolist() == ["same images"]
    found = compared.run(version(values), version(values, gone=range(8))).set_index("images")
    assert found.loc["replaced images", "note"] == "no image was added" and np.isnan(
        found.loc["replaced images", "change"]
    )
    found = compared.run(version(values, gone=range(38)), version(values))
    assert found.set_index("images").loc["same images", "note"] == "fewer than two subjects"


@pytest.mark.parametrize(("metric", "better"), [("ar_iou", "after"), ("lpips", "before")])
def test_two_models_are_compared_on_what_both_scored(metric, better):
    rng = np.random.default_rng(2)
    values, subjects = rng.uniform(0.2, 0.5, 60), np.repeat(np.arange(30), 2)
    low = scores_of(values, subjects, model="a", metric=metric)
    high = scores_of(values + rng.uniform(0.1, 0.3, 60), subjects, model="b", metric=metric).iloc[:-2]
    other = scores_of(values, subjects, model="c", task="another", metric=metric)
    found = compared.run(low.iloc[:0], pd.concat([low, high, other]))
    assert len(found) == 1
    row = found.iloc[0]
    assert row[KEYS].tolist() == ["models", "face_localization", metric, "a", "b", "same images"]
    assert (row["images_before"], row["subjects"], row["verdict"], row["better"]) == (58, 29, "changed", better)
    assert row["note"] == "2 more are scored on one side only"
    change = high["value"].to_numpy()[:58] - values[:58]
    assert row["change"] == pytest.approx(change.mean())
    assert row["p_ranks"] == pytest.approx(1 / 10_000)
    assert row["margin"] == pytest.approx(0.05 if metric == "ar_iou" else 0.05 * values.mean())


def test_cosines_of_two_models_are_not_compared():
    some = [scores_of(np.linspace(0, 1, 9), np.arange(9), model=name, metric="genuine_similarity") for name in "ab"]
    assert len(compared.run(some[0].iloc[:0], pd.concat(some))) == 0


def test_without_a_change_at_most_one_table_in_twenty_claims_one():
    """25 tables of three models whose scores differ by chance alone: more than 4 with a claim are under 1% likely."""
    rng, claimed = np.random.default_rng(8), 0
    for _ in range(25):
        level = rng.normal(size=12).repeat(2)
        every = [scores_of(level + rng.normal(size=24), np.arange(24) // 2, model=m, metric="psnr") for m in "abc"]
        found = compared.comparisons(list(compared.models(pd.concat(every))), 0.05)
        claimed += (found["verdict"] == "changed").any()
    assert claimed <= 4


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_order_and_names_of_subjects_change_nothing(seed):
    rng = np.random.default_rng(seed)
    before, after = version(rng.random(40)), version(rng.random(40), gone=range(6), come=rng.random(6))
    found = compared.run(before, after, bootstraps=50)
    again = compared.run(*(side.sample(frac=1, random_state=seed % 1000) for side in (before, after)), bootstraps=50)
    pd.testing.assert_frame_equal(found, again)
    swapped = compared.run(after, before, bootstraps=50)
    assert swapped["change"].to_numpy() == pytest.approx(-found["change"].to_numpy())
    assert swapped.iloc[0]["p_changed"] == found.iloc[0]["p_changed"]


def write_csv(path, frame):
    frame.to_csv(path, index=False)
    return str(path)


def test_the_command_tells_and_writes(tmp_path, capsys):
    values, subjects = np.linspace(0.3, 0.6, 12), np.arange(12)
    plain = scores_of(values, subjects)[["image", "subject", "value"]]
    one = write_csv(tmp_path / "one.csv", plain)
    two = write_csv(tmp_path / "two.csv", plain.assign(value=values - 0.2))
    assert cli.main(["compare", one, two, "--out", str(tmp_path / "told.parquet")]) == 0
    # of 4,096 ways to choose signs two are as far from zero
    assert capsys.readouterr().out == (
        "score, same images (12 and 12 images, 12 subjects): changed, before is better\n"
        "    0.4500 -> 0.2500: -0.2000 [90% interval -0.2000, -0.2000], margin 0.05;"
        " p changed 0.000488, by ranks 0.000488, p same 1\n"
    )
    assert table.read(tmp_path / "told.parquet", Compared)["verdict"].tolist() == ["changed"]


def test_the_command_compares_two_models_by_name(tmp_path, capsys):
    both = pd.concat([scores_of(np.full(12, v), np.arange(12), model=m) for m, v in (("a", 0.5), ("b", 0.51))])
    path = write_csv(tmp_path / "both.csv", both)
    assert cli.main(["compare", path, path, "--models", "a", "b", "--margin", "0.02"]) == 0
    assert capsys.readouterr().out.startswith(
        "face_localization, a -> b, ar_iou, same images (12 and 12 images, 12 subjects):"
        " changed by less than the margin, after is better"
    )
    one = write_csv(tmp_path / "one.csv", both[both["model"] == "a"])
    with pytest.raises(AccordError, match=r"'b' before and 'a' after share no task and metric"):
        cli.main(["compare", one, one, "--models", "b", "a"])
    other = write_csv(tmp_path / "other.csv", both.assign(task="t"))
    with pytest.raises(AccordError, match=r"share no task, model and metric\s+hint: choose two models with --models"):
        cli.main(["compare", path, other])


def pairs(tmp_path, before, after, subjects=None):
    """The printed comparison of two tables, each after 0.02 above before, with images of some ids."""
    values = np.linspace(0.3, 0.6, len(before))
    who = [f"s{n}" for n in range(len(before))] if subjects is None else subjects
    for name, ids, add in (("before", before, 0), ("after", after, 0.02)):
        frame = pd.DataFrame({"image": list(ids), "subject": who, "value": values + add})
        frame.to_parquet(tmp_path / f"{name}.parquet")
    paths = [tmp_path / f"{name}.parquet" for name in ("before", "after")]
    made = compared.comparisons(compared_command.cases(*map(score_files.read, paths), None), 0.05).set_index("images")
    return made, list(map(str, paths))


@pytest.mark.parametrize(("before", "after"), [
    (range(20), [float(n) for n in range(20)]),
    ([str(n) for n in range(20)], [f"{n}.0" for n in range(20)]),
    ([f"Zo\u00eb{n}" for n in range(20)], [f"Zoe\u0308{n} " for n in range(20)]),
    ([str(n).encode() for n in range(20)], range(20)),
])  # fmt: skip
def test_one_id_in_two_spellings_is_paired(tmp_path, before, after):
    found, _ = pairs(tmp_path, before, after)
    assert found.index.tolist() == ["same images"] and found["images_before"].tolist() == [20]
    assert found["change"].tolist() == pytest.approx([0.02]) and found["note"].tolist() == [""]


@pytest.mark.parametrize(("before", "after", "how"), [
    ([f"{n:05d}" for n in range(20)], range(20), " (in leading zeros)"),
    ([f"IMG{n}.JPG" for n in range(20)], [f"img{n}.jpg" for n in range(20)], " (in case)"),
    ([f"x/{n}.jpg" for n in range(20)], [f"{n}.jpg" for n in range(20)], " (in folders)"),
    ([f"{n}.jpg" for n in range(20)], [f"{n}.png" for n in range(20)], " (in the ending of the file)"),
    ([f"a{n}" for n in range(20)], [f"b{n}" for n in range(20)], ""),
])  # fmt: skip
def test_ids_that_seem_to_be_written_differently_get_no_verdict(tmp_path, capsys, before, after, how):
    found, paths = pairs(tmp_path, before, after)
    why = f"no image is in both, though all subjects are: ids seem to be written differently{how}"
    assert found["verdict"].tolist() == ["open"] * 3 and found["note"].tolist()[1:] == [why] * 2
    assert np.isnan(found[["p_changed", "p_same"]].to_numpy()).all()
    cli.main(["compare", *paths])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"Warning: {why}. Replaced images are not tested."
    assert lines[1].endswith("same images (0 and 0 images, 0 subjects): no image and subject are in both")


def test_people_of_the_same_images_who_are_written_differently_are_told(tmp_path):
    found, _ = pairs(tmp_path, range(20), range(20))
    assert found.index.tolist() == ["same images"]
    before, after = (scores_of(np.linspace(0.2, 0.6, 20), np.arange(20)) for _ in range(2))
    found = compared.run(before, after.assign(subject=after["subject"].str.upper()))
    assert found["note"].tolist()[1].startswith("no subject is in both, though all images are")


def test_some_ids_that_lost_their_zeros_are_told(tmp_path):
    ids = [f"{n:03d}" for n in range(90, 110)]
    found, _ = pairs(tmp_path, ids, [int(one) for one in ids])
    assert found.loc["same images", ["images_before", "verdict"]].tolist() == [10, "changed by less than the margin"]
    note = "ids of 10 images before and after differ only in case, blanks or leading zeros"
    assert found.loc["replaced images", "note"].startswith(note) and found.loc["replaced images", "verdict"] == "open"


def test_two_spellings_of_an_id_in_one_table_are_refused(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("image,subject,value\n1,a,0.5\n1.0,a,0.6\n")
    with pytest.raises(AccordError, match="first 2: has the image, subject, task, model and metric of one above"):
        score_files.read(path)


def test_the_command_wants_a_margin(tmp_path, capsys):
    with pytest.raises(SystemExit):
        cli.main(["compare", "a.csv", "b.csv", "--margin", "0"])
    assert "--margin: must be a number above 0, since two means are never exactly equal" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "what"),
    [("image,value\na,1\n", "has no column 'subject'"),
     ("image,subject,value\na,b,high\na,c,2\n", "column 'value': 1 row, first 1: is not a finite number"),
     ("", "is not a readable table (EmptyDataError)"),
     ("image,subject,value\na,b,1\na,b,2\n", "1 row, first 2: has the image, subject, task, model and metric of one"),
     ("image,subject,value\na,,1\n ,b,inf\n", "3 problems found"),
     ("image,subject,value\na,,1\n ,b,inf\n", "column 'subject': 1 row, first 1: is empty"),
     ("image\na\n", "2 problems found"),
     ("image;subject;value\na;b;1\n", "looks separated by semicolons")],
)  # fmt: skip
def test_what_is_no_score_table(tmp_path, text, what):
    path = tmp_path / "scores.csv"
    path.write_text(text)
    with pytest.raises(AccordError) as caught:
        score_files.read(path)
    assert what in str(caught.value) and str(path) in str(caught.value)


def test_a_score_may_be_missing(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("image,subject,value,more\na,b,,x\nc,d,0.5,y\n")
    found = score_files.read(path)
    assert found["value"].isna().tolist() == [True, False] and set(found["metric"]) == {"score"}
    with pytest.raises(AccordError, match=r"none\.parquet: does not exist"):
        score_files.read(tmp_path / "none.parquet")
