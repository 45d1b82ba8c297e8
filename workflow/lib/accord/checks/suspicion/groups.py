"""Suspicious patterns among subjects of a vendor: what several of them share that people rarely do."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
from scipy import special

from accord.checks.files.devices import plain_model
from accord.checks.suspicion.rules import LEAST_SUBJECTS, LEVEL_OF_TESTS, Hit
from accord.shards import opaque_id
from accord.statistics.testing.holm import holm
from accord.vocabularies import ATTRIBUTES, PERSON

SECONDS_OF_DAY = 8 * 3600
"""Seconds of a day in which people take pictures of themselves: a third of it."""
DECIMALS = 4
FEWEST_ANSWERS = 8
SHORTEST_TEXT = 20
NUMBERS = ("height", "weight")
OF_THE_MOMENT = ("age", "action_", "head_pose", "apparent_")
NAN = float("nan")


ELSEWHERE = ("boxes_in_image", "points_in_boxes", "coordinate_units", "face_box_seen")
"""Checks that stop or hold an image whose boxes are in another unit, of another size, or written in another order."""


def find(
    images: pd.DataFrame,
    attributes: pd.DataFrame,
    consents: pd.DataFrame,
    findings: pd.DataFrame,
    least: Mapping[str, float],
):
    """Hits of all rules about what subjects share. images, attributes: tables of intake; consents: vendor, subject,
    evidence_sha256, signed_on of each consent form; findings: those that stop or hold images; least: rule ->
    threshold."""
    return [
        *_boxes_elsewhere(images, findings, least["boxes_elsewhere"]),
        *_same_answers(attributes, least["same_answers"]),
        *_same_text(attributes, least["same_text"]),
        *_same_second(images, least["same_second"]),
        *_same_place(images, least["same_place"]),
        *_dominant("device_share", _devices(images), least["device_share"], "used the same device model and firmware"),
        *_settings(images, least["device_settings"]),
        *_shared_form(consents, least["shared_form"]),
        *_dominant("signing_day", _days(consents), least["signing_day"], "signed their consent on the same day"),
    ]


def _boxes_elsewhere(images: pd.DataFrame, findings: pd.DataFrame, least: float) -> Iterator[Hit]:
    """A hit for each delivery in which so large a share of the images has boxes that can't be right."""
    wrong = set(findings.loc[findings["check"].isin(ELSEWHERE), "image"])
    for (vendor, delivery), own in images.groupby(["vendor", "delivery"]):
        count = int(own["image"].isin(wrong).sum())
        if count and count / len(own) >= least:
            reason = f"{count} of {len(own)} images of a delivery have boxes elsewhere: do all have the same mistake?"
            unit = opaque_id("boxes_elsewhere", vendor, delivery)
            yield Hit("boxes_elsewhere", unit, count / len(own), NAN, frozenset(own["subject"]), reason)


def _same_answers(attributes: pd.DataFrame, least: float) -> Iterator[Hit]:
    own = attributes[(attributes["subject"] != "") & (attributes["annotator"] == "")]
    own = own[~own["attribute"].str.startswith(OF_THE_MOMENT)]
    said = own.sort_values(["subject", "attribute", "value"]).drop_duplicates(["subject", "attribute", "value"])
    said = said.assign(pair=said["attribute"] + "=" + said["value"])
    answered = said.groupby("subject")["attribute"].nunique()
    measured = said.loc[said["attribute"].isin(NUMBERS), "subject"]
    enough = said["subject"].isin(answered.index[answered >= FEWEST_ANSWERS]) & said["subject"].isin(measured)
    vectors = said[enough].groupby("subject")["pair"].agg("\0".join).reset_index(name="key")
    yield from _sharing("same_answers", vectors, least, "gave identical answers for every attribute")


def _same_text(attributes: pd.DataFrame, least: float) -> Iterator[Hit]:
    long = attributes[attributes["attribute"].isin(free_texts()) & (attributes["value"].str.len() >= SHORTEST_TEXT)]
    rows = long.assign(key=long["attribute"] + "\0" + long["value"].str.casefold())[["subject", "key"]]
    yield from _sharing("same_text", rows, least, "wrote the same text")


def free_texts() -> list[str]:
    """Attributes of people without labels to choose from."""
    return [name for name, a in ATTRIBUTES.items() if a.of == PERSON and not a.labels]


def _same_place(images: pd.DataFrame, least: float) -> Iterator[Hit]:
    known = images.dropna(subset=["gps_latitude", "gps_longitude"])
    places = zip(known["vendor"], known["gps_latitude"], known["gps_longitude"], strict=True)
    keys = [f"{vendor}\0{north:.{DECIMALS}f}\0{east:.{DECIMALS}f}" for vendor, north, east in places]
    rows = pd.DataFrame({"subject": known["subject"].to_numpy(), "key": keys})
    yield from _sharing("same_place", rows, least, "were photographed within eleven metres of each other")


def _same_second(images: pd.DataFrame, least: float) -> Iterator[Hit]:
    """Units are seconds of a vendor. p: Poisson tail of that many of its subjects in a second, times its seconds."""
    known = images[images["captured_at"].str.len() >= len("2024-05-01T10:00:00")]
    for vendor, own in known.groupby("vendor"):
        seconds = own["captured_at"].str[:10].nunique() * SECONDS_OF_DAY
        for time, some in own.groupby("captured_at"):
            subjects = frozenset(some["subject"])
            if len(subjects) < least:
                continue
            p = min(1.0, seconds * float(special.pdtrc(len(subjects) - 1, len(own) / seconds)))
            if p < LEVEL_OF_TESTS:
                reason = f"images of {len(subjects)} subjects were taken in the same second"
                yield Hit("same_second", opaque_id(vendor, time), float(len(subjects)), p, subjects, reason)


def _sharing(rule: str, rows: pd.DataFrame, least: float, what: str) -> Iterator[Hit]:
    """A hit for each key that enough subjects have. rows: subject, key."""
    for key, subjects in rows.groupby("key")["subject"].agg(frozenset).items():
        if len(subjects) >= least:
            score = float(len(subjects))
            yield Hit(rule, opaque_id(rule, key), score, NAN, subjects, f"{len(subjects)} subjects {what}")


def _devices(images: pd.DataFrame) -> pd.DataFrame:
    models = [plain_model(*pair) for pair in zip(images["manufacturer"], images["model"], strict=True)]
    rows = images[["vendor", "subject"]].assign(
        key=[f"{m}\0{s}" for m, s in zip(models, images["software"], strict=True)]
    )
    return rows[np.array(models, dtype=object) != ""]


def _days(consents: pd.DataFrame) -> pd.DataFrame:
    first = consents.sort_values(["subject", "signed_on"]).drop_duplicates("subject")
    return first[["vendor", "subject"]].assign(key=first["signed_on"])


def _dominant(rule: str, rows: pd.DataFrame, allowed: float, what: str) -> Iterator[Hit]:
    """A hit for each key that a larger share than `allowed` of a vendor's subjects has, by a binomial test, corrected
    over all keys of `LEAST_SUBJECTS` or more. rows: vendor, subject, key."""
    totals = rows.groupby("vendor")["subject"].nunique()
    units = rows.groupby(["vendor", "key"])["subject"].agg(frozenset).rename("subjects").reset_index()
    units = units[units["subjects"].map(len) >= LEAST_SUBJECTS]
    if units.empty:
        return
    counts, of = units["subjects"].map(len).to_numpy(), units["vendor"].map(totals).to_numpy()
    p_values = holm(special.bdtrc(counts - 1, of, allowed))
    for unit, count, total, p in zip(units.itertuples(), counts, of, p_values, strict=True):
        if count / total >= allowed and p < LEVEL_OF_TESTS:
            reason = f"{count} of the vendor's {total} subjects {what}"
            yield Hit(rule, opaque_id(rule, unit.vendor, unit.key), count / total, float(p), unit.subjects, reason)


def _settings(images: pd.DataFrame, least: float) -> Iterator[Hit]:
    known = images.dropna(subset=["iso_speed_ratings", "shutter_speed_value"])
    known = known[known["model"] != ""]
    for (vendor, make, model), own in known.groupby(["vendor", "manufacturer", "model"]):
        chosen = own.groupby(["iso_speed_ratings", "shutter_speed_value"])["subject"].agg([frozenset, "size"])
        most = chosen.sort_index().sort_values("size", ascending=False, kind="stable").iloc[0]
        share, subjects = most["size"] / len(own), most["frozenset"]
        if share >= least and len(subjects) >= LEAST_SUBJECTS:
            reason = (
                f"{most['size']} of {len(own)} images from one device model have the same ISO speed and shutter time"
            )
            yield Hit("device_settings", opaque_id(vendor, make, model), float(share), NAN, subjects, reason)


def _shared_form(consents: pd.DataFrame, least: float) -> Iterator[Hit]:
    rows = consents[["subject"]].assign(key=consents["evidence_sha256"])
    yield from _sharing("shared_form", rows[rows["key"] != ""], least, "share one signed file")
