"""COCO: people of `instances_*.json`, COCO-WholeBody's or COCO's keypoints, and the labels of Zhao et al. (2021)."""

from collections import Counter
from pathlib import Path
from typing import Any

from accord.analyse.datasets.gathered import OUTSIDE, Dataset, Gathered
from accord.imaging.keypoints import BLAZEPOSE
from accord.release.archives import reading, shared
from accord.release.archives.reading import Bounded
from accord.text.identity import identity
from accord.text.nouns import counted

INSTANCES = ("instances_*.json", "annotations/instances_*.json", "instances.json", "annotations/instances.json")
WHOLE_BODY = ("coco_wholebody_*.json", "annotations/coco_wholebody_*.json")
KEYPOINTS = ("person_keypoints_*.json", "annotations/person_keypoints_*.json")
LABELS = ("images_val2014.csv", "annotations/images_val2014.csv")
PERSON, FACE, OWN = "person", "face", "instances.json"
"""Categories; and the file of an export of a release, with its keypoints in it."""
CLASH = "give each picture and each annotation one id and name over all files; or read each file in a folder of its own"
VISIBLE, CORNERS = 2, 6
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
    """Images are named by their files' paths; people by their subject_id where exports give one, else by their
    annotation's id. Crowds are left out."""
    made = Gathered(problems)
    names: dict[int | None, str] = {}
    instances = reading.several(folder, INSTANCES, problems)
    owners: dict[int, tuple[str, str]] = {}
    for file in instances:
        _instances(file, names, owners, made)
    whole = reading.several(folder, WHOLE_BODY, problems, needed=False)
    points = whole or reading.several(folder, KEYPOINTS, problems, needed=False)
    for file in points or [file for file in instances if file.name == OWN]:
        _keypoints(file, names, made)
    for file in reading.several(folder, LABELS, problems, needed=False):
        _labels(file, names, made)
    return made.dataset()


def _instances(file: Path, names: dict[int | None, str], owners: dict[int, tuple[str, str]], made: Gathered) -> None:
    """The images and people of a file. names: image id -> name; owners: annotation id -> image, person."""
    given = reading.document(file, made.problems)
    made.read_from(file)
    if not _images(given, file, names, made):
        return
    faults: dict[str, list[str]] = {}
    for where, found in _people(given, file, made.problems):
        box, image = reading.numbers(found.get("bbox"), 4), names.get(_id(found.get("image_id")))
        number = _id(found.get("id"))
        if box is None or image is None or number is None:
            faults.setdefault(_fault(found, box, image), []).append(where)
        elif found.get("iscrowd"):
            made.left_out["crowds"] += 1
        elif made.is_outside(image, box):
            made.left_out[OUTSIDE] += 1
        elif owners.setdefault(number, (image, _subject(found)))[0] != image:
            made.problems.add(where, "has the id of another annotation, in another image", CLASH)
        elif made.person(where, image, _subject(found), box) and _is_outlined(found):
            made.area(image, _subject(found), max(found["area"], 0))
    _tell(faults, "annotation", made)
    _faces(given, file, names, made)


def _fault(annotation: dict, box: list[float] | None, image: str | None) -> str:
    """Why an annotation is nobody's."""
    if _id(annotation.get("id")) is None:
        return "has no id, a whole number"
    if box is None:
        return "has no bbox [x, y, width, height]"
    is_text = image is None and isinstance(annotation.get("image_id"), str)
    return "has its image_id as a text, and images have numbers as ids" if is_text else "has an unknown image_id"


def _tell(faults: dict[str, list[str]], noun: str, made: Gathered) -> None:
    """Each fault once, at the first place that has it."""
    for fault, places in faults.items():
        more = f" ({counted(len(places) - 1, f'other {noun}')} too)" if len(places) > 1 else ""
        made.problems.add(places[0], f"{fault}{more}")


def _images(document: Any, file: Path, names: dict[int | None, str], dataset: Gathered) -> bool:
    """The names of a file's images; whether each is of one picture alone."""
    earlier, clashes = {identity(name) for name in names.values()}, Counter()
    ids, faults = set(earlier), {}
    for place, image in reading.objects(document, "images", str(file), dataset.problems):
        number, name = _id(image.get("id")), image.get("file_name")
        if number is None or not isinstance(name, str):
            faults.setdefault("has no id, a whole number, or no file_name", []).append(place)
            continue
        name = name.replace("\\", "/").removeprefix("./")
        is_elsewhere, is_repeated = identity(name) in earlier, names.get(number) == name
        owner = "another file" if is_elsewhere else "another image"
        clashes[f"the file_name of {owner}"] += is_elsewhere or (identity(name) in ids and not is_repeated)
        clashes["the id of another image"] += names.setdefault(number, name) != name
        if identity(name) not in ids:
            dataset.picture(place, name, image.get("width"), image.get("height"))
        ids.add(identity(name))
    _tell(faults, "image", dataset)
    for clash, count in clashes.items():
        if count:
            problem = f"has {counted(count, 'image')} with {clash}: two pictures would be one"
            dataset.problems.add(str(file), problem, CLASH)
    return not any(clashes.values())


def _faces(document: Any, file: Path, names: dict[int | None, str], dataset: Gathered) -> None:
    """Boxes of faces that exports give as annotations of their own, by the subject_id that they share with a person."""
    repeated = Bounded()  # what is wrong with the lists is a problem already
    for place, face in _people(document, file, repeated, FACE):
        image, subject = names.get(_id(face.get("image_id"))), face.get("subject_id")
        if isinstance(subject, str) and image is not None and (image, subject) in dataset:
            dataset.box(place, image, subject, "face", reading.numbers(face.get("bbox"), 4) or [None] * 4)


def _subject(annotation: dict) -> str:
    """Who somebody is: a person in several images where the file says so, else somebody of one annotation alone."""
    subject = annotation.get("subject_id")
    return subject if isinstance(subject, str) and subject else str(_id(annotation.get("id")))


def _is_outlined(annotation: dict) -> bool:
    """Whether the area of an annotation is that of an outline, not of its box."""
    outline = annotation.get("segmentation")
    if isinstance(outline, list):
        outline = [polygon for polygon in outline if isinstance(polygon, list) and len(polygon) >= CORNERS]
    return bool(outline) and reading.is_number(annotation.get("area"))


def _people(given: Any, file: Path, problems: Bounded, category: str = PERSON):
    """The annotations of a category; there must be one of people."""
    categories = list(reading.objects(given, "categories", str(file), problems))
    people = [one.get("id") for _, one in categories if one.get("name") == category]
    if categories and not people and category == PERSON:
        problems.add(str(file), f"has no category {PERSON!r}")
    annotations = reading.objects(given, "annotations", str(file), problems)
    return ((where, found) for where, found in annotations if found.get("category_id") in people)


def _keypoints(file: Path, names: dict[int | None, str], made: Gathered) -> None:
    given = reading.document(file, made.problems)
    for where, found in _people(given, file, made.problems):
        image, subject = names.get(_id(found.get("image_id"))), _subject(found)
        if "keypoints" not in found and file.name == OWN:
            continue
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


def _labels(file: Path, names: dict[int | None, str], made: Gathered) -> None:
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


def _id(value: Any) -> int | None:
    """A whole number, which pandas also writes as 1.0; None of anything else."""
    is_whole = reading.is_number(value) and value == int(value)
    return int(value) if is_whole else None
