"""From findings to questions to verdicts: what people are asked, what their answers and the policies come to."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.check_names import QUEUE_OF, queue_of
from accord.checks import queue, verdicts
from accord.checks.deciding import policies
from accord.checks.settling import items, regions, settle
from accord.checks.tables.findings import Decisions, Findings, Items, Occasions, Pairs, Proposals
from accord.checks.tables.summary import PatternImages
from accord.engine import table
from accord.intake.tables import Refused
from accord.intake.tables import Regions as DrawnRegions
from accord.queues import QUEUES

ENTRY = "e" * 64
SQUARE = [0.0, 0.0, 9.0, 0.0, 9.0, 9.0]
HOLD = dict.fromkeys(("logos", "personal_data", "duplicates", "web", "safety", "patterns"), "hold")
NOTHING = table.empty(Decisions)
NO_ITEMS = table.empty(Items)
NO_PAIRS = table.empty(Pairs)
NO_OCCASIONS = table.empty(Occasions)


@pytest.fixture
def three(images):
    """Images a and b of subject s1, c of s2."""
    return images(*({"image": name, "subject": "s2" if name == "c" else "s1"} for name in "abc"))


@pytest.fixture
def proposals():
    """A table Proposals from (image, region, kind, covered)."""
    columns = ("image", "region", "kind", "polygon", "detector", "score", "threshold", "covered", "reason")
    return lambda *rows: table.rows(
        [dict(zip(columns, (i, r, k, SQUARE, "d", 0.7, 0.6, c, f"a {k}"), strict=True)) for i, r, k, c in rows],
        Proposals,
    )


@pytest.fixture
def asked(three, findings, proposals):
    """Items of an image with two proposals, of one on the web, of one with a suspicious pattern."""
    found = findings(("a", "logo", "review"), ("b", "pattern_device", "review"), ("c", "web_match", "review"))
    return items.run(three, found, proposals(("a", "r1", "logo", 0.0), ("a", "r2", "logo", 0.49)))


def decided(of: pd.DataFrame, decision: str, *drawn, kind="logo") -> pd.DataFrame:
    """Decisions on items, with the regions that were drawn (default: as proposed)."""
    rows = [
        {"item": row.item, "number": number, "queue": row.queue, "image": row.image, "region": row.region,
         "decision": decision, "kind": kind, "polygon": polygon, "entry": ENTRY}
        for row in of.itertuples() for number, polygon in enumerate(drawn or [row.polygon])
    ]  # fmt: skip
    return table.rows(rows, Decisions)


def by_check(found):
    return {(row.image, row.check): row.verdict for row in found.itertuples()}


def test_a_proposal_that_annotators_did_not_cover_is_a_question(three, findings, proposals):
    found = findings(("a", "logo", "review"), ("a", "personal_data", "review"), ("b", "logo", "pass"))
    made = items.run(
        three, found, proposals(("a", "r1", "logo", 0.0), ("a", "r2", "card", 0.8), ("b", "r3", "logo", 0.9))
    )
    told = made[["queue", "image", "subject", "region", "check", "kind"]].to_dict("split")["data"]
    assert told == [
        ["logos", "a", "s1", "r1", "logo", "logo"],
        ["personal_data", "a", "s1", "r2", "personal_data", "card"],
    ]
    assert made["polygon"].map(list).tolist() == [SQUARE, SQUARE]


def test_other_findings_are_questions_about_the_image(asked):
    whole = asked[asked["region"] == ""]
    assert list(zip(whole["queue"], whole["image"], whole["check"], strict=True)) == [
        ("patterns", "b", "pattern_device"), ("web", "c", "web_match"),
    ]  # fmt: skip
    assert whole["reason"].tolist() == ["why pattern_device", "why web_match"]
    assert asked["item"].is_unique


def test_nobody_is_asked_about_what_fails_anyway(three, findings, proposals):
    found = findings(("a", "logo", "review"), ("a", "decode", "fail"), ("b", "exif", "info"))
    assert len(items.run(three, found, proposals(("a", "r1", "logo", 0.0)))) == 0


def test_an_items_id_is_the_same_whatever_comes_with_it(three, findings, proposals, asked):
    alone = items.run(three, findings(("c", "web_match", "review")), proposals())
    assert alone["item"].item() == asked.loc[asked["queue"] == "web", "item"].item()


def test_every_check_has_a_queue_that_there_is():
    assert {*QUEUE_OF.values(), queue_of("something_new")} <= set(QUEUES)


@pytest.mark.parametrize(
    ("policy", "verdicts_of"),
    [
        ("hold", ("review", "review", "review")),
        ("drop", ("fail", "fail", "fail")),
        ("pass", ("pass", "pass", "pass")),
        ("paint", ("pass", "review", "review")),
    ],
)
def test_without_decisions_the_policy_counts(three, findings, asked, policy, verdicts_of):
    found = findings(("a", "logo", "review"), ("b", "pattern_device", "review"), ("c", "web_match", "review"))
    made = settle.run(three, found, asked, NOTHING, policies=dict.fromkeys(HOLD, policy))
    assert tuple(made["verdict"]) == verdicts_of
    assert all(made["reason"].str.startswith("why ")) and len(set(made["reason"])) == 3


@pytest.mark.parametrize(
    ("decision", "verdicts_of"),
    [
        ("uphold", ("pass", "fail", "fail")),
        ("dismiss", ("pass", "pass", "pass")),
        ("drop", ("fail", "fail", "fail")),
    ],
)
def test_a_decision_counts_before_the_policy(three, findings, asked, decision, verdicts_of):
    found = findings(("a", "logo", "review"), ("b", "pattern_device", "review"), ("c", "web_match", "review"))
    for policy in ("hold", "drop", "pass"):
        given = decided(asked, decision)
        assert tuple(settle.run(three, found, asked, given, policies=dict.fromkeys(HOLD, policy))["verdict"]) == (
            verdicts_of
        )


def test_the_worst_of_an_images_items_counts(three, findings, asked):
    found, logos = findings(("a", "logo", "review")), asked[asked["queue"] == "logos"]
    first = decided(logos[:1], "dismiss")
    assert settle.run(three, found, logos, first, policies=HOLD)["verdict"].tolist() == ["review"]
    both = pd.concat([first, decided(logos[1:], "drop")])
    made = settle.run(three, found, logos, both, policies=HOLD)
    assert made[["verdict", "reason"]].values.tolist() == [["fail", "why logo: excluded by a person"]]


def test_a_confirmed_region_without_an_outline_can_not_be_painted(three, findings):
    found = findings(("a", "logo", "review"))
    whole = items.run(three, found, table.empty(Proposals))
    assert settle.run(three, found, whole, decided(whole, "uphold"), policies=HOLD)["verdict"].tolist() == ["fail"]
    drawn = decided(whole, "uphold", SQUARE)
    assert settle.run(three, found, whole, drawn, policies=HOLD)["verdict"].tolist() == ["pass"]


def test_other_findings_stay_as_they_are(three, findings):
    found = findings(("a", "decode", "pass"), ("a", "exif", "info"), ("b", "side", "fail"), ("c", "odd", "review"))
    made = settle.run(three, found, NO_ITEMS, NOTHING, policies=HOLD)
    assert by_check(made) == by_check(found)


def test_a_region_that_is_asked_about_holds_its_image_though_its_check_said_nothing(three, findings, proposals):
    asked = items.run(three, findings(("a", "decode", "pass")), proposals(("a", "r1", "screen", 0.0)))
    made = settle.run(three, findings(("a", "decode", "pass")), asked, NOTHING, policies=HOLD)
    assert by_check(made) == {("a", "decode"): "pass", ("a", "personal_data"): "review"}


def test_one_image_on_the_web_stops_all_of_its_subject(three, findings):
    found = findings(("a", "web_match", "review"), ("b", "web_match", "pass"), ("c", "web_match", "pass"))
    asked = items.run(three, found, table.empty(Proposals))
    for decision, verdict in {"": "review", "uphold": "fail", "drop": "fail", "dismiss": "pass"}.items():
        given = decided(asked, decision) if decision else NOTHING
        made = settle.run(three, found, asked, given, policies=HOLD)
        assert made["verdict"].tolist() == [verdict, verdict, "pass"]
    assert made["reason"].tolist() == ["why web_match: dismissed by a person", "why web_match", "why web_match"]


def test_settling_twice_is_settling_once(three, findings, asked):
    found = findings(("a", "logo", "review"), ("b", "web_match", "pass"), ("a", "web_match", "review"))
    both = items.run(three, found, table.empty(Proposals))
    for policy in ("hold", "drop", "pass"):
        rules = dict.fromkeys(HOLD, policy)
        once = settle.run(three, found, both, decided(both[:1], "dismiss"), policies=rules)
        pd.testing.assert_frame_equal(settle.run(three, once, both, decided(both[:1], "dismiss"), policies=rules), once)


drawn = table.rows([("a", "r0", "bystander", [1.0, 1.0, 5.0, 1.0, 5.0, 5.0], "who")], DrawnRegions)


def test_confirmed_regions_are_painted_as_people_drew_them(asked):
    logos = asked[asked["queue"] == "logos"]
    bigger = [0.0, 0.0, 20.0, 0.0, 20.0, 20.0]
    given = pd.concat([decided(logos[:1], "uphold", SQUARE, bigger), decided(logos[1:], "dismiss")])
    made = regions.run(drawn, asked, given, policies=HOLD)
    assert len(made) == 3 and made["region"].is_unique
    more = made[made["region"] != "r0"]
    assert sorted(map(list, more["polygon"])) == sorted([SQUARE, bigger])
    assert (set(more["kind"]), set(more["annotator"]), set(more["image"])) == ({"logo"}, {""}, {"a"})
    moved = regions.run(drawn, asked, decided(logos[:1], "uphold", bigger), policies=HOLD)
    assert not set(moved["region"]) & set(more["region"])


def test_regions_that_nobody_decided_on_are_painted_where_the_policy_says_so(asked):
    assert regions.run(drawn, asked, NOTHING, policies=HOLD)["region"].tolist() == ["r0"]
    made = regions.run(drawn, asked, NOTHING, policies={**HOLD, "logos": "paint"})
    assert made["region"].tolist() == ["r0", "r1", "r2"]
    dismissed = decided(asked[asked["region"] == "r1"], "dismiss")
    made = regions.run(drawn, asked, dismissed, policies={**HOLD, "logos": "paint"})
    assert made["region"].tolist() == ["r0", "r2"]


@pytest.fixture
def over(three, findings):
    """The question whether all of region r0 is to be painted, over which a subject's segments lie."""
    square = list(drawn["polygon"][0])
    row = ("a", "r0", "bystander", square, "region_overlap", 0.4, 0.0, 0.0, "why")
    return items.run(three, findings(("a", "region_overlap", "review")), table.rows([row], Proposals))


def test_segments_over_a_region_are_a_question_that_holds_the_image(three, findings, over):
    found = findings(("a", "region_overlap", "review"))
    told = over[["queue", "image", "region", "check", "kind"]].values.tolist()
    assert told == [["personal_data", "a", "r0", "region_overlap", "bystander"]]
    assert settle.run(three, found, over, NOTHING, policies=HOLD)["verdict"].tolist() == ["review"]
    for decision, verdict in (("uphold", "pass"), ("dismiss", "pass"), ("drop", "fail")):
        made = settle.run(three, found, over, decided(over, decision, kind="bystander"), policies=HOLD)
        assert made["verdict"].tolist() == [verdict]


@pytest.mark.parametrize("policy", ["hold", "pass", "paint", "drop"])
def test_undecided_all_of_a_region_is_painted_once(over, policy):
    made = regions.run(drawn, over, NOTHING, policies={**HOLD, "personal_data": policy})
    assert made[["region", "segments"]].values.tolist() == [["r0", "painted"]]


def test_people_alone_let_segments_keep_a_part_of_a_region(over):
    dismissed = regions.run(drawn, over, decided(over, "dismiss"), policies=HOLD)
    assert dismissed[["region", "segments"]].values.tolist() == [["r0", "kept"]]
    upheld = regions.run(drawn, over, decided(over, "uphold", SQUARE, kind="bystander"), policies=HOLD)
    assert upheld["polygon"].map(list).tolist() == [SQUARE]
    assert upheld["segments"].tolist() == ["painted"] and upheld["region"].tolist() != ["r0"]


def test_where_detectors_proposed_a_region_people_see_what_segments_keep(asked):
    made = regions.run(drawn, asked, decided(asked[:1], "uphold"), policies={**HOLD, "logos": "paint"})
    assert made.set_index("region")["segments"].drop("r0").unique().tolist() == ["asked"]


@pytest.mark.parametrize("speck", [[1.0, 1.0, 2.0, 1.0, 2.0, 2.0], [900.0, 900.0, 990.0, 900.0, 990.0, 990.0]])
def test_who_confirms_a_region_and_outlines_something_else_takes_nothing_away(asked, over, speck):
    for item in (asked[:1], over[:1]):
        [row] = item.itertuples()
        made = regions.run(drawn[:0], item, decided(item, "uphold", speck, kind=row.kind), policies=HOLD)
        assert sorted(map(list, made["polygon"])) == sorted([speck, list(row.polygon)])
        assert made["region"].is_unique


def test_a_kind_that_is_none_of_a_region_is_other(asked):
    logos = asked[asked["region"] == "r1"]
    made = regions.run(drawn, asked, decided(logos, "uphold", kind="tattoo"), policies=HOLD)
    assert sorted(made["kind"]) == ["bystander", "other"]


def pairs(*rows):
    return table.rows([(left, right, kind, 0, 0.9, False) for left, right, kind in rows], Pairs)


def test_a_pair_is_one_question(three, findings):
    found = findings(("a", "duplicate_crop", "review"), ("b", "duplicate_crop", "review"), ("c", "side", "pass"))
    made = queue.run(three, found, pairs(("a", "b", "crop"), ("a", "c", "exact")), NO_OCCASIONS, NO_ITEMS, NOTHING)
    assert made[["queue", "image", "other", "kind"]].values.tolist() == [["duplicates", "a", "b", "crop"]]


def test_a_finding_of_a_gather_without_a_pair_is_a_question_too(three, findings):
    made = queue.run(three, findings(("c", "cross_subject", "review")), NO_PAIRS, NO_OCCASIONS, NO_ITEMS, NOTHING)
    assert made[["queue", "image", "other"]].values.tolist() == [["duplicates", "c", ""]]


def test_pairs_of_another_kind_are_not_compared(three, findings):
    found = findings(("a", "same_subject_near", "review"))
    made = queue.run(three, found, pairs(("a", "b", "near")), NO_OCCASIONS, NO_ITEMS, NOTHING)
    assert made[["image", "other"]].values.tolist() == [["a", ""]]


def test_a_pattern_is_one_question_for_a_subject_and_its_answer_for_all_images(three, findings):
    found = findings(*((name, "decode", "pass") for name in "abc"), *((name, "pattern_age", "review") for name in "ab"))
    asked = queue.run(three, found, NO_PAIRS, NO_OCCASIONS, NO_ITEMS, NOTHING)
    assert asked[["queue", "image"]].values.tolist() == [["patterns", "a"]]
    for decision, verdict in (("uphold", "fail"), ("dismiss", "pass")):
        given = decided(asked, decision)
        made = verdicts.judged(three, table.empty(Refused), [found], asked, given, policies=HOLD)
        assert made.verdicts["verdict"].tolist() == [verdict, verdict, "pass"]
        late = pd.concat([found, findings(("a", "side", "fail"))])
        pd.testing.assert_frame_equal(queue.run(three, late, NO_PAIRS, NO_OCCASIONS, NO_ITEMS, given), asked)
    late = pd.concat([found, findings(("a", "side", "fail"))])
    assert queue.run(three, late, NO_PAIRS, NO_OCCASIONS, NO_ITEMS, NOTHING)["image"].tolist() == ["b"]


def test_what_several_people_share_is_one_question_and_its_answer_for_all_of_them(three, findings, tmp_path):
    """s1 and s2 were photographed in one place: a and c there, b in another one with others."""
    check = "pattern_same_place"
    found = findings(*((name, "decode", "pass") for name in "abc"), *((name, check, "review") for name in "abc"))
    rows = table.rows([("a", check, "here"), ("c", check, "here"), ("b", check, "there")], PatternImages)
    table.write(rows, PatternImages, tmp_path / "images.parquet")
    units = {"pattern_images": tmp_path / "images.parquet"}
    asked = queue.run(three, found, NO_PAIRS, NO_OCCASIONS, NO_ITEMS, NOTHING, **units)
    assert asked[["image", "region"]].values.tolist() == [["a", "here"], ["b", "there"]]
    assert asked["reason"].tolist() == [
        f"why {check}; the answer decides on 2 images of 2 people", f"why {check}"]  # fmt: skip
    for decision, verdict in (("uphold", "fail"), ("dismiss", "pass")):
        given = decided(asked[:1], decision)
        made = verdicts.judged(three, table.empty(Refused), [found], asked, given, HOLD, rows)
        assert made.verdicts["verdict"].tolist() == [verdict, "review", verdict]
        late = pd.concat([found, findings(("a", "side", "fail"))])
        again = queue.run(three, late, NO_PAIRS, NO_OCCASIONS, NO_ITEMS, given, **units)
        assert again["item"].tolist() == asked["item"].tolist()
    late = pd.concat([found, findings(("a", "side", "fail"))])
    assert queue.run(three, late, NO_PAIRS, NO_OCCASIONS, NO_ITEMS, NOTHING, **units)["image"].tolist() == ["b", "c"]


def test_what_is_drawn_by_lot_is_asked_and_holds_nothing(three, findings):
    row = {"item": "i", "queue": "web", "image": "a", "subject": "s1", "other": "", "region": "sample",
           "check": "sampled", "kind": "subject", "polygon": [], "score": None, "threshold": None,
           "reason": ""}  # fmt: skip
    drawn_by_lot = table.rows([row], Items)
    found = findings(*((name, "decode", "pass") for name in "abc"))
    asked = queue.run(three, found, NO_PAIRS, NO_OCCASIONS, drawn_by_lot, NOTHING)
    assert asked["item"].tolist() == ["i"]
    for said in (NOTHING, decided(asked, "dismiss")):
        made = verdicts.judged(three, table.empty(Refused), [found], asked, said, policies=HOLD)
        assert set(made.verdicts["verdict"]) == {"pass"}


def test_the_queue_keeps_what_shards_ask_and_asks_nothing_twice(three, findings, asked):
    found = findings(("a", "logo", "review"), ("b", "pattern_device", "review"), ("c", "web_match", "review"))
    settled = settle.run(three, found, asked, NOTHING, policies=HOLD)
    made = queue.run(three, settled, NO_PAIRS, NO_OCCASIONS, asked, NOTHING)
    pd.testing.assert_frame_equal(made, asked)


def test_the_other_images_of_a_subject_on_the_web_are_no_questions(three, findings):
    found = findings(("a", "web_match", "review"), ("b", "web_match", "pass"))
    asked = items.run(three, found, table.empty(Proposals))
    settled = settle.run(three, found, asked, NOTHING, policies=HOLD)
    assert settled["verdict"].tolist() == ["review", "review"]
    assert queue.run(three, settled, NO_PAIRS, NO_OCCASIONS, asked, NOTHING)["image"].tolist() == ["a"]


def test_items_of_images_that_fail_are_not_asked_but_those_that_a_policy_fails(three, findings, asked):
    found = findings(("a", "logo", "review"), ("b", "pattern_device", "review"), ("c", "web_match", "review"))
    dropping = settle.run(three, found, asked, NOTHING, policies={**HOLD, "web": "drop"})
    late = pd.concat([dropping, findings(("b", "capture_spacing", "fail"))])
    assert queue.run(three, late, NO_PAIRS, NO_OCCASIONS, asked, NOTHING)["image"].tolist() == ["a", "a", "c"]
    one = decided(asked[asked["region"] == "r1"], "drop")
    after = settle.run(three, found, asked, one, policies=HOLD)
    kept = queue.run(three, after, NO_PAIRS, NO_OCCASIONS, asked, one)
    assert kept["region"].tolist() == ["r1", "", ""]


@pytest.mark.parametrize(("decision", "verdict"), [("", "review"), ("uphold", "fail"), ("dismiss", "pass")])
def test_verdicts_settle_what_gathers_found(three, findings, decision, verdict):
    found = findings(*((name, "decode", "pass") for name in "abc"), ("a", "duplicate_crop", "review"))
    asked = queue.run(three, found, pairs(("a", "b", "crop")), NO_OCCASIONS, NO_ITEMS, NOTHING)
    given = decided(asked, decision) if decision else NOTHING
    made = verdicts.judged(three, table.empty(Refused), [found], asked, given, policies=HOLD)
    assert made.verdicts["verdict"].tolist() == [verdict, "pass", "pass"]
    assert by_check(made.settled) == {("a", "duplicate_crop"): verdict}


def test_a_policy_to_paint_waits_where_there_is_nothing_to_paint():
    assert policies.policy_of("logos", {"logos": "paint"}, has_region=False) == "hold"
    assert policies.policy_of("logos", {"logos": "paint"}, has_region=True) == "paint"
    assert policies.policy_of("unheard_of", {}, has_region=True) == "hold"


rows = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["logo", "web_match", "odd", "side"]),
              st.sampled_from(["pass", "fail", "review", "info"])), max_size=8,
)  # fmt: skip
policy = st.sampled_from(["hold", "drop", "pass"])


@settings(max_examples=15, deadline=None)
@given(rows=rows, policy=policy, decision=st.sampled_from(["uphold", "dismiss", "drop", ""]), upto=st.integers(0, 3))
def test_no_image_passes_against_a_finding_and_none_waits_unasked(rows, policy, decision, upto):
    unique = {(image, check): verdict for image, check, verdict in rows}
    found = table.rows([(i, c, None, None, v, "") for (i, c), v in unique.items()], Findings)
    of = pd.DataFrame({"image": list("abc"), "subject": ["s1", "s1", "s2"]})
    asked = items.run(of, found, table.empty(Proposals))
    given = decided(asked[:upto], decision) if decision else NOTHING
    made = settle.run(of, found, asked, given, policies=dict.fromkeys(HOLD, policy))
    after = by_check(made)
    failed = {image for (image, _), verdict in unique.items() if verdict == "fail"}
    for key, verdict in unique.items():
        assert verdict != "fail" or after[key] == "fail"
        assert after[key] != "review" or key[0] in failed or policy == "hold" or key[1] == "web_match"
    waiting = {image for (image, _), verdict in after.items() if verdict == "review"}
    undecided = set(asked.loc[~asked["item"].isin(given["item"]), "subject"])
    assert {dict(zip(of["image"], of["subject"], strict=True))[image] for image in waiting - failed} <= undecided


SEEN = ("a", "decode", "pass"), ("b", "decode", "pass"), ("c", "decode", "fail")
"""Findings of three images, of which one is damaged."""


def objectionable(three, found, said=NOTHING, policy="hold", see_all=True):
    """Items, and the verdicts on images a, b and c after what people said of them."""
    asked = items.run(three, found, table.empty(Proposals), see_all=see_all)
    made = settle.run(three, found, asked, said, policies={**HOLD, "objectionable": policy})
    every = queue.run(three, made, NO_PAIRS, NO_OCCASIONS, asked, said)
    rules = {**HOLD, "objectionable": policy}
    judged = verdicts.judged(three, table.empty(Refused), [made], every, said, rules)
    return asked, judged.verdicts.set_index("image")["verdict"].to_dict()


def test_every_image_that_could_be_published_waits_until_it_is_seen(three, findings):
    asked, before = objectionable(three, findings(*SEEN))
    assert asked[["queue", "image", "check"]].values.tolist() == [
        ["objectionable", "a", "objectionable"], ["objectionable", "b", "objectionable"],
    ]  # fmt: skip
    assert before == {"a": "review", "b": "review", "c": "fail"}
    said = pd.concat([decided(asked[:1], "dismiss"), decided(asked[1:], "uphold", [], kind="violence")])
    assert objectionable(three, findings(*SEEN), said)[1] == {"a": "pass", "b": "fail", "c": "fail"}


@pytest.mark.parametrize(("policy", "verdict"), [("hold", "review"), ("drop", "fail"), ("pass", "pass")])
def test_what_becomes_of_unseen_images_is_a_policy(three, findings, policy, verdict):
    assert objectionable(three, findings(*SEEN), policy=policy)[1] == {"a": verdict, "b": verdict, "c": "fail"}


def test_nobody_is_asked_where_not_all_are_to_be_seen(three, findings):
    asked, after = objectionable(three, findings(*SEEN), see_all=False)
    assert asked.empty and after == {"a": "pass", "b": "pass", "c": "fail"}


def test_what_was_seen_stays_seen_whatever_else_changes(three, findings):
    asked, _ = objectionable(three, findings(*SEEN))
    found = findings(*SEEN[:2], ("a", "logo", "review"), ("b", "blur", "info"))
    again, _ = objectionable(three, found)
    assert set(asked["item"]) < set(again["item"])
    changed, _ = objectionable(three.assign(sha256="1" * 64), findings(*SEEN))
    assert set(changed["item"]).isdisjoint(asked["item"])
    withdrawn, _ = objectionable(three[three["image"] != "a"], findings(*SEEN[1:]))
    assert withdrawn["item"].tolist() == asked.loc[asked["image"] == "b", "item"].tolist()


def test_what_is_known_to_be_objectionable_stays_out_when_no_more_are_seen(three, findings):
    said = decided(objectionable(three, findings(*SEEN))[0][:1], "uphold", [], kind="nudity")
    assert objectionable(three, findings(*SEEN), said, see_all=False)[1] == {"a": "fail", "b": "pass", "c": "fail"}
    other = three.assign(sha256="1" * 64)
    assert objectionable(other, findings(*SEEN), said, see_all=False)[1] == {"a": "pass", "b": "pass", "c": "fail"}


def test_what_was_drawn_again_ends_no_other_question_about_its_image(three, findings):
    """In the queue agreement `uphold` means that it is drawn: the image stays, and waits for the rest."""
    row = {"item": "i", "queue": "agreement", "image": "a", "subject": "s1", "other": "", "region": "face_box/1",
           "check": "agreement", "kind": "face_box", "polygon": [], "score": None, "threshold": None,
           "reason": ""}  # fmt: skip
    drawings = table.rows([row, {**row, "item": "j", "region": "face_box/2"}], Items)
    found = findings(*SEEN)
    own = items.run(three, found, table.empty(Proposals), see_all=True)
    asked = pd.concat([own, drawings], ignore_index=True)
    said = decided(drawings[:1], "uphold", SQUARE)
    settled = settle.run(three, found, own, said, policies=HOLD)
    assert set(queue.run(three, settled, NO_PAIRS, NO_OCCASIONS, asked, said)["item"]) == {
        *own["item"], "i", "j",
    }  # fmt: skip
