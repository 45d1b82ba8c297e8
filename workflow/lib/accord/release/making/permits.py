"""What may be said of a person: the scopes that the ledger grants, as sets."""

import pandas as pd

from accord.vocabularies import AGGREGATE_ATTRIBUTES, ATTRIBUTES, IMAGE, PUBLIC_ATTRIBUTES

PICTURE = "publish_image"
ALL = "*"


def granted(permits: pd.DataFrame, prefix: str) -> dict[tuple[str, str], frozenset[str]]:
    """(image, subject) -> the names in its scopes `<prefix>:<name>`; `*` stands for all."""
    scopes = permits[permits["scope"].str.startswith(f"{prefix}:")]
    names = scopes["scope"].str.slice(len(prefix) + 1)
    return names.groupby([scopes["image"], scopes["subject"]]).agg(frozenset).to_dict()


def shown(permits: pd.DataFrame) -> set[tuple[str, str]]:
    """The (image, subject) pairs whose picture may be published."""
    return set(permits.loc[permits["scope"] == PICTURE, ["image", "subject"]].itertuples(index=False, name=None))


def published(attributes: pd.DataFrame, permits: pd.DataFrame) -> pd.DataFrame:
    """The rows of attributes that may be published: those of the image itself, and those that each person grants.

    Attributes that are only told in aggregate, and unknown ones, are left out whatever was granted.
    """
    return attributes[_of_images(attributes) | _granted(attributes, permits, "publish_attr", PUBLIC_ATTRIBUTES)]


def aggregated(attributes: pd.DataFrame, permits: pd.DataFrame) -> pd.DataFrame:
    """The rows of aggregate-only attributes that may be counted."""
    return attributes[_granted(attributes, permits, "aggregate_attr", AGGREGATE_ATTRIBUTES)]


def ages(people: pd.DataFrame, permits: pd.DataFrame) -> pd.Series:
    """The ages of people, missing where they may not be published."""
    asked = people[["image", "subject"]].assign(attribute="age")
    return people["age"].where(_granted(asked, permits, "publish_attr", PUBLIC_ATTRIBUTES))


def _of_images(attributes: pd.DataFrame) -> pd.Series:
    names = [name for name, attribute in ATTRIBUTES.items() if attribute.of == IMAGE]
    return (attributes["subject"] == "") & attributes["attribute"].isin(names)


def _granted(rows: pd.DataFrame, permits: pd.DataFrame, prefix: str, names: tuple[str, ...]) -> pd.Series:
    """Whether the person of each row (image, subject, attribute) grants that attribute, one of `names`."""
    given = granted(permits, prefix)
    keys = rows[["image", "subject", "attribute"]].itertuples(index=False, name=None)
    allowed = [n in names and not given.get((i, s), frozenset()).isdisjoint((n, ALL)) for i, s, n in keys]
    return pd.Series(allowed, index=rows.index, dtype=bool)
