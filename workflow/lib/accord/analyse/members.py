"""Who belongs to which group: of each attribute, and of their intersections."""

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.comparing.intersections import intersections, must_fit
from accord.analyse.scoring.gathering import gathered
from accord.analyse.scoring.instances import passing, released
from accord.analyse.tables.scores import Members
from accord.engine.by_shard import by_shard
from accord.engine.table import empty
from accord.errors import AccordError, Problem
from accord.grouping import BETWEEN, groups_of
from accord.release.making.views import Passing
from accord.release.tables import Attributes, People

ORDER = ["attribute", "group", "image", "subject"]


def joined(
    parts: list[pd.DataFrame], names: list[str], crossed: list[str] | None = None, most: int = 1
) -> pd.DataFrame:
    """The groups of the people of all shards."""
    combined = sum(int(part["attribute"].str.contains(BETWEEN, regex=False).sum()) for part in parts)
    must_fit(combined, most, len(crossed or names))
    return gathered(parts, ORDER)


@by_shard("people", "attributes", join=joined, verdicts=passing)
def run(
    people: DataFrame[People],
    attributes: DataFrame[Attributes],
    verdicts: DataFrame[Passing],
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
    return together.sort_values(ORDER)
