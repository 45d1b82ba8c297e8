"""The fictitious vendor of the demo: its notice and its annotators."""

from typing import NamedTuple

import numpy as np

from accord.vocabularies import AGE_GROUPS, ANCESTRIES, PRONOUNS
from accord_demo.picture import seed_of

VENDOR, DELIVERY, CREATED = "acme", "2026-03", "2026-03-01"
CONTACT = "data@acme.example"
NOTICE_VERSION = "1"
NOTICE_TEXT = """Notice on the use of your pictures (version 1)

We collect pictures of you, and what you tell us about yourself, for a published set of pictures that is used to find
out whether computer vision works equally well for everybody. It must not be used to identify you or to train systems
that do. You decide what may be published: the pictures, and each thing that you say about yourself. You may withdraw
at any time, for any reason, and keep your payment; your pictures then leave the set and all later versions of it.
This is the notice of a demonstration: the people in its pictures are rendered and do not exist.
"""
COUNTRIES = ("Kenya", "India", "Philippines", "Poland", "Colombia", "Japan")
WITHDREW = "A07"


class Annotator(NamedTuple):
    """One row of annotators.csv; consents: whether the demographics may be used."""

    annotator: str
    role: str
    pronoun: str
    age_group: str
    ancestry: str
    nationality: str
    consents: str


def annotators(seed: int, *, one_withdrew: bool) -> list[Annotator]:
    """Eight annotators and three who check their work; one of them may have withdrawn their demographics."""
    rng = np.random.default_rng([seed, 707])
    found = []
    for number in range(1, 12):
        reference, role = (f"A{number:02d}", "annotator") if number <= 8 else (f"Q{number - 8:02d}", "qa")
        regions = [1, 2, 9, 13, 14, 15, 18]
        found.append(Annotator(
            reference, role, PRONOUNS[int(rng.integers(3))], AGE_GROUPS[int(rng.integers(4))],
            ANCESTRIES[int(rng.choice(regions))], str(rng.choice(COUNTRIES)),
            "false" if one_withdrew and reference == WITHDREW else "true",
        ))  # fmt: skip
    return found


def annotator_of(seed: int, image: str, task: str) -> str:
    """Who does a task (boxes, keypoints, ...) on an image: each of the eight about as often."""
    return f"A{seed_of(seed, image, task) % 8 + 1:02d}"


def checker_of(seed: int, image: str) -> str:
    """Who checks an image."""
    return f"Q{seed_of(seed, image, 'qa') % 3 + 1:02d}"
