"""Annotation files: what is read, what is left out, what makes a file useless."""

import copy
import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.intake.delivered.delivery import SCHEMA
from accord.intake.reading import annotations
from accord.intake.reading.annotations import AnnotationError
from accord.intake.tables import REGION_KINDS

WHOLE = {
    "image": "IMG_1",
    "people": [
        {
            "subject": "ann",
            "face_bbox": [1, 2, 3, 4],
            "person_bbox": [0.5, 1, 9, 9],
            "keypoints": {"0. Nose": [4, 5, 1], "2. Right eye": [3.5, 4, 0]},
            "segments": [{"class_name": "6. Head hair", "num": 2,
                          "polygon": [{"x": 0, "y": 0}, {"x": 4, "y": 0}, {"x": 4, "y": 3}]}],
            "annotators": {"face_bbox": "a1"},
        }
    ],
    "regions": [{"region": "r1", "kind": "card", "polygon": [[0, 0], [2, 0], [2, 2]], "annotator": "a2"}],
}  # fmt: skip
JSON_SCHEMA = json.loads(SCHEMA.with_name("delivery-annotation.schema.json").read_text())


def changed(path, value):
    document = copy.deepcopy(WHOLE)
    *parents, last = path
    inner = document
    for part in parents:
        inner = inner[part]
    inner[last] = value
    return document


def parsed(document):
    return annotations.parse(json.dumps(document).encode(), "IMG_1")


def test_a_whole_file_is_read():
    found = parsed(WHOLE)
    person = found.people[0]
    assert found.dropped == []
    assert (person.subject, person.face, person.body) == ("ann", (1, 2, 3, 4), (0.5, 1, 9, 9))
    assert person.keypoints == [(0, 4, 5, True), (2, 3.5, 4, False)]
    assert person.segments == [(6, 2, [0, 0, 4, 0, 4, 3])]
    assert person.annotators == {"face_bbox": "a1"}
    assert found.regions == [("r1", "card", [0, 0, 2, 0, 2, 2], "a2")]


PERSON = ("people", 0)
NO_SEGMENT = "a segment has an unknown class, no number of its own, or no polygon"
DROPPED = [
    ((*PERSON, "face_bbox"), [1, 2, 0, 4], "a face_bbox is not [x, y, width, height] in px"),
    ((*PERSON, "face_bbox"), [1, 2, 3], "a face_bbox is not [x, y, width, height] in px"),
    ((*PERSON, "person_bbox"), [True, 1, 2, 3], "a person_bbox is not [x, y, width, height] in px"),
    ((*PERSON, "person_bbox"), [1e7, 1, 2, 3], "a person_bbox is not [x, y, width, height] in px"),
    ((*PERSON, "keypoints"), {"0. Tail": [1, 2, 1]}, "a keypoint has an unknown name, or is not [x, y, visible]"),
    ((*PERSON, "keypoints"), {"0. Nose": [1, 2, 7]}, "a keypoint has an unknown name, or is not [x, y, visible]"),
    ((*PERSON, "segments", 0, "class_name"), "6. Fur", NO_SEGMENT),
    ((*PERSON, "segments", 0, "polygon"), [[1, 2], [3, 4]], NO_SEGMENT),
    ((*PERSON, "segments", 0, "num"), 0, NO_SEGMENT),
]  # fmt: skip
USELESS = [
    (("image",), "IMG_2", "the file is about another image"),
    (("people",), {}, "`people` is not a list"),
    (("people",), [WHOLE["people"][0]] * 101, "`people` has 101 entries, more than 100"),
    (("regions",), [WHOLE["regions"][0]] * 1001, "`regions` has 1001 entries, more than 1000"),
    (("regions", 0), "card", "region 1 of 1 is not a JSON object"),
    (("regions", 0, "polygon", 1), [1e7, 2], "region 1 of 1 has a coordinate farther out than 1000000 px"),
    (("regions", 0, "polygon"), [[0, 0]] * 50_001, "region 1 of 1 has a polygon of 50001 points, more than 50000"),
    (("regions", 0, "region"), "r" * 201, "region 1 of 1 has a name of more than 200 letters"),
    (("people",), [WHOLE["people"][0]] * 2, "a person is given twice"),
    ((*PERSON, "subject"), "", "a person has no subject"),
    (("regions", 0, "polygon"), [[0, 0], [1, 1]], "region 1 of 1 has no polygon of 3 points or more"),
    (
        ("regions", 0, "polygon"),
        [[0, 0], [1, 1], ["x", 3]],
        "region 1 of 1 has a point that is not [x, y] or {x, y} in px",
    ),
    (("regions", 0, "kind"), "dog", f"region 1 of 1 is of no known kind: one of {', '.join(REGION_KINDS)}"),
    (("regions", 0, "region"), "", "region 1 of 1 has no name (`region`)"),
    (("Regions",), [], "the file has an unknown key (is `regions` meant?)"),
    (("canary7f3a",), [], "the file has an unknown key"),
    ((*PERSON, "segment"), [], "a person has an unknown key (is `segments` meant?)"),
    ((*PERSON, "annotators", "faces"), "a1", "`annotators` has an unknown key"),
    ((*PERSON, "segments", 0, "number"), 1, "a segment has an unknown key"),
    (("regions", 0, "poligon"), [], "a region has an unknown key (is `polygon` meant?)"),
]


@pytest.mark.parametrize(("path", "value", "reason"), DROPPED)
def test_a_broken_part_is_left_out_and_named(path, value, reason):
    assert parsed(changed(path, value)).dropped == [reason]


@pytest.mark.parametrize(("path", "value", "reason"), USELESS)
def test_a_broken_file_is_refused(path, value, reason):
    with pytest.raises(AnnotationError) as caught:
        parsed(changed(path, value))
    assert str(caught.value) == reason


NOT_TEXT = [
    ("people", 0, "subject"), ("regions", 0, "region"), ("regions", 0, "annotator"),
    ("people", 0, "annotators", "face_bbox"), ("people", 0, "annotators", "keypoints"),
]  # fmt: skip


@pytest.mark.parametrize("path", NOT_TEXT, ids=lambda path: "-".join(map(str, path)))
@pytest.mark.parametrize(
    ("text", "reason"),
    [("\ud800", "has half of a surrogate pair, which is not text"),
     ("e" + "\u0301" * 31, "has more than 30 combining marks in a row")],
    ids=["surrogate", "marks"],
)  # fmt: skip
def test_a_text_that_is_none_is_refused(path, text, reason):
    with pytest.raises(AnnotationError, match=f"a text in the file {reason}"):
        parsed(changed(path, text))


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"image": NaN}', b'{"x": ' + b"9" * 5000 + b"}"],
    ids=["empty", "cut", "no text", "deep", "nan", "long number"],
)
def test_what_is_no_json_is_refused(data):
    with pytest.raises(AnnotationError, match=r"the file is not valid JSON \(\w+\)"):
        annotations.parse(data, "IMG_1")


DOUBLED = [
    (b'"regions": [', b'"regions": [], "regions": [', "the key `regions` is given twice in one object"),
    (b'"0. Nose"', b'"0. Nose": [9, 9, 1], "0. Nose"', "a key is given twice in one object"),
    (b'"polygon": [[', b'"polygon": [], "polygon": [[', "the key `polygon` is given twice in one object"),
]


@pytest.mark.parametrize(("once", "twice", "reason"), DOUBLED)
def test_a_key_that_is_given_twice_is_refused(once, twice, reason):
    data = json.dumps(WHOLE).encode()
    assert once in data
    with pytest.raises(AnnotationError) as caught:
        annotations.parse(data.replace(once, twice, 1), "IMG_1")
    assert str(caught.value) == reason


def test_all_unknown_keys_are_told_at_once():
    document = changed(("regions", 0, "Kind"), "card")
    with pytest.raises(AnnotationError) as caught:
        parsed({**document, "Image": "IMG_1"})
    assert str(caught.value) == (
        "the file has an unknown key (is `image` meant?); a region has an unknown key (is `kind` meant?)"
    )


def test_the_schema_accepts_what_is_read():
    jsonschema.Draft202012Validator(JSON_SCHEMA).validate(WHOLE)


NOT_IN_SCHEMA = ("the file is about another image", "a person is given twice")


@pytest.mark.parametrize(("path", "value", "reason"), DROPPED + [u for u in USELESS if u[2] not in NOT_IN_SCHEMA])
def test_the_schema_refuses_what_is_not_read(path, value, reason):
    assert not jsonschema.Draft202012Validator(JSON_SCHEMA).is_valid(changed(path, value)), reason


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


@given(st.sampled_from([path for path, _, _ in [*DROPPED, *USELESS]]), JSON)
def test_any_content_is_read_or_refused(path, value):
    try:
        found = parsed(changed(path, value))
    except AnnotationError:
        return
    assert all(0 <= number <= 32 for person in found.people for number, *_ in person.keypoints)
    assert all(len(region.polygon) >= 6 for region in found.regions)
