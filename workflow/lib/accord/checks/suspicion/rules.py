"""The rules of suspicious patterns: what each says, from where on, and why from there.

None of them proves anything: each names what honest people rarely do, for a person to look at.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from accord.checks.tables.summary import DEVICE, FORM, GROUP, SUBJECT, VENDOR
from accord.errors import Problem, all_problems

PREFIX = "pattern_"
LEVEL_OF_TESTS = 0.01
"""P-values of rules that test are corrected by Holm over their units and held against this."""


class Rule(NamedTuple):
    """A rule: its name, of what it speaks, one sentence, the threshold (reached is suspicious), and why there."""

    name: str
    level: str
    says: str
    threshold: float
    why: str


class Hit(NamedTuple):
    """A unit that a rule finds: score in the rule's unit, p_value (NaN: no test), whose images, and a short reason."""

    rule: str
    unit: str
    score: float
    p_value: float
    subjects: frozenset[str]
    reason: str


_ALL = (
    Rule(
        "travel", SUBJECT, "Two images of a person imply an implausible travel speed, in km/h.",
        1000, "airliners fly at 900 km/h; allows three extra hours, and a camera clock left on home time",
    ),
    Rule(
        "countries", SUBJECT, "A person was in this many declared countries within one hour (without GPS).",
        2, "nobody flies between two countries within an hour; reviewers dismiss people who live near a border",
    ),
    Rule(
        "many_devices", SUBJECT, "A person's images were taken with this many device models.",
        4, "a phone, its predecessor and a camera make three; collected pictures come from many",
    ),
    Rule(
        "age", SUBJECT, "The declared age differs from the date of birth by this many years.",
        2, "birthday, capture and signature explain one year of difference, not two",
    ),
    Rule(
        "height", SUBJECT, "A person's declared heights in images at most 48 hours apart differ by this many cm.",
        5, "a day shortens people by 2 cm (Tyrrell, Reilly and Troup 1985), and an inch is 2.5",
    ),
    Rule(
        "weight", SUBJECT, "A person's declared weights in images at most 48 hours apart differ by this many kg.",
        5, "half a kg a day is usual (Cheuvront et al. 2004), meals and clothes weigh 2, and 5 pounds are 2.3",
    ),
    Rule(
        "professional_camera", SUBJECT, "This many images of a person were taken with a professional camera.",
        1, "such cameras cost thousands: the pictures come from a studio or agency rather than the person",
    ),
    Rule(
        "edited", SUBJECT, "This many images of a person name an editing program or a picture agency in their EXIF.",
        1, "an unedited photo names the camera's firmware",
    ),
    Rule(
        "same_answers", GROUP, "This many subjects gave identical answers for eight or more attributes.",
        3, "two can agree by chance in a large collection; three don't, since height or weight is included",
    ),
    Rule(
        "same_text", GROUP, "This many subjects wrote the same text of twenty letters or more.",
        3, "free text of that length is copied, not coincidental",
    ),
    Rule(
        "same_second", GROUP, "Images of this many subjects of a vendor were taken in the same second.",
        3, "with a Poisson test against the vendor's images per second; three is more than a shared picture of two",
    ),
    Rule(
        "same_place", GROUP, "Images of this many subjects of a vendor were taken within eleven metres of each other.",
        5, "a household has fewer adults; GPS error is about as large (four decimals of a degree)",
    ),
    Rule(
        "boxes_elsewhere", GROUP, "This share of a delivery's images has boxes that are elsewhere.",
        0.2, "one mistake of units, size or order is made in all files; single slips are in a few of a hundred",
    ),
    Rule(
        "device_share", DEVICE, "This share of a vendor's subjects used the same device model and firmware.",
        0.2, "no model has a fifth of any market; binomial test against a fifth, with ten subjects or more",
    ),
    Rule(
        "device_settings", DEVICE, "This share of a device model's images has the same ISO speed and shutter time.",
        0.5, "automatic exposure follows the light; one setting for ten subjects or more suggests a studio",
    ),
    Rule(
        "shared_form", FORM, "One signed file is the consent form of this many subjects.",
        2, "each person signs only for themselves",
    ),
    Rule(
        "signing_day", FORM, "This share of a vendor's subjects signed on one day.",
        0.25, "people join over weeks; binomial test against a quarter, with ten subjects or more",
    ),
    Rule(
        "vendor_failures", VENDOR, "A vendor's images fail a check more often than other vendors', in standard errors.",
        3, "three standard errors, Holm over all vendors and checks; variance between subjects and vendors included",
    ),
)  # fmt: skip
RULES: dict[str, Rule] = {rule.name: rule for rule in _ALL}
LEAST_SUBJECTS = 10
"""Fewest subjects of a unit that a rule about shares speaks of."""


def thresholds(given: Mapping[str, float]) -> dict[str, float]:
    """Rule -> threshold, with those that a user gave. Raises AccordError for rules that there are not."""
    with all_problems() as problems:
        for name in sorted(set(given) - set(RULES)):
            hint = f"the rules are {', '.join(RULES)}"
            problems.append(Problem("checks.pattern_thresholds", f"there is no rule {name!r}", hint))
    return {name: float(given.get(name, rule.threshold)) for name, rule in RULES.items()}


def in_order(hits: Iterable[Hit]) -> list[Hit]:
    """Hits in the order of the rules, then of units."""
    places = {name: place for place, name in enumerate(RULES)}
    return sorted(hits, key=lambda hit: (places[hit.rule], hit.unit))
