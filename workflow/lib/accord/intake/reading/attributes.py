"""Attributes of images and people: their values held against FHIBE's vocabularies."""

from collections.abc import Iterator

from accord.intake.delivered import sheets
from accord.intake.delivered.refusals import Refusals
from accord.intake.delivered.row import Row
from accord.intake.reading import countries
from accord.vocabularies import ATTRIBUTES, IMAGE, PERSON, Attribute

OLDEST = 120
LONGEST_TEXT = 200
COUNTRIES = ("nationality", "country_of_residence")
NOT_LISTED_HERE = ("age",)
"""Attributes with a column of their own in the table of people."""

Annotators = dict[tuple[str, str, str], str]
"""(image reference, subject reference, attribute) -> the annotator's id."""

MOST_VALUES = 100
"""Values of a cell: looking for the country that is meant takes time for each."""


def of_image(row: Row, image: str, annotators: Annotators, refusals: Refusals) -> list[tuple]:
    """Rows of the table Attributes for an image as a whole; values that break their vocabulary are refused."""
    return list(_rows(IMAGE, row, image, ("", ""), annotators, refusals))


def of_person(row: Row, image: str, person: tuple[str, str], annotators: Annotators, refusals: Refusals) -> list[tuple]:
    """Rows of the table Attributes for a person in an image; `person`: the vendor's reference and our id."""
    return list(_rows(PERSON, row, image, person, annotators, refusals))


def age(row: Row, image: str, subject: str, refusals: Refusals) -> int | None:
    """The age in years that a person gave; None where not given, or no age."""
    given = row["age"]
    if given.isascii() and given.isdecimal() and len(given) <= 3 and int(given) <= OLDEST:
        return int(given)
    if given:
        reference = f"{row['image']} age"
        refusals.add("attribute", "vocabulary", "age is not a number of years", reference=reference, image=image,
                     subject=subject, place=row.place("age"))  # fmt: skip
    return None


def _rows(
    of: str, row: Row, image: str, person: tuple[str, str], annotators: Annotators, refusals: Refusals
) -> Iterator[tuple]:
    reference, subject = person
    for attribute in ATTRIBUTES.values():
        cell = row.get(attribute.name, "")
        if attribute.of != of or attribute.name in NOT_LISTED_HERE or not cell:
            continue
        annotator = annotators.get((row["image"], reference, attribute.name), "")
        kept, reasons = judge(attribute, cell)
        for check, reason, value in reasons:
            where, place = f"{row['image']} {attribute.name}", row.place(attribute.name, attribute.labels, value)
            refusals.add("attribute", check, reason, reference=where, image=image, subject=subject, place=place)
        yield from ((image, subject, attribute.name, value, annotator) for value in kept)


def judge(attribute: Attribute, cell: str) -> tuple[list[str], list[tuple[str, str, str]]]:
    """The values of a cell that are taken, and (check, reason, values) for what is not.

    Country names come out as UN M49 has them; what names no country is kept as given, with a reason.
    """
    given = sheets.values(cell) if attribute.multiple else [cell]
    if len(given) > MOST_VALUES:
        return [], [("vocabulary", f"{attribute.name} has more than {MOST_VALUES} values", cell)]
    if attribute.name in COUNTRIES:
        return _countries(attribute.name, given)
    if not attribute.labels:
        fits = [value for value in given if len(value) <= LONGEST_TEXT]
    else:
        fits = [value for value in given if value in attribute.labels]
    if len(fits) == len(given):
        return fits, []
    left = sheets.SEPARATOR.join(value for value in given if value not in fits)
    return fits, [("vocabulary", f"a value of {attribute.name} is not in its vocabulary", left)]


def _countries(name: str, given: list[str]) -> tuple[list[str], list[tuple[str, str, str]]]:
    found = [countries.normalise(value) for value in given]
    named = [country.name if country else value for country, value in zip(found, given, strict=True)]
    left = sheets.SEPARATOR.join(value for country, value in zip(found, given, strict=True) if country is None)
    reason = ("country", f"a country in {name} is unknown or ambiguous; kept as given", left)
    return list(dict.fromkeys(named)), [reason] if left else []
