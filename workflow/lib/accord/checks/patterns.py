"""Find what looks suspicious in subjects, in what they share, and in vendors, for a person to look at."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.suspicion import answers, groups, measures, within_subject
from accord.checks.suspicion import vendors as pattern_vendors
from accord.checks.suspicion.rules import PREFIX, RULES, Hit, in_order, thresholds
from accord.checks.tables.findings import Findings
from accord.checks.tables.summary import SUBJECT, VENDOR, PatternImages, Patterns
from accord.checks.tables.views import Ages, Circumstances, Stopping, Whose
from accord.engine import table
from accord.findings import INFO, REVIEW
from accord.intake.tables import Attributes, Forms

CONSENT_COLUMNS = ["form", "kind", "subject", "signed_on", "birth_date", "evidence_sha256"]


class Suspicions(NamedTuple):
    """Findings on the images that are left, the units that they rest on, and which images share one."""

    findings: DataFrame[Findings]
    patterns: DataFrame[Patterns]
    pattern_images: DataFrame[PatternImages]


def run(
    images: DataFrame[Circumstances],
    left: DataFrame[Whose],
    people: DataFrame[Ages],
    attributes: list[Path],
    findings: DataFrame[Stopping],
    forms: list[Path],
    *,
    pattern_thresholds: dict,
) -> Suspicions:
    """Findings pattern_<rule> on all images in `left` of the subjects that a rule finds: `review`.

    images: all that consent lets pass, also those that another check stops: they are evidence too. What a rule finds
    of a vendor is `info`: it is for who buys to decide, not image by image. attributes, forms: tables Attributes and
    Forms of the shards; those of people in `images` count.
    """
    least = thresholds(pattern_thresholds)
    passing = people[table.is_in(people["image"], images["image"])]
    depicted = _depicted(images, passing)
    consents = _consents(forms, depicted)
    said = answers.kept((table.read(path, Attributes) for path in attributes), images["image"])
    hits = in_order([
        *within_subject.find(images, passing, consents[["subject", "birth_date", "signed_on"]], least),
        *measures.find(images, said, least),
        *groups.find(images, said, consents, findings, least),
        *pattern_vendors.find(images, findings, least),
    ])  # fmt: skip
    strongest = _strongest(hits, depicted[table.is_in(depicted["image"], left["image"])])
    return Suspicions(_findings(strongest, least), _patterns(hits, depicted, least), _shared(strongest))


def _depicted(images: pd.DataFrame, people: pd.DataFrame) -> pd.DataFrame:
    """vendor, image, subject of everyone in an image, and of its primary subject."""
    everyone = pd.concat([images[["image", "subject"]], people[["image", "subject"]]]).drop_duplicates()
    return everyone.merge(images[["image", "vendor"]], on="image").sort_values(["image", "subject"], ignore_index=True)


def _consents(forms: list[Path], depicted: pd.DataFrame) -> pd.DataFrame:
    """vendor, subject, form, birth_date, signed_on, evidence_sha256 of each consent form of those depicted.

    A person whom images of two shards depict has their forms in both.
    """
    read = [table.read(path, Forms)[CONSENT_COLUMNS] for path in forms]
    rows = pd.concat(read).drop_duplicates("form") if read else table.empty(Forms)[CONSENT_COLUMNS]
    vendors = depicted[["subject", "vendor"]].drop_duplicates("subject")
    return rows[rows["kind"] == "consent"].merge(vendors, on="subject").sort_values("form", ignore_index=True)


def _strongest(hits: list[Hit], left: pd.DataFrame) -> dict[tuple[str, str], Hit]:
    """(image, rule) -> of several units of a rule the one with the highest score, then the first; in order."""
    of = left.groupby("subject")["image"].agg(list).to_dict()
    found: dict[tuple[str, str], Hit] = {}
    for hit in hits:
        for image in (image for subject in sorted(hit.subjects) for image in of.get(subject, ())):
            before = found.get((image, hit.rule))
            if before is None or hit.score > before.score:
                found[image, hit.rule] = hit
    return dict(sorted(found.items(), key=lambda item: item[0]))


def _findings(strongest: dict[tuple[str, str], Hit], least: dict[str, float]) -> pd.DataFrame:
    """One finding per image and rule."""
    rows = [
        (image, f"{PREFIX}{rule}", hit.score, least[rule], _verdict(rule), hit.reason)
        for (image, rule), hit in strongest.items()
    ]
    return table.rows(rows, Findings)


def _shared(strongest: dict[tuple[str, str], Hit]) -> pd.DataFrame:
    """The images of units of several people."""
    rows = [
        (image, f"{PREFIX}{rule}", hit.unit)
        for (image, rule), hit in strongest.items()
        if RULES[rule].level not in (SUBJECT, VENDOR)
    ]
    return table.rows(rows, PatternImages)


def _verdict(rule: str) -> str:
    return INFO if RULES[rule].level == VENDOR else REVIEW


def _patterns(hits: list[Hit], depicted: pd.DataFrame, least: dict[str, float]) -> pd.DataFrame:
    of = depicted.groupby("subject")["image"].agg(frozenset).to_dict()
    rows = [
        (hit.rule, RULES[hit.rule].level, hit.unit, hit.score, least[hit.rule], hit.p_value, len(hit.subjects),
         len(frozenset().union(*(of[subject] for subject in hit.subjects))), hit.reason)
        for hit in hits
    ]  # fmt: skip
    return table.rows(rows, Patterns)
