"""Pictures of a subject that hardly differ, and subjects that are one person."""

import numpy as np
import pytest

from accord.checks.matching import strangers
from accord.checks.matching.strangers import cosines_of_strangers
from accord.checks.sameness import run
from accord.checks.tables.findings import Faces, Findings, Looks, Pairs
from accord.engine import table
from accord.errors import AccordError

LIMITS = {
    "same_subject_cosine": 0.9, "cross_subject_cosine": 0.7, "min_face_side": 32.0, "min_face_sharpness": 20.0,
    "min_face_brightness": 30.0,
}  # fmt: skip


def at(degree):
    return [float(np.cos(np.radians(degree))), float(np.sin(np.radians(degree)))]


@pytest.fixture
def tables(images, prints, tmp_path):
    """Arguments of the step, from (image, subject, degrees of its look), and (image, subject, degrees of the face)."""

    def make(pictures, faces=(), **quality):
        rows = [{"image": image, "subject": subject} for image, subject, _ in pictures]
        blank = {"points": b"", "descriptors": b"", "luma": b"\0", "luma_width": 1, "luma_scale": 1.0}
        seen = [{**row, "vector": at(look) * 5, **blank} for row, (*_, look) in zip(rows, pictures, strict=True)]
        table.write(table.rows(seen, Looks), Looks, tmp_path / "looks.parquet")
        good = {"side": 100.0, "sharpness": 500.0, "brightness": 120.0, **quality}
        known = [{"image": image, "subject": subject, "vector": at(face), **good} for image, subject, face in faces]
        return {
            "images": images(*rows), "fingerprints": prints(*rows), "looks": [tmp_path / "looks.parquet"],
            "faces": table.rows(known, Faces), "findings": table.empty(Findings), "pairs": table.empty(Pairs),
        }  # fmt: skip

    return make


def told(made):
    return sorted(zip(made.findings["image"], made.findings["check"], strict=True))


def test_pictures_that_hardly_differ_are_asked_about_but_for_their_medoid(tables):
    made = run(**tables([("a", "s", 0), ("b", "s", 15), ("c", "s", 30), ("d", "s", 90)]), **LIMITS)
    assert told(made) == [("a", "same_subject_near"), ("c", "same_subject_near")]
    assert made.findings["score"].tolist() == pytest.approx([np.cos(np.radians(15))] * 2)
    assert set(made.findings["verdict"]) == {"review"}
    assert made.findings["reason"][0] == "looks very similar to b of the same subject; do they differ enough?"
    assert made.pairs[["left", "right", "kind", "same_subject"]].values.tolist() == [
        ["a", "b", "same_subject", True],
        ["b", "c", "same_subject", True],
    ]


def test_looks_of_two_subjects_may_be_alike(tables):
    assert len(run(**tables([("a", "s", 0), ("b", "t", 0)]), **LIMITS).findings) == 0


TWO_IDS = ([("a", "s", 0), ("b", "s", 60), ("c", "t", 120), ("d", "t", 180), ("e", "t", 240)],
           [("a", "s", 0), ("c", "t", 20), ("d", "t", 200)])  # fmt: skip


def test_the_subject_with_fewer_images_is_in_doubt_with_all_of_them(tables):
    """b has no face to compare, and is told of all the same, with the face that is alike."""
    made = run(**tables(*TWO_IDS), **LIMITS)
    assert told(made) == [("a", "cross_subject"), ("b", "cross_subject")]
    assert (
        made.findings["reason"][0]
        == "its subject's face closely matches another subject, in c; are they the same person?"
    )
    assert made.findings["score"].tolist() == pytest.approx([np.cos(np.radians(20))] * 2)
    assert made.pairs[["left", "right", "kind", "same_subject"]].values.tolist() == [
        ["a", "c", "cross_subject", False],
        ["b", "c", "cross_subject", False],
    ]


@pytest.mark.parametrize("bad", [{"side": 20.0}, {"sharpness": 3.0}, {"brightness": 10.0}])
def test_faces_that_are_small_blurred_or_dark_are_not_compared(tables, bad):
    made = run(**tables(*TWO_IDS, **bad), **LIMITS)
    assert len(made.findings) == 0
    assert set(made.rates["comparisons"]) == {0}


def test_two_people_in_one_picture_are_two(tables):
    made = run(**tables([("a", "s", 0)], [("a", "s", 0), ("a", "t", 0)]), **LIMITS)
    assert len(made.findings) == 0


def test_images_that_are_gone_take_no_part(tables):
    given = tables(*TWO_IDS)
    given["findings"] = table.rows([("c", "duplicate_near", 1.0, 31.0, "fail", "why")], Findings)
    assert len(run(**given, **LIMITS).findings) == 0


def test_a_pair_that_is_known_keeps_its_kind(tables):
    given = tables([("a", "s", 0), ("b", "s", 10)])
    given["pairs"] = table.rows([("a", "b", "crop", 90, 40.0, True)], Pairs)
    made = run(**given, **LIMITS)
    assert made.pairs["kind"].tolist() == ["crop"]
    assert len(made.findings) == 0, "nothing is asked twice"


def test_the_order_of_rows_plays_no_part(tables):
    given = tables(*TWO_IDS)
    turned = {key: value[::-1] if key in ("images", "fingerprints", "faces") else value for key, value in given.items()}
    for one, other in zip(run(**given, **LIMITS), run(**turned, **LIMITS), strict=True):
        assert one.equals(other)


def test_rates_count_all_pairs_of_strangers(tables, monkeypatch):
    monkeypatch.setattr(strangers, "BLOCK", 3)
    faces = [(f"i{n}", f"s{n % 4}", 7 * n) for n in range(10)]
    given = tables([(image, subject, 0) for image, subject, _ in faces[:1]], faces)
    found = np.sort(np.concatenate(list(cosines_of_strangers(given["faces"]))))
    truth = [np.cos(np.radians(7 * (j - i))) for i in range(10) for j in range(i + 1, 10) if i % 4 != j % 4]
    assert found == pytest.approx(np.sort(truth), abs=1e-6)


def test_a_damaged_table_of_looks_is_told_by_its_file(tables):
    given = tables([("a", "s", 0), ("b", "s", 15)])
    (path,) = given["looks"]
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(AccordError, match=r"looks\.parquet: not a readable table"):
        run(**given, **LIMITS)


def test_without_anything_nothing_is_said(tables):
    made = run(**tables([]), **LIMITS)
    assert (len(made.findings), len(made.pairs), made.rates["resolved"].any()) == (0, 0, False)
