"""How large the groups of a dataset are, as FHIBE's tables tell: images, subjects, shares and medians."""

import numpy as np
import pandas as pd

from accord.analyse.tables.composition import AttributeSizes, GroupSizes
from accord.engine.table import rows
from accord.grouping import BETWEEN, KEY, WHOLE

NOT_GIVEN = "not given"


def memberships(everyone: pd.DataFrame, members: pd.DataFrame) -> pd.DataFrame:
    """`members` (Members), those of `everyone` (image, subject) who gave no answer to an attribute, and all/all."""
    whole = everyone[KEY].drop_duplicates()
    parts = [whole.assign(attribute=WHOLE, group=WHOLE), members]
    for name in members["attribute"].unique():
        if BETWEEN not in name:
            answered = members.loc[members["attribute"] == name, KEY].drop_duplicates().assign(answered=True)
            silent = whole.merge(answered, on=KEY, how="left")["answered"].isna().to_numpy()
            parts.append(whole[silent].assign(attribute=name, group=NOT_GIVEN))
    return pd.concat(parts)


def group_sizes(everyone: pd.DataFrame, members: pd.DataFrame) -> pd.DataFrame:
    """GroupSizes of all memberships. People of several groups count in each: shares can add up to more than 1."""
    images, subjects, told = everyone["image"].nunique(), everyone["subject"].nunique(), []
    for name in sorted({WHOLE, *members["attribute"].unique()}):
        groups = memberships(everyone, members[members["attribute"] == name])
        told += _counted(groups[groups["attribute"] == name], images, subjects)
    return rows(told, GroupSizes)


def attribute_sizes(groups: pd.DataFrame, members: pd.DataFrame) -> pd.DataFrame:
    """AttributeSizes of the attributes of GroupSizes; `not given` is no group."""
    told = groups[(groups["attribute"] != WHOLE) & (groups["group"] != NOT_GIVEN)]
    return rows([_attribute(name, some, members) for name, some in told.groupby("attribute")], AttributeSizes)


def evenness(counts: np.ndarray) -> float:
    """Entropy of positive counts / its largest value; NaN for a single one (Pielou, 1966)."""
    share = np.asarray(counts, float) / np.sum(counts)
    if len(share) == 1:
        return float("nan")
    return min(1.0, float(-(share * np.log(share)).sum() / np.log(len(share))))


def _attribute(name: str, groups: pd.DataFrame, members: pd.DataFrame) -> dict:
    of = members[members["attribute"] == name]
    ordered = groups.sort_values(["subjects", "group"])
    least, most = ordered.iloc[0], ordered.iloc[-1]
    ends = {f"{name}_subjects": row["subjects"] for name, row in (("smallest", least), ("largest", most))}
    medians = {f"median_{of_what}": groups[of_what].median() for of_what in ("images", "subjects")}
    answered = {"images": of["image"].nunique(), "subjects": of["subject"].nunique()}
    names = {"attribute": name, "groups": len(groups), "smallest": least["group"], "largest": most["group"]}
    return {**names, **answered, **medians, **ends, "evenness": evenness(groups["subjects"])}


def _counted(groups: pd.DataFrame, images: int, subjects: int) -> list[dict]:
    by = ["attribute", "group"]
    each = groups.groupby([*by, "subject"], sort=True)["image"].nunique().rename("each").reset_index()
    counted = groups.groupby(by, sort=True).agg(images=("image", "nunique"), subjects=("subject", "nunique"))
    counted["images_per_subject"] = each.groupby(by, sort=True)["each"].median()
    counted["share_of_images"] = counted["images"] / max(images, 1)
    counted["share_of_subjects"] = counted["subjects"] / max(subjects, 1)
    return counted.reset_index().to_dict("records")
