"""What raters are asked: one item a person, the surest face of a bright and a dark video, the same whoever is added."""

import pytest

from accord.engine.table import rows
from accord.evaluate.skin_items import run
from accord.evaluate.tables.videos import Frames
from accord.release.video_tables import Videos

SUM = "0" * 64


def videos(*told):
    return rows([(name, subject, 9, lighting, mini) for name, subject, lighting, mini in told], Videos)


def frames(*told):
    """Of each video: (video, subject, score of each frame, None for no face)."""
    made = []
    for video, subject, scores in told:
        for index, score in enumerate(scores):
            seen = score is not None
            box = (1.0, 1.0, 5.0, 5.0, score, 40 + index, 1.0) if seen else (None,) * 7
            place = (f"{video}/{index}.png", 512 * index, 99, SUM) if seen else ("", None, None, "")
            made.append((video, subject, index, float(index), seen, "" if seen else "no face was found", *box, *place))
    return rows(made, Frames)


GIVEN = (
    ("a_dark.mp4", "1", "dark", True), ("b_bright.mp4", "1", "bright", True), ("c_more.mp4", "1", "bright", False),
    ("d.mp4", "2", "bright", True), ("e.mp4", "2", "dark", True), ("f.mp4", "3", "dark", True),
)  # fmt: skip
SEEN = (
    ("a_dark.mp4", "1", [0.7, 0.9, 0.9]), ("b_bright.mp4", "1", [0.8, None]), ("c_more.mp4", "1", [0.99]),
    ("d.mp4", "2", [None, None]), ("e.mp4", "2", [0.5]), ("f.mp4", "3", [None]),
)  # fmt: skip


def test_of_each_person_the_surest_face_of_each_video_is_shown_the_bright_one_first():
    made = run(videos(*GIVEN), frames(*SEEN), scale="monk")
    told = made.review_items.set_index("subject")[["image", "other", "kind", "queue"]].T.to_dict("list")
    assert told == {"1": ["b_bright.mp4", "a_dark.mp4", "monk", "skin"], "2": ["e.mp4", "", "monk", "skin"]}
    faces = {row.image: (row.member, row.offset, row.width, row.height) for row in made.faces.itertuples()}
    assert faces == {  # of equal scores the earlier frame
        "a_dark.mp4": ("a_dark.mp4/1.png", 512, 41, 41), "b_bright.mp4": ("b_bright.mp4/0.png", 0, 40, 40),
        "e.mp4": ("e.mp4/0.png", 0, 40, 40),
    }  # fmt: skip


@pytest.mark.parametrize("left", [GIVEN[:2], GIVEN[3:5]])
def test_an_item_is_the_same_whoever_else_is_there(left):
    names = {name for name, *_ in left}
    some = run(videos(*left), frames(*(one for one in SEEN if one[0] in names)), scale="fitzpatrick").review_items
    every = run(videos(*GIVEN), frames(*SEEN), scale="fitzpatrick").review_items
    same = ["item", "subject", "image", "other"]
    assert some[same].to_numpy().tolist()[0] in every[same].to_numpy().tolist()
    other = run(videos(*GIVEN), frames(*SEEN), scale="monk").review_items
    assert not {*other["item"]} & {*every["item"]}


def test_nobody_with_a_face_is_nobody_to_ask_about():
    made = run(videos(GIVEN[5]), frames(SEEN[5]), scale="monk")
    assert len(made.review_items) == len(made.faces) == 0
