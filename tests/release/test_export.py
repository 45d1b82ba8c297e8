"""Exports: each format opened by the library that reads it, and pruned after a withdrawal."""

import json
import os
import shutil
import subprocess
import tarfile
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from pycocotools.coco import COCO

from accord.analyse.datasets import files as datasets
from accord.errors import AccordError
from accord.holders import prune_command
from accord.imaging.decode import decode
from accord.release import command
from accord.release.exporting import export as exporting
from accord.release.exporting import pruning, record, register, samples
from accord.release.exporting.formats import coco
from accord.release.format import fhibe
from accord.release.seal import leaves, revocations
from accord.release.seal.verification import verify
from accord.sealing import signing

DAY = date(2026, 3, 1)
KINDS = tuple(exporting.FORMATS)
WARNING = "Nobody was photographed | all are rendered: ünreal."
PEOPLE = 3
"""Of the four appearances in the release of three images, so many people."""
pytestmark = [  # of the libraries that read, in their own code
    pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def house(tmp_path_factory, shards, tiny):
    """A release of three images: of two people, of one, and of one who publishes little."""
    made = tiny.House(tmp_path_factory.mktemp("house"), shards)
    made.publish()
    return made


@pytest.fixture(scope="module")
def release(house) -> Path:
    return house.releases / "1.0.0"


@pytest.fixture(scope="module")
def warned_of(tmp_path_factory, shards, tiny) -> Path:
    """A release whose datasheet begins with a warning."""
    made = tiny.House(tmp_path_factory.mktemp("warned"), shards)
    made.settings = made.settings | {"caution": WARNING}
    made.publish()
    return made.releases / "1.0.0"


@pytest.fixture
def made(house, release, tmp_path):
    """Exports the release in a format; returns the folder."""

    def export(kind: str) -> Path:
        out = tmp_path / kind
        exporting.export(kind, release, out, day=DAY, vault=house.vault)
        return out

    return export


def table(release: Path) -> pd.DataFrame:
    return pd.read_csv(release / fhibe.WHOLE_TABLE, keep_default_na=False)


def revoke(house, release: Path, image: str, kinds: tuple[str, ...] = ()) -> bytes:
    """The revocation of what speaks of an image; of some kinds of leaves alone where they are named."""
    found = [leaves.parse(line) for line in (release / leaves.NAME).read_bytes().splitlines() if image.encode() in line]
    fallen = [leaf.hash for leaf in found if not kinds or leaf.content["kind"] in kinds]
    return revocations.revoke(verify(release).statement, fallen, signing.signing_key(house.vault))


def everything(folder: Path) -> bytes:
    """All bytes of a folder and the names in it; those of Parquet and images as they are stored."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return b"".join(path.read_bytes() + str(path).encode() for path in files)


def test_coco_is_loaded_and_counts_agree(release, made):
    folder = made("coco")
    loaded, rows = COCO(folder / "annotations/instances.json"), table(release)
    assert len(loaded.getImgIds()) == rows["image_id"].nunique() == 3
    of = {kind: loaded.loadAnns(loaded.getAnnIds(catIds=loaded.getCatIds([kind]))) for kind in ("person", "face")}
    assert len(of["person"]) == (rows["person_bbox"] != "").sum() == 4
    assert len(of["face"]) == (rows["face_bbox"] != "").sum()
    segments = rows["segments"].map(lambda cell: len(json.loads(cell.replace("'", '"'))) if cell else 0).sum()
    assert len(loaded.getAnnIds()) == len(of["person"]) + len(of["face"]) + segments
    for image in loaded.loadImgs(loaded.getImgIds()):
        pixels = decode((folder / "images" / image["file_name"]).read_bytes())
        assert pixels.shape == (image["height"], image["width"], 3)


def test_coco_keypoints_boxes_and_masks_are_those_of_the_table(release, made):
    loaded = COCO(made("coco") / "annotations/instances.json")
    people = {(one["image_id"], one["subject_id"]): one for one in loaded.loadAnns(loaded.getAnnIds(catIds=[1]))}
    names = {one["id"]: Path(one["file_name"]).stem for one in loaded.loadImgs(loaded.getImgIds())}
    for (image, subject), one in people.items():
        rows = table(release)
        row = rows[(rows["image_id"] == names[image]) & (rows["subject_id"] == subject)].iloc[0]
        assert one["bbox"] == json.loads(row["person_bbox"])
        points = json.loads(row["keypoints"].replace("'", '"'))
        nose, shoulder = (points[next(name for name in points if name.endswith(end))] for end in (". Nose", "shoulder"))
        assert one["keypoints"][:3] == [nose[0], nose[1], 2]
        assert one["keypoints"][6 * 3 : 7 * 3] == [shoulder[0], shoulder[1], 1]  # annotated, and hidden
        assert one["keypoints"][15 * 3 : 16 * 3] == [0, 0, 0]  # no left ankle is annotated
        assert one["num_keypoints"] == sum(v > 0 for v in one["keypoints"][2::3]) == 4
        assert len(one["all_keypoints"]) == 3 * 33
        assert loaded.annToMask(one).sum() == one["area"] > 0


def test_the_coco_file_is_evaluated_by_coco_itself(made):
    """Its own annotations as detections have an average precision of 1: categories, areas, boxes are understood."""
    from pycocotools.cocoeval import COCOeval

    truth = COCO(made("coco") / "annotations/instances.json")
    found = [
        {name: one[name] for name in ("image_id", "category_id", "bbox")} | {"score": 1.0}
        for one in truth.dataset["annotations"]
    ]
    run = COCOeval(truth, truth.loadRes(found), "bbox")
    run.evaluate()
    run.accumulate()
    run.summarize()
    assert run.stats[0] == pytest.approx(1)


def test_an_exported_release_is_a_dataset_of_people(release, made):
    rows = table(release)
    found = datasets.load("coco", made("coco")).dataset
    people = found.people.set_index(["image", "subject"])
    named = {(f"{row.image_id}.png", row.subject_id): row for row in rows[rows["person_bbox"] != ""].itertuples()}
    assert sorted(people.index) == sorted(named) and people.index.get_level_values("subject").nunique() < 4
    for key, row in named.items():
        sides = ["person_x", "person_y", "person_width", "person_height"]
        assert people.loc[key, sides].tolist() == json.loads(row.person_bbox)
        assert people.loc[key, "face_width"] == json.loads(row.face_bbox)[2]
    outlined = {key for key, row in named.items() if row.segments}
    assert set(found.areas.set_index(["image", "subject"]).index) == outlined
    assert set(found.keypoints["image"]) == {f"{image}.png" for image in rows["image_id"]}


def test_people_without_a_box_have_no_annotation_and_are_counted(release, tmp_path):
    some = [one._replace(people=[p._replace(person_box=None) for p in one.people]) for one in samples.read(release)]
    coco.write(some, tmp_path, {"dataset": "d", "version": "1.0.0", "published": "2026-03-01", "caution": ""})
    loaded = COCO(tmp_path / "annotations/instances.json")
    assert loaded.getAnnIds(catIds=[1]) == [] and len(loaded.getAnnIds(catIds=[2])) == 4


def test_fiftyone_has_the_layout_that_its_coco_importer_opens(made):
    """docs.voxel51.com, COCODetectionDataset: data/ and labels.json; other keys of annotations become fields."""
    folder = made("fiftyone")
    loaded = COCO(folder / "labels.json")
    names = {one["file_name"] for one in loaded.loadImgs(loaded.getImgIds())}
    assert {path.name for path in (folder / "data").iterdir()} == names
    assert sorted(one["id"] for one in loaded.loadCats(loaded.getCatIds())) == list(range(1, 31))
    people = loaded.loadAnns(loaded.getAnnIds(catIds=[1]))
    assert not any("attributes" in one for one in people)
    person = next(one for one in people if one["apparent_skin_color"])
    assert person["apparent_skin_color"] == "3. [175, 148, 120]"
    assert person["pronoun"] == ["1. He/him/his", "2. They/them/their"]


@pytest.mark.slow
@pytest.mark.skipif("FIFTYONE_PYTHON" not in os.environ, reason="names no Python that has FiftyOne and mongomock")
def test_fiftyone_s_own_importer_reads_boxes_masks_points_and_attributes(made):
    folder = made("fiftyone")
    reader = [os.environ["FIFTYONE_PYTHON"], str(Path(__file__).parent / "fiftyone_reader.py"), str(folder)]
    out = subprocess.run(reader, capture_output=True, text=True, check=True).stdout
    opened, loaded = json.loads(out.splitlines()[-1]), COCO(folder / "labels.json")
    names = {one["id"]: one["name"] for one in loaded.loadCats(loaded.getCatIds())}
    images = loaded.loadImgs(loaded.getImgIds())
    assert set(opened) == {one["file_name"] for one in images} and len(images) == 3
    for image in images:
        written, read = loaded.imgToAnns[image["id"]], opened[image["file_name"]]
        size = np.array([image["width"], image["height"]] * 2)
        assert [one["label"] for one in read["detections"]] == [names[one["category_id"]] for one in written]
        np.testing.assert_allclose([one["box"] for one in read["detections"]], [one["bbox"] / size for one in written])
        said = [one["pronoun"] for one in read["detections"] if one["label"] == "person"]
        assert said == [one["pronoun"] or None for one in written if one["category_id"] == 1]
        seen = [sum(not np.isnan(point).any() for point in one) for one in read["keypoints"]]
        assert seen == [one["num_keypoints"] for one in written if one.get("num_keypoints")]
        masks = {one["label"]: one["mask"] for one in read["segmentations"]}
        drawn = {names[one["category_id"]]: loaded.annToMask(one).sum() for one in written if one["segmentation"]}
        assert set(masks) == set(drawn)
        for name, pixels in drawn.items():
            assert masks[name] == pytest.approx(pixels, rel=0.1, abs=60)  # its masks are cut to whole boxes


def test_hugging_face_datasets_opens_the_folder(release, made, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    folder = made("huggingface")
    loaded = datasets.load_dataset(str(folder), split="train", cache_dir=str(tmp_path / "cache"))
    assert isinstance(loaded.features["image"], datasets.Image)
    rows = table(release)
    assert set(loaded["image_id"]) == set(rows["image_id"])
    for row in loaded:
        assert row["image"].size == (row["width"], row["height"])
        mine = rows[rows["image_id"] == row["image_id"]]
        assert [person["subject_id"] for person in row["people"] if person["is_primary"]] == list(
            mine.loc[mine["is_primary"].astype(str) == "True", "subject_id"]
        )
        path = release / mine.iloc[0]["filepath"]
        assert np.array_equal(np.asarray(row["image"]), decode(path.read_bytes()))
    shown = [person for row in loaded for person in row["people"]]
    assert sum(person["person_bbox"] is None for person in shown) == (rows["person_bbox"] == "").sum()


def test_webdataset_reads_the_shards(release, made):
    import webdataset

    folder = made("webdataset")
    found = list(webdataset.WebDataset(str(folder / "shard-000000.tar"), shardshuffle=False).decode("rgb8"))
    assert [one["__key__"] for one in found] == sorted(table(release)["image_id"].unique())
    for one in found:
        assert one["png"].shape == (one["json"]["height"], one["json"]["width"], 3)
        assert all(len(person["keypoints"]) in (0, 6) for person in one["json"]["people"])


def test_shards_are_cut_and_the_same_twice(release, made, tmp_path, monkeypatch):
    from accord.release.exporting.formats import webdataset

    monkeypatch.setattr(webdataset, "PER_SHARD", 2)
    made("webdataset")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        webdataset.write(samples.read(release), tmp_path / name, {"caution": ""})
    shards = sorted((tmp_path / "a").glob("*.tar"))
    numbers = []
    for path in shards:
        with tarfile.open(path) as tar:
            numbers.append(len(tar.getnames()))
    assert numbers == [4, 2]
    assert [path.read_bytes() for path in shards] == [(tmp_path / "b" / path.name).read_bytes() for path in shards]


def holds(folder: Path, image: str) -> bool:
    """Whether a copy still says or shows an image; tables of Parquet are read, since their pages are compressed."""
    tables = [
        str(pq.read_table(path, columns=["image_id", "people"]).to_pylist()) for path in folder.rglob("*.parquet")
    ]
    return image.encode() in everything(folder) or any(image in told for told in tables)


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_is_pruned_and_the_rest_stays(kind, house, release, made):
    folder, (first, *others) = made(kind), sorted(table(release)["image_id"].unique())
    asked = pruning.plan(folder, revoke(house, release, first))
    assert asked.images == {first} and holds(folder, first)
    assert pruning.carry_out(folder, asked) == 1
    assert not holds(folder, first) and all(holds(folder, other) for other in others)
    assert sorted(record.read(folder).images) == others
    assert pruning.carry_out(folder, pruning.plan(folder, revoke(house, release, first))) == 0  # again: nothing to do
    assert len(record.read(folder).pruned) == 1


def test_a_copy_is_pruned_from_the_command_line(house, release, made, tmp_path, capsys):
    folder, image = made("coco"), min(table(release)["image_id"])
    listed = tmp_path / "revocations.jsonl"
    listed.write_bytes(revoke(house, release, image) + b"\n")
    words, before = [str(folder), "--revocations", str(listed)], everything(folder)
    assert prune_command.main([*words, "--dry-run"]) == 0
    assert capsys.readouterr().out == "would erase 1 image; nothing was touched\n"
    with pytest.raises(AccordError, match="--also: doesn't apply to an export"):
        prune_command.main([*words, "--also", str(tmp_path)])
    assert everything(folder) == before
    assert prune_command.main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"images": 1, "revocations": 1, "dry_run": False}
    assert not holds(folder, image)
    assert prune_command.main(words) == 0
    assert capsys.readouterr().out == "erased    0 images\n"


@pytest.mark.parametrize("kind", KINDS)
def test_a_pruning_that_was_stopped_goes_on(kind, house, release, made, monkeypatch):
    folder, image = made(kind), min(table(release)["image_id"])
    asked = pruning.plan(folder, revoke(house, release, image))
    with monkeypatch.context() as patched:
        patched.setattr(record, "write", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            pruning.carry_out(folder, asked)
    assert image in record.read(folder).images  # the record, which is last, still names it
    assert pruning.carry_out(folder, pruning.plan(folder, revoke(house, release, image))) == 1
    assert not holds(folder, image)


def test_an_image_goes_as_soon_as_any_of_its_leaves_is_revoked(house, release, made):
    folder, image = made("coco"), min(table(release)["image_id"])
    for kinds in (("image",), ("annotation",), ("row",)):
        assert pruning.plan(folder, revoke(house, release, image, kinds)).images == {image}


def test_listed_copies_are_pruned_with_their_release_and_leftovers_of_interrupted_ones_go(
    house, release, made, tmp_path
):
    image = min(table(release)["image_id"])
    kept, moved = made("coco"), made("webdataset")
    shutil.rmtree(moved)
    left = register.unfinished(moved)
    left.mkdir()
    (left / "picture.png").write_bytes(b"left by a kill")
    done = dict(pruning.listed(house.vault / register.NAME, "1.0.0", revoke(house, release, image)))
    assert done[kept.resolve()] == 1 and done[moved.resolve()] is None
    assert not left.exists() and not holds(kept, image)
    assert dict(pruning.listed(house.vault / register.NAME, "9.0.0", b"")) == {}


def test_forged_revocations_and_those_of_others_are_refused(house, release, made):
    folder = made("coco")
    before = everything(folder)
    good = revoke(house, release, min(table(release)["image_id"]))
    for bad in (good.replace(b'"payload":"ey', b'"payload":"ez'), b"[]", b"\n"):
        with pytest.raises(AccordError, match=r"signed|valid|contains no revocation"):
            pruning.plan(folder, bad)
    assert everything(folder) == before


def test_a_record_whose_names_lead_out_of_the_folder_is_refused(made):
    folder = made("coco")
    told = json.loads((folder / record.NAME).read_bytes())
    for name in ("../x", "a/b", "..\\x", ""):
        (folder / record.NAME).write_text(json.dumps(told | {"images": {name: []}}))
        with pytest.raises(AccordError, match="is not a valid record of an export"):
            record.read(folder)
    (folder / record.NAME).write_text("[")
    with pytest.raises(AccordError, match="can't be read"):
        record.read(folder)


def test_an_interrupted_export_is_never_taken_for_whole(release, tmp_path, monkeypatch):
    """It has another name and no record; a second try starts anew."""
    out = tmp_path / "out"
    with monkeypatch.context() as patched:
        patched.setattr(samples.Sample, "data", lambda _: (_ for _ in ()).throw(OSError("disk full")))
        with pytest.raises(OSError, match="disk full"):
            exporting.export("coco", release, out, day=DAY)
    assert not out.exists() and not pruning.is_copy(register.unfinished(out))
    register.unfinished(out).mkdir()
    (register.unfinished(out) / "old").write_text("of a run that was killed")
    told = exporting.export("coco", release, out, day=DAY)
    assert (told.images, told.people, told.appearances, told.without_box) == (3, PEOPLE, 4, 0)
    assert pruning.is_copy(out) and not (out / "old").exists() and not register.unfinished(out).exists()


def test_what_is_broken_or_there_already_is_not_exported(release, tmp_path):
    with pytest.raises(AccordError, match="already exists"):
        exporting.export("coco", release, tmp_path, day=DAY)
    with pytest.raises(AccordError, match="is inside the release"):
        exporting.export("coco", release, release / "data" / "new", day=DAY)
    broken = tmp_path / "broken"
    shutil.copytree(release, broken)
    path = next((broken / fhibe.RAW).rglob("main_*.png"))
    path.chmod(0o644)
    path.write_bytes(b"changed")
    with pytest.raises(AccordError, match="is not valid, so it was not exported"):
        exporting.export("coco", broken, tmp_path / "out", day=DAY)
    assert not (tmp_path / "out").exists() and not (tmp_path / register.NAME).exists()


def test_the_command_exports_and_writes_down(house, release, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["export", "coco", str(release), "copy", "--vault", str(house.vault), "--published", "2026-03-01"]
    assert command.main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    shown = {"images": 3, "people": PEOPLE, "appearances": 4, "without_box": 0}
    assert told == {"out": "copy", "format": "coco", **shown, "videos_left_out": 0}
    assert register.read(house.vault / register.NAME)[-1] == ("coco", "1.0.0", (tmp_path / "copy").resolve(), DAY)
    assert (tmp_path / "copy").stat().st_mode & 0o077 == 0
    with pytest.raises(AccordError, match="already exists"):
        command.main(words)
    with pytest.raises(AccordError, match="doesn't apply to coco"):
        command.main([*words[:3], "other", "--url", "https://example.org"])


def test_the_command_counts_each_person_once(house, release, tmp_path, capsys):
    rows = table(release)
    people, appearances = rows["subject_id"].nunique(), len(rows)
    assert people < appearances  # else they can't be told apart
    assert command.main(["export", "coco", str(release), str(tmp_path / "copy"), "--vault", str(house.vault)]) == 0
    assert f": 3 images of {people} people; {appearances} appearances, 0 without a box\n" in capsys.readouterr().out


@pytest.mark.parametrize("kind", KINDS)
def test_an_export_says_first_what_the_release_says_first(kind, made, warned_of, tmp_path):
    """In the card of each format and in COCO's info; where a release warns of nothing, nothing is said."""
    exporting.export(kind, warned_of, tmp_path / "warned", day=DAY)
    plain_folder = made(kind)
    files = {"coco": ["annotations/instances.json"], "fiftyone": ["README.md", "labels.json"]}
    for name in files.get(kind, ["README.md"]):
        plain, warned = ((folder / name).read_text(encoding="utf-8") for folder in (plain_folder, tmp_path / "warned"))
        assert "Read this first" not in plain and "caution" not in plain
        if name.endswith(".json"):
            assert json.loads(warned)["info"]["caution"] == WARNING
        else:
            assert f"\n**Read this first.** {WARNING}\n" in warned
            assert "Photographs of people" not in warned + plain


def test_croissant_says_when_and_where_it_is_offered_and_validates(release, tmp_path, monkeypatch):
    import mlcroissant

    monkeypatch.chdir(tmp_path)
    words = ["export", "croissant", str(release), "out.json", "--published", "2026-03-01"]
    assert command.main([*words, "--url", "https://example.org/data"]) == 0
    read = mlcroissant.Dataset(json.loads((tmp_path / "out.json").read_bytes()))
    assert read.metadata.date_published.date() == DAY
    assert read.metadata.url == "https://example.org/data"
    assert not [warning for warning in read.metadata.ctx.issues.warnings if "datePublished" in warning]
    shutil.copytree(release, tmp_path / "copy")  # records are read where the description lies at the top of a copy
    shutil.copy(tmp_path / "out.json", tmp_path / "copy/croissant.json")
    beside = mlcroissant.Dataset(tmp_path / "copy/croissant.json")
    assert all(next(iter(beside.records(one.id)), None) for one in beside.metadata.record_sets)
    with pytest.raises(AccordError, match="already exists"):
        command.main(words)
    with pytest.raises(AccordError, match="is it a complete release"):
        command.main(["export", "croissant", str(tmp_path), "other.json"])
