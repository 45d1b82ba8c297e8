"""Open Images MIAP: people of `open_images_extended_miap_boxes_*.csv`, with what annotators took them for."""

from collections import Counter
from pathlib import Path

from accord.analyse.datasets.gathered import Dataset, Gathered
from accord.release.archives import reading, shared
from accord.release.archives.reading import Bounded

FILES = ("open_images_extended_miap_boxes_*.csv", "*/open_images_extended_miap_boxes_*.csv")
ENDS = ("XMin", "YMin", "XMax", "YMax")
NEEDED = ("ImageID", *ENDS, "IsGroupOf", "IsDepictionOf", "GenderPresentation", "AgePresentation")
FLAGS = {"IsOccluded": "occluded", "IsTruncated": "truncated", "IsDepictionOf": "depiction", "IsInsideOf": "inside"}
GENDERS = {
    "Predominantly Feminine": shared.FEMALE,
    "Predominantly Masculine": shared.MALE,
    "Unknown": shared.UNKNOWN,
}
AGES = ("Young", "Middle", "Older", "Unknown")
YES_NO = {"1": "yes", "0": "no"}
"""-1 stands for unknown."""


def read(folder: Path, problems: Bounded) -> Dataset:
    """Images are named by their ImageID, people by it and their number in it. Groups are left out.

    Coordinates are shares of the picture's sides: shapes of boxes aren't known.
    """
    made, numbers = Gathered(problems), Counter()
    for file in reading.several(folder, FILES, problems):
        made.read_from(file)
        for where, row in reading.table(file, NEEDED, problems):
            ends = [end for name in ENDS if (end := reading.number(row[name])) is not None]
            if len(ends) < len(ENDS) or not all(0 <= end <= 1 for end in ends):
                problems.add(where, f"{', '.join(ENDS)} are not shares from 0 to 1")
            elif row["GenderPresentation"] not in GENDERS or row["AgePresentation"] not in AGES:
                problems.add(where, "GenderPresentation or AgePresentation is not one of the known values")
            elif row["IsGroupOf"] == "1":
                made.left_out["groups"] += 1
            else:
                numbers[row["ImageID"]] += 1
                _person(where, row, f"{row['ImageID']}:{numbers[row['ImageID']]}", ends, made)
    return made.dataset()


def _person(where: str, row: dict[str, str], subject: str, ends: list[float], made: Gathered) -> None:
    x0, y0, x1, y1 = ends
    who = (where, row["ImageID"], subject)
    made.picture(where, row["ImageID"], 1.0, 1.0, in_pixels=False)
    if made.person(*who, [x0, y0, x1 - x0, y1 - y0]):
        made.say(*who, "gender_presentation", row["GenderPresentation"])
        made.say(*who, shared.GENDER, GENDERS[row["GenderPresentation"]])
        made.say(*who, shared.AGE_PRESENTATION, row["AgePresentation"].lower())
        for name, attribute in FLAGS.items():
            if row.get(name) in YES_NO:
                made.say(*who, attribute, YES_NO[row[name]])
