"""Agreement of annotators: similarities against pycocotools, and a sample in which some draw worse than others."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools import mask as coco
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from accord.checks import annotation_agreement
from accord.checks.agreement import passes
from accord.checks.agreement import similarities as alike
from accord.checks.tables.findings import Decisions
from accord.checks.tables.summary import Drawn
from accord.engine import table
from accord.errors import AccordError
from accord.imaging.boxes import corners
from accord.imaging.keypoints import BLAZEPOSE
from accord.intake.tables import Attributes, Keypoints, People, Segments
from accord.shards import opaque_id

SKIN = [f"{i}. {rgb}" for i, rgb in enumerate(("[102, 78, 65]", "[136, 105, 81]", "[164, 131, 103]"))]
HAIR = ["0. None", "1. Very light blond", "2. Light blond"]
PEOPLE = 24
side = st.floats(1, 40)
box = st.tuples(st.floats(0, 50), st.floats(0, 50), side, side)


@given(box, box)
def test_boxes_overlap_as_in_coco(left, right):
    ours = alike.box_iou(*(alike.box_of(corners(*one)) for one in (left, right)))
    assert ours == pytest.approx(float(coco.iou([list(left)], [list(right)], [0])[0, 0]), abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_masks_overlap_as_pixels_do(seed):
    rng = np.random.default_rng(seed)
    pixels = [rng.random((9, 7)) < share for share in (0.4, 0.6, 0.5)]
    masks = [coco.encode(np.asfortranarray(one.astype(np.uint8))) for one in pixels]
    shared, both = (pixels[0] & pixels[1]).sum(), (pixels[0] | pixels[1]).sum()
    assert alike.mask_iou(*masks[:2]) == pytest.approx(shared / both)
    assert alike.dice(*masks[:2]) == pytest.approx(2 * shared / (pixels[0].sum() + pixels[1].sum()))
    majority = np.sum(pixels, axis=0) >= 2
    assert alike.mean_mask(masks) == coco.encode(np.asfortranarray(majority.astype(np.uint8)))


def test_empty_masks_agree():
    nothing = alike.mask_of([], 5, 5)
    assert (alike.mask_iou(nothing, nothing), alike.dice(nothing, nothing)) == (1, 1)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_oks_is_that_of_coco(seed):
    rng = np.random.default_rng(seed)
    reference = {n: tuple(rng.uniform(0, 100, 2)) for n in BLAZEPOSE if rng.random() < 0.7}
    found = {n: tuple(rng.uniform(-15, 15, 2) + reference.get(n, (0, 0))) for n in BLAZEPOSE}
    if not reference:
        assert np.isnan(alike.points_oks(found, reference, 900.0))
        return
    truth, guess = COCO(), COCO()
    flat = [
        [v for n in BLAZEPOSE for v in (*points.get(n, (0, 0)), 2.0 * (n in points))] for points in (reference, found)
    ]
    common = {"id": 1, "image_id": 1, "category_id": 1, "area": 900.0, "bbox": [0, 0, 100, 100], "iscrowd": 0}
    for coco_set, keypoints in zip((truth, guess), flat, strict=True):
        coco_set.dataset = {
            "images": [{"id": 1}],
            "categories": [{"id": 1}],
            "annotations": [common | {"keypoints": keypoints, "num_keypoints": len(reference), "score": 1.0}],
        }
        coco_set.createIndex()
    judge = COCOeval(truth, guess, "keypoints")
    judge._prepare()
    assert alike.points_oks(found, reference, 900.0) == pytest.approx(float(judge.computeOks(1, 1)[0, 0]))


def test_a_keypoint_that_one_lacks_counts_nothing():
    one, two = {0: (5.0, 5.0), 2: (8.0, 4.0)}, {0: (5.0, 5.0)}
    assert alike.points_oks(one, two, 100.0) == 1
    assert alike.points_oks(one, two, 100.0, both=True) == alike.points_oks(two, one, 100.0, both=True) == 0.5


def test_means_of_several():
    assert alike.mean_box([(0, 0, 10, 10), (2, 2, 12, 12), (1, 4, 14, 8)]) == pytest.approx((1, 2, 12, 10))
    assert alike.mean_points([{0: (0.0, 0.0), 1: (9.0, 9.0)}, {0: (2.0, 4.0)}, {}]) == {0: (1, 2)}
    sets = [frozenset("ab"), frozenset("a"), frozenset("ac")]
    assert alike.mean_values(sets, multiple=True) == {"a"}
    assert alike.mean_values([frozenset("a"), frozenset("b"), frozenset("b")], multiple=False) == {"b"}
    assert alike.mean_values([frozenset("a"), frozenset("b")], multiple=False) == frozenset()
    assert alike.jaccard(frozenset("ab"), frozenset("bc")) == pytest.approx(1 / 3)


@pytest.fixture
def sampled(images, tmp_path):
    """24 people, one image each: two annotators of acme, two of bolt (10 px off, and guessing), three reviewers."""
    rng = np.random.default_rng(6)
    names = [(f"IMG{i}", f"S{i}") for i in range(PEOPLE)]
    ids = [(opaque_id("acme", "2026-03", i), opaque_id("acme", s)) for i, s in names]
    faces = rng.uniform(100, 200, (PEOPLE, 2))
    truth = rng.integers(3, size=PEOPLE)
    pronouns = [f"{i % 2}. x" for i in range(PEOPLE)]

    def face(i, spread):
        return [*(faces[i] + rng.normal(0, spread, 2)), 80.0, 100.0]

    people = [(*ids[i], True, 40, *face(i, 1), *[None] * 4, "a1") for i in range(PEOPLE)]
    said = [(*ids[i], "apparent_skin_color", SKIN[truth[i]], "a1") for i in range(PEOPLE)]
    said += [(*ids[i], "apparent_hair_color", HAIR[truth[i]], "a1") for i in range(PEOPLE)]
    said += [(*ids[i], "pronoun", pronouns[i], "") for i in range(PEOPLE)]
    lines = [",".join(passes.COLUMNS)]
    for i, (image, subject) in enumerate(names):
        for by, of, spread in (("a2", "acme", 1), ("b1", "bolt", 10), ("b2", "bolt", 10)):
            start = f"acme,2026-03,{image},{subject},{by},{of},annotator"
            lines.append(f"{start},face_box,0,,{' '.join(map(str, corners(*face(i, spread))))}")
            told = truth[i] if of == "acme" else rng.integers(3)
            lines.append(f'{start},apparent_skin_color,0,"{SKIN[told]}",')
            lines.append(f'{start},apparent_hair_color,0,"{HAIR[told]}",')
    file = tmp_path / "passes.csv"
    file.write_text("\n".join(lines))
    decisions = [
        (
            f"i{i}/{turn}",
            0,
            "agreement",
            ids[i][0],
            f"face_box/{turn}",
            "uphold",
            "face_box",
            corners(*face(i, 1)),
            "0" * 64,
        )
        for i in range(PEOPLE)
        for turn in (1, 2, 3)
    ]
    drawn = [("agreement", "acme", *pair) for pair in ids]
    shots = [{"image": image, "subject": subject} for image, subject in ids]
    parts = {"people": (table.rows(people, People), People), "keypoints": (table.empty(Keypoints), Keypoints)}
    parts |= {"segments": (table.empty(Segments), Segments), "attributes": (table.rows(said, Attributes), Attributes)}
    return {
        "images": images(*shots),
        **{name: in_two(tmp_path / name, *one) for name, one in parts.items()},
        "drawn": table.rows(drawn, Drawn),
        "decisions": table.rows(decisions, Decisions),
        "passes": [file],
    }


def in_two(folder, rows, model):
    """Two files of one table."""
    folder.mkdir()
    paths = [folder / "first.parquet", folder / "second.parquet"]
    for path, own in zip(paths, (rows[::2], rows[1::2]), strict=True):
        table.write(own, model, path)
    return paths


def told(given, **changes):
    settings = {"names": ["pronoun"], "min_subjects": 10, "bootstraps": 200, "seed": 1} | changes
    made = annotation_agreement.run(**given, **settings)
    return made.set_index(["kind", "metric", "comparison", "vendor", "attribute", "group"]).sort_index()


def test_who_draws_worse_is_told(sampled):
    found = told(sampled)
    face = found.loc["face_box", "iou"]
    acme, bolt = (face.loc["against_reviewers", vendor, "all", "all"] for vendor in ("acme", "bolt"))
    assert acme["value"] > 0.94
    assert bolt["value"] < acme["low"]
    assert (acme["low"], bolt["low"]) < (acme["value"], bolt["value"]) < (acme["high"], bolt["high"])
    assert acme[["pairs", "images", "subjects"]].tolist() == [2 * PEOPLE, PEOPLE, PEOPLE]
    assert face.loc["against_reviewers", "all", "all", "all"]["pairs"] == 4 * PEOPLE
    assert face.loc["within_vendor", "acme", "all", "all"]["pairs"] == PEOPLE
    assert face.loc["between_vendors", "all", "all", "all"]["pairs"] == 4 * PEOPLE
    assert face.loc["reviewers", "all", "all", "all"]["pairs"] == 3 * PEOPLE
    groups = face.loc["against_reviewers", "acme", "pronoun"]
    assert groups["pairs"].sum() == 2 * PEOPLE


def test_what_is_said_agrees_within_one_vendor_and_not_in_the_other(sampled):
    found = told(sampled)
    skin = found.loc["apparent_skin_color", "alpha_ordinal"]
    assert skin.loc["within_vendor", "acme", "all", "all"]["value"] == 1
    assert abs(skin.loc["within_vendor", "bolt", "all", "all"]["value"]) < 0.5
    between = skin.loc["between_vendors", "all", "all", "all"]
    assert 0 < between["value"] < 0.9
    assert between["low"] < between["value"] < between["high"]
    jaccard = found.loc["apparent_hair_color", "jaccard"]
    assert jaccard.loc["within_vendor", "acme", "all", "all"]["value"] == 1
    assert "alpha_nominal" not in found.loc["apparent_hair_color"].index.get_level_values(0)


def test_small_groups_are_told_without_a_figure(sampled):
    found = told(sampled, min_subjects=20)
    row = found.loc["face_box", "iou", "reviewers", "all", "pronoun", "0. x"]
    assert row["note"] == "12 subjects, fewer than 20"
    assert row["pairs"] == 36
    assert np.isnan(row["value"])


def test_the_order_of_rows_has_no_say(sampled):
    mixed = {
        name: rows[::-1] if isinstance(rows, list) else rows.sample(frac=1, random_state=2).reset_index(drop=True)
        for name, rows in sampled.items()
    }
    lines = sampled["passes"][0].read_text().splitlines()
    sampled["passes"][0].write_text("\n".join([lines[0], *reversed(lines[1:])]))
    assert told(mixed).equals(told(sampled))


def test_without_a_second_drawing_there_is_nothing_to_say(sampled):
    alone = sampled | {"passes": [], "decisions": table.empty(Decisions)}
    assert told(alone).empty


def test_people_whom_consent_keeps_back_are_left_out(sampled):
    kept = sampled | {"images": sampled["images"].iloc[:14]}
    assert told(kept).loc["face_box", "iou", "reviewers", "all", "all", "all"]["images"] == 14


def test_one_reviewer_is_no_mean(sampled):
    one = sampled["decisions"][sampled["decisions"]["region"] == "face_box/1"]
    assert "against_reviewers" not in told(sampled | {"decisions": one}).index.get_level_values("comparison")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("acme,d,i,s,a,acme,annotator,face_box,0,,1 2 3", "has a value or polygon that does not match its kind"),
        ("acme,d,i,s,a,acme,annotator,face_box,0,,1 2 3 nan", "has a value or polygon that does not match its kind"),
        ("acme,d,i,s,a,acme,annotator,shoe,0,,1 2 3 4", "has an unknown kind"),
        ("acme,d,i,s,a,acme,reviewer,face_box,0,,1 2 3 4", "has no matching role"),
        ("acme,d,i,s,a,acme,annotator,face_box,-1,,1 2 3 4", "has a part that is not a number"),
        ("acme,d,,s,a,acme,annotator,face_box,0,,1 2 3 4", "lacks a vendor, delivery, image or annotator"),
        ("acme,d,i,s,a,acme,annotator,scene,0,anywhere,", "has a value or polygon that does not match its kind"),
        ("acme,d,i", "has 3 cells instead of 11"),
    ],
)
def test_a_broken_line_is_told(tmp_path, line, problem):
    file = tmp_path / "secret-name.csv"
    file.write_text(",".join(passes.COLUMNS) + "\n" + line)
    with pytest.raises(AccordError) as error:
        passes.read([file])
    assert f"checks.passes[0]:2: {problem}" in str(error.value)
    assert "secret" not in str(error.value)


def test_a_broken_file_is_told(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"\n\xff")
    (tmp_path / "b.csv").write_text("x,y\n1,2")
    (tmp_path / "c.csv").write_text(";".join(passes.COLUMNS))
    with pytest.raises(AccordError) as error:
        passes.read([tmp_path / f"{name}.csv" for name in ("a", "b", "none", "c")])
    assert "checks.passes[0]: is not valid CSV in UTF-8 (line 2: byte 0xff)" in str(error.value)
    assert "checks.passes[1]: has the wrong columns" in str(error.value)
    assert "checks.passes[2]: can't be read as a file of annotations (FileNotFoundError)" in str(error.value)
    assert "checks.passes[3]: looks separated by semicolons, not commas" in str(error.value)
