"""From votes to a skin type for each person: the mode, with uncertain votes counted half.

Casual Conversations (Hazirbas et al., 2021), Section 3: "we accumulated the weighted histograms over eight votes
(uncertain votes are counted as half) and pick the most voted skin type". What becomes of ties isn't stated: here a tie
has no type.
"""

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.casual.scales import Scale
from accord.analyse.casual.tables import SkinTypes, Votes
from accord.engine.table import rows
from accord.text.nouns import listed

CERTAIN, UNCERTAIN = 1.0, 0.5
NO_VOTES = "no votes"


def skin_types(votes: DataFrame[Votes], scale: Scale, subjects: Iterable[str]) -> DataFrame[SkinTypes]:
    """One row for each of `subjects`, those without votes too.

    The type with the most weight; of a tie none, but its group where all tied types are of one.
    """
    people = sorted(set(subjects))
    place = {subject: number for number, subject in enumerate(people)}
    weights, counts = np.zeros((len(people), len(scale.labels))), np.zeros((len(people), 2), int)
    whose = votes["subject"].map(place).to_numpy(int)
    uncertain = votes["uncertain"].to_numpy(bool)
    np.add.at(weights, (whose, votes["type"].to_numpy(int) - 1), np.where(uncertain, UNCERTAIN, CERTAIN))
    np.add.at(counts, (whose, uncertain.astype(int)), 1)
    return rows(_rows(people, weights, counts, scale), SkinTypes)


def of_types(types: DataFrame[SkinTypes], scale: Scale) -> pd.DataFrame:
    """subject, attribute, group: the groups that voted types make, `voted_<scale>` and `voted_skin`."""
    named = {f"voted_{scale.name}": "type", "voted_skin": "skin"}
    parts = [types[["subject"]].assign(attribute=name, group=types[column]) for name, column in named.items()]
    made = pd.concat(parts, ignore_index=True)
    return made[made["group"] != ""].reset_index(drop=True)


def _rows(people: list[str], weights: np.ndarray, counts: np.ndarray, scale: Scale) -> Iterator[dict]:
    for subject, weight, (certain, uncertain) in zip(people, weights, counts.tolist(), strict=True):
        # Weights are multiples of a half, which floats hold without rounding: equal ones are a tie.
        most = weight.max()
        best = np.flatnonzero(weight == most) if most > 0 else np.array([], int)
        groups = {scale.groups[number] for number in best}
        yield {
            "subject": subject,
            "type": scale.labels[best[0]] if len(best) == 1 else "",
            "skin": groups.pop() if len(groups) == 1 else "",
            "votes": certain + uncertain,
            "uncertain": uncertain,
            "share": most / weight.sum() if most > 0 else np.nan,
            "note": _note([scale.labels[number] for number in best]),
        }


def _note(best: list[str]) -> str:
    if not best:
        return NO_VOTES
    return "" if len(best) == 1 else f"tie of {listed(best)}"
