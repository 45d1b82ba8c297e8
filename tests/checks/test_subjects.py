"""Images of a subject: their days, their number, and that stopped images and copies take no place."""

from itertools import pairwise

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.checks.settling.subjects import _of_subject, run
from accord.checks.tables.findings import Findings
from accord.engine import table

LIMITS = {"max_images_per_subject": 3, "min_days_between": 1, "max_distance": 31}
NONE = table.empty(Findings)


def taken(image, day, hour=10, **more):
    return {"image": image, "captured_at": f"2024-05-{day:02}T{hour:02}:00:00" if day else "", **more}


def verdicts(rows, check):
    return {row.image: row.verdict for row in rows.itertuples() if row.check == check}


def fails(rows):
    return {(row.image, row.check) for row in rows.itertuples() if row.verdict == "fail"}


def on_days(images, prints, *rows, findings=NONE, same=(), **limits):
    """The findings on images; those of `same` have equal pixels and hashes, `a` sharper than the others."""
    copies = {name: {"pixels": "f" * 64, "pdq": "1" * 64} for name in same}
    own = [
        {"image": r["image"], "subject": r.get("subject", "s1"), "sharpness": 9.0 if r["image"] == "a" else 1.0}
        for r in rows
    ]
    marked = prints(*({**row, **copies.get(row["image"], {})} for row in own))
    return run(images(*rows), marked, findings, **{**LIMITS, **limits})


def test_days_apart_pass(images, prints):
    found = on_days(images, prints, taken("a", 1, 23), taken("b", 2, 0), taken("c", 9))
    assert verdicts(found, "capture_spacing") == dict.fromkeys("abc", "pass")
    assert verdicts(found, "images_per_subject") == dict.fromkeys("abc", "pass")


def test_the_later_of_a_day_fails_and_is_not_counted(images, prints):
    found = on_days(images, prints, taken("a", 1, 12), taken("b", 1, 10), taken("c", 2), taken("d", 3))
    assert fails(found) == {("a", "capture_spacing")}
    row = found[(found["image"] == "a")].iloc[0]
    assert (row["score"], row["threshold"]) == (0, 1)
    assert row["reason"] == "0 days after the subject's last image, at least 1 required"


def test_a_failed_image_is_no_neighbour(images, prints):
    rows = taken("a", 1), taken("b", 2), taken("c", 3), taken("d", 5)
    found = on_days(images, prints, *rows, min_days_between=2)
    assert fails(found) == {("b", "capture_spacing")}


def test_the_first_ones_stay(images, prints):
    found = on_days(images, prints, taken("e", 1), taken("d", 2), taken("c", 3), taken("b", 4), taken("a", 5))
    assert fails(found) == {("b", "images_per_subject"), ("a", "images_per_subject")}
    assert found.loc[found["image"] == "a", "reason"].tolist()[1] == (
        "5 is the rank of this image among the subject's, at most 3 allowed"
    )


def test_an_unknown_time_is_told_and_comes_last(images, prints):
    found = on_days(images, prints, taken("a", 0), taken("b", 1), taken("c", 2), taken("d", 3))
    assert verdicts(found, "capture_spacing") == {"a": "info", "b": "pass", "c": "pass", "d": "pass"}
    assert fails(found) == {("a", "images_per_subject")}


def test_subjects_are_apart(images, prints):
    rows = [taken(f"{subject}{i}", 1 + i, subject=subject) for subject in ("s1", "s2") for i in range(3)]
    assert not fails(on_days(images, prints, *rows))


def test_stopped_images_take_no_place(images, prints, findings):
    stopped = findings(("a", "decode", "fail"), ("b", "aspect", "pass"), ("c", "aspect", "review"))
    found = on_days(images, prints, taken("a", 1, 9), taken("b", 1), taken("c", 2), taken("d", 3), findings=stopped)
    assert not fails(found)
    assert "a" not in set(found["image"])


def test_a_copy_of_a_good_image_takes_no_place_and_is_left_to_the_duplicates(images, prints):
    found = on_days(images, prints, taken("a", 1), taken("b", 1, 8), taken("c", 2), taken("d", 3), same="ab")
    assert not fails(found)
    assert "b" not in set(found["image"])


def test_a_copy_shares_the_failure_of_what_it_copies(images, prints):
    found = on_days(images, prints, taken("a", 1, 12), taken("b", 1, 10), taken("c", 9), same="ac")
    assert fails(found) == {("a", "capture_spacing"), ("c", "capture_spacing")}


@settings(deadline=None)
@given(
    days=st.lists(st.integers(0, 28), min_size=1, max_size=9),
    least=st.integers(0, 4),
    most=st.integers(1, 5),
    order=st.randoms(use_true_random=False),
)
def test_what_passes_holds_its_distance_and_its_number_in_any_order_of_rows(days, least, most, order):
    rows = [{"image": f"i{place}", "captured_at": taken("", day)["captured_at"]} for place, day in enumerate(days)]
    shuffled = order.sample(rows, len(rows))
    made = _of_subject(pd.DataFrame(rows), most, least)
    assert sorted(map(str, _of_subject(pd.DataFrame(shuffled), most, least))) == sorted(map(str, made))
    failed = {finding.image for finding in made if finding.verdict == "fail"}
    left = sorted(day for place, day in enumerate(days) if f"i{place}" not in failed)
    assert len(left) <= most
    known = [day for day in left if day]
    assert all(later - earlier >= least for earlier, later in pairwise(known))
