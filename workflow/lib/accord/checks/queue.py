"""All that people are to decide on in this room: the items of all shards, and those of checks that gather them."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from pandera.typing import DataFrame

from accord.check_names import PAIR_OF, SAME_OCCASION, is_of_subject, is_pattern
from accord.checks.deciding.apply_decisions import outcomes, unit_of_image
from accord.checks.sample import WRONG
from accord.checks.settling.items import of_finding, ordered
from accord.checks.tables.findings import Decisions, Items, Occasions, Pairs
from accord.checks.tables.summary import PatternImages
from accord.checks.tables.views import Stopping, Whose
from accord.engine import table
from accord.findings import FAIL, REVIEW
from accord.queues import AGREEMENT


def run(
    images: DataFrame[Whose],
    findings: DataFrame[Stopping],
    pairs: DataFrame[Pairs],
    occasions: DataFrame[Occasions],
    review_items: DataFrame[Items],
    decisions: DataFrame[Decisions],
    *,
    pattern_images: Path | None = None,
) -> DataFrame[Items]:
    """The items of shards, one per pair of which an image wants a review, one per other finding that does.

    `findings`: settled ones of all shards, and those of checks that gather; `review_items`: of shards, and by lot.
    Of `occasions`, images of a subject within days, the later one is asked about, beside the earlier one.
    Images that fail are left out, unless it is for want of a decision, so that it can still be made; items that were
    decided stay, since verdicts rest on them, and so do those about drawings of a sample, of images that nothing else
    stops. Of suspicious patterns there is one item per subject and pattern,
    of those that several people share (`pattern_images`: table PatternImages) one for all of them.
    """
    units = unit_of_image(table.read(pattern_images, PatternImages) if pattern_images else None)
    subjects = dict(zip(images["image"], images["subject"], strict=True))
    gathered = ordered(
        list(_gathered(_unasked(findings, review_items, subjects), _of_image(pairs, occasions), subjects, units))
    )
    both = pd.concat([part for part in (review_items, gathered) if len(part)] or [review_items], ignore_index=True)
    decided = both["item"].isin(decisions["item"])
    stopped = both["image"].isin(_stopped(findings, both[decided], both[~decided], decisions))
    kept = both.assign(decided=decided)[decided | ~stopped | _of_sample(both, findings, decided, decisions)]
    kept = kept.sort_values(["decided", "image"], ascending=[False, True])
    whose = [units.get((row.image, row.check), row.subject) for row in kept.itertuples()]
    again = kept["check"].map(is_pattern).astype(bool) & kept.assign(whose=whose).duplicated(["whose", "check"])
    counts = _counts(findings, subjects, units)
    asked = [_for_all(row, units, counts) for row in kept[~again].drop(columns="decided").to_dict("records")]
    return ordered(asked)


def _counts(
    findings: pd.DataFrame, subjects: dict[str, str], units: dict[tuple[str, str], str]
) -> dict[tuple[str, str], tuple[int, int]]:
    """(unit or subject, check) of suspicious patterns -> how many images and people a decision is about."""
    rows = findings[findings["check"].map(is_pattern).astype(bool) & findings["image"].isin(list(subjects))]
    images_of: dict[tuple[str, str], set[str]] = {}
    for image, check in rows[["image", "check"]].itertuples(index=False):
        images_of.setdefault((units.get((image, check), subjects[image]), check), set()).add(image)
    return {key: (len(images), len({subjects[image] for image in images})) for key, images in images_of.items()}


def _for_all(item: dict, units: dict[tuple[str, str], str], counts: dict) -> dict:
    """An item (a record) that says of how many images the answer decides, where that is more than its own."""
    whose = units.get((item["image"], item["check"]), item["subject"])
    images, people = counts.get((whose, item["check"]), (1, 1))
    if images == 1:
        return item
    of = f"of {people} people" if people > 1 else "of this person"
    return {**item, "reason": f"{item['reason']}; the answer decides on {images} images {of}"}


def _of_sample(items: pd.DataFrame, findings: pd.DataFrame, decided: pd.Series, decisions: pd.DataFrame) -> pd.Series:
    """Which items are about drawings of a sample, of images that nothing else stops: if one that is wrong ended the
    questions about the others in its image, their rate would look better than it is."""
    own = items["check"] == WRONG
    rest = findings[findings["check"] != WRONG]
    return own & ~items["image"].isin(_stopped(rest, items[decided & ~own], items[~decided & ~own], decisions))


def _unasked(findings: pd.DataFrame, items: pd.DataFrame, subjects: dict[str, str]) -> list:
    """The findings that want a review and that no shard asks about: neither of the image nor, where its check stops all
    images of a subject, of another one."""
    asked = set(zip(items["image"], items["check"], strict=True))
    shared = {(row.subject, row.check) for row in items.itertuples() if is_of_subject(row.check)}
    return [
        row for row in findings[findings["verdict"] == REVIEW].itertuples()
        if (row.image, row.check) not in asked
        and row.image in subjects
        and (subjects[row.image], row.check) not in shared
    ]  # fmt: skip


def _of_image(pairs: pd.DataFrame, occasions: pd.DataFrame) -> dict[str, list[tuple[str, str]]]:
    """Image -> kind of pair and the other image, of each pair that it is asked about in."""
    of_image: dict[str, list] = {}
    for pair in pairs.itertuples():
        of_image.setdefault(pair.left, []).append((pair.kind, pair.right))
        of_image.setdefault(pair.right, []).append((pair.kind, pair.left))
    for pair in occasions[occasions["asked"].astype(bool)].itertuples():
        of_image.setdefault(pair.right, []).append((PAIR_OF[SAME_OCCASION], pair.left))
    return of_image


def _gathered(
    findings: list,
    of_image: dict[str, list[tuple[str, str]]],
    subjects: dict[str, str],
    units: dict[tuple[str, str], str],
) -> Iterator[dict]:
    """Of a pair whose images both want a review, one item; of a finding without a pair, one of the whole image."""
    told: set[tuple[frozenset[str], str]] = set()
    for row in findings:
        same = [pair for pair in of_image.get(row.image, []) if pair[0] == PAIR_OF.get(row.check)]
        for kind, other in sorted(same) or [("", "")]:
            key = frozenset((row.image, other)), row.check
            if key not in told:
                told.add(key)
                yield of_finding(row, subjects, other, kind, units.get((row.image, row.check), ""))


def _stopped(
    findings: pd.DataFrame, decided: pd.DataFrame, undecided: pd.DataFrame, decisions: pd.DataFrame
) -> set[str]:
    """The images that a decision fails, or a finding about which nobody can decide any more. What was drawn again, and
    so upheld, says nothing of its image."""
    waiting = set(zip(undecided["image"], undecided["check"], strict=True))
    failed = findings.loc[findings["verdict"] == FAIL, ["image", "check"]]
    by_checks = {image for image, check in failed.itertuples(index=False, name=None) if (image, check) not in waiting}
    about = decided[decided["queue"] != AGREEMENT]
    return by_checks | {item.image for item, outcome in outcomes(about, decisions, {}) if outcome.verdict == FAIL}
