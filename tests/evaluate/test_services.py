"""From a release's pictures to what recognition services say of pairs of faces: queries, faces, pairs, confidences."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.consent.tables import Permits
from accord.engine import table
from accord.errors import AccordError
from accord.evaluate import (
    queries,
    service_boxes,
    service_confidences,
    service_faces,
    service_pairs,
    service_templates,
)
from accord.evaluate.serving import grouped, mixing, one_face, pairing
from accord.evaluate.tables.predictions import Detections, Embeddings
from accord.evaluate.tables.services import FaceIds, FacePairs, Queries, Unseen
from accord.imaging.face_squares import square
from accord.release.tables import Terms

STUB = """
import numpy as np
from accord.models.protocols import Boxes

class Stub:
    def __init__(self, weights, nan=False):
        self.nan = nan

    def detect(self, pictures):
        # A box over the picture's edge, and one that lies outside of it.
        boxes = np.array([[-5.0, 2, 12, 14], [900, 900, 950, 950]]) * (np.nan if self.nan else 1)
        return [Boxes(boxes, np.array([0.9, 0.8]), ["face"] * 2) for _ in pictures]

    def embed(self, pictures):
        return [None if p.mean() < 10 else np.array([p.mean(), 100.0]) for p in pictures]
"""


@pytest.fixture
def service(tmp_path):
    (tmp_path / "stubs.py").write_text(STUB)

    def made(**options) -> dict:
        part = {"adapter": f"{tmp_path}/stubs.py:Stub", "weights": {}, "batch": 2, "options": options}
        parts = {"detector": {"name": "d", "task": "face_localization", **part}}
        parts["embedder"] = {"name": "e", "task": "face_verification", **part, "options": {}}
        return {"name": "stub", "task": "face_service", "batch": 2, "service": parts}

    return made


def pictures(**counts: int) -> pd.DataFrame:
    """So many pictures of each subject."""
    return pd.DataFrame(
        [(f"{subject}{number:02d}", subject) for subject, count in counts.items() for number in range(count)],
        columns=["image", "subject"],
    )


# Queries


def test_who_has_too_few_pictures_lends_them():
    found = mixing.mixed(pictures(a=10, b=8, c=3, d=2), 0.25, 8, seed=1)
    own = found[found["query"] == found["subject"]]
    assert own.groupby("query").size().to_dict() == {"a": 10, "b": 8}
    assert found[found["query"] != found["subject"]].groupby("query").size().to_dict() == {"a": 2, "b": 2}


def test_where_lenders_are_too_few_people_become_lenders_and_one_query_stays():
    found = mixing.mixed(pictures(a=10, b=10, c=10), 0.5, 8, seed=1)
    assert found["query"].nunique() == 2 and len(found) == 30
    assert mixing.mixed(pictures(a=10), 5.0, 8, seed=1)["query"].tolist() == ["a"] * 10
    assert mixing.mixed(pictures(a=7), 5.0, 8, seed=1).empty and mixing.mixed(pictures(), 0.3, 8, seed=1).empty


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 14), min_size=1, max_size=12), st.floats(0, 1), st.integers(0, 99))
def test_a_picture_is_in_one_query_and_the_order_of_rows_changes_nothing(counts, impostors, seed):
    some = pictures(**{f"s{place:02d}": count for place, count in enumerate(counts)})
    found = mixing.mixed(some, impostors, 8, seed)
    assert found["image"].is_unique
    own = found["query"] == found["subject"]
    assert not set(found.loc[~own, "subject"]) & set(found["query"])
    for query, of in found.groupby("query"):
        assert (of["subject"] != query).sum() <= round(impostors * (of["subject"] == query).sum())
    turned = mixing.mixed(some.sample(frac=1, random_state=seed), impostors, 8, seed)
    pd.testing.assert_frame_equal(found, turned)


def test_pictures_of_one_lender_come_into_different_queries():
    found = mixing.mixed(pictures(a=8, b=8, c=8, d=3), 0.125, 8, seed=2)
    lent = found[found["subject"] == "d"]
    assert lent["query"].nunique() == 3


def test_pictures_without_consent_or_release_are_in_no_query(shard, tmp_path):
    for number in range(4):
        shard.person(f"i{number}", "s", face=(1, 1, 5, 5))
    shard.person("i3", "guest")
    people = shard.inputs()["people"].assign(is_primary=lambda rows: rows["subject"] == "s")
    verdicts = pd.DataFrame({"image": [f"i{n}" for n in range(4)], "verdict": ["fail", *["pass"] * 3]})
    agreed = [(f"i{number}", "s", "biometric") for number in (0, 2, 3)]
    table.write(table.rows(agreed, Permits), Permits, tmp_path / "permits.parquet")
    how = {"impostors": 0.0, "min_faces": 1, "seed": 1}
    assert queries.run(people, verdicts, [tmp_path / "permits.parquet"], **how)["image"].tolist() == ["i2"]
    assert queries.run(people, verdicts, [], **how)["image"].tolist() == ["i1", "i2", "i3"]


# Faces


def face(x: float, *others: float) -> np.ndarray:
    """Boxes of 10 x 10 px from x on."""
    return np.array([[one, 0, one + 10, 10] for one in (x, *others)], float)


NONE = np.zeros((0, 4))


@pytest.mark.parametrize(
    ("found", "note"),
    [
        ({"a": face(0), "b": face(4)}, ""),  # IoU 6 / 14 = 0.43
        ({"a": face(0), "b": face(5)}, "found elsewhere by a, b"),  # 5 / 15 = 0.33
        ({"a": face(0), "b": face(1), "c": face(90)}, "found elsewhere by c"),
        ({"a": face(0), "b": face(4), "c": face(8)}, "found elsewhere by a, c"),  # a and c: 2 / 18
        ({"a": face(0), "b": NONE}, "no face found by b"),
        ({"a": face(0, 50), "b": face(0)}, "several faces found by a"),
        ({"c": face(0, 1), "b": NONE, "a": NONE}, "no face found by a, b; several faces found by c"),
        ({"a": face(0)}, ""),
    ],
)
def test_a_picture_without_a_common_face_says_who_missed_it(found, note):
    assert one_face.missed(found, {}, "overlap", 0.4) == note


def test_single_asks_for_one_box_wherever_it_lies():
    assert one_face.missed({"a": face(0), "b": face(90)}, {}, "single", 0.4) == ""


def test_a_service_that_says_nothing_of_a_picture_did_not_miss_its_face():
    found = {"a": face(0), "b": NONE, "c": NONE, "d": face(0, 50)}
    unseen = {"b": "status 503", "e": "status 503"}
    assert one_face.missed(found, unseen, "overlap", 0.4) == (
        "not seen (status 503) by b, e; no face found by c; several faces found by d"
    )


def test_a_service_that_finds_no_faces_is_asked_about_those_of_the_others():
    wanted = table.rows([("q", "i1", "q"), ("q", "i2", "q")], Queries)
    boxes = table.rows([("a", image, 0, 0, 9, 9, 0.9, "face") for image in ("i1", "i2")], Detections)
    unseen = table.rows([("b", "i2", "no")], Unseen)
    found = service_faces.run(wanted, boxes, unseen, services=["b", "a"], blind=["b"], keep="overlap", iou=0.4)
    assert found[["image", "face", "service", "note"]].to_numpy().tolist() == [
        ["i1", "i1", "b", ""], ["i1", "i1", "a", ""],
        ["i2", "", "b", "not seen (no) by b"], ["i2", "", "a", "not seen (no) by b"],
    ]  # fmt: skip
    assert found["x1"].isna().tolist() == [True, False, True, False]


def test_faces_are_told_for_each_service():
    wanted = table.rows([("q", "i1", "q"), ("q", "i2", "other")], Queries)
    boxes = table.rows(
        [(s, i, 0, 0, 9, 9, 0.9, "face") for s, i in (("a", "i1"), ("b", "i1"), ("b", "i2"))], Detections
    )
    how = {"services": ["a", "b"], "blind": [], "keep": "overlap", "iou": 0.4}
    found = service_faces.run(wanted, boxes, table.empty(Unseen), **how)
    assert found[["image", "face", "service", "note"]].to_numpy().tolist() == [
        ["i1", "i1", "a", ""], ["i1", "i1", "b", ""],
        ["i2", "", "a", "no face found by a"], ["i2", "", "b", "no face found by a"],
    ]  # fmt: skip
    assert found["x1"].isna().tolist() == [False, False, True, False]


# Pairs


def test_all_pairs_within_and_as_many_across():
    faces = pd.DataFrame(
        [(query, f"{query}{number}") for query in "abc" for number in range(4)], columns=["query", "face"]
    )
    groups = pd.DataFrame({"attribute": "g", "group": ["x", "x", "y"], "query": list("abc")})
    found = pairing.pairs(faces, groups, seed=1)
    within, across = (found[found["pairs"] == kind] for kind in ("within", "across"))
    assert len(within) == 3 * 6 and (within["left"].str[0] == within["right"].str[0]).all()
    assert (across["left"].str[0] != across["right"].str[0]).all()
    of_x = across["left"].str[0].isin(["a", "b"]) & across["right"].str[0].isin(["a", "b"])
    assert 18 <= len(across) <= 18 + 12 + 3 * pairing.EACH and of_x.sum() >= 12


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=8), st.integers(0, 99))
def test_no_pair_comes_twice_and_none_is_asked_the_other_way_round(counts, seed):
    faces = pd.DataFrame(
        [(f"q{q}", f"q{q}f{n}") for q, count in enumerate(counts) for n in range(count)], columns=["query", "face"]
    )
    found = pairing.pairs(faces, pd.DataFrame(columns=["attribute", "group", "query"]), seed)
    keys = {frozenset(pair) for pair in zip(found["left"], found["right"], strict=True)}
    assert len(keys) == len(found) and all(len(key) == 2 for key in keys)
    possible = sum(one * other for one, other in combinations(counts, 2))
    wanted = sum(count * (count - 1) // 2 for count in counts)
    assert (found["pairs"] == "within").sum() == wanted
    # As many as within queries are drawn, as many at most of each two queries, and a quarter at most in blocks.
    most = 2 * wanted + wanted // pairing.PART
    assert min(wanted, possible) <= (found["pairs"] == "across").sum() <= min(most, possible)


def test_each_two_queries_are_compared_as_far_as_there_are_pairs_within():
    """6 queries of 10 faces: 270 pairs within, and 15 times two queries."""
    faces = pd.DataFrame([(f"q{q}", f"q{q}f{n}") for q in range(6) for n in range(10)], columns=["query", "face"])
    found = pairing.pairs(faces, pd.DataFrame(columns=["attribute", "group", "query"]), 1)
    across = found[found["pairs"] == "across"]
    counts = (across["left"].str[:2] + across["right"].str[:2]).value_counts()
    assert len(counts) == 15 and counts.min() >= pairing.EACH
    few = pd.DataFrame([(f"q{q:02d}", f"q{q:02d}f{n}") for q in range(40) for n in range(2)], columns=["query", "face"])
    found = pairing.pairs(few, pd.DataFrame(columns=["attribute", "group", "query"]), 1)
    assert (found["pairs"] == "across").sum() <= 2 * 40


def test_a_query_counts_in_the_group_of_most_of_its_own_pictures(shard):
    for number in range(4):
        shard.person(f"i{number}", "s")
    people = shard.inputs()["people"].assign(age=pd.array([29, 30, 31, 55], "Int64"))
    own = table.rows([("s", "i0", "s"), ("s", "i1", "s"), ("t", "i3", "s")], Queries)
    blank = pd.DataFrame(columns=["image", "subject", "attribute", "value"])
    assert grouped.groups(own, people, blank, ["age_group"])["group"].tolist() == []
    own = table.rows([("s", f"i{number}", "s") for number in range(3)], Queries)
    found = grouped.groups(own, people, blank, ["age_group"])
    assert found.to_numpy().tolist() == [["s", "age_group", "[30, 40)"]]


def test_pairs_are_of_common_faces_only(shard):
    shard.person("i1", "q")
    wanted = table.rows([("q", "i1", "q"), ("q", "i2", "q"), ("q", "i3", "q")], Queries)
    ids = [
        ("q", image, name, s, 0, 0, 1, 1, "") for image, name in (("i1", "i1"), ("i2", "i2"), ("i3", "")) for s in "ab"
    ]
    faces = table.rows([(*row[:-1], "" if row[2] else "no face found by a") for row in ids], FaceIds)
    blank = pd.DataFrame(columns=["image", "subject", "attribute", "value"])
    found = service_pairs.run(faces, wanted, shard.inputs()["people"], blank, names=["age_group"], seed=1)
    assert found.to_numpy().tolist() == [["i1", "i2", "within"]]


# Services


def grey(level: int) -> np.ndarray:
    return np.full((20, 30, 3), level, np.uint8)


def test_boxes_end_with_the_picture_and_only_pictures_of_queries_are_shown(shard, service, tmp_path):
    shard.picture("i1", grey(200))
    shard.picture("i2", grey(200))
    given = shard.inputs()
    wanted = table.rows([("q", "i1", "q")], Queries)
    files = {"derivatives": given["derivatives"], "terms": table.empty(Terms), "files": given["files"]}
    found = service_boxes.run(wanted, **files, service=service(), weights=tmp_path).boxes
    assert found[["model", "image", "x0", "y0", "x1", "y1"]].to_numpy().tolist() == [["stub", "i1", 0, 2, 12, 14]]


def test_boxes_that_are_not_finite_are_refused(shard, service, tmp_path):
    shard.picture("i1", grey(200))
    given = shard.inputs()
    wanted = table.rows([("q", "i1", "q")], Queries)
    files = {"derivatives": given["derivatives"], "terms": table.empty(Terms), "files": given["files"]}
    with pytest.raises(AccordError, match="stub: returned numbers that are not finite"):
        service_boxes.run(wanted, **files, service=service(nan=True), weights=tmp_path)


def test_templates_are_of_squares_around_the_services_own_boxes(shard, service, tmp_path):
    for image, level in {"i1": 200, "i2": 100, "i3": 0, "i4": 50}.items():
        shard.picture(image, grey(level))
    given = shard.inputs()
    ids = [("q", f"i{number}", f"i{number}" if number < 4 else "", s, 0, 0, 6, 6, "") for number in range(1, 5) for s in
           ("stub", "b")]  # fmt: skip
    faces = table.rows(ids, FaceIds)
    found = service_templates.run(faces, given["derivatives"], given["files"], service=service(), weights=tmp_path)
    assert found["image"].tolist() == ["i1", "i2"] and found["subject"].tolist() == ["q", "q"]
    expected = [np.array([level, 100]) / np.hypot(level, 100) for level in (200, 100)]
    np.testing.assert_allclose(np.stack(found["vector"]), expected, rtol=1e-6)


def test_confidences_are_cosines_and_say_where_there_is_none(service):
    vectors = {"i1": [1.0, 0.0], "i2": [0.6, 0.8], "i3": [0.0, 1.0]}
    templates = table.rows([("stub", image, "q", np.array(v, np.float32)) for image, v in vectors.items()], Embeddings)
    pairs = table.rows([("i1", "i2", "within"), ("i2", "i3", "across"), ("i1", "i9", "across")], FacePairs)
    found = service_confidences.run(pairs, templates, service=service())
    np.testing.assert_allclose(found["score"], [0.6, 0.8, np.nan], rtol=1e-6)
    assert found["status"].tolist() == ["", "", "made no template"] and found["version"].nunique() == 1
    other = service_confidences.run(pairs, templates, service=service(nan=True))
    assert set(found["version"]) != set(other["version"])
    assert service_confidences.run(pairs[:0], templates[:0], service=service()).empty


def test_without_any_template_no_pair_has_a_score(service):
    pairs = table.rows([("i1", "i2", "within")], FacePairs)
    assert service_confidences.run(pairs, table.empty(Embeddings), service=service())["score"].isna().all()


def test_a_square_holds_the_box_where_aligned_faces_have_it_and_goes_on_beyond_the_edge():
    picture = np.zeros((100, 200, 3), np.uint8)
    picture[40:52, 60:72] = 255
    found = square(picture, np.array([60.0, 40, 72, 52]))
    assert found.shape == (20, 20, 3)  # 12 / 0.6
    rows, columns = np.nonzero(found[:, :, 0])
    assert (rows.min(), rows.max() + 1, columns.min(), columns.max() + 1) == (6, 18, 4, 16)
    picture[:] = 7
    assert (square(picture, np.array([-50.0, -50, 12, 12])) == 7).all()
