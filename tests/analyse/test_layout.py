"""How a release is made up: by hand, against brute force, and what is refused of published figures."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from analyse_cases import by_shards, verdicts_of
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import entropy

from accord.analyse import layout
from accord.analyse.describing import references, sizes
from accord.analyse.describing.binned import GRID, counted, covered, shares
from accord.analyse.describing.describe import describe
from accord.analyse.describing.own_figures import combined, own_figures
from accord.analyse.describing.placed import placed
from accord.analyse.tables.composition import HEATS, Areas, Pictures
from accord.analyse.tables.scores import Diversity, Members
from accord.engine import table
from accord.release.tables import Derivatives, Keypoints, People, Segments

ROOT = Path(__file__).parents[2]
SIDES = [f"{part}_{side}" for part in ("face", "person") for side in ("x", "y", "width", "height")]


def people_of(*rows) -> pd.DataFrame:
    """image, subject, face box or None, person box or None."""
    made = [
        {"image": image, "subject": subject, "is_primary": True, "age": 30, "face_annotator": "a"}
        | dict(zip(SIDES, [*(face or [None] * 4), *(person or [None] * 4)], strict=True))
        for image, subject, face, person in rows
    ]
    return table.rows(made, People)


def points_of(*rows) -> pd.DataFrame:
    return table.rows([(*row, "a") for row in rows], Keypoints)


PEOPLE = people_of(
    ("a", "x", (40, 0, 20, 30), (0, 0, 100, 50)),
    ("b", "x", None, (-50, 0, 100, 100)),
    ("b", "y", (150, 50, 50, 50), None),
)
PICTURES = table.rows([("a", 100, 100, True), ("b", 200, 100, True)], Pictures)
POINTS = points_of(
    ("a", "x", 0, 10.0, 99.0, True), ("a", "x", 15, 100.0, 0.0, True), ("a", "x", 16, 5.0, 5.0, False)
)  # fmt: skip
COUNTED = {
    "images": 1, "subjects": 1, "images.two_people": 0, "subjects.primary": 1, "subjects.secondary": 0,
    "images_per_primary": 1, "faces.cropped": 0, "faces.cropped.subjects": 0, "faces.aligned": 0,
    "faces.aligned.subjects": 0,
}  # fmt: skip
"""Of image a, which x is in alone and of which no face was made."""
MEMBERS = table.rows(
    [("a", "x", "p", "one"), ("b", "x", "p", "one"), ("b", "y", "p", "two"), ("b", "y", "q", "only")], Members
)


def test_features_of_three_people_by_hand():
    areas = table.rows([("a", "x", 2500.0)], Areas)
    found = placed(PEOPLE, PICTURES, areas, POINTS).set_index(["image", "subject"])
    one, two, three = (found.loc[key] for key in (("a", "x"), ("b", "x"), ("b", "y")))
    assert one[["face_share", "face_aspect", "person_share", "person_aspect", "mask_share"]].tolist() == pytest.approx(
        [0.06, 1.5, 0.5, 0.5, 0.25]
    )
    # A quarter of the height above the middle; half the diagonal of a square of 100 is 70.7.
    assert one["person_centring"] == pytest.approx(25 / np.hypot(50, 50))
    assert one[["visible_keypoints", "visible_face_keypoints"]].tolist() == [2, 1]
    # Only what lies inside of the picture counts, but for the box's shape.
    assert two[["person_share", "person_aspect"]].tolist() == pytest.approx([0.25, 1])
    assert two["person_centring"] == pytest.approx(75 / np.hypot(100, 50))
    assert three["face_centring"] == pytest.approx(np.hypot(75, 25) / np.hypot(100, 50))
    assert three[["person_share", "mask_share", "visible_keypoints"]].isna().all()


def test_relative_coordinates_tell_no_shape():
    pictures = PICTURES.assign(width=1.0, height=1.0, in_pixels=False)
    people = people_of(("a", "x", None, (0.25, 0.25, 0.5, 0.5)), ("elsewhere", "x", None, (0, 0, 1, 1)))
    found = placed(people, pictures, table.empty(Areas), table.empty(Keypoints))
    assert found.loc[0, "person_share"] == pytest.approx(0.25) and found.loc[0, "person_centring"] == 0
    # A picture of unknown size has pixels all the same.
    assert np.isnan(found.loc[0, "person_aspect"]) and found.loc[1, "person_aspect"] == 1
    assert np.isnan(found.loc[1, "person_share"])


def test_every_person_of_whom_a_feature_is_known_is_in_one_bin():
    found = describe(PEOPLE, PICTURES, table.empty(Areas), POINTS, MEMBERS)
    known = {"face_share": 2, "person_share": 2, "visible_keypoints": 1}
    totals = found.layout.groupby("feature")[["count", "share"]].sum()
    assert "mask_share" not in totals.index
    for name, count in known.items():
        assert totals.loc[name].tolist() == pytest.approx([count, 1])
    half = found.layout[(found.layout["feature"] == "person_share") & (found.layout["count"] > 0)]
    assert half[["low", "high"]].to_numpy().tolist() == [[0.25, 0.3], [0.5, 0.55]]
    spread = found.spreads.set_index("feature").loc["person_share"]
    assert spread[["people", "images", "subjects"]].tolist() == [2, 2, 1]
    assert spread[["mean", "median", "p25"]].tolist() == pytest.approx([0.375, 0.375, 0.3125])


def test_nobody_gives_empty_tables():
    empty = (table.empty(model) for model in (People, Pictures, Areas, Keypoints, Members))
    assert [len(part) for part in describe(*empty)] == [0, 0, 0, 0, 0]


def test_heat_maps_cover_what_boxes_cover_and_count_what_is_visible():
    found = describe(PEOPLE, PICTURES, table.empty(Areas), POINTS, MEMBERS).heat
    maps = {kind: some.pivot(index="row", columns="column", values="share") for kind, some in found.groupby("kind")}
    assert set(maps) == set(HEATS)
    assert maps["person"].iloc[0, 0] == 1 and maps["person"].iloc[-1, -1] == 0
    assert maps["person"].iloc[0, -1] == 0.5
    for kind in ("person_centre", "face_centre", "keypoints"):
        assert maps[kind].to_numpy().sum() == pytest.approx(1)
    assert maps["keypoints"].iloc[-1, 1] == maps["keypoints"].iloc[0, -1] == 0.5


ENDS = st.lists(st.tuples(*[st.integers(0, 64)] * 4), min_size=1, max_size=5)


@settings(max_examples=40, deadline=None)
@given(ENDS)
def test_coverage_equals_a_count_of_fine_pixels(boxes):
    """Boxes on a raster of 64: each cell has 4 x 4 pixels."""
    ends = np.array([(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in boxes])
    raster = np.zeros((64, 64))
    for x0, y0, x1, y1 in ends:
        raster[y0:y1, x0:x1] += 1
    cells = raster.reshape(GRID, 4, GRID, 4).mean(axis=(1, 3)) / len(ends)
    np.testing.assert_allclose(covered(ends / 64), cells, atol=1e-12)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.floats(0, 1, exclude_max=True)), min_size=1))
def test_counts_equal_numpy_s_histogram(points):
    x, y = np.array(points).T
    expected, _, _ = np.histogram2d(y, x, bins=np.arange(GRID + 1) / GRID)
    np.testing.assert_allclose(shares(counted(np.array(points))), expected / len(points))


def test_sizes_of_groups_by_hand():
    groups = sizes.group_sizes(PEOPLE, MEMBERS)
    told = groups.set_index(["attribute", "group"])
    columns = ["images", "subjects", "share_of_images", "share_of_subjects", "images_per_subject"]
    assert told.loc[("all", "all"), columns].tolist() == [2, 2, 1, 1, 1.5]
    assert told.loc[("p", "one"), columns].tolist() == [2, 1, 1, 0.5, 2]
    assert told.loc[("q", "not given"), columns].tolist() == [2, 1, 1, 0.5, 2]
    assert ("p", "not given") not in told.index
    attributes = sizes.attribute_sizes(groups, MEMBERS).set_index("attribute")
    columns = ["groups", "images", "subjects", "median_images", "smallest", "largest", "largest_subjects"]
    assert attributes.loc["p", columns].tolist() == [2, 2, 2, 1.5, "one", "two", 1]
    assert attributes.loc["p", "evenness"] == pytest.approx(1) and np.isnan(attributes.loc["q", "evenness"])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 1000), min_size=2, max_size=8))
def test_evenness_is_scipy_s_entropy_over_its_maximum(counts):
    assert sizes.evenness(np.array(counts)) == pytest.approx(entropy(counts, base=len(counts)))


def test_renaming_and_shuffling_changes_no_size(rng):
    images = [f"i{n}" for n in range(60)]
    people = people_of(*((image, f"s{n // 3}", None, None) for n, image in enumerate(images)))
    labels = rng.choice(["a", "b", "c"], 60)
    members = people[["image", "subject"]].assign(attribute="p", group=labels)
    told = sizes.group_sizes(people, members).sort_values("images").drop(columns="group")
    renamed = members.assign(group=members["group"].map({"a": "z", "b": "y", "c": "x"})).sample(frac=1, random_state=1)
    again = sizes.group_sizes(people.sample(frac=1, random_state=2), renamed).sort_values("images")
    columns = ["images", "subjects", "images_per_subject"]
    assert sorted(map(tuple, told[columns].to_numpy())) == sorted(map(tuple, again[columns].to_numpy()))


def test_the_step_tells_released_images_beside_published_figures(tmp_path):
    derivative = {"subject": "", "part": "", "member": "m", "offset": 0, "size": 1, "sha256": "0" * 64}
    derivative |= {"source_sha256": "0" * 64, "width": 100, "height": 100}
    derivatives = [{**derivative, "image": image, "kind": "downsampled"} for image in "ab"]
    derivatives.append({**derivative, "image": "a", "kind": "original", "width": 9})
    square = np.array([0, 0, 50, 0, 50, 50, 0, 50], float)
    segments = table.rows([("a", "x", 20, 1, square, "n"), ("a", "x", 21, 1, square, "n")], Segments)
    diversity = table.rows([("m", "image", 2, 1.5, ""), ("m", "people_masked", 0, None, "none")], Diversity)
    (tmp_path / "papers.csv").write_text('dataset,figure,value,source\nFHIBE,images,10318,"FHIBE (2025), page 1"\n')
    given_tables = (PEOPLE, table.rows(derivatives, Derivatives), POINTS, segments, MEMBERS)
    verdicts = verdicts_of("ab", failed=["b"])
    found = layout.run(*given_tables, verdicts, diversity, references=[tmp_path / "papers.csv"])
    names = ("people", "derivatives", "keypoints", "segments", "members", "verdicts", "diversity")
    apart = dict(zip(names, (*given_tables, verdicts_of("ab"), diversity), strict=True))
    apart |= {"references": [tmp_path / "papers.csv"]}
    for one, other in zip(layout.run(**apart), by_shards(layout.run, **apart), strict=True):
        pd.testing.assert_frame_equal(one, other)
    assert found.group_sizes.set_index(["attribute", "group"]).loc[("all", "all"), "images"] == 1
    # The union of two equal squares of 50 px, within a pixel's edge as the outline is filled.
    mask = found.spreads.set_index("feature").loc["mask_share", "median"]
    assert mask == pytest.approx(0.25, abs=0.011)
    assert found.references.to_numpy().tolist() == [
        ["FHIBE", "images", 10318, "FHIBE (2025), page 1"],
        *(["this release", name, count, "counted"] for name, count in COUNTED.items()),
        ["this release", "vendi.image", 1.5, "embedded by m"],
    ]


def test_what_is_wrong_with_published_figures_is_told_all_at_once(tmp_path):
    (tmp_path / "a.csv").write_text("dataset,figure,value,source\nA,b,nan,c\nA,b,1,\n\nA,b,1,c\nA,b,2,c\n")
    (tmp_path / "b.csv").write_text("dataset,value\n")
    with pytest.raises(table.AccordError) as failure:
        references.read([tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "c.csv"])
    told = str(failure.value)
    assert "5 problems" in told
    assert "a.csv, line 2: value 'nan' is not a number" in told
    assert "a.csv, line 3: must have 4 filled cells" in told
    assert "a.csv, line 6: duplicates a figure of the same dataset and source" in told
    assert "b.csv: must have the columns dataset, figure, value, source" in told
    assert "c.csv: is missing" in told


def test_own_figures_have_the_names_of_published_ones():
    faces = pd.DataFrame(
        [("a", "x", "face_crop"), ("b", "x", "face_crop"), ("b", "y", "face_crop"), ("a", "x", "face_aligned")],
        columns=["image", "subject", "kind"],
    )
    people = PEOPLE.assign(is_primary=[True, True, False])
    groups = pd.DataFrame(
        [("natural_skin_color x pronoun", "a", 5), ("natural_skin_color x pronoun", "b", 2), ("pronoun", "c", 9),
         ("natural_skin_color x pronoun", "d", 1), ("pronoun x hair", "e", 1)],
        columns=["attribute", "group", "images"],
    )  # fmt: skip
    found = own_figures(people, faces, groups, pd.DataFrame({"model": ["m"], "part": ["image"], "vendi": [np.nan]}))
    assert {name: value for name, value, _ in found} == {
        "images": 2, "subjects": 2, "images.two_people": 1, "subjects.primary": 1, "subjects.secondary": 1,
        "images_per_primary": 2, "faces.cropped": 3, "faces.cropped.subjects": 2, "faces.aligned": 1,
        "faces.aligned.subjects": 1, "groups.number.pronoun_skin": 3, "groups.median.pronoun_skin": 2,
        "groups.largest.pronoun_skin": 5, "groups.smallest.pronoun_skin": 1,
    }  # fmt: skip
    assert ("groups.number.pronoun_skin", 3, "counted by natural_skin_color x pronoun") in found
    names = {row["figure"] for row in references.read([ROOT / "config/references/fhibe.csv"])}
    assert {name for name, _, _ in found} - names == {name for name, _, _ in found if "pronoun_skin" in name}


@pytest.mark.parametrize(
    ("attribute", "name"),
    [("age_group x pronoun", "pronoun_age"), ("ancestry x pronoun x age_group", "pronoun_age_region"),
     ("pronoun x age_group x ancestry_subregion x apparent_skin_color", "pronoun_age_subregion_skin"),
     ("pronoun", ""), ("pronoun x scene", "")],
)  # fmt: skip
def test_intersections_are_called_as_the_published_table_calls_them(attribute, name):
    assert combined(attribute) == name
