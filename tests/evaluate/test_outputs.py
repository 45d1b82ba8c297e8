"""model_outputs.json: what a run exports comes back as it was, of our releases and FHIBE's; what is wrong is told."""

import csv
import hashlib
import json
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from accord.analyse import localisation, parsing, pose
from accord.checks.tables.findings import Verdicts
from accord.engine import provenance, table
from accord.engine.step import run_step
from accord.engine.table import rows
from accord.errors import AccordError
from accord.evaluate import outputs, outputs_command
from accord.evaluate.exchange import export, formats, units
from accord.evaluate.exchange.names import Picture, key
from accord.evaluate.tables.predictions import BodyParts, Detections, Embeddings, Evaluated, FaceLabels, Masks, Poses
from accord.imaging.keypoints import BLAZEPOSE
from accord.models import registry, rle
from accord.release.format import fhibe
from accord.release.making.content import Digests
from accord.release.seal import identity, versions
from accord.release.tables import Keypoints, Segments

VERSION = "1.0.0"
IMAGES = ("a", "b", "c")
TALL, WIDE = (30, 20), (18, 40)
SIZES = {"a": TALL, "b": WIDE, "c": TALL}
BLOCK = np.pad(np.ones((9, 9), dtype=bool), ((0, 9), (0, 31)))
NOSE = np.pad(np.ones((3, 2), dtype=bool), ((2, 3), (3, 3)))
FULL = {"size": [8, 8], "counts": [0, 64]}
TABLES = {
    "face_localization": (
        Detections,
        [("m", "a", 1.5, 2, 7.25, 9, 0.875, "face"), ("m", "a", 0, 0, 5, 5, 0.3, "face")],
    ),
    "person_localization": (Detections, [("m", "b", 0.1, 0.2, 30.3, 17, 1 / 3, "person")]),
    "face_verification": (
        Embeddings,
        [("m", i, s, v / np.linalg.norm(v)) for (i, s), v in zip(
            [("a", "x"), ("a", "y"), ("c", "z")], np.random.default_rng(1).normal(size=(3, 64)), strict=True
        )],
    ),
    "person_parsing": (Masks, [("m", "b", 0.5, "person", *WIDE, rle.encode(BLOCK))]),
    "keypoint_estimation": (
        Poses,
        [("m", "a", s, k, x + k / 7, k / 3, k / 40) for s, x in (("x", 0.5), ("y", 9.25)) for k in range(0, 33, 2)],
    ),
    "body_parts_detection": (
        BodyParts,
        [("m", "a", s, part, score) for s, score in (("x", 1 / 3), ("y", 0.0)) for part in ("Face", "Hand")],
    ),
    "face_parsing": (
        FaceLabels,
        [("m", "a", "y", label, 8, 8, rle.encode(mask)) for label, mask in ((1, ~NOSE), (2, NOSE))],
    ),
}  # fmt: skip


class World:
    """A run of three images, a with two people, published: results, vault, and the release's own tables."""

    def __init__(self, folder: Path, shard, ours: bool):
        self.results, self.vault, self.root = folder / "results", folder / "vault", folder / "releases" / VERSION
        self.ours, self.folder = ours, folder
        self._fill(shard)
        self.inputs = shard.inputs()
        if ours:
            versions.record(self.vault, {"version": VERSION}, {image: Digests("", "") for image in IMAGES})
            self.ids = identity.ids(versions.private(self.vault, VERSION))
        else:
            self.ids = outputs.names.SameIds()
        self._write()

    def _fill(self, shard) -> None:
        for image, (height, width) in SIZES.items():
            shard.picture(image, np.zeros((height, width, 3), np.uint8))
        for image, subject in (("a", "x"), ("a", "y"), ("c", "z")):
            shard.picture(image, np.zeros((8, 8, 3), np.uint8), "face_aligned", subject)
            shard.person(image, subject, face=(1, 2, 3, 4), person=(1, 1, 9, 9))
        shard.person("b", "z", face=(1, 2, 3, 4), person=(0, 0, 30, 17))

    def _write(self) -> None:
        release = self.results / "release"
        (release / "00").mkdir(parents=True)
        for name, value in self.inputs.items():
            if name != "files":
                value.to_parquet(release / "00" / f"{name}.parquet")
        told = {"version": VERSION, "path": str(self.root)} | ({"root": "r"} if self.ours else {})
        (release / "release.json").write_text(json.dumps(told))
        people = [("a", "x"), ("a", "y"), ("b", "z"), ("c", "z")]
        # FHIBE's table is in no order of ids; ours is sorted by them.
        key = (
            (lambda p: (self.ids.image(p[0]), self.ids.subject(p[1])))
            if self.ours
            else (lambda p: people[::-1].index(p))
        )
        self._sheet(fhibe.WHOLE_TABLE, sorted(people, key=key), "main", "person_bbox")
        self._sheet(fhibe.FACE_TABLE, [p for p in people if p[0] != "b"], "faces_crop_and_align", "")

    def _sheet(self, name: str, people: list, prefix: str, box: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True)
        with path.open("w", newline="") as file:
            sheet = csv.writer(file)
            sheet.writerow(["image_id", "filepath", "subject_id", "image_height", "image_width", "person_bbox"])
            for image, subject in people:
                public, who = self.ids.image(image), self.ids.subject(subject)
                called = public if box else f"{public}_{who}"
                size = SIZES[image] if box else (8, 8)
                sheet.writerow([called, self.path(image, subject, prefix), who, *size, "[1, 1, 9, 9]" if box else ""])

    def path(self, image: str, subject: str, prefix: str = "main") -> str:
        public, who = self.ids.image(image), self.ids.subject(subject)
        called = public if prefix == "main" else f"{public}_{who}"
        return f"data/raw/fhibe_downsampled/{self.ids.subject('x')}/{public}/{prefix}_{called}.png"

    def predicted(self, task: str) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Predictions and asked of a model `m`, as a step would have written them."""
        model, records = TABLES[task]
        aligned = self.inputs["derivatives"].query("kind == 'face_aligned'")
        who = aligned if formats.FORMATS[task].kind == "face_aligned" else self.inputs["people"]
        asked = outputs.answers.asked({"name": "m", "task": task}, who)
        folder = self.results / "evaluate" / "00"
        folder.mkdir(parents=True, exist_ok=True)
        table.write(rows(records, model), model, folder / "m.parquet")
        table.write(asked, Evaluated, folder / "m.asked.parquet")
        return table.read(folder / "m.parquet", model), asked

    def taken(self, task: str, file: str, **entry) -> outputs.Predictions:
        (self.folder / "given.json").write_text(file)
        told = {"path": "given.json", "sha256": hashlib.sha256(file.encode()).hexdigest()}
        told |= {"release": VERSION} if self.ours else {}
        given = {name: self.inputs[name] for name in ("derivatives", "people")}
        archive = None if self.ours else self.root
        model = {"name": "m", "task": task, "outputs": told | entry}
        return outputs.run(**given, model=model, vault=self.vault, archive=archive)


@pytest.fixture(params=["ours", "fhibe"])
def world(request, shard, tmp_path, monkeypatch) -> World:
    monkeypatch.chdir(tmp_path)
    return World(tmp_path, shard, request.param == "ours")


@pytest.fixture
def ours(shard, tmp_path, monkeypatch) -> World:
    monkeypatch.chdir(tmp_path)
    return World(tmp_path, shard, True)


@pytest.mark.parametrize("task", formats.FORMATS)
def test_what_was_exported_comes_back_as_it_was(world, task):
    predicted, asked = world.predicted(task)
    text = export.text(export.export(world.results, world.vault, "m"))
    found = world.taken(task, text)
    wanted = predicted
    if task == "keypoint_estimation":
        wanted = predicted[predicted["keypoint"].isin(BLAZEPOSE)].reset_index(drop=True)
    pd.testing.assert_frame_equal(found.predictions.rows.reset_index(drop=True), wanted, check_exact=True)
    pd.testing.assert_frame_equal(found.asked, asked)
    assert found.predictions.model is TABLES[task][0]


def test_a_file_says_nothing_that_is_not_public(ours):
    ours.predicted("keypoint_estimation")
    made = export.export(ours.results, ours.vault, "m")
    assert list(made.entries) == sorted(ours.path(image, "x") for image in IMAGES)
    assert all(path.count(ours.ids.image(image)) == 2 for path, image in
               ((ours.path(image, "x"), image) for image in IMAGES))  # fmt: skip
    entry = made.entries[ours.path("a", "x")]
    first = min(("x", "y"), key=ours.ids.subject)
    nose = {"x": [0.5, 0.0], "y": [9.25, 0.0]}
    assert entry["detections"][0][0] == nose[first]
    assert len(entry["detections"]) == 2 and len(entry["detections"][0]) == len(entry["scores"][0]) == 17
    # The left eye is keypoint 5, which was not predicted.
    assert entry["detections"][0][1] == [-999.0, -999.0]
    assert made.entries[ours.path("c", "x")]["detections"] == [[[-999.0, -999.0]] * 17]


def test_pictures_that_were_not_published_are_left_out(ours):
    ours.predicted("person_localization")
    table_of = ours.root / fhibe.WHOLE_TABLE
    lines = [line for line in table_of.read_text().splitlines() if ours.ids.image("b") not in line]
    table_of.write_text("\n".join(lines) + "\n")
    assert ours.path("b", "x") not in export.export(ours.results, ours.vault, "m").entries


def test_the_scores_are_those_of_the_run(ours):
    verdicts = rows([(i, "x", "pass", "", "", "") for i in IMAGES], Verdicts)
    points = rows([("a", "x", k, 1.0 + k / 7, k / 3, True, "w") for k in range(33)], Keypoints)
    square = np.array([0.0, 0, 9, 0, 9, 9, 0, 9])
    segments = rows([(i, s, 0, 1, square, "w") for i, s in (("a", "x"), ("b", "z"))], Segments)
    people = ours.inputs["people"]
    scored = {
        "person_localization": lambda p, a: localisation.run(p, a, people, verdicts, task="person_localization"),
        "person_parsing": lambda p, a: parsing.run(p, a, segments, verdicts),
        "keypoint_estimation": lambda p, a: pose.run(p, a, people, points, segments, verdicts),
    }
    for task, score in scored.items():
        wanted = score(*ours.predicted(task))
        found = ours.taken(task, export.text(export.export(ours.results, ours.vault, "m")))
        pd.testing.assert_frame_equal(score(found.predictions.rows, found.asked), wanted, check_exact=True)
        assert (wanted["value"] > 0).any()


def test_the_names_of_the_api_are_understood(ours):
    """Absolute paths of another machine, labels, nested scores, and what the API's demos return."""
    away = {image: f"D:\\data\\fhibe\\{ours.path(image, 'x')}".replace("/", "\\") for image in IMAGES}
    boxes = {away["a"]: {"bboxes": [[0, 0, 1, 2], [5, 5, 6, 6]], "scores": [0.5, 0.25], "labels": [0, 7]},
             away["b"]: {"detections": None, "scores": None}, away["c"]: {"detections": [], "scores": []}}  # fmt: skip
    found = ours.taken("person_localization", json.dumps(boxes)).predictions.rows
    assert found.to_numpy().tolist() == [["m", "a", 0, 0, 1, 2, 0.5, "person"]]
    pose_of = [[[-999.0, -999.0]] * 16 + [[1, 2]]]
    poses = {away[i]: {"keypoints": pose_of * n, "scores": [[[0.5]] * 17] * n} for i, n in (("a", 2), ("b", 1))}
    poses[away["c"]] = {"detections": [], "scores": []}
    found = ours.taken("keypoint_estimation", json.dumps(poses)).predictions.rows
    assert found[["image", "subject", "keypoint"]].to_numpy().tolist() == [
        ["a", "x", 27],
        ["a", "y", 27],
        ["b", "z", 27],
    ]
    mask = np.eye(*TALL, dtype=bool)
    masks = {away[image]: {"detections": None, "scores": None} for image in "bc"}
    masks[away["a"]] = {"masks": [mask.tolist(), mask.tolist()], "scores": [0.5, 1], "labels": [0, 1]}
    found = ours.taken("person_parsing", json.dumps(masks)).predictions.rows
    assert found.to_numpy().tolist() == [["m", "a", 0.5, "person", *TALL, rle.encode(mask)]]


def test_scores_in_lists_of_their_own_are_understood(ours):
    """As the API's fixture of face localization has them."""
    boxes = [[0, 0, 1, 2], [5, 5, 6, 6]]
    file = {ours.path(i, "x"): {"detections": boxes, "scores": [[0.5], [0.25]]} for i in IMAGES}
    found = ours.taken("face_localization", json.dumps(file)).predictions.rows
    assert found["score"].tolist() == [0.5, 0.25] * 3
    mask = rle.encode(np.eye(*TALL, dtype=bool))
    masks = {ours.path(i, "x"): {"detections": None, "scores": None} for i in "bc"}
    masks[ours.path("a", "x")] = {"detections": [{"size": [*TALL], "counts": mask}], "scores": [[0.75]]}
    assert ours.taken("person_parsing", json.dumps(masks)).predictions.rows["score"].tolist() == [0.75]


def test_vectors_are_brought_to_length_one_and_none_means_none(ours):
    faces = [("a", "x"), ("a", "y"), ("c", "z")]
    given = dict(zip(faces, ([3e200, 4e200], [0, -2], None), strict=True))
    file = {
        ours.path(i, s, "faces_crop_and_align"): {"detections": v, "img_filepath": "x"} for (i, s), v in given.items()
    }
    found, asked = ours.taken("face_verification", json.dumps(file))
    assert np.stack(found.rows["vector"]).tolist() == np.float32([[0.6, 0.8], [0, -1]]).tolist()
    assert list(zip(asked["image"], asked["subject"], strict=True)) == faces


def test_labels_of_faces_are_rows_or_run_lengths(ours):
    faces = [ours.path(i, s, "faces_crop_and_align") for i, s in (("a", "x"), ("a", "y"), ("c", "z"))]
    labels = np.where(NOSE, 2, 1)
    lengths = {str(n): {"size": [8, 8], "counts": rle.encode(labels == n)} for n in (1, 2)}
    told = [{"detections": labels.tolist()}, {"detections_rle": lengths}, {"detections": None}]
    found = ours.taken("face_parsing", json.dumps(dict(zip(faces, told, strict=True)))).predictions.rows
    assert found[["image", "subject", "label"]].to_numpy().tolist() == [
        ["a", "x", 1],
        ["a", "x", 2],
        ["a", "y", 1],
        ["a", "y", 2],
    ]
    assert found["counts"].tolist() == [rle.encode(~NOSE), rle.encode(NOSE)] * 2


def test_a_face_s_labels_go_out_as_the_api_writes_them(ours):
    ours.predicted("face_parsing")
    made = export.export(ours.results, ours.vault, "m")
    bare = made.entries[ours.path("c", "z", "faces_crop_and_align")]
    assert bare == {"detections_rle": {"0": {"size": [8, 8], "counts": rle.encode(np.ones((8, 8), bool))}}}
    assert set(made.entries[ours.path("a", "y", "faces_crop_and_align")]["detections_rle"]) == {"1", "2"}


def test_all_that_is_wrong_is_told_at_once(ours):
    a, b = ours.path("a", "x"), ours.path("b", "x")
    text = f'{{"{a}": {{"detections": [[1, 2, 3]], "scores": [1]}}, "{b}": [], "{b}": {{}}, "x/\\u001bnew.png": {{}}}}'
    with pytest.raises(AccordError) as error:
        ours.taken("person_localization", text)
    told = str(error.value)
    name = {image: Path(ours.path(image, "x")).name for image in IMAGES}
    assert told.startswith("5 problems found")
    assert f"given.json: {name['a']}: must contain boxes [x0, y0, x1, y1]" in told
    assert f"given.json: {name['b']}: has an entry that is not an object" in told
    assert f"given.json: {name['b']}: is in the file more than once" in told
    assert "given.json: lists 1 unknown file(s): \\x1bnew.png" in told
    assert f"given.json: has no entry for 1 pictures: {ours.ids.image('c')}" in told


@pytest.mark.parametrize(
    ("task", "entry", "message"),
    [
        ("face_localization", {"scores": []}, "has no 'detections'"),
        ("face_localization", {"detections": "[]", "scores": []}, "has 'detections' that are not a list"),
        ("face_localization", {"detections": [[1, 2, 3, "4"]], "scores": [1]}, "must contain boxes"),
        ("face_localization", {"detections": [[1, 2, 3, None]], "scores": [1]}, "must contain boxes"),
        ("face_localization", {"detections": [[1, 2, 3, 10**400]], "scores": [1]}, "must contain boxes"),
        ("face_localization", {"detections": [[1, 2, 3, 4]], "scores": []}, "one score for each of its detections"),
        ("face_localization", {"detections": [[3, 2, 1, 4]], "scores": [1]}, "ends before it starts"),
        ("face_localization", {"detections": [[[[1]]]], "scores": [1]}, "must contain boxes"),
        ("face_localization", {"detections": [[1, 2, 3, 1e300]], "scores": [1]}, "a million px outside"),
        ("keypoint_estimation", {"detections": [[[1, 2e6]] * 17] * 2, "scores": [[1] * 17] * 2}, "a million px"),
        ("person_localization", {"bboxes": [[1, 2, 3, 4]], "scores": [1], "labels": []}, "as many scores"),
        ("keypoint_estimation", {"detections": [[[1, 2]] * 17], "scores": [[1] * 17]}, "for 1 people, but 2 have"),
        ("keypoint_estimation", {"detections": [[[1, 2]] * 9] * 2, "scores": [[1] * 17] * 2}, "17 keypoints"),
        ("keypoint_estimation", {"detections": [[[1, 2]] * 17] * 2, "scores": [[1] * 3] * 2}, "17 scores"),
        ("person_parsing", {"detections": [{"size": [20, 30], "counts": "l<"}], "scores": [1]}, "[30, 20]"),
        ("person_parsing", {"detections": [{"size": [30, 20], "counts": "Ph4"}], "scores": [1]}, "do not fill 30 x 20"),
        ("person_parsing", {"detections": [[[True]]], "scores": [1]}, "1 x 1 for a picture of 30 x 20"),
        ("body_parts_detection", {"scores": []}, "has no 'detections'"),
        ("body_parts_detection", {"detections": [{}]}, "for 1 people, but 2 have"),
        ("body_parts_detection", {"detections": [1, 2]}, "a probability for each part of each person"),
        ("body_parts_detection", {"detections": [{"Tail": 1}, {}]}, "a part that is not among FHIBE's 30"),
        ("body_parts_detection", {"detections": [{"Hand": 1.5}, {}]}, "not a number from 0 to 1"),
        ("body_parts_detection", {"detections": [{"Hand": True}, {}]}, "not a number from 0 to 1"),
        ("face_parsing", {"detections": {}}, "has 'detections' that are not a list"),
        ("face_parsing", {"detections_rle": []}, "has 'detections_rle' that are not an object"),
        ("face_parsing", {"detections_rle": {"19": FULL}}, "labels that are not 0 to 18"),
        ("face_parsing", {"detections_rle": {"01": FULL}}, "labels that are not 0 to 18"),
        ("face_parsing", {"detections_rle": {"1": FULL, "2": FULL}}, "two labels to one pixel"),
        ("face_parsing", {"detections_rle": {"1": {"size": [8, 9], "counts": "0h2"}}}, "[8, 8]"),
        ("face_parsing", {"detections": [[1] * 8] * 7}, "8 rows of 8 labels"),
        ("face_parsing", {"detections": [[1] * 8] * 7 + [[1]]}, "8 rows of 8 labels"),
        ("face_parsing", {"detections": [[1.5] * 8] * 8}, "8 rows of 8 labels"),
        ("face_parsing", {"detections": [[19] * 8] * 8}, "labels that are not 0 to 18"),
        ("face_verification", {"detections": [0.0, 0]}, "without a direction"),
        ("face_verification", {"detections": [[1, 2]]}, "a vector of numbers"),
        ("face_verification", {"detections": [0.5] * 70000}, "more than 65536 numbers"),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("error")
def test_entries_that_can_t_be_right_are_refused(ours, task, entry, message):
    prefix = "faces_crop_and_align" if formats.FORMATS[task].kind == "face_aligned" else "main"
    with pytest.raises(AccordError) as error:
        ours.taken(task, json.dumps({ours.path("a", "x", prefix): entry}))
    assert f"{Path(ours.path('a', 'x', prefix)).name}: " in str(error.value)
    assert message in str(error.value)


def labelled(world, labels):
    boxes = [[1, 2, 3 + n, 4] for n in range(len(labels))]
    return json.dumps(
        {world.path(i, "x"): {"detections": boxes, "scores": [0.5] * len(boxes), "labels": labels} for i in IMAGES}
    )


@pytest.mark.parametrize(
    ("labels", "named"),
    [
        (["person"], '"person" (3)'),
        ([1], "1 (3)"),
        (["car", "persons", "persons", "dog"], '"persons" (6), "car" (3), "dog" (3)'),
    ],
)
def test_labels_of_which_none_is_known_as_a_person_s_are_an_error(ours, labels, named):
    with pytest.raises(AccordError) as error:
        ours.taken("person_localization", labelled(ours, labels))
    assert f"has no detection of a person among {3 * len(labels)}: its labels are {named}" in str(error.value)
    assert "the label of people is 0 (the number)" in str(error.value)


def test_ignored_labels_are_counted_by_the_command(ours, capsys):
    Path("given.json").write_text(labelled(ours, [0, 17, 17]))
    call = ["check", "given.json", "--task", "person_localization", "--release", str(ours.root)]
    assert outputs_command.main(call) == 0
    assert "ignored 6 detections that are not of people: 17 (6)" in capsys.readouterr().out
    outputs_command.main([*call, "--json"])
    assert json.loads(capsys.readouterr().out)["ignored"] == {"17": 6}


def test_one_mistake_in_all_entries_is_one_problem(ours):
    file = {ours.path(i, "x"): {"detections": [[3, 2, 1, 4]], "scores": [1]} for i in IMAGES}
    with pytest.raises(AccordError) as error:
        ours.taken("face_localization", json.dumps(file))
    assert len(error.value.problems) == 1
    assert "ends before it starts: boxes are [x0, y0, x1, y1] (3 entries): " in str(error.value)


def test_a_file_of_shares_is_refused_as_a_whole(ours):
    file = {ours.path(i, "x"): {"detections": [[0.1, 0.2, 0.5, 1.0]], "scores": [1]} for i in IMAGES}
    with pytest.raises(AccordError, match=r"the points of 3 of 3 pictures lie within 0\.\.1: they look like shares"):
        ours.taken("face_localization", json.dumps(file))


LARGE = [Picture(f"i{n}", "", 1600, 1200, ("x",)) for n in range(8)]


def detected(*boxes):
    rows_of = [("m", f"i{n}", *map(float, box), 0.5, "face") for n, box in enumerate(boxes)]
    return rows(rows_of, Detections).drop(columns="model")


@pytest.mark.parametrize(
    ("boxes", "words"),
    [
        ([(0.1, 0.2, 0.5, 1.0)], "shares"),
        ([(10, 20, 50, 100)] * 3, "percent"),
        ([(10, 20, 50, 100)] * 2 + [(0.1, 0.1, 0.4, 0.4)], "percent"),
        ([(10, 20, 50, 100)] * 2, ""),  # two may lie there
        ([(10, 20, 50, 100)] * 7 + [(300, 20, 500, 100)], ""),
        ([(1400, 900, 2400, 1500)] * 5 + [(10, 20, 300, 400)] * 3, "were they made at another size"),
        ([(1400, 900, 2400, 1500)] * 4 + [(10, 20, 300, 400)] * 4, ""),
        ([(-50, -20, 1700, 1300)] * 8, ""),
        ([], ""),
    ],
)
def test_the_unit_of_a_file_is_told_by_all_of_its_pictures(boxes, words):
    told = units.mistake(detected(*boxes), LARGE)
    assert (words in told) if words else told == ""


ANNOTATED = {f"i{n}": np.array([[300.0 + 40 * n, 200, 250, 600]]) for n in range(6)}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda x, y, w, h: (x, y, x + w, y + h), ""),
        (lambda x, y, w, h: (x + 900, y, x + w + 900, y + h), ""),  # a bad model: no reading helps
        (lambda x, y, w, h: (y, x, y + h, x + w), "read as y, x, height, width in 6"),
        (lambda x, y, w, h: (x / 2, y / 2, (x + w) / 2, (y + h) / 2), "about 0.5 times its size in 6"),
        (lambda x, y, w, h: (x / 16, y / 12, (x + w) / 16, (y + h) / 12), "read as percent"),
    ],
)
def test_boxes_that_fit_only_when_read_otherwise_are_a_mistake(change, words):
    rows_of = detected(*(change(*ANNOTATED[f"i{n}"][0]) for n in range(6)))
    told = units.misread(rows_of, ANNOTATED, LARGE)
    assert (words in told and "fit annotated ones in 0 of 6 pictures" in told) if words else told == ""


def test_keypoints_have_units_too_and_may_lie_outside():
    def poses(x, y):
        return rows([("m", f"i{n}", "x", k, x, y, 0.5) for n in range(4) for k in (0, 11)], Poses).drop(columns="model")

    assert "percent" in units.mistake(poses(50.0, 40.0), LARGE)
    assert "shares" in units.mistake(poses(0.5, 0.4), LARGE)
    assert units.mistake(poses(800.0, 4000.0), LARGE) == ""


def test_a_number_that_is_none_is_refused(ours):
    with pytest.raises(AccordError, match=r"given\.json: contains NaN, which is not a number"):
        ours.taken("face_localization", f'{{"{ours.path("a", "x")}": {{"detections": [[NaN, 1, 2, 3]]}}}}')


def test_vectors_of_different_lengths_are_no_model_s(ours):
    faces = (("a", "x", 2), ("a", "y", 3), ("c", "z", 2))
    file = {ours.path(i, s, "faces_crop_and_align"): {"detections": [1.0] * n} for i, s, n in faces}
    with pytest.raises(AccordError, match=r"has vectors of different lengths: \[2, 3\]"):
        ours.taken("face_verification", json.dumps(file))


def empty(world: World, images=IMAGES) -> str:
    return json.dumps({world.path(image, "x"): {"detections": None, "scores": None} for image in images})


def test_the_file_must_be_the_one_that_was_stated(ours):
    with pytest.raises(AccordError, match=r"its outputs have sha256 .* but models.yaml has 000000000000"):
        ours.taken("face_localization", empty(ours), sha256="0" * 64)
    with pytest.raises(AccordError, match=r"its outputs are missing: looked for gone\.json"):
        ours.taken("face_localization", empty(ours), path="gone.json")
    with pytest.raises(AccordError, match="its outputs don't name a release"):
        ours.taken("face_localization", empty(ours), release=None)
    with pytest.raises(AccordError, match=r"version 9\.0\.0: is not in the vault"):
        ours.taken("face_localization", empty(ours), release="9.0.0")
    with pytest.raises(AccordError, match="image_embedding is not exchanged in files"):
        ours.taken("image_embedding", empty(ours))


def test_images_of_a_later_version_were_not_asked_about(ours):
    versions.record(ours.vault, {"version": "0.9.0"}, {"a": Digests("", ""), "b": Digests("", "")})
    old = identity.ids(versions.private(ours.vault, "0.9.0"))
    text = json.dumps({f"main_{old.image(i)}.png": {"detections": None, "scores": None} for i in "ab"})
    asked = ours.taken("person_localization", text, release="0.9.0").asked
    assert asked["image"].tolist() == ["a", "a", "b"]


def test_what_was_erased_since_is_passed_over(ours):
    text = empty(ours)
    versions.forget(ours.vault, VERSION, frozenset("c"))
    derivatives, people = (ours.inputs[name].query("image != 'c'") for name in ("derivatives", "people"))
    ours.inputs |= {"derivatives": derivatives, "people": people}
    assert ours.taken("person_localization", text).asked["image"].tolist() == ["a", "a", "b"]


def test_outputs_that_came_in_go_out_without_the_pictures_they_had_nothing_to_say_of(ours):
    _, asked = ours.predicted("person_localization")
    folder = ours.results / "evaluate" / "00"
    table.write(asked[asked["image"] != "a"], Evaluated, folder / "m.asked.parquet")
    made = export.export(ours.results, ours.vault, "m")
    assert sorted(made.entries) == sorted(ours.path(image, "x") for image in "bc")


def test_the_command_exports_and_checks(world, capsys):
    world.predicted("face_verification")
    flags = ["--results", str(world.results), "--vault", str(world.vault)]
    assert outputs_command.main(["export", "--model", "m", "--out", "out.json", *flags]) == 0
    assert "out.json: face_verification, 3 pictures\nThese vectors identify people." in capsys.readouterr().out
    assert Path("out.json").stat().st_mode & 0o777 == 0o600
    with pytest.raises(AccordError, match="already exists"):
        outputs_command.main(["export", "--model", "m", "--out", "out.json", *flags])
    check = ["check", "out.json", "--task", "face_verification", "--release", str(world.root)]
    assert outputs_command.main(check) == 0
    whole = Path("out.json").read_bytes()
    said = hashlib.sha256(whole).hexdigest()
    assert capsys.readouterr().out == f"out.json: 3 answers about 3 pictures\nsha256: {said}\n"
    Path("out.json").write_text('{"faces_crop_and_align_who.png": {}}')
    none = "1 problem found\n  - out.json: none of its 1 entries names one of 3 pictures: faces_crop_and_align_who.png"
    with pytest.raises(AccordError, match=none):
        outputs_command.main(check)
    given = json.loads(whole)
    Path("out.json").write_text(json.dumps({f"faces/{key(path).upper()}.png": one for path, one in given.items()}))
    with pytest.raises(AccordError, match="hint: ids seem to be written differently, in case"):
        outputs_command.main(check)
    first = next(iter(given))
    Path("out.json").write_text(json.dumps({first: given[first], "faces_crop_and_align_who.png": {}}))
    with pytest.raises(AccordError, match="2 problems found") as error:
        outputs_command.main(check)
    assert "lists 1 unknown file(s)" in str(error.value) and "has no entry for 2 pictures" in str(error.value)


def test_what_a_release_no_longer_holds_is_pruned_from_a_file(ours, capsys):
    Path("given.json").write_text(empty(ours))
    table_of = ours.root / fhibe.WHOLE_TABLE
    lines = [line for line in table_of.read_text().splitlines() if ours.ids.image("a") not in line]
    table_of.write_text("\n".join(lines) + "\n")
    prune = ["prune", "given.json", "--task", "person_localization", "--release", str(ours.root)]
    assert outputs_command.main(prune) == 0
    assert capsys.readouterr().out.startswith("given.json: 1 of 3 entries dropped\nsha256: ")
    assert json.loads(Path("given.json").read_text()) == json.loads(empty(ours, "bc"))
    assert Path("given.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("task", formats.FORMATS)
def test_entries_have_the_keys_under_which_the_api_looks(world, task):
    """os.path.join(data_rootdir, filepath); of face verification, of the face that it would have aligned anew."""
    world.predicted(task)
    kept = export.export(world.results, world.vault, "m").entries
    made = export.export(world.results, world.vault, "m", world.root)
    base = f"{world.root}/data/processed" if task == "face_verification" else f"{world.root}"
    told = {path: entry for path, entry in kept.items() if task != "face_verification" or entry["detections"]}
    assert list(made.entries) == [f"{base}/{path}" for path in sorted(told)]
    assert made.lacking == len(kept) - len(told)


def test_a_face_without_a_vector_has_no_entry_for_the_api(ours):
    """It counts with whatever has an entry, and stops at null."""
    ours.predicted("face_verification")
    folder = ours.results / "evaluate" / "00"
    vectors = table.read(folder / "m.parquet", Embeddings)
    table.write(vectors[vectors["subject"] != "y"], Embeddings, folder / "m.parquet")
    assert len(export.export(ours.results, ours.vault, "m").entries) == 3
    made = export.export(ours.results, ours.vault, "m", ours.root)
    assert (len(made.entries), made.lacking) == (2, 1)
    assert not any(ours.ids.subject("y") in path.rpartition("/")[2] for path in made.entries)


def test_the_api_s_folder_is_taken_as_it_is_given(ours):
    ours.predicted("person_localization")
    Path("here").symlink_to(ours.root)
    made = export.export(ours.results, ours.vault, "m", Path("here"))
    assert all(path.startswith(f"{Path.cwd()}/here/data/raw/") for path in made.entries)
    with pytest.raises(AccordError, match=r"gone: has no data/processed.*\n    hint: --root must be a release, or"):
        export.export(ours.results, ours.vault, "m", Path("gone"))


def test_the_people_of_a_view_are_answered_for_and_no_others(ours):
    """The API holds the first answer against the first row, so who is left out of its table has none."""
    ours.predicted("keypoint_estimation")
    view = ours.folder / "view"
    (view / fhibe.WHOLE_TABLE).parent.mkdir(parents=True)
    lines = (ours.root / fhibe.WHOLE_TABLE).read_text().splitlines(keepends=True)
    first = next(line for line in lines if ours.ids.image("a") in line)
    gone = [first, *(line for line in lines if ours.ids.image("c") in line)]
    (view / fhibe.WHOLE_TABLE).write_text("".join(line for line in lines if line not in gone))
    both = export.export(ours.results, ours.vault, "m", ours.root).entries
    one = export.export(ours.results, ours.vault, "m", view).entries
    assert [path.removeprefix(f"{view}/") for path in one] == sorted(ours.path(image, "x") for image in "ab")
    path = ours.path("a", "x")
    assert one[f"{view}/{path}"]["detections"] == both[f"{ours.root}/{path}"]["detections"][1:]


def test_a_part_that_a_model_did_not_speak_of_is_improbable_for_the_api(ours):
    """The API takes the parts of the first person for those of all."""
    ours.predicted("body_parts_detection")
    plain = export.export(ours.results, ours.vault, "m").entries
    made = export.export(ours.results, ours.vault, "m", ours.root).entries
    people = [(given, told) for path in plain for given, told in
              zip(plain[path]["detections"], made[f"{ours.root}/{path}"]["detections"], strict=True)]  # fmt: skip
    parts = {part for given, _ in people for part in given}
    assert len({len(given) for given, _ in people}) > 1 and all(set(told) == parts for _, told in people)
    assert all(told[part] == given.get(part, 0) for given, told in people for part in parts)


def aligned(world: World, faces: str, vector=(1.0, 0.0)) -> str:
    return json.dumps({
        f"/data/processed/{world.path(image, subject, 'faces_crop_and_align')}": {"detections": vector}
        for image, subject in faces.split()
    })  # fmt: skip


@pytest.fixture
def pairs(shard, tmp_path, monkeypatch) -> World:
    """Two people with two faces of their own each, one with a face of their own, and two who share an image."""
    monkeypatch.chdir(tmp_path)
    for image, subjects in (("d", "z"), ("e", "v"), ("f", "v"), ("g", "w"), ("h", "vw")):
        shard.picture(image, np.zeros((*TALL, 3), np.uint8))
        for subject in subjects:
            shard.picture(image, np.zeros((8, 8, 3), np.uint8), "face_aligned", subject)
            shard.person(image, subject, face=(1, 2, 3, 4), person=(1, 1, 9, 9))
    monkeypatch.setattr(sys.modules[__name__], "IMAGES", tuple("abcdefgh"))
    return World(tmp_path, shard, True)


ASKED = "cz dz ev fv"
"""By the API's protocol: of no image with two people, and of nobody with one face."""


def test_faces_that_the_api_s_verification_drops_were_not_asked_about(pairs):
    found = pairs.taken("face_verification", aligned(pairs, ASKED))
    assert [f"{row.image}{row.subject}" for row in found.asked.itertuples()] == ASKED.split()
    assert found.predictions.rows["image"].tolist() == ["c", "d", "e", "f"]


@pytest.mark.parametrize(
    ("faces", "missing"),
    [("cz dz ev", 1), (f"{ASKED} gw", 4), (f"{ASKED} ax ay hv hw", 1), ("", 9)],
)
def test_other_faces_that_are_missing_are_told(pairs, faces, missing):
    """One that the protocol asks about; and where one that it drops is there, all others of these."""
    with pytest.raises(AccordError, match=f"has no entry for {missing} pictures"):
        pairs.taken("face_verification", aligned(pairs, faces))


def test_a_shard_may_have_no_face_that_the_api_asks_about(pairs):
    text = aligned(pairs, ASKED)
    for name in ("derivatives", "people"):
        pairs.inputs[name] = pairs.inputs[name].query("image in ('a', 'b', 'h')")
    assert len(pairs.taken("face_verification", text).asked) == 0
    with pytest.raises(AccordError, match="has no entry for 4 pictures"):
        pairs.taken("face_verification", "{}")


def test_all_faces_are_asked_about_where_all_are_there(pairs):
    found = pairs.taken("face_verification", aligned(pairs, f"{ASKED} ax ay gw hv hw"))
    assert len(found.asked) == 9


@pytest.mark.parametrize("task", ["person_localization", "face_localization"])
def test_pictures_that_a_view_leaves_out_were_not_asked_about(ours, task):
    people = ours.inputs["people"]
    people.loc[people["image"] == "b", "age"] = pd.NA
    found = ours.taken(task, empty(ours, "ac"))
    assert set(found.asked["image"]) == {"a", "c"}
    people.loc[:, "age"] = 30
    people.loc[people["image"] == "b", "face_x"] = np.nan
    assert "b" not in set(ours.taken(task, empty(ours, "ac")).asked["image"])
    people.loc[:, "face_x"] = 1.0
    with pytest.raises(AccordError, match="has no entry for 1 pictures"):
        ours.taken(task, empty(ours, "ac"))


def test_the_command_says_what_the_api_left_out(ours, capsys):
    table_of = ours.root / fhibe.WHOLE_TABLE
    lines = table_of.read_text().splitlines()
    ages = ["" if ours.ids.image("b") in line else "30" for line in lines[1:]]
    rows_of = [f"{line},{age}" for line, age in zip(lines, ["age", *ages], strict=True)]
    table_of.write_text("\n".join(rows_of) + "\n")
    Path("given.json").write_text(empty(ours, "ac"))
    assert (
        outputs_command.main(["check", "given.json", "--task", "person_localization", "--release", str(ours.root)]) == 0
    )
    told = capsys.readouterr().out.splitlines()
    assert told[:3] == [
        "given.json: 0 answers about 2 pictures",
        "no entry for 1 pictures that the FHIBE Evaluation API leaves out",
        "the model detects nobody in any of 2 pictures: is this right?",
    ]


def test_the_command_exports_for_the_api(ours, capsys):
    ours.predicted("face_verification")
    flags = ["--results", str(ours.results), "--vault", str(ours.vault), "--root", str(ours.root)]
    assert outputs_command.main(["export", "--model", "m", "--out", "out.json", *flags]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[1] == f"data_rootdir: {ours.root}"
    assert told[0].startswith("out.json: face_verification, ") and told[0].endswith(" pictures")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["check", "x", "--task", "mind_reading", "--release", "."], "is not exchanged in files"),
        (["check", "gone", "--task", "person_parsing", "--release", "."], "gone: does not exist"),
        (["check", "given", "--task", "person_parsing", "--release", "."], "has no data/processed"),
        (["export", "--model", "m", "--out", "o"], "run the workflow first"),
        (["export", "--model", "../m", "--out", "o"], "run the workflow first"),
    ],
)
def test_the_command_says_what_is_not_there(tmp_path, monkeypatch, flags, message):
    monkeypatch.chdir(tmp_path)
    Path("given").write_text("{}")
    with pytest.raises(AccordError, match=message):
        outputs_command.main(flags)


def test_another_vault_knows_no_release(ours, tmp_path):
    ours.predicted("person_localization")
    with pytest.raises(AccordError, match=r"version 1\.0\.0: is not in the vault\n    hint: give the vault"):
        export.export(ours.results, tmp_path / "other", "m")
    with pytest.raises(AccordError, match=r"model who: .*has no predictions by it\n    hint: the results have m"):
        export.export(ours.results, ours.vault, "who")


def test_the_step_writes_the_table_of_the_task_with_its_provenance(ours):
    text = empty(ours)
    Path("given.json").write_text(text)
    told = {"path": "given.json", "sha256": hashlib.sha256(text.encode()).hexdigest(), "release": VERSION}
    model = json.dumps({"name": "m", "task": "person_parsing", "outputs": told})
    tables = [f"--{name}=results/release/00/{name}.parquet" for name in ("derivatives", "people")]
    outs = ["--out-predictions=made.parquet", "--out-asked=asked.parquet"]
    run_step("evaluate.outputs", [*tables, f"--model={model}", f"--vault={ours.vault}", *outs])
    assert len(table.read(Path("made.parquet"), Masks)) == 0
    assert provenance.of(Path("made.parquet"))["params"]["model"]["outputs"] == told
    assert len(table.read(Path("asked.parquet"), Evaluated)) == 4


def test_the_entry_that_the_documentation_shows_fits_the_schema(tmp_path):
    root = Path(__file__).parents[2]
    block = re.search(r"```yaml\n(.*?)```", (root / "docs/exchange.md").read_text(), re.DOTALL)[1]
    path = tmp_path / "models.yaml"
    path.write_text(block.replace("sha256: ...", "sha256: " + "a" * 64))
    found = registry.read(
        {"models": str(path), "run": ["their_detector"]}, root / "workflow/schemas/models.schema.yaml"
    )
    assert found.pattern("outputs") == "their_detector"


def test_coco_s_keypoints_are_those_that_are_scored():
    assert formats.NUMBERS == BLAZEPOSE


def test_outputs_of_an_archive_in_another_format_are_told(shard, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    world = World(tmp_path, shard, ours=False)
    (world.root / fhibe.WHOLE_TABLE).unlink()
    with pytest.raises(AccordError, match="model m: its outputs can't be of this archive"):
        world.taken("person_localization", "{}")
