"""Vendors' scorecards: everything delivered is counted once, outliers are found."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.proportion import proportion_confint

from accord.checks import scorecards
from accord.checks.tables.findings import Findings, Verdicts
from accord.engine import table
from accord.intake.tables import Refused
from accord.shards import opaque_id

VENDORS = (("acme", "d1"), ("acme", "d2"), ("bolt", "d1"))


@pytest.fixture
def given(images):
    """40 people of each delivery, one image each; bolt fails exif in 24 of 40, acme in 4 of each; one refused each."""
    shots, verdicts, refused = [], [], []
    for vendor, delivery in VENDORS:
        for number in range(40):
            image, subject = f"{vendor}{delivery}i{number:02d}", f"{vendor}{delivery}s{number:02d}"
            shots.append({"image": image, "subject": subject, "vendor": vendor, "delivery": delivery})
            bad = number < (24 if vendor == "bolt" else 4)
            verdicts.append((image, subject, *(("fail", "checks", "exif", "x") if bad else ("pass", "", "", ""))))
        image = opaque_id(vendor, delivery, "IMG_9")
        refused.append(("image", image, "", "IMG_9", "sha256", "x", True))
        verdicts.append((image, "", "fail", "intake", "intake.sha256", "x"))
    refused.append(("image", "stranger", "", "IMG_0", "path", "x", True))
    verdicts.append(("stranger", "", "fail", "intake", "intake.path", "x"))
    return {
        "images": images(*shots),
        "refused": table.rows(refused, Refused),
        "verdicts": table.rows(verdicts, Verdicts),
        "suspicious": table.empty(Findings),
    }


def scored(given, **changes):
    return scorecards.run(**given, **changes)


def test_every_image_is_counted_once(given):
    rows = scored(given).scorecards.set_index(["delivery", "check", "vendor"]).sort_index()
    assert rows.loc["all", "all"]["images"].to_dict() == {"": 1, "acme": 82, "bolt": 41}
    assert rows.loc["all", "all"]["stopped"].to_dict() == {"": 1, "acme": 10, "bolt": 25}
    whole, by_check = rows.loc["all", "all"]["stopped"], rows.loc["all"].drop("all")["stopped"]
    assert by_check.groupby("vendor").sum().to_dict() == whole.to_dict()
    assert rows.loc["d1", "all"]["images"].to_dict() == {"acme": 41, "bolt": 41}
    assert rows.loc["all", "intake.sha256"]["stopped"].to_dict() == {"": 0, "acme": 2, "bolt": 1}
    assert rows.loc["all", "exif"]["subjects_stopped"].to_dict() == {"": 0, "acme": 8, "bolt": 24}


def test_with_one_image_each_the_interval_is_wilsons(given):
    row = scored(given).scorecards.set_index(["vendor", "delivery", "check"]).loc["bolt", "all", "exif"]
    asked = proportion_confint(24, 41, method="wilson")
    assert (row["low"], row["high"]) == pytest.approx(asked, abs=0.003)  # S / (S - 1)


def test_images_of_one_person_say_less(given):
    alone = scored(given).scorecards.set_index(["vendor", "delivery", "check"]).loc["bolt", "all", "exif"]
    shots, verdicts = given["images"], given["verdicts"].set_index("image")
    shots["subject"] = shots["subject"].str[:-1]
    verdicts.loc[shots["image"], "subject"] = shots["subject"].to_numpy()
    few = scored(given | {"images": shots, "verdicts": verdicts.reset_index()}).scorecards
    row = few.set_index(["vendor", "delivery", "check"]).loc["bolt", "all", "exif"]
    assert row["high"] - row["low"] > 1.5 * (alone["high"] - alone["low"])


def test_the_outlier_is_named(given):
    made = scored(given)
    rows = made.scorecards.set_index(["vendor", "delivery", "check"])
    bolt = rows.loc["bolt", "all", "exif"]
    assert bolt["others"] == pytest.approx(8 / 82)
    assert bolt["z"] > 3
    assert bolt["p_value"] < 0.001
    assert rows.loc["acme", "all", "exif"]["p_value"] == 1


def test_what_it_cost(given):
    assert scored(given).scorecards["cost"].isna().all()
    made = scored(given, image_cost=2.5)
    rows = made.scorecards.set_index(["vendor", "delivery", "check"])["cost"]
    assert rows["bolt", "all", "all"] == 62.5


def test_people_who_look_suspicious_are_counted_by_vendor_and_rule(given):
    found = [
        (f"{whose}i0{i}", "pattern_edited", 1.0, 1.0, "review", "x") for whose in ("acmed1", "acmed2") for i in range(3)
    ]
    made = scored(given | {"suspicious": table.rows(found, Findings)})
    assert made.suspicions.to_dict("records") == [{"vendor": "acme", "rule": "edited", "people": 6}]


def test_a_vendor_alone_and_none_at_all(given):
    one = given["images"]["vendor"] == "bolt"
    ids = set(given["images"].loc[one, "image"])
    alone = given | {
        "images": given["images"][one].reset_index(drop=True),
        "refused": given["refused"].iloc[:0],
        "verdicts": given["verdicts"][given["verdicts"]["image"].isin(ids)],
    }
    made = scored(alone)
    assert made.scorecards["others"].isna().all()
    nothing = scored({name: rows.iloc[:0] for name, rows in given.items()})
    assert nothing.scorecards.empty and nothing.suspicions.empty


def test_the_order_of_rows_has_no_say(given):
    mixed = {name: rows.sample(frac=1, random_state=1).reset_index(drop=True) for name, rows in given.items()}
    one, two = scored(given), scored(mixed)
    pd.testing.assert_frame_equal(one.scorecards, two.scorecards)
    pd.testing.assert_frame_equal(one.suspicions, two.suspicions)
    assert np.isfinite(one.scorecards["share"]).all()
