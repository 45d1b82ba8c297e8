"""From what people say of themselves to the groups that they belong to."""

from itertools import chain

import numpy as np
import pandas as pd

from accord.vocabularies import ANCESTRY_REGIONS, age_group, age_range, number

KEY = ["image", "subject"]
BETWEEN = " x "
WHOLE = "all"
REGION_OF = {label: region for region, parts in ANCESTRY_REGIONS.items() for label in (region, *parts)}
SUBREGIONS_OF = {label: parts for region, parts in ANCESTRY_REGIONS.items() for label in (region,)}
SUBREGIONS_OF |= {label: (label,) for parts in ANCESTRY_REGIONS.values() for label in parts}
HAIR_LENGTHS = (("none", 1), ("short", 6), ("medium", 11), ("long", 16))
"""Length of hair -> the number of its last hairstyle; those after tell no length."""

DERIVED = {
    "age_group": ("age", lambda age: [age_group(int(age))]),
    "age_range": ("age", lambda age: [age_range(int(age))]),
    "ancestry": ("ancestry", lambda label: [REGION_OF.get(label, label)]),
    "ancestry_subregion": ("ancestry", lambda label: SUBREGIONS_OF.get(label, (label,))),
    "hair_length": ("hairstyle", lambda label: [length for length, last in HAIR_LENGTHS if number(label) <= last][:1]),
}
"""Attribute -> the attribute that it is derived from, and the groups that a value of that one counts in."""


def groups_of(people: pd.DataFrame, attributes: pd.DataFrame, name: str) -> pd.DataFrame:
    """The groups of one attribute: image, subject, attribute, group; one row per group that a value counts in.

    people: image, subject, age; attributes: image, subject ("" for the whole image), attribute, value. A value of an
    image counts for everyone in it. `ancestry` is in regions, `ancestry_subregion` in subregions: a region counts in
    each of its own. `hair_length` is of hairstyles that tell it, `age_range` of the ages of Casual Conversations.
    """
    source, groups = DERIVED.get(name, (name, lambda value: [value]))
    if source == "age":
        values = people[[*KEY, "age"]].rename(columns={"age": "value"}).dropna()
    else:
        values = _values(people[KEY], attributes[attributes["attribute"] == source])
    codes, different = pd.factorize(values["value"])
    parts = [list(groups(value)) for value in different]
    counts = np.array([len(part) for part in parts], int)
    rows = np.repeat(np.arange(len(codes)), counts[codes])
    within = np.arange(len(rows)) - np.repeat(np.cumsum(counts[codes]) - counts[codes], counts[codes])
    every = pd.Series(list(chain.from_iterable(parts)), dtype=str)
    group = every.take((np.cumsum(counts) - counts)[codes[rows]] + within).to_numpy()
    named = values[KEY].take(rows).assign(attribute=name, group=pd.array(group, dtype=str))
    return named.drop_duplicates([*KEY, "group"]).reset_index(drop=True)


def _values(people: pd.DataFrame, attributes: pd.DataFrame) -> pd.DataFrame:
    is_shared = attributes["subject"] == ""
    own = attributes.loc[~is_shared, [*KEY, "value"]].merge(people, on=KEY)
    if not is_shared.any():
        return own
    shared = attributes.loc[is_shared, ["image", "value"]].merge(people, on="image")
    return pd.concat([own, shared])[[*KEY, "value"]] if len(own) else shared[[*KEY, "value"]]
