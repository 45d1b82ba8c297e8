"""Selection: which of the images that pass are released, and which are held in reserve."""

from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.check_names import CONSENT
from accord.checks.tables.views import Stopping
from accord.engine import table
from accord.engine.parameter_types import Private
from accord.findings import FAIL, PASS
from accord.release.making.views import KeyAnswers, Pictured, Primary
from accord.release.reserve import admitted, key_attributes, matching
from accord.release.reserve.images import PUBLISHED, RESERVE, is_held
from accord.release.seal import versions
from accord.release.tables import Keys, Verdicts
from accord.release.waterfall import judged


class Before(NamedTuple):
    """What the vault knows: images of the latest version, their keys, and images that were admitted."""

    published: frozenset[str]
    keys: pd.DataFrame
    admitted: frozenset[str]


def run(
    verdicts: DataFrame[Verdicts],
    findings: DataFrame[Stopping],
    derivatives: DataFrame[Pictured],
    people: DataFrame[Primary],
    attributes: DataFrame[KeyAnswers],
    *,
    vault: Private,
    reserve: float,
) -> DataFrame[Keys]:
    """Every image that passes, with its key attributes: published, or in reserve. `reserve`: share of the subjects.

    An image of somebody in the reserve is held back, unless the latest version published it, it was admitted, or it is
    among the best replacements of images which that version published and consent stops since. Once the result is
    published, the same comes out again.
    """
    final = judged(verdicts, findings, derivatives)
    passing = set(final.loc[final["verdict"] == PASS, "image"])
    held = {
        image
        for image, subject in people[["image", "subject"]].itertuples(index=False, name=None)
        if image in passing and is_held(subject, reserve)
    }
    before = _before(vault)
    rows = key_attributes.keys(people, attributes, dict.fromkeys(passing, RESERVE))
    chosen = held & (before.published | before.admitted)
    fallen = before.keys[before.keys["image"].isin(_stopped_by_consent(final, before.published))]
    chosen |= _replacements(fallen, rows[table.is_in(rows["image"], held)], before)
    back = held - chosen
    return rows.assign(state=[RESERVE if image in back else PUBLISHED for image in rows["image"]])


def _before(vault: Private) -> Before:
    latest = versions.latest(vault)
    published = frozenset(versions.index(vault, latest)) if latest else frozenset()
    return Before(published, key_attributes.read(vault, latest), admitted.read(vault))


def _stopped_by_consent(final: pd.DataFrame, published: frozenset[str]) -> set[str]:
    """The published images that consent stops now, or that are in no delivery any more."""
    stopped = final[(final["verdict"] == FAIL) & (final["room"] == CONSENT)]
    return set(published & set(stopped["image"])) | set(published - set(final["image"]))


def _replacements(fallen: pd.DataFrame, held: pd.DataFrame, before: Before) -> set[str]:
    """The held images that replace the fallen ones; those that were admitted and not published yet come first."""
    waiting = held[held["image"].isin(before.admitted - before.published)]
    replaced = matching.match(fallen, waiting)
    rest = fallen[~fallen["image"].isin(list(replaced))]
    free = held[~held["image"].isin(before.admitted | before.published)]
    return set(matching.match(rest, free).values())
