"""A view of a release: what the FHIBE Evaluation API reads, by its own rules."""

import csv
import os
import shutil
from pathlib import Path

import pandas as pd
import pytest
from readers_rules import stops

from accord.errors import AccordError
from accord.release import command
from accord.release.comparing import api_view
from accord.release.format import fhibe
from accord.release.format.literals import LONGEST
from accord.text import cells


@pytest.fixture(scope="module")
def release(tmp_path_factory, shards, tiny) -> Path:
    """A release of three images; sub-3, who is in one of them, publishes their pronoun alone."""
    house = tiny.House(tmp_path_factory.mktemp("house"), shards)
    house.publish()
    return house.releases / "1.0.0"


@pytest.fixture
def changed(release, tmp_path):
    """Makes a copy of the release's tables with some cells of the row of a subject changed."""

    def change(row: int = 0, table: str = fhibe.WHOLE_TABLE, **given: str) -> Path:
        root = tmp_path / "changed"
        for name in (fhibe.WHOLE_TABLE, fhibe.FACE_TABLE):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(release / name, root / name)
        rows = list(cells.rows(root / table, LONGEST))
        # Rows come by ids that are drawn at random: those that the API reads first.
        sorted(rows, key=lambda one: one["age"] in ("", "[]"))[row] |= given
        with (root / table).open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        return root

    return change


def test_what_is_withheld_stops_the_api_at_the_tables_and_not_at_the_view(release, tmp_path):
    assert any("age" in what for what in stops(release))
    told = api_view.view(release, tmp_path / "view")
    assert stops(tmp_path / "view") == []
    assert told == {fhibe.WHOLE_TABLE: (3, {"age": 1}), fhibe.FACE_TABLE: (3, {"age": 1})}
    whole = pd.read_csv(tmp_path / "view" / fhibe.WHOLE_TABLE)
    assert set(whole["apparent_skin_color"]) == {"3. [175, 148, 120]"}
    assert set(whole["action_body_pose"]) == {"99. Not stated"}


def test_the_view_has_the_release_s_columns_and_pictures_and_none_of_its_own(release, tmp_path):
    view = tmp_path / "view"
    api_view.view(release, view)
    for name in (fhibe.WHOLE_TABLE, fhibe.FACE_TABLE):
        ours, theirs = pd.read_csv(release / name), pd.read_csv(view / name)
        assert list(ours) == list(theirs)
        kept = ours[ours["image_id"].isin(theirs["image_id"])]
        for path in [*theirs["filepath"], *theirs["json_path"]]:
            assert (view / path).samefile(release / path)
        pd.testing.assert_series_equal(kept["keypoints"], theirs["keypoints"], check_index=False)
    assert {path.relative_to(view).as_posix() for path in view.rglob("*") if path.is_file() and "raw" not in path.parts
            and "masks" not in path.parts} == {fhibe.WHOLE_TABLE, fhibe.FACE_TABLE}  # fmt: skip
    assert {(view / name).stat().st_mode & 0o777 for name in (fhibe.WHOLE_TABLE, fhibe.FACE_TABLE)} == {0o600}
    assert view.stat().st_mode & 0o777 == 0o700


def test_the_links_hold_when_both_folders_are_moved(release, tmp_path):
    shutil.copytree(release, tmp_path / "here/release")
    api_view.view(tmp_path / "here/release", tmp_path / "here/view")
    (tmp_path / "here").rename(tmp_path / "there")
    assert stops(tmp_path / "there/view") == []


@pytest.mark.parametrize(
    ("cell", "column"),
    [({"face_bbox": ""}, "face_bbox"), ({"person_bbox": ""}, "person_bbox"), ({"age": ""}, "age"),
     ({"keypoints": "{}"}, "keypoints"), ({"keypoints": ""}, "keypoints"),
     ({"keypoints": "{'0. Nose': [1, 2, 0], '9. Mouth right': [1, 2, 1]}"}, "keypoints")],
)  # fmt: skip
def test_rows_that_the_api_can_t_read_are_left_out_and_counted(changed, tmp_path, cell, column):
    found = api_view.view(changed(**cell), tmp_path / "view")[fhibe.WHOLE_TABLE]
    left_out = {"age": 1}
    left_out[column] = left_out.get(column, 0) + 1
    assert found == (2, left_out)


@pytest.mark.parametrize(
    ("cell", "instead"),
    [({"scene": ""}, "99. Not stated"), ({"location_country": "NA"}, "Not stated"), ({"pronoun": ""}, "[]"),
     ({"user_hour_captured": ""}, "Not stated"), ({"camera_distance": "None"}, "99. Not stated")],
)  # fmt: skip
def test_empty_labels_say_that_nothing_is_stated(changed, tmp_path, cell, instead):
    api_view.view(changed(**cell), tmp_path / "view")
    [column] = cell
    assert pd.read_csv(tmp_path / "view" / fhibe.WHOLE_TABLE, keep_default_na=False)[column][0] == instead


def test_more_can_be_asked_of_a_row(changed, tmp_path):
    root = changed(apparent_skin_color="")
    assert api_view.view(root, tmp_path / "all")[fhibe.WHOLE_TABLE].rows == 3
    found = api_view.view(root, tmp_path / "view", ("apparent_skin_color",))
    assert found[fhibe.WHOLE_TABLE] == (2, {"age": 1, "apparent_skin_color": 1})
    assert found[fhibe.FACE_TABLE] == (3, {"age": 1})


def test_what_can_not_be_made_is_told_at_once_and_nothing_is_left(release, changed, tmp_path):
    with pytest.raises(AccordError) as caught:
        api_view.view(tmp_path / "none", tmp_path, ("height",))
    told = str(caught.value)
    assert told.startswith("4 problems found")
    assert f"has no {fhibe.WHOLE_TABLE}" in told and f"has no {fhibe.FACE_TABLE}" in told
    assert "--needs height: is not a column of both tables" in told and "already exists" in told
    with pytest.raises(AccordError, match="is inside the release, which must not change"):
        api_view.view(release, release / "view")
    mark = tmp_path / "ran"
    with pytest.raises(AccordError, match="column keypoints: is not a valid Python literal"):
        api_view.view(changed(keypoints=f"__import__('pathlib').Path({os.fspath(mark)!r}).touch()"), tmp_path / "view")
    assert not (tmp_path / "view").exists() and not mark.exists()


def test_the_command_says_what_is_left_out_and_where_the_api_finds_it(release, tmp_path, capsys):
    view = tmp_path / "view"
    assert command.main(["view", str(release), "--out", str(view), "--needs", "apparent_skin_color"]) == 0
    assert capsys.readouterr().out == (
        f"{view}/{fhibe.WHOLE_TABLE}: 3 rows; left out: 1 without age\n"
        f"{view}/{fhibe.FACE_TABLE}: 3 rows; left out: 1 without age\ndata_rootdir: {view}\n"
    )


def test_the_api_s_rules_find_what_breaks_them(changed):
    """The rules that the tests above trust."""
    broken = {
        "nationality": "['Indian']",
        "face_bbox": "",
        "natural_skin_color": "",
        "location_country": "",
        "lighting_QAannotator_id": "11111111",
    }
    for column, cell in broken.items():
        assert any(f"{column}: " in what for what in stops(changed(**{column: cell}))), column
