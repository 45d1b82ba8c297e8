"""Findings of something measured and held against a limit."""

import math
from typing import NamedTuple

from accord.findings import FAIL, INFO, PASS, REVIEW


class Finding(NamedTuple):
    """One row of the table of findings."""

    image: str
    check: str
    score: float
    threshold: float
    verdict: str
    reason: str


def at_least(image: str, check: str, score: float, threshold: float, what: str) -> Finding:
    """Fails where the score is below the threshold; `what` names the quantity, with its unit: `megapixels`."""
    ok = score >= threshold
    reason = f"{_number(score)} {what}, at least {_number(threshold)} required"
    return Finding(image, check, float(score), float(threshold), PASS if ok else FAIL, reason)


def at_most(image: str, check: str, score: float, threshold: float, what: str) -> Finding:
    """Fails where the score is above the threshold, or is no number."""
    ok = score <= threshold
    reason = f"{_number(score)} {what}, at most {_number(threshold)} allowed"
    return Finding(image, check, float(score), float(threshold), PASS if ok else FAIL, reason)


def passed(image: str, check: str, reason: str) -> Finding:
    """A check without a number that an image passes."""
    return Finding(image, check, math.nan, math.nan, PASS, reason)


def failed(image: str, check: str, reason: str) -> Finding:
    """A check without a number that takes an image out."""
    return Finding(image, check, math.nan, math.nan, FAIL, reason)


def to_review(image: str, check: str, reason: str) -> Finding:
    """A check without a number about which people decide."""
    return Finding(image, check, math.nan, math.nan, REVIEW, reason)


def unknown(image: str, check: str, reason: str) -> Finding:
    """A check that can't be made on an image: it says so and takes nothing out."""
    return Finding(image, check, math.nan, math.nan, INFO, reason)


def _number(value: float) -> str:
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"
