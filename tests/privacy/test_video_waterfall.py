"""The account of videos: each is in one place, with a reason, and none passes that isn't painted and proven."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.engine import table
from accord.errors import AccordError
from accord.findings import Findings
from accord.intake.tables import People, Refused, Videos
from accord.privacy import video_waterfall
from accord.privacy.tables import PaintedVideos

STOPPED = {"refused": "intake.sha256", "minor": "consent.minor", "unread": "video", "seen": "face_blazeface"}
STOPPED |= {"lost": "privacy.no_video", "known": "safety_known", "withheld": "video_review"}
states = st.sampled_from(["proven", *STOPPED])
UNTOLD = {"float64": math.nan, "int64": 1, "bool": False, "Int64": pd.NA}


def rows(model, *given):
    """Rows of a table: what isn't given is empty, or 1."""
    columns = model.to_schema().columns
    filled = [
        {name: one.get(name, UNTOLD.get(str(column.dtype), "")) for name, column in columns.items()} for one in given
    ]
    return table.rows([tuple(row.values()) for row in filled], model)


def of(images, **more):
    return [{"image": image, "subject": f"s{image[-1]}", "sha256": f"{image:0>64}", **more} for image in images]


def account(names):
    """Of videos by what happens to each."""
    taken = [image for image, state in names.items() if state != "refused"]
    out = of((image for image, state in names.items() if state == "refused"), item="video", check="sha256", fatal=True)
    found = [{"image": image, "check": STOPPED[state], "verdict": "fail"} for image, state in names.items()
             if state in ("minor", "unread", "seen", "known", "withheld")]  # fmt: skip
    made = [image for image, state in names.items() if state in ("proven", "withheld")]
    return video_waterfall.run(
        rows(Videos, *of(taken)),
        rows(People, *of(taken)),
        rows(Refused, *out),
        rows(Findings, *found),
        rows(PaintedVideos, *of(made, source_sha256="0" * 64)),
    )


@settings(max_examples=8, deadline=None)
@given(st.lists(states, max_size=9))
def test_every_delivered_video_is_accounted_for(drawn):
    names = {f"v{number}": state for number, state in enumerate(drawn)}
    verdicts, steps = account(names)
    assert set(verdicts["image"]) == names.keys()
    checks = dict(zip(verdicts["image"], verdicts["check"], strict=True))
    assert checks == {image: STOPPED.get(state, "") for image, state in names.items()}
    assert set(verdicts.loc[verdicts["verdict"] == "pass", "image"]) == {i for i, s in names.items() if s == "proven"}
    assert (verdicts.loc[verdicts["check"] != "", "reason"].notna()).all()
    assert (steps["images_in"].iloc[0], steps["images_out"].iloc[-1]) == (len(names), drawn.count("proven"))
    assert steps["stopped"].sum() == len(names) - drawn.count("proven")
    np.testing.assert_array_equal(steps["images_in"].iloc[1:], steps["images_out"].iloc[:-1])


def test_the_waterfall_tells_of_videos_alone_in_the_order_of_the_rooms():
    steps = account({"v1": "seen", "v2": "proven"}).waterfall
    assert steps["room"].drop_duplicates().tolist() == ["intake", "consent", "checks", "privacy"]
    told = steps.set_index("check")["label"]
    assert (told["face_blazeface"], told["proven"]) == (
        "Unknown face still visible",
        "Painted, proven and not withheld",
    )
    assert told["intake.video"] == "No whole mp4 file" and not {"blur", "released", "release.reserve"} & set(told.index)


def test_a_video_that_waits_for_a_reviewer_does_not_pass():
    found = rows(Findings, {"image": "v1", "check": "video_review", "verdict": "review", "reason": "waits"})
    given = rows(Videos, *of(["v1"])), rows(People, *of(["v1"])), table.empty(Refused)
    made = video_waterfall.run(*given, found, rows(PaintedVideos, *of(["v1"], source_sha256="0" * 64)))
    assert made.verdicts[["verdict", "check"]].values.tolist() == [["review", "video_review"]]
    told = made.waterfall.set_index("check")["label"]
    assert told["video_review"] == "Withheld by a reviewer (1 awaiting review)"


def test_findings_of_videos_that_nobody_delivered_are_refused():
    found = rows(Findings, {"image": "x", "check": "video", "verdict": "fail"})
    with pytest.raises(AccordError, match="never delivered"):
        video_waterfall.run(
            table.empty(Videos), table.empty(People), table.empty(Refused), found, table.empty(PaintedVideos)
        )


def copied(*people, withdrawn=()):
    """Verdict, check and reason of videos of equal bytes, one a delivery, of these people, the first primary."""
    names = [f"v{number}" for number in range(len(people))]
    same = [
        {"image": image, "subject": who[0], "sha256": "a" * 64, "vendor": "acme", "delivery": f"d{number}"}
        for number, (image, who) in enumerate(zip(names, people, strict=True))
    ]
    shown = [{"image": image, "subject": one} for image, who in zip(names, people, strict=True) for one in who]
    found = [{"image": image, "check": "consent.scope", "verdict": "fail"} for image in withdrawn]
    made = of([image for image in names if image not in withdrawn], source_sha256="a" * 64)
    given = rows(Videos, *same), rows(People, *shown), table.empty(Refused), rows(Findings, *found)
    verdicts, steps = video_waterfall.run(*given, rows(PaintedVideos, *made))
    told = steps.set_index("check")["stopped"]
    assert told["privacy.copy"] == (verdicts["check"] == "privacy.copy").sum()
    return verdicts.sort_values("image")[["verdict", "check"]].values.tolist()


STOPS, PASSES = ["fail", "privacy.copy"], ["pass", ""]


def test_a_video_delivered_as_of_different_people_passes_for_none():
    assert copied(["ann"], ["bob"], ["ann"]) == [STOPS] * 3
    assert copied(["ann"], ["ann", "bob"]) == [STOPS] * 2


def test_a_copy_of_the_same_people_passes_once():
    assert copied(["ann", "bob"], ["ann", "bob"], ["ann", "bob"]) == [PASSES, STOPS, STOPS]


def test_a_copy_of_what_does_not_pass_stays_out():
    assert copied(["ann"], ["bob"], withdrawn=["v0"]) == [["fail", "consent.scope"], STOPS]
