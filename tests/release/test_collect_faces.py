"""Faces cut out of the pictures and videos of sources, and copies between sources."""

from pathlib import Path

import cv2
import numpy as np
import pytest
import sources_cases as cases
import yaml

from accord.engine.parameter_types import Former
from accord.engine.table import rows
from accord.errors import AccordError
from accord.imaging import bundle, decode
from accord.release import collect_faces, source_duplicates
from accord.release.source_tables import FacePrints, Sources
from accord.release.sources import cutting
from video_cases import write_video

ROOT = Path(__file__).parents[2]
YUNET = yaml.safe_load((ROOT / "config/models.yaml").read_text())["yunet"]
DETECTOR = {"name": "yunet", "batch": 8, "options": {}} | {key: YUNET[key] for key in ("task", "adapter", "weights")}
SOURCES = """
sources:
- {subset: Real, category: real, method: none, folder: real, people: '{one}/*', terms: {train: true, external: false}}
- {subset: Films, category: deepfake, method: Swap, folder: films, frames: 4, terms: {train: false, external: false}}
"""
PICTURE, EMPTY, BROKEN = "real/ada/1.png", "real/ada/2.jpg", "real/ada/3.png"


@pytest.fixture(scope="module")
def face():
    """A photograph of a face, (160, 160, 3)."""
    whole = decode.decode((ROOT / "tests/data/photographs/astronaut.jpg").read_bytes())
    return cv2.resize(whole[0:360, 50:410], (160, 160), interpolation=cv2.INTER_AREA)


def collected_of(listed, root, files, **settings):
    """Collected, from nothing."""
    given = {"archive": root, "terms": {}, "detector": DETECTOR, "weights": root, "files": files, "former": Former()}
    return cases.plain(collect_faces.run(listed, **given, **settings))


@pytest.fixture(scope="module")
def collected(face, tmp_path_factory):
    """The archive, its bundle and Collected: a picture with a face, one without, a damaged one, two videos."""
    root = tmp_path_factory.mktemp("collected") / "sources"
    wide = np.pad(face, ((0, 0), (40, 40), (0, 0)))
    cases.put(root / PICTURE, wide)
    (root / EMPTY).write_bytes(cv2.imencode(".jpg", np.full((160, 160, 3), 90, np.uint8))[1].tobytes())
    (root / BROKEN).write_bytes(b"no picture")
    write_video(root / "films/a.mp4", [wide] * 10 + [np.zeros((160, 240, 3), np.uint8)] * 10)
    (root / "films/cut.mp4").write_bytes((root / "films/a.mp4").read_bytes()[:-400])
    (root / "films/notes.txt").write_text("not a picture")
    (root / "sources.yaml").write_text(SOURCES)
    [listed] = cases.lists(root, cut=True).values()
    files = root.parent / "00.tar"
    made = collected_of(listed, root, files, side=96)
    return root, files, made


def test_every_picture_and_frame_is_a_row_with_its_face_or_why_there_is_none(collected):
    _, _, made = collected
    cut = made.cut.set_index("image")
    assert cut["note"].to_dict() == {
        "films/a.mp4#0000": "",
        "films/a.mp4#0001": "",
        "films/a.mp4#0002": "no face was found",
        "films/a.mp4#0003": cutting.SAME,
        **{f"films/cut.mp4#000{n}": cut["note"]["films/cut.mp4#0000"] for n in range(4)},
        PICTURE: "",
        EMPTY: "no face was found",
        BROKEN: cut["note"][BROKEN],
    }
    assert "truncated" in cut["note"]["films/cut.mp4#0000"] and "decoded" in cut["note"][BROKEN]
    assert (cut["found"] == (cut["note"] == "")).all()
    for name in ("derivatives", "people", "public", "terms", "sources", "prints"):
        assert set(getattr(made, name)["image"]) == set(cut[cut["found"]].index), name


def test_a_video_with_fewer_frames_than_asked_for_gives_each_once(face, tmp_path):
    """Else one face would be learnt from, and judged by, as often as frames are asked for."""
    root = tmp_path / "sources"
    write_video(root / "films/a.mp4", [np.pad(face, ((0, 0), (40, 40), (0, 0)))])
    (root / "sources.yaml").write_text("sources:\n" + SOURCES.splitlines()[-1])
    [listed] = cases.lists(root, cut=True).values()
    made = collected_of(listed, root, tmp_path / "f.tar")
    assert made.cut["note"].tolist() == ["", *[cutting.SAME] * 3] and len(made.sources) == 1


def test_links_and_odd_names_are_told_by_their_names(face, tmp_path):
    root = tmp_path / "sources"
    cases.put(root / "films/a.png", face)
    (root / "films/b.mp4").symlink_to("/etc/passwd")
    (root / "films/c").symlink_to(tmp_path)
    (root / "films/ti\nny.png").write_bytes((root / "films/a.png").read_bytes())
    (root / "sources.yaml").write_text("sources:\n" + SOURCES.splitlines()[-1])
    with pytest.raises(AccordError) as caught:
        cases.lists(root, cut=True)
    assert [one.where for one in caught.value.problems] == [
        "folder 'films/c'", "file 'films/b.mp4'", r"file 'films/ti\nny.png'"
    ]  # fmt: skip


def test_the_crop_is_a_square_of_1_3_boxes_with_the_face_in_its_middle(collected, face):
    _, files, made = collected
    cut = made.cut.set_index("image").loc[PICTURE]
    row = next(made.derivatives[made.derivatives["image"] == PICTURE].itertuples())
    crop = decode.decode(bundle.read(files, row))
    wanted = 1.3 * max(cut["width"], cut["height"])
    assert crop.shape == (row.height, row.width, 3) and row.width == row.height == min(96, round(wanted))
    assert cut["scale"] == pytest.approx(row.width / wanted)
    person = made.people.set_index("image").loc[PICTURE]
    assert person["face_x"] + person["face_width"] / 2 == pytest.approx(row.width / 2)
    middle = round(cut["y"] + cut["height"] / 2), round(cut["x"] + cut["width"] / 2)
    around = np.pad(face, ((0, 0), (40, 40), (0, 0)))[middle[0] - 3 : middle[0] + 3, middle[1] - 3 : middle[1] + 3]
    found = crop[row.height // 2 - 3 : row.height // 2 + 3, row.width // 2 - 3 : row.width // 2 + 3]
    assert np.abs(found.mean((0, 1)) - around.mean((0, 1))).max() < 12


def test_frames_of_a_video_of_nobody_known_belong_together(collected):
    _, _, made = collected
    subjects = made.people.set_index("image")["subject"]
    assert subjects["films/a.mp4#0000"] == subjects["films/a.mp4#0001"] == "films/a.mp4"
    assert subjects[PICTURE] == "Real/ada"
    assert made.sources.set_index("image")["label"].to_dict()["films/a.mp4#0000"] == 1


def test_a_withdrawn_video_is_not_opened(collected, tmp_path):
    root, _, made = collected
    (root / "withdrawn.csv").write_text("Image Path,People Of,Identity\nfilms/a.mp4,,\n,Real,ada\n")
    [listed] = cases.lists(root, cut=True).values()
    (root / "withdrawn.csv").unlink()
    assert set(listed["file"]) == {"films/cut.mp4"} and len(made.sources) == 3


def test_a_source_without_pictures_is_told(tmp_path):
    cases.put(tmp_path / PICTURE, cases.noise(1))
    (tmp_path / "films").mkdir()
    (tmp_path / "sources.yaml").write_text(SOURCES)
    with pytest.raises(AccordError, match="has the source 'films', which has no pictures"):
        cases.lists(tmp_path, cut=True)


def test_copies_between_sources_are_told_and_those_on_both_sides_of_a_split():
    """Hashes by hand: b is a with 3 bits turned, c the same pixels as a, d of a's own source, e flat, f far away."""
    told = {"a": ("A", "train"), "b": ("B", "test"), "c": ("B", "train"), "d": ("A", "test"), "e": ("B", "none"), "f": ("B", "test")}  # fmt: skip  # noqa: E501
    base = int("9c" * 32, 16)
    hashes = {"a": base, "b": base ^ 0b111, "c": base, "d": base ^ 1, "e": base ^ 2, "f": base ^ (2**40 - 1)}
    pixels = {name: ("a" if name == "c" else name) * 64 for name in told}
    sources = rows([(name, subset, "gan", "m", 1, split) for name, (subset, split) in told.items()], Sources)
    prints = rows(
        [(name, pixels[name], f"{hashes[name]:064x}", 0 if name == "e" else 100) for name in told], FacePrints
    )
    found = source_duplicates.run(sources, prints, max_distance=8)
    assert found.drop(columns=["source", "other_source"]).to_numpy().tolist() == [
        ["a", "b", "near", 3, True],
        ["a", "c", "exact", 0, False],
        ["b", "d", "near", 2, False],
        ["c", "d", "near", 1, True],
    ]
    assert set(found["source"]) | set(found["other_source"]) == {"A, m", "B, m"}
    assert len(source_duplicates.run(sources.iloc[:0], prints.iloc[:0], max_distance=8)) == 0


def test_of_equal_pictures_of_a_source_each_says_what_was_learnt():
    """The first alone is compared; it may be of another split than the one that was learnt from."""
    told = [("a1", "A", "test"), ("a2", "A", "train"), ("b", "B", "test"), ("c", "C", "test")]
    sources = rows([(name, of, "real", "m", 0, split) for name, of, split in told], Sources)
    pixels = {"a1": "1" * 64, "a2": "1" * 64, "b": "1" * 64, "c": "2" * 64}
    prints = rows([(name, pixels[name], "0f" * 32, 100) for name, *_ in told], FacePrints)
    found = source_duplicates.run(sources, prints, max_distance=0).set_index(["image", "other"])["relearnt"]
    assert found.to_dict() == {("a1", "b"): True, ("a1", "c"): True, ("b", "c"): False}
