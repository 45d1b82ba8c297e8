"""What was said of an image, held against what its file and its pixels say. Reasons name no place, date or person."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pandas as pd

from accord.checks.deciding.limits import Finding, unknown
from accord.checks.files.borders import km_outside
from accord.checks.files.light import exposure_value, ita
from accord.checks.files.scenes import lit_outdoors
from accord.findings import INFO, PASS, REVIEW
from accord.imaging.cielab import lab, linear
from accord.imaging.coordinates import FITS, best_iou, meaning

IN_VEHICLES = "Indoor: Transportation"
SKIN = 30.0
"""Degrees of ITA: more than the widest of Chardon's classes."""


def judged(image: str, check: str, score: float, threshold: float, reason: str, strong: bool = False) -> Finding:
    """Over the threshold, a finding wants a review where the evidence is strong, else it only says so."""
    verdict = PASS if score <= threshold else REVIEW if strong else INFO
    return Finding(image, check, float(score), float(threshold), verdict, reason)


def enough(image: str, check: str, score: float, threshold: float, reason: str) -> Finding:
    """Under the threshold, a finding says so."""
    return Finding(image, check, float(score), float(threshold), PASS if score >= threshold else INFO, reason)


def country(row: Any, threshold: float) -> Finding:
    """How many km the GPS position lies outside the declared country."""
    known = pd.notna(row.gps_latitude) and pd.notna(row.gps_longitude) and pd.notna(row.location_country_m49)
    away = km_outside(row.gps_latitude, row.gps_longitude, int(row.location_country_m49)) if known else None
    if away is None:
        return unknown(row.image, "country_gps", "no position, or no country with known borders")
    reason = f"the position is {away:.0f} km outside the declared country"
    return judged(row.image, "country_gps", away, threshold, reason, strong=True)


def day(row: Any, threshold: float) -> Finding:
    """How many days lie between the declared day of capture and the camera's."""
    try:
        apart = abs((date.fromisoformat(row.captured_at[:10]) - date.fromisoformat(row.user_date_captured[:10])).days)
    except ValueError:
        return unknown(row.image, "capture_date", "no declared capture date, or none in the file")
    reason = f"{apart} days between the declared capture date and the camera's"
    return judged(row.image, "capture_date", apart, threshold, reason, strong=True)


def place(row: Any, scene: str | None, seen: float, flashed: bool = False) -> Finding:
    """How far light and pixels speak against the declared place, indoors or outdoors: over 1 it wants a review.

    By the exposure that the camera chose (Boutell and Luo 2005; of no use where a flash fired), and by `seen`: what a
    classifier makes of the pixels (scenes.seen_outdoors; NaN without one). Under -1 they speak for it; in between they
    can't tell, nor of a vehicle's inside, which has windows on all sides.
    """
    where = (scene or "").partition(". ")[2]
    level = exposure_value(row.aperture_value, row.shutter_speed_value, row.iso_speed_ratings)
    clues = {f"EV {level:.0f}": np.nan if flashed else lit_outdoors(level), "the pixels": seen}
    known = [name for name, value in clues.items() if np.isfinite(value)]
    if not where or not known:
        return unknown(row.image, "scene", "no scene is declared, or neither exposure nor pixels indicate one")
    if where.startswith(IN_VEHICLES):
        return unknown(row.image, "scene", "inside a vehicle, which light and pixels can't distinguish from outdoors")
    said = where.startswith("Outdoor")
    against = float(np.nansum([*clues.values()])) * (-1 if said else 1)
    words = ("indoors", "outdoors")
    if abs(against) <= 1:
        return unknown(row.image, "scene", f"declared {words[said]}; {' and '.join(known)} are inconclusive")
    reason = f"declared {words[said]}, supported by {' and '.join(known)}"
    if against > 0:
        reason = f"declared {words[said]}; {' and '.join(known)} suggest {words[not said]}"
    return judged(row.image, "scene", against, 1.0, reason, strong=True)


def head_count(image: str, faces: np.ndarray, people: int) -> Finding:
    """How many more faces are seen than people declared; fewer are no news, since people turn away."""
    more = max(0, len(faces) - people)
    reason = f"{len(faces)} face(s) detected, {people} people declared"
    return judged(image, "people_seen", more, 0, reason)


def face_box(row: Any, drawn: np.ndarray, faces: np.ndarray, sides: tuple[int, int]) -> Finding:
    """How far the drawn face boxes are from those that are detected, as 1 - IoU of the worst that is detected at all.

    Where faces are detected and none fits a drawn one, the image waits for a review: its subjects may be painted out.
    drawn, faces: (n, 4) x_min, y_min, width, height; sides: width and height of the upright picture, px. The height of
    the drawn box decides on the camera distance.
    """
    if not len(drawn) or not len(faces):
        return unknown(row.image, "face_box_seen", "no annotated face was detected")
    best = best_iou(drawn, faces)
    if best.max() < FITS:
        meant = meaning(drawn, faces, *sides, row.orientation)
        reason = f"no detected face fits an annotated one{f'; read as {meant}, one does' if meant else ''}"
        return judged(row.image, "face_box_seen", 1 - best.max(), 1 - FITS, reason, strong=True)
    reason = "1 - IoU of an annotated and a detected face box"
    return judged(row.image, "face_box_seen", 1 - best[best > 0].min(), 1 - FITS, reason)


def skin(image: str, colours: np.ndarray, label: str | None) -> Finding:
    """How far the skin in the picture is from the declared colour, in degrees of ITA; it never decides."""
    measured = ita(colours)
    if measured is None or not label:
        return unknown(image, "skin_colour_seen", "no annotated skin, or no declared colour")
    said = np.array([int(part) for part in label.partition("[")[2].rstrip("]").split(",")])
    lightness, _, yellow = lab(linear(said))
    apart = abs(measured - float(np.degrees(np.arctan2(lightness - 50, max(yellow, 1e-6)))))
    reason = "degrees of ITA between skin and declared colour; light and white balance can shift it as much"
    return judged(image, "skin_colour_seen", apart, SKIN, reason)
