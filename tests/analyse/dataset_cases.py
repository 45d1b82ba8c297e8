"""Small annotation files in the formats of public datasets, by their documentation: every person is invented."""

import json
from pathlib import Path

import numpy as np
from scipy.io import savemat

from accord.analyse.datasets.archives.celebamask_hq import SIDE

FACET_FLAGS = ("gender_presentation_", "masc fem non_binary na"), ("age_presentation_", "young middle older na")
TONES = ("skin_tone_", "1 2 3 4 5 6 7 8 9 10 na")
MIAP_HEADER = (
    "ImageID,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,IsDepictionOf,IsInsideOf,"
    "GenderPresentation,AgePresentation"
)


OUTLINE = {"segmentation": [[0, 0, 15, 0, 15, 13.4]]}


def coco(folder: Path, whole_body: bool = True) -> None:
    """Two images. In the first two people and a crowd, in the second a person; a dog is nobody."""
    images = [{"id": 7, "file_name": "a.jpg", "width": 200, "height": 100}]
    images.append({"id": 8, "file_name": "b.jpg", "width": 100, "height": 100})
    categories = [{"id": 1, "name": "person"}, {"id": 18, "name": "dog"}]

    def found(number, image, box, **more):
        return {
            "id": number,
            "image_id": image,
            "category_id": 1,
            "bbox": box,
            "area": 100.5,
            "iscrowd": 0,
            **OUTLINE,
            **more,
        }

    annotations = [
        found(70, 7, [0, 0, 20, 40]),
        found(71, 7, [50, 0, 100, 80]),
        found(72, 7, [0, 0, 200, 100], iscrowd=1),
        found(80, 8, [10, 10, 20, 50]),
        found(90, 7, [10, 10, 20, 50], category_id=18),
    ]
    write(folder / "annotations/instances_val2017.json", images, annotations, categories)
    body = [0] * 51
    # COCO's left shoulder (5) is annotated and hidden, the right wrist (10) is seen.
    body[15:18], body[30:33] = [30, 31, 1], [40, 41, 2]
    points = found(71, 7, [50, 0, 100, 80], keypoints=body, num_keypoints=2)
    if whole_body:
        face, foot, hand = [0] * 204, [0] * 18, [0] * 63
        face[36 * 3 : 36 * 3 + 3], foot[6:9], hand[15:18] = [5, 6, 1.0], [7, 8, 2], [9, 10, 0.5]
        points |= {"face_box": [60, 5, 20, 30], "face_valid": True, "face_kpts": face, "foot_kpts": foot}
        points |= {"lefthand_kpts": [0] * 63, "righthand_kpts": hand}
    name = "coco_wholebody_val_v1.0.json" if whole_body else "person_keypoints_val2017.json"
    write(folder / "annotations" / name, images, [points], categories)
    (folder / "images_val2014.csv").write_text(
        "id,skin,ratio,bb_skin,bb_gender,split\n"
        "7,\"['Light', 'Dark']\",0.4,Dark,Female,val\n8,[],0.1,Unsure,Unsure,val\n9,[],0,Light,Male,val\n"
    )


def write(path: Path, images: list, annotations: list, categories: list) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"images": images, "annotations": annotations, "categories": categories}))


def facet(folder: Path, rows=None) -> None:
    """Three people in two images: as JSON, and as a dictionary's text; tones by the votes of three annotators."""
    flags = [start + name for start, names in (*FACET_FLAGS, TONES) for name in names.split()]
    header = ["person_id", "filename", "class1", "class2", "bounding_box", *flags, "hair_color_black", "has_cap"]

    def row(person, file, box, *on, cls="nurse", other="", **counts):
        values = {"person_id": person, "filename": file, "class1": cls, "class2": other, "bounding_box": box}
        values |= dict.fromkeys(on, "1") | {name: str(count) for name, count in counts.items()}
        return ",".join('"' + values.get(name, "0").replace('"', '""') + '"' for name in header)

    box = json.dumps({"x": 10.0, "y": 20, "width": 30, "height": 60.5, "dict_attributes": {}})
    rows = rows or [
        row("1", "sa_1.jpg", box, "gender_presentation_fem", "age_presentation_young", skin_tone_2=2, skin_tone_4=1),
        row("2", "sa_1.jpg", str(json.loads(box)), "gender_presentation_na", "age_presentation_na", skin_tone_9=1,
            skin_tone_5=1, hair_color_black=2),
        row("3", "sa_2.jpg", box, "gender_presentation_masc", "age_presentation_older", "has_cap", skin_tone_10=3,
            cls="judge", other="lawman"),
    ]  # fmt: skip
    (folder / "annotations").mkdir(parents=True)
    (folder / "annotations/annotations.csv").write_text("\n".join([",".join(header), *rows]) + "\n")
    sizes = [{"id": 1, "file_name": f"sa_{n}.jpg", "width": 100, "height": 200} for n in (1, 2)]
    (folder / "annotations/coco_boxes.json").write_text(json.dumps({"images": sizes}))


def miap(folder: Path) -> None:
    """Two people and a group in one image of the training set, one person of the test set."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "open_images_extended_miap_boxes_train.csv").write_text(
        f"{MIAP_HEADER}\n"
        "00a,/m/01g317,1,0.25,0.75,0.0,0.5,0,1,0,0,0,Predominantly Feminine,Middle\n"
        "00a,/m/01g317,1,0.0,0.5,0.0,1.0,-1,-1,0,1,0,Unknown,Unknown\n"
        "00a,/m/01g317,1,0.0,1.0,0.0,1.0,0,0,1,0,0,Unknown,Unknown\n"
    )
    (folder / "open_images_extended_miap_boxes_test.csv").write_text(
        f"{MIAP_HEADER}\n00b,/m/01g317,1,0.1,0.2,0.1,0.4,0,0,0,0,0,Predominantly Masculine,Young\n"
    )


def wider_face(folder: Path) -> None:
    """Two faces, one invalid; an image without faces and its line of zeros; one face, and the sizes beside."""
    (folder / "wider_face_split").mkdir(parents=True)
    (folder / "wider_face_split/wider_face_val_bbx_gt.txt").write_text(
        "0--Parade/0_Parade_1.jpg\n2\n10 20 30 45 2 0 1 0 1 0 \n1 1 4 4 0 0 0 1 0 0 \n"
        "0--Parade/0_Parade_2.jpg\n0\n0 0 0 0 0 0 0 0 0 0 \n"
        "12--Group/12_Group_3.jpg\n2\n0 0 0 0 0 0 0 0 0 0\n40 0 20 20 0 1 0 0 2 1\n"
    )
    (folder / "sizes.csv").write_text(
        "image,width,height\n0--Parade/0_Parade_1.jpg,100,90\n12--Group/12_Group_3.jpg,80,40\n"
    )


def celebamask_hq(folder: Path, identities: bool = True) -> None:
    """Three faces of two people."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "CelebAMask-HQ-attribute-anno.txt").write_text(
        "3\nSmiling Male Young\n0.jpg  1 -1 1\n1.jpg  -1 1 -1\n2.jpg  1 1 1\n"
    )
    (folder / "CelebAMask-HQ-pose-anno.txt").write_text(
        "3\nYaw Pitch Raw\n0.jpg -29.5 10.0 50.0\n1.jpg 0.1 -31 2\n2.jpg 1 2 3\n"
    )
    if identities:
        (folder / "CelebA-HQ-to-CelebA-mapping.txt").write_text(
            "idx    orig_idx    orig_file\n0   119613   119614.jpg\n1   99094    099095.jpg\n2   1   000002.jpg\n"
        )
        (folder / "identity_CelebA.txt").write_text("119614.jpg 5\n099095.jpg 6\n000002.jpg 5\n")
    assert SIDE == 1024


def ccv1(folder: Path) -> None:
    """A woman with two videos, one in the dark; somebody who gave no age."""
    folder.mkdir(parents=True, exist_ok=True)
    first = {"label": {"age": "31", "gender": "Female", "skin-type": "5"}, "dark_files": ["A/0001/0001_01.MP4"]}
    second = {"label": {"age": "N/A", "gender": "N/A", "skin-type": "3"}, "dark_files": []}
    first["files"], second["files"] = ["A/0001/0001_00.MP4", "A/0001/0001_01.MP4"], ["A/0002/0002_00.MP4"]
    (folder / "CasualConversations.json").write_text(json.dumps({"0001": first, "0002": second}))


def ccv2(folder: Path) -> None:
    """Two people, one of whom would rather not say how old they are."""
    folder.mkdir(parents=True, exist_ok=True)

    def video(name, subject, age, gender, scale, kind):
        skins = {"monk_skin_tone": {"scale": scale, "confidence": "high"}}
        skins["fitzpatrick_skin_tone"] = {"type": kind, "confidence": "low"}
        return {"video_name": name, "subject_id": subject, "age": age, "gender": gender, **skins}

    videos = [
        video("0000_portuguese_nonscripted_1.mp4", "0000", "24", "cis woman", "scale 5", "type iii"),
        video("0001_hindi_scripted_1.mp4", "0001", "prefer not to say", "non-binary", "scale 10", "type vi"),
    ]
    (folder / "CasualConversationsV2.json").write_text(json.dumps(videos))


def imdb_wiki(folder: Path, name: str = "wiki", **changed) -> None:
    """Four faces of three people: in one image no face was found; one was born after the photograph."""
    folder.mkdir(parents=True, exist_ok=True)

    def cells(values):
        made = np.empty((1, len(values)), object)
        made[0, :] = values
        return made

    # MATLAB's day of 1 January 1970 is 719529.
    fields = {
        "dob": np.array([[719529.0, 719529.0, 719529.0 + 365 * 50, 719529.0]]),
        "photo_taken": np.array([[2000.0, 1980.0, 2010.0, 2010.0]]),
        "full_path": cells(["17/10_1970-01-01_2000.jpg", "17/11_1970-01-01_1980.jpg", "48/1.jpg", "48/2.jpg"]),
        "gender": np.array([[0.0, 0.0, 1.0, np.nan]]),
        "name": cells(["Ada Example", "Ada Example", "Bo Example", "Cy Example"]),
        "face_location": cells([np.array([[11.0, 21.0, 31.0, 61.0]])] * 4),
        "face_score": np.array([[4.5, 3.0, -np.inf, 2.0]]),
        "second_face_score": np.array([[np.nan] * 4]),
    }
    savemat(folder / f"{name}.mat", {name: fields | changed}, do_compression=True)
