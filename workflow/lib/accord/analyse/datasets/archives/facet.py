"""FACET: people of `annotations.csv`, with what annotators took them for."""

from pathlib import Path

from accord.analyse.datasets.gathered import Dataset, Gathered
from accord.analyse.datasets.sizes_file import SIZES, read_sizes
from accord.release.archives import facet, reading, shared
from accord.release.archives.facet import Person
from accord.release.archives.reading import Bounded

BOXES = ("coco_boxes.json", "annotations/coco_boxes.json")


def read(folder: Path, problems: Bounded) -> Dataset:
    """Images are named by their files, people by their person_id."""
    made = Gathered(problems)
    for file in reading.several(folder, facet.FILES, problems)[:1]:
        for person in facet.people(file, problems):
            if made.person(person.where, person.image, person.subject, person.box):
                _perceived(person, made)
    for file in reading.several(folder, BOXES, problems, needed=False)[:1]:
        for where, image in reading.objects(reading.document(file, problems), "images", str(file), problems):
            made.picture(where, image.get("file_name"), image.get("width"), image.get("height"))
    for file in reading.several(folder, SIZES, problems, needed=False):
        read_sizes(file, made)
    return made.dataset()


def _perceived(person: Person, made: Gathered) -> None:
    who, votes = (person.where, person.image, person.subject), person.votes
    for name in filter(None, person.classes):
        made.say(*who, "class", name)
    for name, count in facet.named(votes, "gender_presentation_", facet.GENDERS).items():
        if count:
            made.say(*who, "gender_presentation", name)
    for name, count in facet.named(votes, "age_presentation_", facet.AGES).items():
        if count:
            made.say(*who, shared.AGE_PRESENTATION, facet.AGES[name])
    for name, count in facet.named(votes, "skin_tone_", facet.TONES).items():
        if count:
            made.say(*who, "monk_tone", name)
    made.say(*who, shared.GENDER, facet.gender(votes))
    made.say(*who, shared.SKIN, facet.skin(votes))
    for start in facet.FAMILIES:
        for name in (name for name, count in votes.items() if name.startswith(start) and count):
            made.say(*who, start.strip("_"), name.removeprefix(start))
