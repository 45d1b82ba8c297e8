"""`accord model new` and `accord try --draw`: a model of one's own runs at once, and a failing one says where."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from accord import cli
from accord.errors import AccordError
from accord.evaluate import try_command
from accord.evaluate.own import overlay
from accord.evaluate.own.bodies import TASKS
from accord.imaging.marks import PREDICTED
from accord.models import registry, tasks


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        Image.fromarray(np.full((200, 160, 3), 128, np.uint8)).save(f"{name}.png")
    return tmp_path


def tried(*words):
    return cli.main(["try", *words, "--models", "my-models/models.yaml"])


def told(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]


def change(before, after):
    """Change the adapter; returns its text."""
    adapter = Path("my-models/mine.py")
    text = adapter.read_text().replace(before, after)
    adapter.write_text(text)
    return text


@pytest.mark.parametrize("task", TASKS)
def test_a_new_model_of_any_task_runs_at_once(here, capsys, task):
    assert cli.main(["model", "new", "mine", "--task", task]) == 0
    assert tried("mine", "one.png", "two.png") == 0
    first, second = told(capsys)
    assert {**first, "picture": ""} == {**second, "picture": ""} and first["picture"] == "one.png"


def test_every_task_that_can_be_tried_can_be_begun():
    left_out = {"age_gender", "backbone", "fake_detection", "face_service", "image_text", "inpainting",
                "logo_localization", "perceptual_distance", "text_embedding"}  # fmt: skip
    assert set(TASKS) == set(tasks.STEP_OF_TASK) - left_out


def test_its_own_test_passes_and_fails_for_a_model_that_mixes_pictures(here):
    cli.main(["model", "new", "mine", "--task", "face_verification"])
    its_test = runpy.run_path("my-models/test_mine.py")["test_a_picture_has_the_same_answer_alone_and_among_others"]
    its_test()
    change("1.0 + picture.mean(axis=(0, 1))", "sum(one.mean(axis=(0, 1)) for one in pictures)")
    with pytest.raises(AssertionError):
        its_test()


def test_a_second_model_stands_beside_the_first_and_nothing_is_overwritten(here, capsys):
    cli.main(["model", "new", "mine", "--task", "face_localization"])
    cli.main(["model", "new", "other", "--task", "person_parsing"])
    assert tried("mine", "one.png") == 0 and tried("other", "one.png") == 0
    with pytest.raises(AccordError) as raised:
        cli.main(["model", "new", "mine", "--task", "face_localisation"])
    text = str(raised.value)
    assert "my-models/mine.py: already exists" in text and "did you mean 'face_localization'" in text
    with pytest.raises(AccordError, match="can't be used"):
        cli.main(["model", "new", "../mine", "--task", "face_localization"])


def test_a_word_of_python_is_no_name_of_a_module(here):
    with pytest.raises(AccordError, match="NAME class: is a word of Python's own"):
        cli.main(["model", "new", "class", "--task", "face_localization"])
    assert not (here / "my-models").exists()


def test_the_name_of_a_model_that_ships_is_refused_and_nothing_is_written(here):
    with pytest.raises(AccordError, match=r"yunet: is a model of config/models\.yaml\n.*my_yunet"):
        cli.main(["model", "new", "yunet", "--task", "face_localization"])
    assert not Path("my-models").exists()


def test_predictions_are_drawn_where_they_are(here, capsys):
    cli.main(["model", "new", "mine", "--task", "face_localization"])
    assert tried("mine", "one.png", "--draw", "drawn") == 0
    assert told(capsys)[0]["drawn"] == "drawn/one.png"
    pixels = np.asarray(Image.open("drawn/one.png"), int)
    near = np.abs(pixels - PREDICTED).max(axis=-1) < 40  # the box is 40..120 x 50..150
    assert near[50:150, 37:43].any() and near[50:150, 117:123].any() and not near[60:140, 50:110].any()
    with pytest.raises(AccordError, match="already exists"):
        tried("mine", "one.png", "--draw", "drawn")


def test_what_has_no_place_is_not_drawn(here):
    with pytest.raises(AccordError, match="no place in the picture"):
        overlay.of(np.ones(5))


def test_a_failing_model_names_the_picture_and_the_line_of_its_adapter(here):
    cli.main(["model", "new", "mine", "--task", "face_localization"])
    text = change(
        "        height, width =", "        assert picture.mean() < 200, 'too bright'\n        height, width ="
    )
    line = next(n for n, one in enumerate(text.splitlines(), 1) if "too bright" in one)
    Image.fromarray(np.full((20, 20, 3), 255, np.uint8)).save("bright.png")
    with pytest.raises(AccordError) as raised:
        tried("mine", "one.png", "bright.png", "two.png")
    assert f"model mine, bright.png: my-models/mine.py, line {line}: AssertionError: too bright" in str(raised.value)


def test_a_mistyped_model_is_told_with_what_was_meant(here):
    with pytest.raises(AccordError, match="did you mean 'yunet'"):
        registry.read(try_command.settings(["yunett"], {}), try_command.SCHEMA)


def test_the_answers_about_sound_pictures_are_printed_and_bad_ones_are_named(here, capsys):
    cli.main(["model", "new", "mine", "--task", "face_localization"])
    Path("cut.jpg").write_bytes(b"\xff\xd8\xff\xe0\0\x10JFIF")
    Path("phone.jpg").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    capsys.readouterr()
    with pytest.raises(AccordError) as raised:
        tried("mine", "cut.jpg", "one.png", "gone.png", "phone.jpg", "two.png", "--draw", "drawn")
    assert [line["picture"] for line in told(capsys)] == ["one.png", "two.png"]
    assert [(one.where, one.what) for one in raised.value.problems] == [
        ("cut.jpg", "can't be decoded (UnidentifiedImageError)"),
        ("gone.png", "no such picture"),
        ("phone.jpg", "can't be decoded (HEIC, a phone's format)"),
    ]
    assert raised.value.problems[-1].hint == "export it as JPEG or PNG"


def test_where_a_model_fails_on_one_picture_the_others_are_answered(here, capsys):
    cli.main(["model", "new", "mine", "--task", "face_localization"])
    change("        height, width =", "        assert picture.mean() < 200, 'too bright'\n        height, width =")
    for name in ("bright", "white"):
        Image.fromarray(np.full((20, 20, 3), 255, np.uint8)).save(f"{name}.png")
    capsys.readouterr()
    with pytest.raises(AccordError) as raised:
        tried("mine", "bright.png", "one.png", "white.png", "one.png")
    assert [line["picture"] for line in told(capsys)] == ["one.png", "one.png"]
    assert [one.where for one in raised.value.problems] == ["model mine, bright.png", "model mine, white.png"]
    with pytest.raises(AccordError) as raised:
        cli.main(["try", "nobody", "one.png", "two.png"])
    assert len(raised.value.problems) == 1
