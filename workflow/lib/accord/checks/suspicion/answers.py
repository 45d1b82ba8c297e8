"""What rules need of all that people say: all of a million images doesn't fit in memory, what they rest on does."""

from collections.abc import Iterable

import pandas as pd

from accord.checks.suspicion.groups import OF_THE_MOMENT, free_texts
from accord.checks.suspicion.measures import NAMES
from accord.engine import table
from accord.intake.tables import Attributes

SAID = ["subject", "attribute", "value"]


def kept(parts: Iterable[pd.DataFrame], images: pd.Series) -> pd.DataFrame:
    """Of tables Attributes, the rows on `images` that `groups` and `measures` look at; of those that count once for a
    subject, one of each."""
    known = frozenset(images)
    found = [table.empty(Attributes)]
    for part in parts:
        here = part[table.among(part["image"], known)]
        own = (here["annotator"] == "") & (here["subject"] != "") & ~here["attribute"].str.startswith(OF_THE_MOMENT)
        once = here[own | here["attribute"].isin(free_texts())].drop_duplicates([*SAID, "annotator"])
        found.append(here[here.index.isin(once.index) | here["attribute"].isin(NAMES)])
    return pd.concat([part for part in found if len(part)] or found, ignore_index=True)
