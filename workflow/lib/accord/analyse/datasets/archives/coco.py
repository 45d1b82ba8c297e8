"""COCO: people of `instances_*.json`, COCO-WholeBody's or COCO's keypoints, and the labels of Zhao et al. (2021)."""

from pathlib import Path
from typing import Any

from accord.analyse.datasets.gathered import Dataset, Gathered
from accord.imaging.keypoints import BLAZEPOSE
from accord.release.archives import reading, shared
from accord.release.archives.reading import Bounded

INSTANCES = ("instances_*.json", "annotations/instances_*.json")
WHOLE_BODY = ("coco_wholebody_*.json", "annotations/coco_wholebody_*.json")
KEYPOINTS = ("person_keypoints_*.json", "annotations/person_keypoints_*.json")
LABELS = ("images_val2014.csv", "annotations/images_val2014.csv")
VISIBLE = 2
PARTS = {
    "foot_kpts": {0: 32, 2: 30, 3: 31, 5: 29},
    "face_kpts": {36: 3, 39: 1, 42: 4, 45: 6, 48: 9, 54: 10},
    "lefthand_kpts": {2: 22, 5: 20, 17: 18},
    "righthand_kpts": {2: 21, 5: 19, 17: 17},
}
"""List of an annotation of COCO-WholeBody -> its keypoint's number -> BlazePose's: big toe and heel, corners of eyes
and mouth (of iBUG's 68), the lowest knuckles of thumb, index and little finger."""

GENDERS = {"Male": shared.MALE, "Female": shared.FEMALE}
SKINS = {"Light": shared.LIGHTER, "Dark": shared.DARKER}


def read(folder: Path, problems: Bounded) -> Dataset:
    """Images are named by their files, people by their annotation's id; crowds are left out."""
    made = Gathered(problems)
    names: dict[int, str] = {}
    for file in reading.several(folder, INSTANCES, problems):
        _instances(file, names, made)
    whole = reading.several(folder, WHOLE_BODY, problems, needed=False)
    for file in whole or reading.several(folder, KEYPOINTS, problems, needed=False):
        _keypoints(file, names, made)
    for file in reading.several(folder, LABELS, problems, needed=False):
        _labels(file, names, made)
    return made.dataset()


def _instances(file: Path, names: dict[int, str], made: Gathered) -> None:
    given = reading.document(file, made.problems)
    for where, image in reading.objects(given, "images", str(file), made.problems):
        if isinstance(image.get("id"), int) and isinstance(image.get("file_name"), str):
            names[image["id"]] = Path(image["file_name"]).name
            made.picture(where, names[image["id"]], image.get("width"), image.get("height"))
        else:
            made.problems.add(where, "has no id or file_name")
    for where, found in _people(given, file, made):
        box, image = reading.numbers(found.get("bbox"), 4), names.get(_id(found.get("image_id")))
        if box is None or image is None or not isinstance(found.get("id"), int):
            made.problems.add(where, "has no id, no bbox [x, y, width, height], or an unknown image_id")
        elif found.get("iscrowd"):
            made.left_out["crowds"] += 1
        elif made.person(where, image, str(found["id"]), box) and reading.is_number(found.get("area")):
            made.area(image, str(found["id"]), max(found["area"], 0))


def _people(given: Any, file: Path, made: Gathered):
    """The annotations of the category `person`."""
    categories = list(reading.objects(given, "categories", str(file), made.problems))
    people = [one.get("id") for _, one in categories if one.get("name") == "person"]
    if categories and not people:
        made.problems.add(str(file), "has no category 'person'")
    annotations = reading.objects(given, "annotations", str(file), made.problems)
    return ((where, found) for where, found in annotations if found.get("category_id") in people)


def _keypoints(file: Path, names: dict[int, str], made: Gathered) -> None:
    given = reading.document(file, made.problems)
    for where, found in _people(given, file, made):
        image, subject = names.get(_id(found.get("image_id"))), str(found.get("id"))
        if image is None or (image, subject) not in made:
            made.left_out["keypoints of people missing from the instances"] += not found.get("iscrowd")
            continue
        body = reading.numbers(found.get("keypoints"), 3 * len(BLAZEPOSE))
        if body is None:
            made.problems.add(where, f"has no list of {len(BLAZEPOSE)} keypoints")
            continue
        for number, blaze in enumerate(BLAZEPOSE):
            x, y, state = body[3 * number : 3 * number + 3]
            if state > 0:
                made.point(image, subject, blaze, x, y, state == VISIBLE)
        _parts(where, found, image, subject, made)


def _parts(where: str, found: dict, image: str, subject: str, made: Gathered) -> None:
    """What COCO-WholeBody adds: a face box where it is valid, and points, which are annotated where they are seen."""
    if found.get("face_valid"):
        box = reading.numbers(found.get("face_box"), 4)
        made.box(where, image, subject, "face", box or [None] * 4)
    for key, chosen in PARTS.items():
        points = reading.numbers(found.get(key, []))
        if points is None or (points and len(points) <= 3 * max(chosen) + 2):
            made.problems.add(where, f"{key} is not a list of all its keypoints")
            continue
        for number, blaze in chosen.items() if points else ():
            x, y, state = points[3 * number : 3 * number + 3]
            if state > 0:
                made.point(image, subject, blaze, x, y, True)


def _labels(file: Path, names: dict[int, str], made: Gathered) -> None:
    """What annotators took the largest person of an image for."""
    first = made.largest()
    for where, row in reading.table(file, ("id", "bb_gender", "bb_skin"), made.problems):
        image = names.get(int(row["id"])) if row["id"].isdecimal() and len(row["id"]) < 16 else None
        if image not in first:
            made.left_out["labels of images without people"] += 1
            continue
        who = (where, image, first[image])
        made.say(*who, "bb_gender", row["bb_gender"] or shared.UNKNOWN)
        made.say(*who, "bb_skin", row["bb_skin"] or shared.UNKNOWN)
        made.say(*who, shared.GENDER, GENDERS.get(row["bb_gender"], shared.UNKNOWN))
        made.say(*who, shared.SKIN_HALVES, SKINS.get(row["bb_skin"], shared.UNKNOWN))


def _id(value: Any) -> int:
    return value if isinstance(value, int) else -1
