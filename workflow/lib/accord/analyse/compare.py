"""Compare groups in a plain table: one call, without the workflow."""

from typing import NamedTuple

import pandas as pd

from accord.analyse import disparities, groups
from accord.analyse.crossing import intersections
from accord.analyse.grouping import KEY
from accord.analyse.tables import Members, Scores, Verification
from accord.errors import all_problems
from accord.table import check, empty


class Comparison(NamedTuple):
    """What `compare` finds: a Groups and a Disparities table."""

    groups: pd.DataFrame
    disparities: pd.DataFrame


def compare(
    table: pd.DataFrame,
    *,
    score: str,
    subject: str,
    attributes: list[str],
    most: int = 1,
    min_subjects: int = 10,
    bootstraps: int = 1000,
    seed: int = 1,
    lower_is_better: bool = False,
) -> Comparison:
    """The groups of a table with one row per image, and the disparities between them.

    score: the column to compare, any finite number (missing: undefined); subject: whose image it is;
    attributes: columns of groups, a value each or a list of values; most: how many attributes an intersection may
    combine. Raises AccordError where a column is missing or a score is no finite number.
    """
    with all_problems() as problems:
        for name in (score, subject, *attributes):
            if name not in table.columns:
                problems.add(f"column {name!r}", "is not in the table", f"it has {', '.join(map(str, table.columns))}")
    key = {"image": [f"{row:09d}" for row in range(len(table))], "subject": table[subject].astype(str).to_numpy()}
    scored = pd.DataFrame({**key, "task": "table", "model": "table", "metric": score, "note": ""})
    scored["value"] = pd.to_numeric(table[score]).to_numpy(float)
    single = [_groups(pd.DataFrame(key), name, table[name]) for name in attributes]
    together = pd.concat([empty(Members), *single, *intersections(single, most)], ignore_index=True)
    scores, members = check(scored, Scores, score), check(together, Members, "attributes")
    how = {"min_subjects": min_subjects, "bootstraps": bootstraps, "seed": seed}
    lower = [score] if lower_is_better else []
    told = groups.run(scores, members, empty(Verification), **how)
    return Comparison(told, disparities.run(scores, members, **how, lower_is_better=lower))


def _groups(key: pd.DataFrame, name: str, column: pd.Series) -> pd.DataFrame:
    named = key.assign(attribute=name, group=column.to_numpy()).explode("group").dropna(subset="group")
    return named[[*KEY, "attribute", "group"]].astype({"group": str}).drop_duplicates()
