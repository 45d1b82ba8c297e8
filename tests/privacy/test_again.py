"""People and painted regions: which they look at, and what is painted again on their word."""

import numpy as np
import pandas as pd
import pytest
from painting_cases import run_paint

from accord.checks.tables.findings import Regions
from accord.engine import table
from accord.privacy import paint
from accord.privacy.asking.items import items
from accord.privacy.asking.settle import settle
from accord.privacy.fitting.flaws import Flaws
from accord.privacy.painting import painters, repaint
from accord.privacy.tables import Decisions, Edits, Findings, Items

SQUARE, BIGGER = [10.0, 10.0, 60.0, 10.0, 60.0, 60.0], [10.0, 10.0, 90.0, 10.0, 90.0, 90.0]
ENTRY = "e" * 64
NOTHING = table.empty(Decisions)
IMAGES = pd.DataFrame({"image": ["a", "b"], "subject": ["s1", "s2"]})
HOLD = {"inpainting": "hold"}
LIMITS = Flaws(2.5, 2.0, 1.3)


def regions(*rows):
    return table.rows([(image, region, "card", SQUARE, "who", "painted") for image, region in rows], Regions)


def edits(*rows):
    """From (image, region, method, painted)."""
    columns = ("image", "region", "method", "painted")
    usual = {**dict.fromkeys(Edits.to_schema().columns, 0), "kind": "card", "polygon": SQUARE, "prompt": ""}
    usual |= {"attempts": 1, "model_sha256": "0" * 64}
    return table.rows([usual | dict(zip(columns, row, strict=True)) for row in rows], Edits)


def findings(*rows):
    """From (image, check, score, threshold, verdict)."""
    return table.rows([(*row, "why") for row in rows], Findings)


def asked(*painted, found=(), review="escalated", of=(("a", "r0"), ("b", "r1"))):
    told = {"review": review, "model": "embedded", "limits": LIMITS}
    return items(IMAGES, regions(*of), edits(*painted), findings(*found), **told)


def said(item, decision, *drawn, queue="inpainting"):
    rows = [(item, number, queue, "a", "r0", decision, "card", polygon, ENTRY) for number, polygon in enumerate(drawn)]
    return table.rows(rows, Decisions)


def test_all_painted_regions_are_asked_about_where_all_are_wanted():
    made = asked(("a", "r0", "diffusion", 9), ("b", "r1", "nothing to paint", 0), review="all")
    assert made[["queue", "image", "subject", "region", "check"]].values.tolist() == [
        ["inpainting", "a", "s1", "r0", "inpainting"]
    ]
    assert made["polygon"].map(list).tolist() == [SQUARE]


def test_regions_in_doubt_alone_are_asked_about_else():
    both = (("a", "r0", "diffusion", 9), ("b", "r1", "membrane", 9))
    assert asked(*both)["image"].tolist() == ["b"]
    assert asked(*both, found=[("a", "face_yunet", 0.47, 0.6, "pass")])["image"].tolist() == ["b"]
    assert asked(*both, found=[("a", "face_yunet", 0.49, 0.6, "pass")])["image"].tolist() == ["a", "b"]
    assert asked(*both, found=[("a", "person_copied", 0.89, 0.9, "pass")])["image"].tolist() == ["b"]
    assert asked(*both, found=[("a", "person_copied", 0.9, 0.9, "review")])["image"].tolist() == ["a", "b"]
    assert asked(*both, found=[("a", "seam", 1.0, 0.0, "review")])["image"].tolist() == ["a", "b"]
    assert asked(*both, of=[("b", "r1")])["image"].tolist() == ["a", "b"]


def test_an_item_says_which_scores_failed_the_most_doubtful_first():
    """2.64 / 1.3 = 2.03 times its limit, 3.0 / 2.0 = 1.5 times, 0.49 / 0.6 = 0.82 times."""
    painted = edits(("a", "r0", "diffusion", 9)).assign(seam=1.0, detail=3.0, outline=2.64)
    found = findings(("a", "face_yunet", 0.49, 0.6, "pass"))
    found = pd.concat([found, findings(("a", "inpainting", 2.64, 1.3, "review")).assign(reason=(
        "a painted region differs in detail from its surroundings; the outline of the painted-over content is visible; "
        "a subject's segments keep 84% of a region without a decision"))])  # fmt: skip
    made = items(IMAGES, regions(("a", "r0")), painted, found, review="all", model="m", limits=LIMITS).iloc[0]
    assert made["reason"] == (
        "the outline of the painted-over content is visible (2.64, limit 1.30); "
        "a painted region differs in detail from its surroundings (3.00, limit 2.00); "
        "a subject's segments keep 84% of a region without a decision; why (0.49, limit 0.60); "
        "painted over by diffusion, attempt 1"
    )
    assert (made["score"], made["threshold"]) == (2.64, 1.3)


def test_an_item_without_a_doubt_tells_the_score_that_comes_closest_to_its_limit():
    painted = edits(("a", "r0", "diffusion", 9)).assign(seam=1.0, detail=1.0, outline=0.13)
    made = items(IMAGES, regions(("a", "r0")), painted, findings(), review="all", model="m", limits=LIMITS).iloc[0]
    assert made["reason"] == "no score is above its limit; painted over by diffusion, attempt 1"
    assert (made["score"], made["threshold"]) == (1.0, 2.0)


@pytest.mark.parametrize(("policy", "verdict"), [("pass", "review"), ("hold", "review"), ("drop", "fail")])
def test_no_policy_lets_an_image_pass_whose_subject_may_be_painted_over(policy, verdict):
    found = findings(("a", "subject_in_region", 0.9, 0.5, "review"), ("a", "skin_in_region", 0.9, 0.5, "review"))
    made = asked(("a", "r0", "diffusion", 9), found=found.drop(columns="reason").itertuples(index=False))
    settled = settle(found, made, NOTHING, policies={"inpainting": policy}).set_index("check")["verdict"]
    assert settled["subject_in_region"] == verdict
    assert settled["skin_in_region"] == {"pass": "pass", "hold": "review", "drop": "fail"}[policy]
    kept = settle(found, made, said(made["item"].item(), "dismiss", []), policies={"inpainting": policy})
    assert set(kept["verdict"]) == {"pass"}


def test_nobody_is_asked_about_a_picture_that_fails():
    assert len(asked(("a", "r0", "membrane", 9), found=[("a", "metadata", 1.0, 0.0, "fail")])) == 0


def test_a_doubt_without_a_painted_region_is_a_question_about_the_image():
    made = asked(found=[("a", "metadata", 1.0, 0.0, "review")])
    assert made[["image", "region", "kind"]].values.tolist() == [["a", "", "metadata"]]
    for decision, verdict in (("dismiss", "pass"), ("uphold", "fail")):
        given = said(made["item"].item(), decision, [])
        found = settle(findings(("a", "metadata", 1.0, 0.0, "review")), made, given, policies=HOLD)
        assert found[["check", "verdict"]].values.tolist() == [["metadata", verdict]]


def test_an_unknown_way_of_review_is_refused():
    from accord.errors import AccordError

    with pytest.raises(AccordError, match="'some' is not one of all, escalated"):
        asked(review="some")


@pytest.mark.parametrize(
    ("decision", "policy", "verdict"),
    [("", "hold", "review"), ("", "pass", "pass"), ("", "drop", "fail"), ("dismiss", "drop", "pass"),
     ("drop", "pass", "fail")],
)  # fmt: skip
def test_an_image_passes_when_its_regions_are_good(decision, policy, verdict):
    made = asked(("a", "r0", "membrane", 9))
    given = said(made["item"].item(), decision, SQUARE) if decision else NOTHING
    found = settle(findings(("a", "metadata", 0.0, 0.0, "pass")), made, given, policies={"inpainting": policy})
    assert dict(zip(found["check"], found["verdict"], strict=True)) == {"metadata": "pass", "inpainting": verdict}


def test_without_decisions_all_is_painted_as_it_was():
    wanted = regions(("a", "r0"), ("b", "r1"))
    pd.testing.assert_frame_equal(repaint.planned(wanted, NOTHING, "embedded"), wanted)
    first = repaint.item_of("a", "r0", SQUARE, "embedded")
    for given in (said(first, "dismiss", SQUARE), said(first, "drop", SQUARE), said("another", "uphold", SQUARE)):
        pd.testing.assert_frame_equal(repaint.planned(wanted, given, "embedded"), wanted)


def test_an_upheld_region_is_another_one_as_often_as_it_is_upheld():
    wanted, seen, given = regions(("a", "r0")), ["r0"], NOTHING
    for _ in range(3):
        latest = repaint.planned(wanted, given, "embedded")
        row = next(latest.itertuples())
        given = pd.concat([given, said(repaint.item_of("a", row.region, row.polygon, "embedded"), "uphold", SQUARE)])
        seen.append(repaint.planned(wanted, given, "embedded")["region"].item())
    assert len(set(seen)) == 4


def test_people_correct_outlines_and_draw_more():
    given = said(repaint.item_of("a", "r0", SQUARE, "embedded"), "uphold", BIGGER, [5.0, 5.0, 8.0, 5.0, 8.0, 8.0])
    made = repaint.planned(regions(("a", "r0"), ("a", "r1")), given, "embedded")
    assert sorted(map(list, made["polygon"])) == sorted([BIGGER, [5.0, 5.0, 8.0, 5.0, 8.0, 8.0], SQUARE])
    assert "r0" not in set(made["region"]) and "r1" in set(made["region"])


def test_who_corrects_an_outline_takes_nothing_away_from_what_is_painted():
    speck, rest = [10.0, 10.0, 12.0, 10.0, 12.0, 12.0], [15.0, 15.0, 60.0, 15.0, 60.0, 60.0]
    for drawn in ([speck], [rest], [speck, rest]):
        given = said(repaint.item_of("a", "r0", SQUARE, "embedded"), "uphold", *drawn)
        made = repaint.planned(regions(("a", "r0")), given, "embedded")
        assert sorted(map(list, made["polygon"])) == sorted([SQUARE, *drawn])
        assert made["region"].is_unique and "r0" not in set(made["region"])


def test_a_decision_holds_for_an_outline_and_a_model():
    wanted = regions(("a", "r0"))
    given = said(repaint.item_of("a", "r0", BIGGER, "embedded"), "uphold", SQUARE)
    assert repaint.planned(wanted, given, "embedded")["region"].tolist() == ["r0"]
    given = said(repaint.item_of("a", "r0", SQUARE, "embedded"), "uphold", SQUARE)
    assert repaint.planned(wanted, given, "another")["region"].tolist() == ["r0"]


def test_what_is_painted_again_is_asked_about_again(shard, tmp_path, tiny_embedded, unproven, monkeypatch):
    """The whole round: painted, not good, painted otherwise inside the region alone, asked about anew."""
    monkeypatch.setattr(painters, "load", lambda *_: tiny_embedded)
    delivery = shard(regions=[("bystander", [100, 60, 150, 60, 150, 180, 100, 180])])

    def painted(decisions, name):
        monkeypatch.setattr(paint, "of_queues", lambda *_: decisions)
        made = run_paint(delivery, tmp_path / name)
        return made, made.review_items

    first, questions = painted(NOTHING, "first.tar")
    painted(NOTHING, "same.tar")
    assert (tmp_path / "first.tar").read_bytes() == (tmp_path / "same.tar").read_bytes()
    given = table.rows(
        [(questions["item"].item(), 0, "inpainting", questions["image"].item(), "r0", "uphold", "card",
          questions["polygon"].item(), ENTRY)], Decisions,
    )  # fmt: skip
    second, more = painted(given, "second.tar")
    assert second.edits["seed"].item() != first.edits["seed"].item()
    assert second.pictures["sha256"].item() != first.pictures["sha256"].item()
    assert more["item"].item() != questions["item"].item()
    assert np.array_equal(second.edits["polygon"].item(), first.edits["polygon"].item())
    table.check(more, Items, "items")


def test_only_pictures_with_painted_regions_wait_where_people_look_at_all():
    made = asked(("a", "r0", "diffusion", 9), review="all")
    clean = findings(("a", "metadata", 0.0, 0.0, "pass"), ("b", "metadata", 0.0, 0.0, "pass"))
    found = settle(clean, made, NOTHING, policies=HOLD)
    assert set(found.loc[found["verdict"] == "review", "image"]) == {"a"}
    assert set(found.loc[found["image"] == "b", "verdict"]) == {"pass"}
