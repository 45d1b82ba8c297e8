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
        "travel", SUBJECT, "Two images of a person are farther apart than anyone travels in the time between, in km/h.",
        1000, "airliners fly at 900 km/h; three hours are added, and a clock left at home is granted",
    ),
    Rule(
        "countries", SUBJECT, "A person is in this many countries within one hour, by what was declared (no GPS).",
        2, "nobody flies between two countries within an hour; who lives at a border is for a person to dismiss",
    ),
    Rule(
        "many_devices", SUBJECT, "The images of a person were taken with this many models of devices.",
        4, "a phone, the one before it and a camera are three; collected pictures come from many",
    ),
    Rule(
        "age", SUBJECT, "The declared age is this many years from what the date of birth says.",
        2, "one year is lost between birthday, capture and signature; two are not",
    ),
    Rule(
        "height", SUBJECT, "Heights of a person, declared in images at most 48 hours apart, differ by this many cm.",
        5, "a day shortens people by 2 cm (Tyrrell, Reilly and Troup 1985), and an inch is 2.5",
    ),
    Rule(
        "weight", SUBJECT, "Weights of a person, declared in images at most 48 hours apart, differ by this many kg.",
        5, "half a kg a day is usual (Cheuvront et al. 2004), meals and clothes weigh 2, and 5 pounds are 2.3",
    ),
    Rule(
        "professional_camera", SUBJECT, "This many images of a person were taken with a professional's camera.",
        1, "such bodies cost several thousand: pictures of a studio or an agency rather than of the person",
    ),
    Rule(
        "edited", SUBJECT, "This many images of a person name an editing program or a picture agency in their EXIF.",
        1, "what comes straight from a camera names its firmware",
    ),
    Rule(
        "same_answers", GROUP, "This many subjects said the same of themselves in all of eight or more attributes.",
        3, "two can be alike by chance in a large collection; height or weight is among them, so three are not",
    ),
    Rule(
        "same_text", GROUP, "This many subjects wrote the same twenty letters or more.",
        3, "free text of that length is copied, not met by chance",
    ),
    Rule(
        "same_second", GROUP, "Images of this many subjects of a vendor were taken in the same second.",
        3, "with a Poisson test against the vendor's images per second; three is more than a shared picture of two",
    ),
    Rule(
        "same_place", GROUP, "Images of this many subjects of a vendor were taken within the same eleven metres.",
        5, "a household has fewer adults; GPS alone scatters by as much (four decimals of a degree)",
    ),
    Rule(
        "device_share", DEVICE, "This share of a vendor's subjects used one model with one firmware.",
        0.2, "no model has a fifth of any market; a binomial test against a fifth, of ten subjects or more",
    ),
    Rule(
        "device_settings", DEVICE, "This share of the images of a model has the same ISO speed and shutter time.",
        0.5, "automatic exposure follows the light; one setting for ten subjects or more is a studio",
    ),
    Rule(
        "shared_form", FORM, "One signed file stands for the consent of this many subjects.",
        2, "a person signs for themselves alone",
    ),
    Rule(
        "signing_day", FORM, "This share of a vendor's subjects signed on one day.",
        0.25, "people join over weeks; a binomial test against a quarter, of ten subjects or more",
    ),
    Rule(
        "vendor_failures", VENDOR, "Images of a vendor fail a check more often than the others do, in standard errors.",
        3, "three standard errors and Holm over all vendors and checks; spread between subjects and vendors counted",
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
