"""The final account."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.checks.tables.findings import Verdicts
from accord.engine import table
from accord.findings import Findings
from accord.release import waterfall
from accord.release.tables import Derivatives, Keys


def derivatives(images):
    return table.rows(
        [(i, "", "original", "", f"{i}.png", 0, 1, "0" * 64, "0" * 64, 1, 1) for i in images], Derivatives
    )


def keys(images, state="published"):
    return table.rows([(i, "s", state, *[""] * 6) for i in images], Keys)


states = st.sampled_from(["pass", "refused", "left over", "lost", "duplicate", "held"])


@settings(max_examples=8, deadline=None)
@given(st.lists(states, min_size=1, max_size=12))
def test_every_delivered_image_is_accounted_for(states):
    names = {f"img-{n}": state for n, state in enumerate(states)}
    judged = {
        "duplicate": ("fail", "checks", "duplicate_exact", "same"),
        "refused": ("fail", "intake", "intake.path", "no"),
    }
    rows = [(image, "s", *judged.get(state, ("pass", "", "", ""))) for image, state in names.items()]
    found = [(image, "person_in_region", 0.9, 0.5, "fail", "seen") for image, s in names.items() if s == "left over"]
    made = [image for image, state in names.items() if state in ("pass", "duplicate", "held")]
    held = keys([image for image, state in names.items() if state == "held"], "reserve")
    account = waterfall.run(table.rows(rows, Verdicts), table.rows(found, Findings), derivatives(made), held)
    final = account.verdicts.set_index("image")
    assert set(final.index) == set(names)
    assert {i for i, v in final["verdict"].items() if v == "pass"} == {i for i, s in names.items() if s == "pass"}
    for image, state in names.items():
        if state in ("lost", "left over"):
            assert final.loc[image, "room"] == "privacy"
        assert (final.loc[image, "verdict"] == "reserve") == (state == "held")
    steps = account.waterfall
    assert steps["images_in"].iloc[0] == len(names)
    assert steps["stopped"].sum() + steps["images_out"].iloc[-1] == len(names)
    np.testing.assert_array_equal(steps["images_in"] - steps["stopped"], steps["images_out"])


def test_an_image_without_a_picture_says_so():
    verdicts = table.rows([("img-1", "s", "pass", "", "", "")], Verdicts)
    account = waterfall.run(verdicts, table.empty(Findings), derivatives([]), keys([]))
    row = account.verdicts.iloc[0]
    assert (row["verdict"], row["check"], row["reason"]) == (
        "fail",
        "privacy.no_picture",
        "no picture of it was made in the privacy steps",
    )


def test_images_in_reserve_are_counted_as_such_and_failed_ones_stay_failed():
    verdicts = table.rows(
        [("img-1", "s", "pass", "", "", ""), ("img-2", "t", "fail", "checks", "exif", "none")], Verdicts
    )
    account = waterfall.run(
        verdicts, table.empty(Findings), derivatives(["img-1"]), keys(["img-1", "img-2"], "reserve")
    )
    assert account.verdicts["verdict"].tolist() == ["reserve", "fail"]
    steps = account.waterfall.set_index("check")
    assert (steps.loc["release.reserve", "label"], steps.loc["release.reserve", "stopped"]) == ("Held in reserve", 1)
    assert (steps.loc["release.reserve", "room"], steps.loc["released", "images_out"]) == ("release", 0)
