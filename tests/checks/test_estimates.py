"""Samples for people, and what is estimated from what they found."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import table
from accord.checks import estimates, queue, sample, verdicts
from accord.checks.draws import draw
from accord.checks.proportions import wilson_finite
from accord.checks.tables import Decisions, Findings, Items, Occasions, Pairs
from accord.intake.tables import Attributes, People, Refused

SETTINGS = {"subjects": 30, "images": 12, "by": "ancestry", "reviewers": 3, "rates": {}, "seed": 1}
GROUPS = ("1. Northern Africa", "13. Eastern Asia", "18. Eastern Europe")


@pytest.fixture
def delivered(images):
    shots = [
        {"image": f"s{i:02d}i{j}", "subject": f"s{i:02d}", "vendor": "acme" if i % 4 else "bolt"}
        for i in range(80)
        for j in range(2)
    ]
    people = [(shot["image"], shot["subject"], True, 40, *[None] * 8, "a") for shot in shots]
    said = [(shot["image"], shot["subject"], "ancestry", GROUPS[int(shot["subject"][1:]) % 3], "") for shot in shots]
    return images(*shots), table.rows(people, People), table.rows(said[:-8], Attributes), table.empty(Findings)


@pytest.fixture
def drawn(delivered):
    return lambda rows=delivered, **changes: sample.run(*rows, sample=SETTINGS | changes)


def decide(items, hits, misses):
    asked = items[items["queue"] == "web"].sort_values("item")
    rows = [
        (row.item, 0, "web", row.image, row.region, "uphold" if place < hits else "dismiss", "", [], "0" * 64)
        for place, row in enumerate(asked.head(hits + misses).itertuples())
    ]
    return table.rows(rows, Decisions)


def test_each_is_asked_once_and_each_stratum_has_its_share(drawn):
    made = drawn()
    counts = made.strata.set_index(["sample", "stratum"])
    assert counts.loc["remaining"].loc[:, ["population", "sampled"]].to_numpy().tolist() == [[60, 23], [20, 7]]
    assert counts.loc["agreement", "sampled"].sum() == 12
    assert "acme, 0. Africa" in counts.loc["agreement"].index
    assert "acme, not given" in counts.loc["agreement"].index
    assert made.items["queue"].value_counts().to_dict() == {"agreement": 12 * 2 * 3, "web": 30}
    web = made.items[made.items["queue"] == "web"]
    assert web["subject"].is_unique


def test_the_same_are_drawn_whatever_the_order_of_rows_and_others_with_another_seed(drawn, delivered):
    mixed = [rows.sample(frac=1, random_state=2).reset_index(drop=True) for rows in delivered]
    pd.testing.assert_frame_equal(drawn().items, drawn(mixed).items)
    assert set(drawn(seed=2).drawn["image"]) != set(drawn().drawn["image"])


@settings(deadline=None, max_examples=30)
@given(gone=st.sets(st.integers(0, 59), max_size=5))
def test_who_leaves_moves_few_others(gone):
    units = pd.DataFrame({"unit": [f"s{i}" for i in range(60)], "stratum": "all"})
    before, _ = draw(units, 20, 1, "x")
    after, _ = draw(units.drop(index=sorted(gone)), 20, 1, "x")
    lost = set(before["unit"]) - set(after["unit"])
    assert lost == {f"s{i}" for i in gone} & set(before["unit"])


def test_each_has_the_same_chance():
    """Of 200 seeds each of 40 units is drawn in a quarter: 50, give or take 6."""
    units = pd.DataFrame({"unit": [f"s{i}" for i in range(40)], "stratum": "all"})
    counts = pd.concat([draw(units, 10, seed, "x")[0] for seed in range(200)])["unit"].value_counts()
    assert len(counts) == 40
    assert ((counts - 50) ** 2 / 37.5).sum() < 70  # chi-squared, 39 degrees of freedom


def test_what_was_stopped_is_not_drawn(drawn, delivered):
    copies = [(f"s{i:02d}i{j}", "duplicate_near", 1.0, 31.0, "fail", "x") for i in range(40) for j in range(2)]
    made = drawn((*delivered[:3], table.rows(copies, Findings)))
    assert made.drawn["subject"].min() >= "s40"
    assert made.strata.groupby("sample")["population"].sum().to_dict() == {"agreement": 80, "remaining": 40}


def test_where_one_is_expected_more_are_drawn(drawn):
    made = drawn(rates={"bolt": 0.3, "acme": 0.01}).strata.set_index(["sample", "stratum"])["sampled"]
    assert made["remaining", "bolt"] > made["remaining", "acme"]


def test_without_decisions_there_is_no_estimate(drawn, delivered):
    made = drawn()
    found = estimates.run(made.drawn, made.strata, table.empty(Decisions), delivered[0])
    assert found.findings.empty
    assert found.estimates["rate"].isna().all()
    assert found.estimates["note"].tolist()[:2] == ["nobody has looked yet"] * 2
    assert found.estimates["note"].iloc[2] == "nobody has looked in some stratum yet"


def test_who_is_found_goes_with_all_images(drawn, delivered):
    made = drawn()
    decisions = decide(made.items, hits=4, misses=26)
    found = estimates.run(made.drawn, made.strata, decisions, delivered[0])
    hit = decisions.loc[decisions["decision"] == "uphold", "image"].str[:3]
    assert set(found.findings["image"].str[:3]) == set(hit)
    assert len(found.findings) == 8
    everyone = found.estimates.set_index("stratum").loc["all"]
    assert everyone[["population", "sampled", "looked", "hits"]].tolist() == [80, 30, 30, 4]
    assert everyone["low"] < everyone["finite_low"] < everyone["rate"] < everyone["finite_high"] < everyone["high"]
    assert everyone["left"] == pytest.approx((everyone["rate"] * 80 - 4) / 76)
    assert everyone["note"] == ""


def test_one_stratum_has_all_intervals(drawn, delivered):
    alone = [delivered[0].assign(vendor="acme"), *delivered[1:]]
    made = drawn(alone)
    found = estimates.run(made.drawn, made.strata, decide(made.items, 3, 17), alone[0]).estimates.set_index("stratum")
    assert found.loc["all"].drop("note").equals(found.loc["acme"].drop("note"))
    assert found.loc["all", ["finite_low", "finite_high"]].tolist() == pytest.approx(wilson_finite(3, 20, 80))
    assert found.loc["all", "exact_low"] <= found.loc["all", "rate"] <= found.loc["all", "exact_high"]
    assert found.loc["all", "note"] == "10 of 30 are still to be looked for"


def test_a_find_stays_out_of_the_release_when_the_sample_moves(drawn, delivered):
    made = drawn()
    decisions = decide(made.items, 1, 0)
    moved = drawn(seed=5)
    found = estimates.run(moved.drawn[moved.drawn["image"] != decisions["image"].iloc[0]], moved.strata, decisions,
                          delivered[0])  # fmt: skip
    assert len(found.findings) == 2
    assert found.estimates["hits"].sum() == 0


def test_other_decisions_are_no_finds(drawn, delivered):
    made = drawn()
    other = decide(made.items, 5, 0).assign(region="")
    assert estimates.run(made.drawn, made.strata, other, delivered[0]).findings.empty


def test_from_the_sample_through_the_queue_to_the_verdicts(drawn, delivered, findings):
    """Who is asked about waits for nobody; who is found goes, with all images, and is still told in the queue."""
    made, images = drawn(), delivered[0]
    seen = findings(*((image, "decode", "pass") for image in images["image"]))
    nothing = {model: table.empty(model) for model in (Pairs, Occasions, Items, Decisions, Refused)}
    asked = queue.run(images, seen, nothing[Pairs], nothing[Occasions], made.items, nothing[Decisions])
    assert set(asked["item"]) == set(made.items["item"])
    hold = dict.fromkeys(("web", "patterns"), "hold")
    before = verdicts.run(images, nothing[Refused], seen, asked, nothing[Decisions], policies=hold).verdicts
    assert set(before["verdict"]) == {"pass"}
    decisions = decide(made.items, hits=1, misses=2)
    found = estimates.run(made.drawn, made.strata, decisions, images).findings
    every = pd.concat([seen, found], ignore_index=True)
    again = queue.run(images, every, nothing[Pairs], nothing[Occasions], made.items, decisions)
    assert set(decisions["item"]) <= set(again["item"])
    after = verdicts.run(images, nothing[Refused], every, again, decisions, policies=hold).verdicts
    subject = decisions["image"].iloc[0][:3]
    assert after.loc[after["verdict"] != "pass", ["subject", "check"]].to_numpy().tolist() == [[subject, "sampled"]] * 2
