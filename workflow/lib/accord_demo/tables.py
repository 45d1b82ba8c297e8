"""The rows of a delivery's tables, from the plan and the records of what was rendered."""

import numpy as np

from accord.vocabularies import ATTRIBUTES, IMAGE, PERSON
from accord_demo import attributes
from accord_demo.draft import Draft
from accord_demo.picture import Picture, seed_of
from accord_demo.vendors import annotator_of, checker_of

IMAGE_COLUMNS = (
    "image", "file", "sha256", "annotations", "annotations_sha256", "subject", "location_country", "location_region",
    "user_date_captured", "user_hour_captured", "scene", "lighting", "weather", "camera_position",
)  # fmt: skip
OF_SUBJECTS = ("country_of_residence",)
"""Attributes of people that subjects.csv holds."""
SAID = tuple(a.name for a in ATTRIBUTES.values() if a.of == PERSON and a.name not in OF_SUBJECTS)
PEOPLE_COLUMNS = ("image", "subject", "is_primary", *SAID)
ANNOTATED_COLUMNS = ("image", "subject", "attribute", "annotator", "qa_annotator")
SUBJECT_COLUMNS = ("subject", "birth_date", "country_of_residence")
FORM_COLUMNS = (
    "form", "kind", "party", "subject", "image", "scopes", "signed_on", "expires_on", "notice", "language", "file",
    "sha256",
)  # fmt: skip
ANNOTATOR_COLUMNS = (
    "annotator", "role", "pronoun", "age_group", "ancestry", "nationality", "consents",
)  # fmt: skip

Row = dict[str, str]


def image_row(draft: Draft, picture: Picture, record: dict, hashes: dict[str, str]) -> Row:
    """The picture's row in images.csv; hashes: file -> sha256 of what is delivered."""
    said = attributes.of_image(picture, record, _rng(draft, picture, ""))
    row = {
        "image": picture.reference,
        "file": picture.file,
        "sha256": hashes.get(picture.file, ""),
        "annotations": picture.annotations,
        "annotations_sha256": hashes.get(picture.annotations, ""),
        "subject": picture.subject,
        "location_country": picture.place.country,
        "location_region": picture.place.region,
        "user_date_captured": f"{picture.taken:%Y-%m-%d}",
        "user_hour_captured": f"{picture.taken:%H:%M}",
        **{name: joined(labels) for name, labels in said.items()},
    }
    return row | dict(picture.in_images)


def people_rows(draft: Draft, picture: Picture, record: dict) -> list[Row]:
    """The rows in people.csv of everyone in the picture; what is planted is said of the primary subject."""
    rows = []
    for number, reference in enumerate(picture.subjects):
        # The rendered person is the copied picture's; what is said of them is what this subject says.
        said = attributes.of_person(draft.subjects[reference], record, number, _rng(draft, picture, reference))
        primary = number == 0
        row = {"image": picture.reference, "subject": reference, "is_primary": "true" if primary else "false"}
        row |= {name: joined(labels) for name, labels in said.items()}
        rows.append(row | dict(picture.in_people) if primary else row)
    return rows


def annotated_rows(draft: Draft, image: Row, people: list[Row]) -> list[Row]:
    """Who annotated which attribute of the picture and of the people in it."""
    seed, reference = draft.settings.seed, image["image"]
    named = [(name, "") for name, a in ATTRIBUTES.items() if a.of == IMAGE and a.annotated and image[name]]
    for person in people:
        named += [(n, person["subject"]) for n in SAID if ATTRIBUTES[n].annotated and person[n]]
    checker = checker_of(seed, reference)
    return [
        {"image": reference, "subject": subject, "attribute": name, "annotator": annotator_of(seed, reference, name),
         "qa_annotator": checker}
        for name, subject in named
    ]  # fmt: skip


def subject_rows(draft: Draft) -> list[Row]:
    """All rows of subjects.csv."""
    return [
        {
            "subject": subject.reference,
            "birth_date": subject.birth_date.isoformat(),
            "country_of_residence": subject.place.country,
        }
        for subject in draft.subjects.values()
    ]


def annotations(draft: Draft, picture: Picture, record: dict) -> dict:
    """The picture's annotation file, with who drew what."""
    seed = draft.settings.seed
    subjects = [dict(picture.in_people).get("subject", picture.subject), *picture.subjects[1:]]
    people = []
    for reference, person in zip(subjects, record["people"], strict=True):
        drawn = {key: value for key, value in person.items() if key != "looks" and value is not None}
        tasks = [task for task in ("face_bbox", "keypoints", "person_bbox", "segments") if task in drawn]
        by = {task: annotator_of(seed, picture.reference, task) for task in tasks}
        people.append({"subject": reference, **drawn, "annotators": by})
    by = annotator_of(seed, picture.reference, "regions")
    outlined = [] if "regions" in picture.absent else record["regions"]
    regions = [{**region, "annotator": by} for region in outlined]
    return {"image": picture.reference, "people": people, "regions": regions}


def joined(values: list[str]) -> str:
    """A cell with several values."""
    return "|".join(values)


def _rng(draft: Draft, picture: Picture, subject: str) -> np.random.Generator:
    return np.random.default_rng([seed_of(draft.settings.seed, picture.reference, subject), 808])
