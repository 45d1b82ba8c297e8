"""Samples for people, and what is estimated from what they found."""

import json

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.checks import estimate_command, estimates, queue, sample, verdicts
from accord.checks.tables.findings import Decisions, Findings, Items, Occasions, Pairs
from accord.checks.tables.summary import Annotated, Estimates
from accord.engine import table
from accord.errors import AccordError
from accord.intake.tables import Attributes, People, Refused
from accord.review.drawn.drawings import ANNOTATIONS
from accord.statistics.describing.proportions import wilson_finite
from accord.statistics.describing.sampling import draw

ENTRY = "0" * 64
SETTINGS = {"subjects": 30, "images": 12, "annotations": 20, "by": "ancestry", "reviewers": 3, "rates": {}, "seed": 1}
TYPES = ("landmarks", "segments")
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
    annotated = [(image, subject, kind, f"{kind}/{image}") for image, subject, *_ in people for kind in TYPES]
    return (
        images(*shots),
        table.rows(people, People),
        table.rows(said[:-8], Attributes),
        table.rows(annotated, Annotated),
        table.empty(Findings),
    )


@pytest.fixture
def drawn(delivered, tmp_path):
    """The step, of attributes in two files."""

    def run(rows=delivered, **changes):
        paths = [tmp_path / "first.parquet", tmp_path / "second.parquet"]
        for part, path in enumerate(paths):
            table.write(rows[2][part::2], Attributes, path)
        return sample.run(*rows[:2], paths, *rows[3:], sample=SETTINGS | changes)

    return run


def decide(items, hits, misses):
    asked = items[items["queue"] == "web"].sort_values("item")
    rows = [
        (row.item, 0, "web", row.image, row.region, "uphold" if place < hits else "dismiss", "", [], ENTRY)
        for place, row in enumerate(asked.head(hits + misses).itertuples())
    ]
    return table.rows(rows, Decisions)


def of_all(found, sample="remaining"):
    """The estimates of a sample."""
    return found.estimates[found.estimates["sample"] == sample].drop(columns="sample")


def judged(items, kind, wrong, right):
    """Decisions on drawings of a type: the first are wrong."""
    asked = items[(items["queue"] == "annotations") & (items["kind"] == kind)].sort_values("item")
    rows = [
        (row.item, 0, "annotations", row.image, row.region, "uphold" if place < wrong else "dismiss", kind, [], ENTRY)
        for place, row in enumerate(asked.head(wrong + right).itertuples())
    ]
    return table.rows(rows, Decisions)


def test_each_is_asked_once_and_each_stratum_has_its_share(drawn):
    made = drawn()
    counts = made.strata.set_index(["sample", "stratum"])
    assert counts.loc["remaining"].loc[:, ["population", "sampled"]].to_numpy().tolist() == [[60, 23], [20, 7]]
    assert counts.loc["agreement", "sampled"].sum() == 12
    assert "acme, 0. Africa" in counts.loc["agreement"].index
    assert "acme, not given" in counts.loc["agreement"].index
    assert made.review_items["queue"].value_counts().to_dict() == {
        "agreement": 12 * 2 * 3,
        "annotations": 2 * 20,
        "web": 30,
    }
    web = made.review_items[made.review_items["queue"] == "web"]
    assert web["subject"].is_unique


def test_the_same_are_drawn_whatever_the_order_of_rows_and_others_with_another_seed(drawn, delivered):
    mixed = [rows.sample(frac=1, random_state=2).reset_index(drop=True) for rows in delivered]
    pd.testing.assert_frame_equal(drawn().review_items, drawn(mixed).review_items)
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
    made = drawn((*delivered[:4], table.rows(copies, Findings)))
    assert made.drawn["subject"].min() >= "s40"
    assert made.strata.groupby("sample")["population"].sum().to_dict() == {
        "agreement": 80, "landmarks": 80, "remaining": 40, "segments": 80,
    }  # fmt: skip


def test_where_one_is_expected_more_are_drawn(drawn):
    made = drawn(rates={"bolt": 0.3, "acme": 0.01}).strata.set_index(["sample", "stratum"])["sampled"]
    assert made["remaining", "bolt"] > made["remaining", "acme"]


def test_without_decisions_there_is_no_estimate(drawn, delivered):
    made = drawn()
    found = estimates.run(made.drawn, made.strata, table.empty(Decisions), delivered[0], delivered[3])
    assert found.findings.empty
    assert found.estimates["rate"].isna().all()
    assert of_all(found)["note"].tolist()[:2] == ["no reviews yet"] * 2
    assert of_all(found)["note"].iloc[2] == "some strata have no reviews yet"


def test_who_is_found_goes_with_all_images(drawn, delivered):
    made = drawn()
    decisions = decide(made.review_items, hits=4, misses=26)
    found = estimates.run(made.drawn, made.strata, decisions, delivered[0], delivered[3])
    hit = decisions.loc[decisions["decision"] == "uphold", "image"].str[:3]
    assert set(found.findings["image"].str[:3]) == set(hit)
    assert len(found.findings) == 8
    everyone = of_all(found).set_index("stratum").loc["all"]
    assert everyone[["population", "sampled", "looked", "hits"]].tolist() == [80, 30, 30, 4]
    assert everyone["low"] < everyone["finite_low"] < everyone["rate"] < everyone["finite_high"] < everyone["high"]
    assert everyone["left"] == pytest.approx((everyone["rate"] * 80 - 4) / 76)
    assert everyone["note"] == ""


def test_one_stratum_has_all_intervals(drawn, delivered):
    alone = [delivered[0].assign(vendor="acme"), *delivered[1:]]
    made = drawn(alone)
    found = estimates.run(made.drawn, made.strata, decide(made.review_items, 3, 17), alone[0], alone[3])
    found = of_all(found).set_index("stratum")
    assert found.loc["all"].drop("note").equals(found.loc["acme"].drop("note"))
    assert found.loc["all", ["finite_low", "finite_high"]].tolist() == pytest.approx(wilson_finite(3, 20, 80))
    assert found.loc["all", "exact_low"] <= found.loc["all", "rate"] <= found.loc["all", "exact_high"]
    assert found.loc["all", "note"] == "10 of 30 still await review"


def test_a_find_stays_out_of_the_release_when_the_sample_moves(drawn, delivered):
    made = drawn()
    decisions = decide(made.review_items, 1, 0)
    moved = drawn(seed=5)
    found = estimates.run(moved.drawn[moved.drawn["image"] != decisions["image"].iloc[0]], moved.strata, decisions,
                          delivered[0], delivered[3])  # fmt: skip
    assert len(found.findings) == 2
    assert found.estimates["hits"].sum() == 0


def test_other_decisions_are_no_finds(drawn, delivered):
    made = drawn()
    other = decide(made.review_items, 5, 0).assign(region="")
    assert estimates.run(made.drawn, made.strata, other, delivered[0], delivered[3]).findings.empty


def test_from_the_sample_through_the_queue_to_the_verdicts(drawn, delivered, findings):
    """Who is asked about waits for nobody; who is found goes, with all images, and is still told in the queue."""
    made, images = drawn(), delivered[0]
    seen = findings(*((image, "decode", "pass") for image in images["image"]))
    nothing = {model: table.empty(model) for model in (Pairs, Occasions, Items, Decisions, Refused)}
    asked = queue.run(images, seen, nothing[Pairs], nothing[Occasions], made.review_items, nothing[Decisions])
    assert set(asked["item"]) == set(made.review_items["item"])
    hold = dict.fromkeys(("web", "patterns"), "hold")
    before = verdicts.judged(images, nothing[Refused], [seen], asked, nothing[Decisions], policies=hold).verdicts
    assert set(before["verdict"]) == {"pass"}
    decisions = decide(made.review_items, hits=1, misses=2)
    found = estimates.run(made.drawn, made.strata, decisions, images, delivered[3]).findings
    every = pd.concat([seen, found], ignore_index=True)
    again = queue.run(images, every, nothing[Pairs], nothing[Occasions], made.review_items, decisions)
    assert set(decisions["item"]) <= set(again["item"])
    after = verdicts.judged(images, nothing[Refused], [every], again, decisions, policies=hold).verdicts
    subject = decisions["image"].iloc[0][:3]
    assert after.loc[after["verdict"] != "pass", ["subject", "check"]].to_numpy().tolist() == [[subject, "sampled"]] * 2


def test_drawings_of_each_type_are_drawn_by_vendor_and_group(drawn):
    made = drawn()
    sizes = made.strata.set_index(["sample", "stratum"])["sampled"].groupby("sample").sum()
    assert sizes.to_dict() == {"agreement": 12, "landmarks": 20, "remaining": 30, "segments": 20}
    strata = made.strata.loc[made.strata["sample"] == "landmarks", "stratum"]
    assert {"acme, 0. Africa", "acme, not given"} <= set(strata)
    own = made.review_items[made.review_items["queue"] == "annotations"]
    assert own["kind"].value_counts().to_dict() == {"landmarks": 20, "segments": 20}
    assert set(own["region"].str.partition("/")[0]) == {"landmarks", "segments"}
    assert set(drawn(annotations=0).review_items["queue"]) == {"agreement", "web"}


def test_the_share_of_wrong_drawings_is_told_by_type_with_its_interval(drawn, delivered):
    made = drawn()
    said = pd.concat([judged(made.review_items, "landmarks", 3, 17), judged(made.review_items, "segments", 0, 5)])
    found = estimates.run(made.drawn, made.strata, said, delivered[0], delivered[3])
    landmarks = of_all(found, "landmarks").set_index("stratum")
    everyone = landmarks.loc["all"]
    assert everyone[["population", "sampled", "looked", "hits"]].tolist() == [160, 20, 20, 3]
    strata = landmarks.drop(index="all")
    weighed = (strata["rate"] * strata["population"]).sum() / 160
    assert everyone["rate"] == pytest.approx(weighed)
    assert everyone["low"] < everyone["finite_low"] < weighed < everyone["finite_high"] < everyone["high"]
    assert of_all(found, "segments").set_index("stratum").loc["all", "looked"] == 5
    assert of_all(found, "face_box")["note"].tolist() == ["the population is empty"]
    hits = said.loc[said["decision"] == "uphold", "image"]
    assert found.findings[["image", "check"]].to_numpy().tolist() == [[i, "annotation_wrong"] for i in sorted(hits)]


def test_an_image_taken_out_says_nothing_about_its_annotation(drawn, delivered):
    made = drawn()
    said = judged(made.review_items, "landmarks", 2, 3).assign(decision=["drop", "uphold", *["dismiss"] * 3])
    found = estimates.run(made.drawn, made.strata, said, delivered[0], delivered[3])
    strata = of_all(found, "landmarks").set_index("stratum")
    assert strata.loc["all", ["looked", "hits"]].tolist() == [4, 1]
    assert set(found.findings["image"]) == set(said["image"].head(2))


def test_a_drawing_that_was_corrected_is_no_longer_wrong(drawn, delivered):
    made = drawn()
    said = judged(made.review_items, "landmarks", 1, 0)
    new = delivered[3].assign(region=delivered[3]["region"] + "b")
    found = estimates.run(made.drawn, made.strata, said, delivered[0], new)
    assert found.findings.empty and found.estimates["looked"].sum() == 0
    again = drawn((*delivered[:3], new, delivered[4]))
    assert set(again.review_items["item"]).isdisjoint(said["item"])


def test_a_wrong_drawing_stops_its_image_and_not_the_questions_about_its_others(drawn, delivered, findings):
    images = delivered[0]
    made = drawn(annotations=160)
    said = judged(made.review_items, "landmarks", 1, 0)
    seen = findings(*((image, "decode", "pass") for image in images["image"]))
    found = estimates.run(made.drawn, made.strata, said, images, delivered[3]).findings
    every = pd.concat([seen, found], ignore_index=True)
    asked = queue.run(images, every, table.empty(Pairs), table.empty(Occasions), made.review_items, said)
    own = asked[(asked["image"] == said["image"].item()) & (asked["queue"] == "annotations")]
    assert set(own["kind"]) == {"landmarks", "segments"}
    after = verdicts.judged(images, table.empty(Refused), [every], asked, said, policies={}).verdicts
    assert after.loc[after["verdict"] != "pass", ["image", "check"]].to_numpy().tolist() == [
        [said["image"].item(), "annotation_wrong"]
    ]
    other = pd.concat([every, findings((said["image"].item(), "side", "fail"))], ignore_index=True)
    kept = queue.run(images, other, table.empty(Pairs), table.empty(Occasions), made.review_items, said)
    assert kept.loc[kept["image"] == said["image"].item(), "kind"].tolist() == ["landmarks"]


def test_a_command_tells_the_estimates_of_the_last_run(drawn, delivered, tmp_path, capsys):
    made = drawn()
    alone = [delivered[0].assign(vendor="acme"), *delivered[1:]]
    said = judged(made.review_items, "segments", 1, 19)
    found = estimates.run(made.drawn, made.strata, said, alone[0], alone[3]).estimates
    (tmp_path / "checks").mkdir()
    table.write(found, Estimates, tmp_path / "checks/estimates.parquet")
    assert estimate_command.main(["show", "--results", str(tmp_path)]) == 0
    lines = {line.partition(", ")[0]: line for line in capsys.readouterr().out.splitlines()}
    assert list(lines) == ["remaining", *(kind.replace("_", " ") for kind in ANNOTATIONS)]
    assert "1 of 20 reviewed (20 drawn of 160)" in lines["segments"] and "Wilson 95%" in lines["segments"]
    assert lines["landmarks"].endswith("some strata have no reviews yet")
    estimate_command.main(["show", "--results", str(tmp_path), "--strata"])
    assert len(capsys.readouterr().out.splitlines()) == len(found) > len(lines)
    with pytest.raises(AccordError, match="is missing"):
        estimate_command.main(["show", "--results", str(tmp_path / "elsewhere")])
    capsys.readouterr()
    estimate_command.main(["show", "--results", str(tmp_path), "--json"])
    rows = {row["sample"]: row for row in json.loads(capsys.readouterr().out)}
    assert list(rows) == ["remaining", *ANNOTATIONS]
    assert (rows["segments"]["hits"], rows["segments"]["looked"], rows["landmarks"]["rate"]) == (1, 20, None)


def test_machines_are_told_rates_and_sizes(capsys):
    estimate_command.main(["rate", "14", "400", "--of", "2017", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["rate"], told["of"]) == (0.035, 2017)
    assert set(told["intervals"]) == {"wilson", "wilson_finite", "hypergeometric"}
    assert all(interval["low"] < 0.035 < interval["high"] for interval in told["intervals"].values())
    estimate_command.main(["size", "0.035", "0.02", "--json"])
    told = json.loads(capsys.readouterr().out)
    # Near 1.96^2 p (1 - p) / w^2 = 324, which takes the number of hits for normal.
    assert told["of"] is None and 300 < told["size"] < 400
