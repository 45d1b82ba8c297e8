"""Over time: changes of a service on the same pictures, told from changes of pictures, and never claimed by chance."""

import numpy as np
import pandas as pd
import pytest
import scipy

from accord.analyse import rapid_command
from accord.analyse.identities import over_time
from accord.analyse.identities.service_curves import How
from accord.analyse.identities.simultaneous import Change, Rate, intervals
from accord.errors import AccordError

QUERIES, FACES = 30, 8
HOW = How((0.01,), 10, 300)
NOTHING = pd.DataFrame(columns=["attribute", "group", "query"])


def faces_of(queries=QUERIES, sets=("",)):
    """Of each query as many faces, in equal parts of each set of pictures."""
    rows = [(f"q{q:02d}", f"q{q:02d}f{n}", sets[n * len(sets) // FACES]) for q in range(queries) for n in range(FACES)]
    made = pd.DataFrame(rows, columns=["query", "face", "pictures"])
    return made if sets != ("",) else made.drop(columns="pictures")


def pairs_of(faces, rng):
    """All pairs within queries, and as many of two queries within a set of pictures."""
    where = faces.get("pictures", pd.Series("", faces.index))
    left, right = np.triu_indices(len(faces), 1)
    query, same_set = faces["query"].to_numpy(), (where.to_numpy()[left] == where.to_numpy()[right])
    within = np.nonzero(same_set & (query[left] == query[right]))[0]
    across = rng.choice(np.nonzero(same_set & (query[left] != query[right]))[0], 4 * len(within), replace=False)
    some = np.concatenate([within, across])
    names = faces["face"].to_numpy()
    return pd.DataFrame({"left": names[left[some]], "right": names[right[some]]})


def scored(pairs, faces, rng, genuine, version, hard=0.1):
    """Scores about 0.1 of two people, and about `genuine` (a number, or face -> number) of one."""
    of = dict(zip(faces["face"], faces["query"], strict=True))
    same = (pairs["left"].map(of) == pairs["right"].map(of)).to_numpy()
    moved = dict(zip(sorted(set(faces["query"])), rng.normal(0, hard, faces["query"].nunique()), strict=True))
    middle = genuine if np.isscalar(genuine) else pairs["left"].map(genuine).to_numpy(float)
    high = middle + pairs["left"].map(of).map(moved).to_numpy()
    score = np.where(same, high, 0.1) + rng.normal(0, 0.08, len(pairs))
    return pairs.assign(service="s", version=version, score=score, status="")


def changes(before, after, faces, groups=NOTHING, how=HOW):
    compared = list(over_time.comparisons("s", before, after, faces))
    labels = {"annotated": np.ones(len(faces), int)}
    return pd.DataFrame(list(over_time.rows(compared, labels, groups, how)))


@pytest.fixture(scope="module")
def made():
    rng, faces = np.random.default_rng(5), faces_of()
    pairs = pairs_of(faces, rng)
    return faces, scored(pairs, faces, rng, 0.5, "2026"), scored(pairs, faces, rng, 0.8, "2028")


def test_figures_are_those_of_each_version_at_its_own_threshold(made):
    faces, before, after = made
    [row] = changes(before, after, faces).to_dict("records")
    of = faces.set_index("face")["query"]
    for name, some in (("fnmr_before", before), ("fnmr_after", after)):
        same = (some["left"].map(of) == some["right"].map(of)).to_numpy()
        limit = np.quantile(some["score"][~same], 0.99, method="hazen")
        assert row[name] == pytest.approx((some["score"][same] < limit).mean())
    assert row["change"] == pytest.approx(row["fnmr_after"] - row["fnmr_before"])
    assert (row["before"], row["after"], row["verdict"]) == ("2026", "2028", "fell")
    assert (row["queries"], row["genuine"]) == (QUERIES, QUERIES * FACES * (FACES - 1) // 2)


def test_the_other_way_round_it_rose_by_as_much(made):
    faces, before, after = made
    [there], [back] = (changes(*two, faces).to_dict("records") for two in ((before, after), (after, before)))
    assert back["verdict"] == "rose"
    assert back["change"] == pytest.approx(-there["change"]) and back["low"] == pytest.approx(-there["high"])


def test_order_and_sides_of_pairs_change_nothing(made):
    faces, before, after = made
    shuffled = after.sample(frac=1, random_state=1)
    swapped = shuffled.rename(columns={"left": "right", "right": "left"})
    expected, found = changes(before, after, faces), changes(before, swapped, faces)
    pd.testing.assert_frame_equal(expected, found)


def test_pairs_that_one_version_did_not_score_or_know_are_in_neither(made):
    faces, before, after = made
    gaps = after.assign(score=after["score"].where(np.arange(len(after)) % 3 > 0))
    left = before[~before["left"].str.startswith("q00") & ~before["right"].str.startswith("q00")]
    found = changes(before, gaps, faces)
    kept = after[gaps["score"].notna()]
    pd.testing.assert_frame_equal(found, changes(before.loc[kept.index], kept, faces))
    gone = faces[faces["query"] != "q00"]
    assert changes(before, after, faces).loc[0, "queries"] == QUERIES
    there = after["left"].isin(gone["face"]) & after["right"].isin(gone["face"])
    pd.testing.assert_frame_equal(changes(before, after[there], gone), changes(left, after[there], gone))


def test_a_service_that_answers_as_before_is_not_said_to_have_changed(made):
    faces, before, _ = made
    [row] = changes(before, before.assign(version="2028"), faces).to_dict("records")
    assert row["change"] == 0 and row["verdict"] == "open" and row["low"] < 0 < row["high"]


def test_a_ceiling_has_an_interval_with_width(made):
    """No pair is refused by either: none of 30 queries saw a change, which doesn't show that none ever will."""
    faces, before, _ = made
    of = faces.set_index("face")["query"]
    same = before["left"].map(of) == before["right"].map(of)
    sure = before.assign(score=before["score"].mask(same, 5.0))
    [row] = changes(sure, sure.assign(version="2028"), faces).to_dict("records")
    assert row["fnmr_before"] == row["fnmr_after"] == 0
    assert row["low"] == pytest.approx(-row["high"]) and 0.05 < row["high"] < 0.2


def test_too_few_queries_or_impostors_have_no_figure_but_a_reason(made):
    faces, before, after = made
    few = faces[faces["query"] < "q05"]
    some = [one[one["left"].isin(few["face"]) & one["right"].isin(few["face"])] for one in (before, after)]
    [row] = changes(*some, few).to_dict("records")
    assert np.isnan(row["change"]) and row["verdict"] == "" and row["note"].startswith("5 queries")
    [row] = changes(before, after, faces, how=How((1e-5,), 10, 50)).to_dict("records")
    assert np.isnan(row["low"]) and row["note"] == "too few impostor pairs for an FMR of 1e-05"
    [row] = changes(before, after.assign(score=np.nan), faces).to_dict("records")
    assert row["note"] == "no pair has a score on both sides" and row["queries"] == 0


def test_a_change_of_pictures_is_told_from_one_of_the_service():
    """New pictures are harder, the service is what it was: on the old ones nothing changed."""
    rng, faces = np.random.default_rng(8), faces_of(sets=over_time.SETS)
    pairs = pairs_of(faces, rng)
    easy = dict(zip(faces["face"], np.where(faces["pictures"] == "old", 0.8, 0.5), strict=True))
    after = scored(pairs, faces, rng, easy, "2028")
    old = set(faces.loc[faces["pictures"] == "old", "face"])
    before = after[after["left"].isin(old)].assign(version="2026")
    before["score"] += rng.normal(0, 0.01, len(before))
    found = changes(before, after, faces).set_index(["changed", "held"])["verdict"].to_dict()
    assert found == {
        ("version", "old"): "open", ("version", "new"): "", ("pictures", "2026"): "", ("pictures", "2028"): "rose",
    }  # fmt: skip


def test_a_change_of_one_group_is_claimed_of_it_alone():
    rng, faces = np.random.default_rng(2), faces_of(40)
    numbers = np.arange(40)
    groups = pd.DataFrame({"attribute": "g", "group": np.where(numbers < 20, "a", "b"), "query": numbers})
    pairs = pairs_of(faces, rng)
    before = scored(pairs, faces, rng, 0.6, "1", hard=0.02)
    worse = dict(zip(faces["face"], np.where(faces["query"] < "q20", 0.3, 0.6), strict=True))
    found = changes(before, scored(pairs, faces, rng, worse, "2", hard=0.02), faces, groups)
    assert found.set_index("group")["verdict"].to_dict() == {"all": "rose", "a": "rose", "b": "open"}


def rate(share, replicates, subjects):
    """Of pairs that weigh so much that half a subject more does not matter."""
    return Rate(share, replicates, np.full(len(replicates), 1e12), np.full(subjects, share), np.ones(subjects))


def moving(rng, share=0.5, spread=0.01, subjects=100_000, draws=20_000):
    """A change between a rate that doesn't move and one whose replicates are normal, of very many pairs."""
    still, other = np.full(draws, share), rng.normal(share, spread, draws)
    return Change(rate(share, still, subjects), rate(share, other, subjects), subjects)


def test_simultaneous_intervals_are_as_wide_as_that_of_independent_changes():
    """The largest of m independent standard normal deviations stays within isf((1 - 0.95^(1/m)) / 2) in 95%."""
    rng, m = np.random.default_rng(0), 10
    found = intervals([moving(rng) for _ in range(m)])
    wanted = scipy.stats.norm.isf((1 - 0.95 ** (1 / m)) / 2) * 0.01
    assert np.diff(found) / 2 == pytest.approx(np.full((m, 1), wanted), rel=0.03)
    assert intervals([moving(rng)])[0] == pytest.approx((-0.0196, 0.0196), abs=4e-4)
    [few] = intervals([moving(rng, subjects=5)])
    assert few[1] == pytest.approx(scipy.stats.t.isf(0.025, 4) * 0.01 * np.sqrt(6 / 4), rel=0.03)
    assert intervals([]) == []


def test_what_two_rates_have_in_common_makes_a_claim_surer():
    """Replicates that move together by 0.9: towards 0, sqrt(2 - 2 * 0.9) of what one rate's interval is wide."""
    rng, draws = np.random.default_rng(1), 50_000
    shared, own = rng.normal(0, 0.01, draws), rng.normal(0, 0.01, (2, draws))
    replicates = [np.sqrt(0.9) * shared + np.sqrt(0.1) * one for one in own]
    sides = [rate(share, share + some, 100_000) for share, some in zip((0.5, 0.4), replicates, strict=True)]
    [(low, high)] = intervals([Change(*sides, 100_000)])
    assert high + 0.1 == pytest.approx(1.96 * 0.01 * np.sqrt(0.2), rel=0.03)
    assert -0.1 - low == pytest.approx(1.96 * 0.01 * np.sqrt(2), rel=0.03)


def test_versions_of_one_name_are_told_apart(made):
    """What has no name is called before, or now, which may be the other's name."""
    faces, before, after = made
    for names in (("", "before"), ("now", "")):
        some = (one.assign(version=name) for one, name in zip((before, after), names, strict=True))
        [row] = changes(*some, faces).to_dict("records")
        assert row["before"] != row["after"] and row["verdict"] == "fell"


# The command


def written(folder, **tables):
    paths = {}
    for name, some in tables.items():
        paths[name] = folder / f"{name}.csv"
        some.to_csv(paths[name], index=False)
    return paths


def argv(paths, out):
    flags = [part for name in ("faces", "queries", "before") if name in paths for part in (f"--{name}", paths[name])]
    return list(map(str, [paths["now"], *flags, "--bootstraps", "100", "--fmr", "0.01", "--out", out]))


def test_the_command_compares_two_tests(made, tmp_path, capsys):
    faces, before, after = made
    paths = written(tmp_path, now=after, faces=faces, before=before)
    assert rapid_command.main(argv(paths, tmp_path / "out")) == 0
    told = pd.read_csv(tmp_path / "out/changes.csv")
    assert told["verdict"].tolist() == ["fell"] and told["labels"].tolist() == ["estimated"]
    assert "  s, 2026 to 2028, FMR 0.01, everyone: " in capsys.readouterr().out


def test_without_an_earlier_test_there_are_no_changes(made, tmp_path, capsys):
    faces, _, after = made
    assert rapid_command.main(argv(written(tmp_path, now=after, faces=faces), tmp_path / "out")) == 0
    assert pd.read_csv(tmp_path / "out/changes.csv").empty and "over time" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"version": "2028"}, "service 's' has the same version in both tests"),
        ({"service": "t"}, "has no service that is tested now"),
        ({"score": "high"}, "is not a finite number"),
    ],
)
def test_an_earlier_test_that_can_t_be_compared_is_refused(made, tmp_path, change, what):
    faces, before, after = made
    paths = written(tmp_path, now=after, faces=faces, before=before.assign(**change))
    with pytest.raises(AccordError, match=what):
        rapid_command.main(argv(paths, tmp_path / "out"))


@pytest.fixture
def told(made, tmp_path, capsys):
    """Services s and t, of which t is as spoilt: (before, after) -> what the command prints, and changes."""
    faces, before, after = made

    def tell(old, new):
        two = [pd.concat([one, spoil(one.assign(service="t"))]) for one, spoil in ((before, old), (after, new))]
        paths = written(tmp_path, now=two[1], faces=faces, before=two[0])
        assert rapid_command.main(argv(paths, tmp_path / "out")) == 0
        return capsys.readouterr().out, pd.read_csv(tmp_path / "out/changes.csv").set_index("service")

    return tell


def equal(some):
    return some.assign(score=0.5)


def negated(some):
    return some.assign(score=-some["score"])


def as_it_is(some):
    return some


@pytest.mark.parametrize("spoil", [equal, negated])
@pytest.mark.parametrize("is_earlier", [True, False])
def test_a_test_that_tells_nobody_apart_is_no_change_of_the_service(told, spoil, is_earlier):
    out, found = told(*((spoil, as_it_is) if is_earlier else (as_it_is, spoil)))
    assert found["change"].isna().to_dict() == {"s": False, "t": True} and found.loc["s", "verdict"] == "fell"
    why = "all its scores are equal" if spoil is equal else "its scores may be distances"
    assert why in found.loc["t", "note"] and f"everyone: not defined ({found.loc['t', 'note']})" in out
    assert found.loc["t", "note"].startswith("earlier version") == is_earlier


def test_a_scale_of_its_own_is_no_reason_to_leave_an_earlier_version_out(told):
    found = told(lambda some: some.assign(score=100 * some["score"] + 7), as_it_is)[1]
    assert found.loc["t", "change"] == pytest.approx(found.loc["s", "change"])


def test_what_only_one_of_two_tests_has_is_told(told):
    out = told(lambda some: some.assign(service="t renamed"), as_it_is)[0]
    assert "service t has no scores of an earlier test: it is not compared" in out
    assert "service t renamed has no scores of today's test: it is not compared" in out and "scored before" not in out
    few = told(lambda some: some[some["left"].lt("q12") & some["right"].lt("q12")], as_it_is)[0]
    assert "service t: " in few and f" pairs were scored before, too, of 12 of {QUERIES} queries" in few
    other = told(lambda some: some.assign(left="x" + some["left"], right="x" + some["right"]), as_it_is)[0]
    assert f"{QUERIES * FACES} faces of the earlier test are not among today's" in other


def test_queries_that_are_spelt_otherwise_are_told(made, tmp_path, capsys):
    faces, _, after = made
    names = sorted(set(faces["query"]))
    some = pd.DataFrame({"query": [names[0].upper(), *names[1:]], "skin": ["a"] * 28 + ["b", ""]})
    paths = written(tmp_path, now=after, faces=faces, queries=some)
    assert rapid_command.main(argv(paths, tmp_path / "out")) == 0
    out = capsys.readouterr().out
    assert "without a face: 1 query of --queries" in out
    assert "without a group: 2 queries of --faces" in out


def test_sets_of_pictures_have_two_names(made, tmp_path):
    faces, before, after = made
    paths = written(tmp_path, now=after, faces=faces.assign(pictures="2026"), before=before)
    with pytest.raises(AccordError, match="is none of old, new"):
        rapid_command.main(argv(paths, tmp_path / "out"))
