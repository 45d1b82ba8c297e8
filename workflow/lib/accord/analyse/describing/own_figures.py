"""A release's own figures, under the names that published ones have in config/references."""

import pandas as pd

from accord.grouping import BETWEEN

ORDER = ("pronoun", "age", "region", "subregion", "skin")
CALLED = {
    "pronoun": "pronoun",
    "age_group": "age",
    "ancestry": "region",
    "ancestry_subregion": "subregion",
    "natural_skin_color": "skin",
    "apparent_skin_color": "skin",
}
"""Attribute -> what FHIBE's tables call it, in their ORDER."""
FACES = {"face_crop": "cropped", "face_aligned": "aligned"}


def combined(attribute: str) -> str:
    """The published name of an intersection, as pronoun_age; "" of what no published table has."""
    parts = [CALLED.get(part, "") for part in attribute.split(BETWEEN)]
    known = len(parts) > 1 and all(parts)
    return "_".join(sorted(parts, key=ORDER.index)) if known else ""


def own_figures(
    people: pd.DataFrame, derivatives: pd.DataFrame, groups: pd.DataFrame, diversity: pd.DataFrame
) -> list[tuple[str, float, str]]:
    """(figure, value, how it was come by) of a release.

    people, derivatives: People and Derivatives of its images; groups: GroupSizes; diversity: Diversity.
    """
    told = [(name, value, "counted") for name, value in {**_people(people), **_faces(derivatives)}.items()]
    for attribute, part in groups.groupby("attribute", sort=True):
        if name := combined(attribute):
            images = part["images"]
            sizes = {"number": len(part), "median": images.median(), "largest": images.max(), "smallest": images.min()}
            told += [(f"groups.{what}.{name}", value, f"counted by {attribute}") for what, value in sizes.items()]
    scored = diversity.dropna(subset="vendi")
    told += [(f"vendi.{row.part}", row.vendi, f"embedded by {row.model}") for row in scored.itertuples()]
    return [(name, float(value), how) for name, value, how in told]


def _people(people: pd.DataFrame) -> dict[str, float]:
    images = people["image"].nunique()
    primary, secondary = (people.loc[people["is_primary"] == one, "subject"].nunique() for one in (True, False))
    each = people.groupby("image")["subject"].nunique()
    counts = {"images": images, "subjects": people["subject"].nunique(), "images.two_people": (each == 2).sum()}
    counts |= {"subjects.primary": primary, "subjects.secondary": secondary}
    return counts | ({"images_per_primary": images / primary} if primary else {})


def _faces(derivatives: pd.DataFrame) -> dict[str, float]:
    found = {}
    for kind, name in FACES.items():
        faces = derivatives[derivatives["kind"] == kind]
        found |= {f"faces.{name}": len(faces), f"faces.{name}.subjects": faces["subject"].nunique()}
    return found
