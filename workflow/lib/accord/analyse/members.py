"""Who belongs to which group: of each attribute, and of their intersections."""

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.comparing.intersections import intersections
from accord.analyse.scoring.instances import released
from accord.analyse.tables.scores import Members
from accord.checks.tables.findings import Verdicts
from accord.engine.table import empty
from accord.errors import AccordError, Problem
from accord.grouping import groups_of
from accord.release.tables import Attributes, People


def run(
    people: DataFrame[People],
    attributes: DataFrame[Attributes],
    verdicts: DataFrame[Verdicts],
    *,
    names: list[str],
    crossed: list[str] | None = None,
    most: int = 1,
) -> DataFrame[Members]:
    """The groups of everyone in a released image: of the attributes `names`, and of intersections of up to `most`.

    crossed: which of them are combined; none for all. Raises AccordError where one is not among them.
    """
    strange = sorted(set(crossed or ()) - set(names))
    if strange:
        hint = f"analyse/attributes has {', '.join(names)}"
        raise AccordError([Problem("analyse/crossed", f"{name!r} is not compared", hint) for name in strange])
    everyone = released(people, verdicts)
    single = {name: groups_of(everyone, attributes, name) for name in names}
    combined = intersections([single[name] for name in crossed or names], most)
    together = pd.concat([empty(Members), *single.values(), *combined])
    return together.sort_values(["attribute", "group", "image", "subject"])
