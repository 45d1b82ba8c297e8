"""The page of a Rapid Test: which recognition service, for whom it is worse, how sure that is, what was not seen."""

import json
from pathlib import Path

from pandera.typing import DataFrame

from accord.analyse.identities.rapid_test import RapidTest
from accord.analyse.identities.tables import (
    Assisted,
    Coverage,
    Doubles,
    Identities,
    LabelAccuracy,
    LabelAgreement,
    ServiceChanges,
    ServiceCurves,
    Services,
)
from accord.analyse.tables.composition import References
from accord.engine.table import empty
from accord.report.drawing import page
from accord.report.services import told
from accord.text.nouns import counted


def run(
    services: DataFrame[Services],
    curves: DataFrame[ServiceCurves],
    coverage: DataFrame[Coverage],
    agreement: DataFrame[LabelAgreement],
    accuracy: DataFrame[LabelAccuracy],
    assisted: DataFrame[Assisted],
    changes: DataFrame[ServiceChanges],
    references: DataFrame[References],
    release: Path,
    *,
    title: str,
    caution: str,
    min_subjects: int,
    by_hand: bool = False,
    search: dict | None = None,
) -> str:
    """rapid.html, for a buyer of such a service. It works offline, shows no face and names no person, and has no
    figure of a group of fewer than `min_subjects` queries.

    references: what papers published; by_hand: whether people labelled faces of a share of the queries; search: what
    allowed it (`basis`, `until`), where pictures were found by a search, so that nobody knows whom they show; empty on
    a release; `caution`: what readers must know of the data, "" for nothing.
    """
    blank = empty(Doubles)
    found = RapidTest(services, empty(Identities), curves, coverage, agreement, assisted, blank, accuracy, changes)
    shared = {"title": title, "caution": caution, "release": json.loads(Path(release).read_text())}
    asked = counted(len(services), "service")
    sections = told.sections(found, references, min_subjects, by_hand, is_known=not search)
    told_of = {
        "services": asked,
        "fewest": min_subjects,
        "search": search,
        "labelled": len(agreement) > 0,
        "by_hand": by_hand,
    }
    return page.render(page.SERVICES, **shared, **told_of, sections=sections, root="")
