"""The Rapid Test of a run's recognition services, on queries made of a release, held against who is in the pictures."""

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.identities import rapid_test, truth
from accord.analyse.identities.coverage import coverage
from accord.analyse.identities.inputs import Inputs
from accord.analyse.identities.labelling import Rules
from accord.analyse.identities.rapid_test import RapidTest, Settings
from accord.analyse.identities.rules import Limits
from accord.analyse.identities.service_curves import How
from accord.analyse.identities.tables import (
    Assisted,
    Coverage,
    Doubles,
    Faces,
    HandLabels,
    Identities,
    LabelAccuracy,
    LabelAgreement,
    QueryGroups,
    ServiceChanges,
    ServiceCurves,
    Services,
)
from accord.engine.parameter_types import Count, Seed
from accord.engine.table import check, empty, rows
from accord.errors import AccordError, Problem
from accord.evaluate.serving import grouped
from accord.evaluate.tables.services import Confidences, FaceIds, Queries, QueryCopies
from accord.release.tables import Attributes, People

COPY = "a copy of another picture of its query"


def run(
    queries: DataFrame[Queries],
    faces: DataFrame[FaceIds],
    copies: DataFrame[QueryCopies],
    confidences: DataFrame[Confidences],
    people: DataFrame[People],
    attributes: DataFrame[Attributes],
    hand: DataFrame[HandLabels] | None = None,
    *,
    names: list[str],
    rapid: dict,
    min_faces: int,
    min_subjects: Count,
    bootstraps: Count,
    seed: Seed,
    known: bool = True,
    by_hand: bool = False,
    earlier: dict | None = None,
) -> RapidTest:
    """Who is who by the services' agreement, how often each refuses whom, whom the method could not see.

    Labels by annotation stand for hand labels, where it is `known` whom pictures show; where people were asked
    (`by_hand`), theirs alone (`hand`) count, and faces that nobody looked at have none. copies: pictures that were left
    out of queries; earlier: service -> its version of an earlier test, which is compared with it and has no part in
    anything else; names: attributes whose groups are told; min_subjects: queries that a group's figures need; rapid:
    `analyse.rapid` of the config. Where no service can be calibrated, tables have no more than services and coverage.
    Raises AccordError where there is no query.
    """
    if queries.empty:
        what, hint = f"nobody has {min_faces} released pictures in a shard", "use fewer shards, or lower min_faces"
        raise AccordError(Problem("evaluate.rapid", what, hint))
    then = earlier or {}
    old = confidences["service"].isin(then.values())
    before = _renamed(confidences[old], then)
    given = _inputs(queries, faces, confidences[~old], people, attributes, names, copies)
    given = given._replace(before=before)
    given = given if known else given._replace(hand=empty(HandLabels))
    # An input that a rule leaves empty is an empty table: it doesn't tell whether people were asked.
    given = given._replace(hand=hand) if by_hand else given
    limits = Limits(rapid["ratio"], rapid["magnitude"], rapid["grouping"])
    rules = Rules(rapid["rule"], rapid["calibration"], min_faces, rapid["min_positive"], limits, seed)
    settings = Settings(rules, How(tuple(rapid["fmr"]), min_subjects, bootstraps, seed))
    scales = rapid_test.scaled(given, rules)
    is_tested = any(not scale.note for scale in scales.values())
    found = rapid_test.run(given, settings) if is_tested else _untested(given, scales)
    return found._replace(changes=found.changes.assign(after=found.changes["service"]))


def _renamed(confidences: pd.DataFrame, earlier: dict[str, str]) -> pd.DataFrame:
    """Confidences of earlier versions under the names of the services that they are compared with. On a page a version
    is called as its entry of models.yaml is."""
    now = {before: service for service, before in earlier.items()}
    return confidences.assign(version=confidences["service"], service=confidences["service"].map(now))


def _inputs(
    queries: pd.DataFrame,
    faces: pd.DataFrame,
    confidences: pd.DataFrame,
    people: pd.DataFrame,
    attributes: pd.DataFrame,
    names: list[str],
    copies: pd.DataFrame,
) -> Inputs:
    common = faces.loc[faces["face"] != "", ["query", "face"]].drop_duplicates()
    missed = faces.loc[faces["face"] == "", ["query", "image", "note"]].drop_duplicates()
    return Inputs(
        confidences,
        check(common, Faces, "Faces") if len(common) else empty(Faces),
        rows(grouped.groups(queries, people, attributes, names).to_dict("records"), QueryGroups),
        rows(truth.truth(faces, people).to_dict("records"), HandLabels),
        pd.concat([missed, copies[["query", "image"]].assign(note=COPY)]).rename(
            columns={"image": "face", "note": "reason"}
        ),
    )


def _untested(given: Inputs, scales: dict) -> RapidTest:
    """What can be told where no service's scores part: why, and that all faces are left out."""
    services = rows(rapid_test.services(given, scales), Services)
    every = pd.concat([given.faces.assign(reason="no service could be calibrated"), given.lost])
    told = rows(coverage(every, given.groups), Coverage)
    tables = (Identities, ServiceCurves, LabelAgreement, Assisted, Doubles, LabelAccuracy, ServiceChanges)
    identities, curves, *others = (empty(table) for table in tables)
    return RapidTest(services, identities, curves, told, *others)
