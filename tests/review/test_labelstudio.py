"""Label Studio's JSON both ways: a round trip keeps every decision, all that is wrong is told, and nothing leaks."""

import io
import json
import re
from xml.etree import ElementTree

import hypothesis.strategies as st
import page_cases
import pytest
from hypothesis import given, settings
from PIL import Image
from review_cases import SQUARE, asked, decisions, in_memory, items, some

from accord.errors import AccordError, Collector
from accord.review.database import chain, work
from accord.review.drawn.outlines import Region
from accord.review.labelstudio import answers, exchange, json_format
from accord.review.labelstudio.json_format import Handed

TRIANGLE = (20.0, 30.0, 200.0, 40.5, 100.25, 200.0)
PIXELS = Handed("0" * 32, 320, 240)


@pytest.fixture
def results(tmp_path):
    page_cases.results(tmp_path / "results")
    return tmp_path / "results"


def annotate(task, by, decision, *shapes, note="", **more):
    """A completed annotation as Label Studio exports it."""
    said = [
        {"id": "a", "from_name": "decision", "to_name": "image", "type": "choices", "value": {"choices": [decision]}}
    ]
    said += [
        {"id": "b", "from_name": "note", "to_name": "image", "type": "textarea", "value": {"text": [note]}}
    ] * bool(note)
    made = {"id": 7, "completed_by": by, "was_cancelled": False, "result": [*said, *shapes], "lead_time": 3.2, **more}
    return {**task, "annotations": [*task.get("annotations", []), made]}


def shape(kind="logo", **value):
    of = "rectanglelabels" if "x" in value else "polygonlabels"
    return {"id": "r", "from_name": of, "to_name": "image", "type": of, "original_width": 320, "original_height": 240,
            "image_rotation": 0, "value": {**value, of: [kind]}}  # fmt: skip


def exported(db, tmp_path, queue="logos", name="out", **more):
    exchange.export(db, queue, tmp_path / name, tmp_path / "results", "/local/", **{"settled": False, **more})
    return json.loads((tmp_path / name / "tasks.json").read_text())


def take_in(db, tasks, everybody="", **people):
    data = tasks if isinstance(tasks, bytes) else json.dumps(tasks).encode()
    return exchange.take_in(db, data, exchange.naming(db, everybody, {k.strip("n"): v for k, v in people.items()}))


def told(error):
    return [(problem.where, problem.what) for problem in error.value.problems]


def test_tasks_are_what_label_studio_reads(vault, results, tmp_path):
    given = items({"item": "i00", "image": "img00"}, {"item": "i01", "image": "img01", "polygon": list(TRIANGLE)})
    with asked(vault, given) as db:
        first, second = exported(db, tmp_path)
    assert first["data"]["queue"] == "logos" and first["annotations"] == []
    (guess,) = first["predictions"]
    assert (guess["model_version"], guess["score"]) == ("logo", 0.7)
    (region,) = guess["result"]
    assert (region["type"], region["from_name"], region["to_name"]) == ("rectanglelabels", "rectanglelabels", "image")
    assert (region["original_width"], region["original_height"]) == (320, 240)
    # 10, 10 to 110, 110 px of 320 x 240, in percent
    assert region["value"].pop("rectanglelabels") == ["logo"]
    assert region["value"] == pytest.approx({"x": 3.125, "y": 100 / 24, "width": 31.25, "height": 1000 / 24,
                                             "rotation": 0})  # fmt: skip
    polygon = second["predictions"][0]["result"][0]
    assert polygon["type"] == "polygonlabels"
    assert polygon["value"]["points"][2] == pytest.approx([100.25 / 3.2, 200 / 2.4])
    view = ElementTree.parse(tmp_path / "out" / "interface.xml").getroot()
    names = {tag.get("name") for tag in view if tag.get("name")}
    assert names == {"image", "rectanglelabels", "polygonlabels", "decision", "note"}
    assert {one.get("value") for one in view.iter("Choice")} == {"uphold", "dismiss", "drop"}


def test_pictures_go_out_under_random_names_with_pixels_alone(vault, results, tmp_path):
    with asked(vault, items({"item": "i00", "image": "img00", "queue": "duplicates", "other": "img01"})) as db:
        (task,) = exported(db, tmp_path, "duplicates")
        (again,) = exported(db, tmp_path, "duplicates", "again")
    names = sorted(path.name for path in (tmp_path / "out" / "images").iterdir())
    assert [re.sub("[0-9a-f]{32}", "NAME", name) for name in names] == ["NAME-other.jpg", "NAME.jpg"]
    assert {task["data"]["image"], task["data"]["other"]} == {f"/local/{name}" for name in names}
    assert task == again
    text = (tmp_path / "out" / "tasks.json").read_text()
    assert [word for word in ("img00", "img01", "i00", "sub") if word in text] == []
    for path in (tmp_path / "out" / "images").iterdir():
        data = path.read_bytes()
        with Image.open(io.BytesIO(data)) as picture:
            assert (picture.size, len(picture.getexif())) == ((320, 240), 0)
        assert page_cases.SECRET.encode() not in data
        assert path.stat().st_mode & 0o777 == 0o600


def test_what_is_objectionable_goes_out_without_outlines_and_annotations_stay_on_the_page(vault, results, tmp_path):
    given = items({"item": "i00", "image": "img00", "kind": ""}, queue="objectionable", polygon=[])
    with asked(vault, given, ("ada",), votes=1) as db:
        work.vote(db, "ada", "i00", "uphold", [work.Region("violence", ())])
        (task,) = exported(db, tmp_path, "objectionable", settled=True)
        assert [one["value"] for one in task["annotations"][0]["result"]] == [{"choices": ["uphold"]}]
        with pytest.raises(AccordError, match="only be decided on the page"):
            exported(db, tmp_path, "annotations", "other")


def test_an_item_without_picture_is_counted_and_an_empty_queue_is_told(vault, results, tmp_path):
    with asked(vault, items({"item": "i00", "image": "img00"}, {"item": "i01", "image": "nowhere"})) as db:
        assert exchange.export(db, "logos", tmp_path / "out", results, "", settled=False) == (1, 1)
        with pytest.raises(AccordError, match="has nothing to export"):
            exchange.export(db, "web", tmp_path / "web", results, "", settled=False)


def test_answers_become_votes(vault, results, tmp_path):
    with asked(vault, some(3)) as db:
        tasks = exported(db, tmp_path)
        box = shape("card", x=25, y=25, width=50, height=50, rotation=0)
        for number, decision in enumerate(("uphold", "dismiss", "drop")):
            for by in (1, {"id": 9, "email": "bob"}):
                drawn = [box] if decision == "uphold" else []
                tasks[number] = annotate(tasks[number], by, decision, *drawn, note="seen")
        tasks[2]["annotations"].append({"was_cancelled": True, "result": []})
        assert take_in(db, tasks, n1="ada") == (6, 0, 1)
        assert decisions(db) == [
            ("i00", "uphold", "card", (80, 60, 240, 60, 240, 180, 80, 180)),
            ("i01", "dismiss", "logo", SQUARE),
            ("i02", "drop", "logo", SQUARE),
        ]
        assert take_in(db, tasks, n1="ada") == (0, 6, 1)
        assert chain.verify(db) == []


def test_a_round_trip_keeps_every_decision(vault, results, tmp_path):
    both, given = [Region("logo", TRIANGLE), Region("screen", SQUARE)], some(5)
    said = {
        "i00": ("uphold", "uphold", []), "i01": ("dismiss", "dismiss", []), "i02": ("uphold", "uphold", both),
        "i03": ("drop", "uphold", []), "i04": ("drop", "drop", []),
    }  # fmt: skip
    with asked(vault, given) as db:
        for item, (ada, bob, drawn) in said.items():
            work.vote(db, "ada", item, ada, drawn, note=f"note on {item}, \u00e4\u4f60\U0001f600 <&>")
            work.vote(db, "bob", item, bob, drawn)
        work.adjudicate(db, "dan", "i03", "uphold", [Region("other", TRIANGLE)])
        before, told_ = decisions(db), _said(db)
        tasks = exported(db, tmp_path, settled=True)
    with asked(tmp_path / "other", given) as db:
        exported(db, tmp_path, name="fresh")
        names = {item: name for name, item in db.execute("SELECT name, item FROM handed")}
        for task, item in zip(tasks, sorted(names), strict=True):
            task["data"]["task"] = names[item]
        assert take_in(db, tasks, n1="ada", n2="bob", n4="dan") == (11, 0, 0)
        assert decisions(db) == before
        assert _said(db) == told_
        assert chain.verify(db) == []


def _said(db):
    asked_of = """SELECT item, name, act, decision, regions, note FROM vote JOIN reviewer USING (reviewer)
                  ORDER BY item, act DESC, name"""
    return db.execute(asked_of).fetchall()


def test_all_that_is_wrong_is_told_at_once_and_nothing_is_recorded(vault, results, tmp_path):
    brush = {"type": "brushlabels", "value": {"format": "rle", "rle": [0, 1], "brushlabels": ["logo"]}}
    with asked(vault, some(9)) as db:
        good = exported(db, tmp_path)
        bad = [
            {**good[0], "data": {"task": "f" * 32}},
            annotate({**good[1], "data": {"task": "e" * 32}}, 1, "drop"),
            annotate(good[2], 1, "perhaps"),
            annotate(good[3], 1, "uphold", brush),
            annotate(good[4], 1, "uphold", shape("cat", x=1, y=1, width=9, height=9)),
            annotate(good[5], 77, "drop"),
            annotate(good[6], 1, "uphold", {**shape(x=1, y=1, width=9, height=9), "original_width": 900}),
            annotate(good[7], 1, "uphold", shape(x=1, y="1", width=9, height=9), shape(points=[[1, 2], [3]])),
            annotate(good[8], 2, "drop"),
            "a task", {"data": {}, "annotations": []}, {**good[8], "annotations": [3]},
        ]  # fmt: skip
        del bad[0]["annotations"]
        with pytest.raises(AccordError) as error:
            take_in(db, [annotate(good[0], 1, "drop"), *bad], n1="ada", n2="cyd")
        assert db.execute("SELECT COUNT(*) FROM vote").fetchone() == (0,)
    assert sorted(told(error), key=lambda told: int(re.search(r"\d+", told[0])[0])) == [
        ("task 2", "was not exported by Accord"),
        ("task 3, annotation 1", "its task was not exported here, or was erased"),
        ("task 4, annotation 1", "has no decision, or several"),
        ("task 5, annotation 1, result 1", "is not a supported shape"),
        ("task 6, annotation 1", "region 1 its kind is unknown"),
        ("task 7, annotation 1", "is by an unknown annotator"),
        ("task 8, annotation 1, result 1", "was drawn on a picture of a different size or orientation"),
        ("task 9, annotation 1, result 1", "has no valid corners"),
        ("task 9, annotation 1, result 2", "has no valid corners"),
        ("task 10, annotation 1", "is not assigned to this reviewer"),
        ("task 11", "was not exported by Accord"),
        ("task 12", "was not exported by Accord"),
        ("task 13, annotation 1", "is not a valid annotation"),
    ]
    assert "brush strokes (RLE) are not supported" in str(error.value)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "is not valid JSON"),
        (b"\xff\xfe{", "is not valid JSON"),
        (b"[" * 200_000, "is not valid JSON"),
        (b'{"a": 1}', "is not a list of up to"),
        (b"9" * 5000, "is not valid JSON"),
        (b"[]" + b" " * answers.MOST_BYTES, "is longer than"),
        (b"[" + b"0," * answers.MOST_TASKS + b"0]", "is not a list of up to"),
    ],
)
def test_what_is_no_export_is_refused(data, what):
    with in_memory() as db, pytest.raises(AccordError, match=what):
        take_in(db, data, "ada")


WORDS = ("choices", "uphold", "rectanglelabels", "polygonlabels", "textarea", "brushlabels", 1e308, 10**300)
KEYS = (
    *("data", "task", "annotations", "result", "type", "value", "choices", "text", "points", "x", "y", "width"),
    *("height", "rotation", "rectanglelabels", "polygonlabels", "completed_by", "id", "original_width"),
    *("original_height", "image_rotation", "was_cancelled"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=30,
)


@settings(max_examples=150, deadline=None)
@given(result=st.lists(JSON, max_size=3), made=JSON, task=JSON)
def test_hostile_json_gets_problems_and_never_another_error(result, made, task):
    choice = {"type": "choices", "value": {"choices": ["uphold"]}}
    file = [task, {"data": {"task": "x"}, "annotations": [made, {"result": [choice, *result], "completed_by": made}]}]
    found, _, problems = answers.answers(json.dumps(file).encode())
    for answer in found:
        drawn = answers.regions(answer, PIXELS, Collector())
        assert all(0 <= at <= 320 for region in drawn for at in region.polygon)
    assert all(str(problem) for problem in problems)


@given(
    corners=st.lists(st.tuples(st.floats(0, 320), st.floats(0, 240)), min_size=3, max_size=9),
    width=st.integers(1, 9000),
)
def test_corners_come_back_to_a_hundredth_of_a_pixel(corners, width):
    handed = Handed("n", max(width, 320), 240)
    polygon = tuple(round(at, 2) for corner in corners for at in corner)
    results_ = json_format.drawn([Region("logo", polygon)], handed)
    answer = answers.Answer("here", "n", "", "uphold", "", False, tuple(json.loads(json.dumps(results_))))
    ((kind, back),) = answers.regions(answer, handed, Collector())
    assert kind == "logo" and back == pytest.approx(polygon, abs=0.006)


def test_a_turned_rectangle_turns_clockwise_about_its_top_left_corner():
    turned = shape("logo", x=50, y=50, width=10, height=20, rotation=90)
    answer = answers.Answer("here", "n", "", "uphold", "", False, (turned,))
    # 160, 120 px; 32 px wide now go down, 48 px high now go left.
    ((_, back),) = answers.regions(answer, PIXELS, Collector())
    assert back == pytest.approx((160, 120, 160, 152, 112, 152, 112, 120))


def test_corners_beyond_the_edge_are_drawn_in():
    answer = answers.Answer("here", "n", "", "uphold", "", False, (shape(x=-10, y=90, width=200, height=50),))
    ((_, back),) = answers.regions(answer, PIXELS, Collector())
    assert back == (0, 216, 320, 216, 320, 240, 0, 240)


def test_an_item_that_is_asked_otherwise_by_now_takes_no_old_answer(vault, results, tmp_path):
    with asked(vault, some(1)) as db:
        (task,) = exported(db, tmp_path)
        work.add_items(db, some(1, polygon=list(TRIANGLE)))
        with pytest.raises(AccordError, match="its item has changed since the export"):
            take_in(db, [annotate(task, 1, "drop")], "ada")
