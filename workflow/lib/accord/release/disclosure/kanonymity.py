"""k-anonymity: how many people share each combination of what is published of a person (Sweeney 2002)."""

from collections import Counter

import pandas as pd

from accord.engine import table
from accord.errors import AccordError, Problem
from accord.release.tables import Classes, PublicImages
from accord.text.nouns import counted, listed
from accord.vocabularies import PUBLIC_ATTRIBUTES, age_group

AGE_GROUP = "age_group"
OF_THE_IMAGE = tuple(name for name in PublicImages.to_schema().columns if name not in ("image", "subject"))
IDENTIFIERS = (AGE_GROUP, *(name for name in PUBLIC_ATTRIBUTES if name != "age"), *OF_THE_IMAGE)
"""What can be a quasi-identifier: all that is published of a person, or of the images that they are in."""

SMALL = (2, 5, 10)
BETWEEN, AND = " x ", " + "


def check(identifiers: list[str]) -> None:
    """Raises AccordError with every name that is no quasi-identifier."""
    unknown = [name for name in identifiers if name not in IDENTIFIERS]
    if unknown:
        hint = f"use one of: {', '.join(IDENTIFIERS)}"
        raise AccordError([Problem("release.quasi_identifiers", f"{n!r} is not published", hint) for n in unknown])


def said(tables: dict[str, pd.DataFrame], identifiers: list[str]) -> pd.DataFrame:
    """subject, attribute, value: what a shard's tables publish of people under the names of quasi-identifiers.

    Someone of whom nothing of the kind is said has the value "".
    """
    people = tables["people"][["image", "subject", "age"]]
    parts = [people.assign(attribute=name, value="") for name in identifiers]
    parts.append(tables["attributes"][["subject", "attribute", "value"]])
    ages = people.dropna(subset="age")
    parts.append(ages.assign(attribute=AGE_GROUP, value=[age_group(int(age)) or "" for age in ages["age"]]))
    places = people.merge(tables["public"][["image", *OF_THE_IMAGE]], on="image")
    parts += [places.assign(attribute=name, value=places[name].astype(str)) for name in OF_THE_IMAGE]
    whole = pd.concat([part[["subject", "attribute", "value"]] for part in parts], ignore_index=True)
    return whole[whole["attribute"].isin(identifiers) & (whole["subject"] != "")].drop_duplicates()


def classes(told: pd.DataFrame, identifiers: list[str]) -> pd.DataFrame:
    """The table Classes of what is `said` of everyone, smallest first: people with equal sets of values share one."""
    sets: dict[str, dict[str, set[str]]] = {subject: {} for subject in told["subject"]}
    for subject, name, value in told[["subject", "attribute", "value"]].itertuples(index=False, name=None):
        sets[subject].setdefault(name, set()).update({value} - {""})
    alike = [BETWEEN.join(AND.join(sorted(of.get(name, ()))) for name in identifiers) for of in sets.values()]
    counted = Counter(alike if identifiers else [])
    return table.rows(sorted(counted.items(), key=lambda item: (item[1], item[0])), Classes)


def k(found: pd.DataFrame) -> int:
    """The number of people in the smallest class; 0 without people."""
    return int(found["subjects"].min()) if len(found) else 0


def share(found: pd.DataFrame, size: int) -> float:
    """The share of people who are in a class of fewer than `size`; 0 without people."""
    everyone = found["subjects"].sum()
    return float(found.loc[found["subjects"] < size, "subjects"].sum() / everyone) if everyone else 0.0


def paragraph(found: pd.DataFrame, identifiers: list[str]) -> str:
    """What a datasheet says of it, as Markdown."""
    if not len(found):
        return "No quasi-identifiers were checked."
    names = listed([name.replace("_", " ") for name in identifiers]) + (" together" if len(identifiers) > 1 else "")
    fall = "falls" if found["subjects"].sum() == 1 else "fall"
    shares = listed([f"{share(found, size):.0%} are in a group of fewer than {size}" for size in SMALL[1:]])
    return (
        f"By {names}, {counted(int(found['subjects'].sum()), 'person')} {fall} into "
        f"{counted(len(found), 'group')}; the smallest has k = {k(found)}. {share(found, SMALL[0]):.0%} of the people "
        f"are alone in their group, {shares}. Faces are visible, so this figure only covers what the tables reveal."
    )
