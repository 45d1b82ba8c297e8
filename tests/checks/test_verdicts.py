"""From findings to verdicts to the waterfall: every delivered image is in one place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.check_names import LABELS, label, position, room_of
from accord.checks import verdicts
from accord.checks.deciding.judge import delivered, judge
from accord.checks.deciding.waterfall import waterfall
from accord.checks.settling import local
from accord.checks.tables.findings import Decisions, Findings, Items, Verdicts
from accord.engine import table
from accord.errors import AccordError
from accord.intake.tables import Refused

NOBODY = table.empty(Refused)


def run(images, refused, findings):
    """The verdicts where nobody is asked anything."""
    parts = [findings[::2], findings[1::2]]
    return verdicts.judged(images, refused, parts, table.empty(Items), table.empty(Decisions), policies={}).verdicts


@pytest.fixture
def refused():
    """A table Refused from (image, check, fatal)."""
    return lambda *rows: table.rows(
        [("image", i, "s9", "", check, f"why {check}", fatal) for i, check, fatal in rows], Refused
    )


@pytest.fixture
def three(images):
    return images(*({"image": name, "subject": f"s{name}"} for name in "abc"))


def decoded(findings, *more, of="abc"):
    return findings(*((name, "decode", "pass") for name in of), *more)


def by_image(verdicts):
    return {row.image: (row.verdict, row.room, row.check) for row in verdicts.itertuples()}


def test_without_failures_all_pass(three, findings):
    assert set(by_image(run(three, NOBODY, decoded(findings, ("a", "exif", "info")))).values()) == {("pass", "", "")}


def test_the_first_check_in_the_order_counts(three, findings):
    rows = decoded(
        findings, ("a", "megapixels", "fail"), ("a", "consent.minor", "fail"), ("a", "side", "fail"),
        ("b", "duplicate_near", "fail"), ("b", "exif", "pass"), ("b", "aspect", "fail"),
    )  # fmt: skip
    verdicts = run(three, NOBODY, rows)
    assert by_image(verdicts) == {
        "a": ("fail", "consent", "consent.minor"), "b": ("fail", "checks", "aspect"), "c": ("pass", "", ""),
    }  # fmt: skip
    assert verdicts["reason"].tolist() == ["why consent.minor", "why aspect", ""]


def test_a_failure_counts_before_a_review_and_a_review_before_a_pass(three, findings):
    rows = decoded(findings, ("a", "consent.scope", "review"), ("a", "aspect", "fail"), ("b", "side", "review"))
    assert by_image(run(three, NOBODY, rows)) == {
        "a": ("fail", "checks", "aspect"), "b": ("review", "checks", "side"), "c": ("pass", "", ""),
    }  # fmt: skip


def test_refused_images_are_delivered_too(three, findings, refused):
    rows = refused(
        ("x", "pixels", True), ("x", "sha256", True), ("y", "intake.country", False), ("", "form", True),
        ("a", "vocabulary", False),
    )  # fmt: skip
    verdicts = run(three, rows, decoded(findings))
    assert by_image(verdicts)["x"] == ("fail", "intake", "intake.sha256")
    assert sorted(verdicts["image"]) == ["a", "b", "c", "x"]


def test_an_image_that_was_taken_and_refused_is_refused_once(three, findings, refused):
    verdicts = run(three, refused(("b", "annotation", True)), decoded(findings))
    assert by_image(verdicts)["b"] == ("fail", "intake", "intake.annotation")
    assert len(verdicts) == 3


def test_later_findings_only_take_more_away(three, findings):
    first = run(three, NOBODY, decoded(findings, ("a", "side", "fail"), ("b", "side", "review")))
    later = judge(first, findings(("a", "person_in_region", "fail"), ("b", "person_in_region", "fail")))
    assert by_image(later) == {
        "a": ("fail", "checks", "side"), "b": ("fail", "privacy", "person_in_region"), "c": ("pass", "", ""),
    }  # fmt: skip
    again = judge(first, findings(("b", "aspect", "review"), ("c", "person_in_region", "review")))
    assert by_image(again)["b"] == ("review", "checks", "side")
    assert by_image(again)["c"] == ("review", "privacy", "person_in_region")


def test_findings_of_strangers_are_refused(three, findings):
    with pytest.raises(AccordError, match=r"1 image\(s\) with findings were never delivered; the first is z"):
        run(three, NOBODY, decoded(findings, ("z", "side", "fail")))


def test_an_image_that_nobody_looked_at_does_not_pass(three, findings):
    with pytest.raises(AccordError, match=r"1 image\(s\) were lost, .* first is c"):
        run(three, NOBODY, decoded(findings, of="ab"))


def test_empty_tables_have_empty_verdicts(images, findings):
    verdicts = run(images(), NOBODY, findings())
    assert len(verdicts) == 0
    assert waterfall(verdicts)["images_in"].sum() == 0


def test_local_drops_what_failed_and_nothing_else(three, findings):
    rows = decoded(findings, ("a", "side", "fail"), ("b", "aspect", "review"), ("c", "exif", "info"))
    assert local.run(three, rows)["image"].tolist() == ["b", "c"]


def test_the_waterfall_of_a_small_delivery(images, findings, refused):
    subjects = {"a": "s1", "b": "s1", "c": "s2", "d": "s3"}
    taken = images(*({"image": image, "subject": subject} for image, subject in subjects.items()))
    rows = decoded(findings, ("c", "side", "fail"), ("d", "duplicate_near", "review"), of="abcd")
    steps = waterfall(run(taken, refused(("x", "sha256", True)), rows)).set_index("check")
    numbers = ["images_in", "images_out", "stopped", "subjects_left"]
    assert steps.loc["delivered", numbers].tolist() == [5, 5, 0, 4]
    assert steps.loc["intake.sha256", numbers].tolist() == [5, 4, 1, 3]
    assert steps.loc["consent.minor", numbers].tolist() == [4, 4, 0, 3]
    assert steps.loc["side", numbers].tolist() == [4, 3, 1, 2]
    assert steps.loc["duplicate_near", numbers].tolist() == [3, 2, 1, 1]
    assert steps.loc["released", numbers].tolist() == [2, 2, 0, 1]
    assert steps["label"]["duplicate_near"] == "Near duplicate (1 awaiting review)"
    assert steps["order"].tolist() == list(range(len(LABELS) + 2))


checks = st.sampled_from([*LABELS, "consent.other", "unheard_of"])
rows = st.lists(st.tuples(st.integers(0, 9), checks, st.sampled_from(["pass", "fail", "review", "info"])), max_size=25)


@settings(max_examples=12, deadline=None)
@given(rows=rows, seed=st.integers(0, 99))
def test_the_waterfall_adds_up_whatever_is_found(rows, seed):
    unique = {(f"i{image}", check): verdict for image, check, verdict in rows}
    found = table.rows([(i, c, None, None, v, "") for (i, c), v in unique.items()], Findings)
    start = table.rows([(f"i{n}", f"s{n // 3}", "pass", "", "", "") for n in range(10)], Verdicts)
    verdicts = judge(start, found)
    assert judge(start.sample(frac=1, random_state=seed), found.sample(frac=1, random_state=seed)).equals(verdicts)
    assert len(verdicts) == 10
    stopping = {image for (image, _), verdict in unique.items() if verdict in ("fail", "review")}
    assert set(verdicts.loc[verdicts["verdict"] != "pass", "image"]) == stopping
    steps = waterfall(verdicts)
    assert steps["stopped"].sum() == len(stopping)
    assert steps["images_out"].iloc[-1] == 10 - len(stopping)
    assert steps["subjects_left"].is_monotonic_decreasing


def test_rooms_and_labels_of_checks():
    assert [room_of(check) for check in ("intake.sha256", "consent.minor", "exif", "person_in_region", "new")] == [
        "intake", "consent", "checks", "privacy", "checks",
    ]  # fmt: skip
    assert (label("side"), label("consent.new_thing")) == ("Side too short", "New thing")
    assert sorted(LABELS, key=position) == list(LABELS)


def test_delivered_takes_the_vendors_subject_of_refused_images(three, refused):
    verdicts = delivered(three, refused(("x", "sha256", True)))
    assert verdicts.set_index("image").loc["x", "subject"] == "s9"
