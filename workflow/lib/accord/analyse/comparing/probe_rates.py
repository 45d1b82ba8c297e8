"""How often probes say what of which group: rates with intervals by subjects, beside published ones."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from accord.analyse import groups
from accord.analyse.scoring.probe_outcomes import right_labels
from accord.analyse.tables.probes import ProbeRates
from accord.analyse.tables.scores import Verification
from accord.engine.table import empty, rows
from accord.evaluate.asking.probes import PRONOUN, Probe
from accord.grouping import BETWEEN, KEY
from accord.release.archives.shared import OF_PEOPLE

REGION, HAIR, TRUTH = "ancestry", "hair_length", "truth"
OF_PERSON = (PRONOUN, HAIR, (PRONOUN, HAIR), REGION, *OF_PEOPLE)
OF_PICTURE = (PRONOUN, REGION, TRUTH, (TRUTH, REGION), *OF_PEOPLE)
"""The attributes, and pairs of them, by which outcomes are told, where people have them."""
ATTRIBUTES = (PRONOUN, REGION, HAIR, *OF_PEOPLE)
FHIBE = "clip"
"""How published figures begin: `clip.said_unspecified.he`."""
NAMES = ("model", "part", "probe", "outcome")


def rates(
    outcomes: pd.DataFrame,
    groups_of: Mapping[str, pd.DataFrame],
    published: Mapping[str, float],
    probe: Probe | None,
    **settings: int,
) -> pd.DataFrame:
    """ProbeRates of the outcomes of one probe (None: of none).

    outcomes: NAMES, image, subject, value (0 to 1 or NaN), note; groups_of: attribute -> image, subject, group;
    published: figure -> value; settings: of `groups.run`.
    """
    at = "@"
    scores = outcomes.assign(task="", metric=outcomes["outcome"] + at + outcomes["part"])
    of_person = probe is not None and probe.is_of_person
    members = pd.concat([_members(groups_of, name) for name in (OF_PERSON if of_person else OF_PICTURE)])
    told = groups.run(scores.drop(columns=["outcome", "part", "probe"]), members, empty(Verification), **settings)
    outcome, part = (told["metric"].map(lambda name, side=side: name.partition(at)[side]) for side in (0, 2))
    told = told.rename(columns={"mean": "rate"}).assign(outcome=outcome, part=part, probe=probe.name if probe else "")
    told["published"] = [_published(row, probe, published) for row in told.itertuples()]
    columns = list(ProbeRates.to_schema().columns)
    return rows(told[columns].sort_values([*NAMES, "attribute", "group"]).to_dict("records"), ProbeRates)


def sides(probe: Probe, truth: Mapping[tuple[str, str], frozenset[str]]) -> pd.DataFrame:
    """Who is on which side of a probe: image, subject, group (a label that is right). truth: as `outcomes` has it."""
    made = [(*key, label) for key, values in truth.items() for label in sorted(right_labels(probe, values))]
    return pd.DataFrame(made, columns=[*KEY, "group"])


def _members(groups_of: Mapping[str, pd.DataFrame], name: str | Iterable[str]) -> pd.DataFrame:
    if isinstance(name, str):
        return groups_of.get(name, pd.DataFrame(columns=[*KEY, "group"]))[[*KEY, "group"]].assign(attribute=name)
    first, second = name
    pairs = _members(groups_of, first).merge(_members(groups_of, second), on=KEY, suffixes=("", "_other"))
    crossed = pairs["group"].astype(str) + BETWEEN + pairs["group_other"].astype(str)
    return pairs[KEY].assign(group=crossed, attribute=BETWEEN.join(name))


def _published(row: Any, probe: Probe | None, published: Mapping[str, float]) -> float:
    """FHIBE's figure of a pronoun, of pictures as they are."""
    if probe is None or not probe.is_of_person or (row.part, row.attribute) != ("image", PRONOUN):
        return float("nan")
    labels = sorted(right_labels(probe, frozenset([row.group])))
    found = [published[name] for name in (f"{FHIBE}.{row.outcome}.{label}" for label in labels) if name in published]
    return found[0] if found else float("nan")
