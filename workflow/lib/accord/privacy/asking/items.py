"""What people are to look at in a shard: regions that were painted out, before and after."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.settling.items import item_id, ordered
from accord.checks.tables.findings import Regions
from accord.errors import AccordError, Problem
from accord.findings import FAIL, REVIEW
from accord.intake.tables import Images
from accord.privacy.fitting.flaws import PLAIN, WORDS, Flaws
from accord.privacy.painting.candidates import MEMBRANE
from accord.privacy.painting.repaint import item_of
from accord.privacy.proof.verify import COPIED
from accord.privacy.tables import Edits, Findings, Items
from accord.queues import INPAINTING

ALL, ESCALATED = MODES = ("all", "escalated")
NEAR = 0.8
"""Share of a detector's threshold from which on a person looks, too."""
CHECK = "inpainting"
FINE = "no score is above its limit"


class Doubt(NamedTuple):
    """Something that is to be looked at: how many times its score is its limit, both, and what that means."""

    times: float
    score: float
    limit: float
    words: str

    def sentence(self) -> str:
        """The words, with the score beside its limit."""
        return f"{self.words} ({self.score:.2f}, limit {self.limit:.2f})" if self.limit > 0 else self.words


def items(
    images: DataFrame[Images],
    regions: DataFrame[Regions],
    edits: DataFrame[Edits],
    findings: DataFrame[Findings],
    *,
    review: str,
    model: str,
    limits: Flaws,
) -> DataFrame[Items]:
    """One item per painted region that a person is to look at; `review`: `all` of them, or those `escalated`.

    Escalated are regions that the model could not paint (a membrane fills them), all regions of an image in which a
    detector comes near its threshold or of which a finding wants a review, and those painted again. A finding that
    wants a review of an image without painted regions is an item of the whole image. `regions`: what was to be painted
    before people spoke. Nobody is asked about images that a finding fails. `model`: its name in the config; `limits`:
    scores of flaws above which people look. An item says which scores of its region, and which findings on its image,
    are doubtful; its own score is the most doubtful one.
    """
    if review not in MODES:
        raise AccordError(Problem("privacy.review", f"{review!r} is not one of {', '.join(MODES)}"))
    subjects = dict(zip(images["image"], images["subject"], strict=True))
    stopped = set(findings.loc[findings["verdict"] == FAIL, "image"])
    left = edits[(edits["painted"] > 0) & ~edits["image"].isin(stopped)]
    doubtful = set(findings.loc[_is_near(findings) | (findings["verdict"] == REVIEW), "image"])
    is_escalated = left["image"].isin(doubtful) | (left["method"] == MEMBRANE) | ~left["region"].isin(regions["region"])
    asked = left if review == ALL else left[is_escalated]
    doubts = _doubts(findings[_is_near(findings) | (findings["verdict"] == REVIEW)])
    of_regions = [_of_edit(row, subjects, model, doubts.get(row.image, []), limits) for row in asked.itertuples()]
    wanted = findings[(findings["verdict"] == REVIEW) & ~findings["image"].isin({*stopped, *left["image"]})]
    return ordered([*of_regions, *(_of_image(row, subjects) for row in wanted.drop_duplicates("image").itertuples())])


def _is_near(findings: pd.DataFrame) -> pd.Series:
    """Which findings come near their threshold; textures are often alike up to there (COPIED)."""
    near = (findings["threshold"] > 0) & (findings["score"] >= NEAR * findings["threshold"])
    return near & (findings["check"] != COPIED)


def _doubts(findings: pd.DataFrame) -> dict[str, list[Doubt]]:
    """Image -> what findings on it say, but of the flaws of its regions, which edits know better."""
    doubts: dict[str, list[Doubt]] = {}
    for row in findings.itertuples():
        clauses = [part for part in row.reason.split("; ") if part not in WORDS.values() and not part.endswith(PLAIN)]
        is_flaw = row.check == CHECK
        numbers = (0.0, 0.0) if is_flaw else (row.score, row.threshold)
        for clause in clauses:
            doubts.setdefault(row.image, []).append(_doubt(*numbers, clause))
    return doubts


def _doubt(score: float, limit: float, words: str) -> Doubt:
    return Doubt(score / limit if limit > 0 else 1.0, score, limit, words)


def _of_region(edit: Any, limits: Flaws) -> Iterator[Doubt]:
    if edit.method == MEMBRANE:
        yield Doubt(1.0, 0.0, 0.0, PLAIN)
    for name, limit in limits._asdict().items():
        if getattr(edit, name) > limit:
            yield _doubt(getattr(edit, name), limit, WORDS[name])


def _of_edit(edit: Any, subjects: dict[str, str], model: str, of_image: list[Doubt], limits: Flaws) -> dict:
    doubts = sorted([*_of_region(edit, limits), *of_image], reverse=True)
    closest = max(_doubt(getattr(edit, name), limit, name) for name, limit in limits._asdict().items())
    worst = max((doubt for doubt in doubts if doubt.limit > 0), default=closest)
    reasons = "; ".join(dict.fromkeys(doubt.sentence() for doubt in doubts)) or FINE
    return {
        **_item(item_of(edit.image, edit.region, edit.polygon, model), edit.image, subjects),
        "region": edit.region,
        "kind": edit.kind,
        "polygon": edit.polygon,
        "score": worst.score,
        "threshold": worst.limit,
        "reason": f"{reasons}; painted over by {edit.method}, attempt {edit.attempts}",
    }


def _of_image(finding: Any, subjects: dict[str, str]) -> dict:
    told = {"score": finding.score, "threshold": finding.threshold, "reason": finding.reason}
    item = item_id(INPAINTING, finding.image, "", "", finding.check)
    return {**_item(item, finding.image, subjects), "region": "", "kind": finding.check, "polygon": [], **told}


def _item(item: str, image: str, subjects: dict[str, str]) -> dict:
    own = {"item": item, "queue": INPAINTING, "image": image, "subject": subjects[image]}
    return {**own, "other": "", "check": CHECK}
